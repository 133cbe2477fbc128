#include "growth/shapes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "interpreter/graph.h"
#include "nnapi/memory.h"

namespace nn::growth {
namespace {

constexpr auto RELU = OperationType::RELU;
constexpr auto IF = OperationType::IF;
constexpr auto WHILE = OperationType::WHILE;

using Index = std::vector<uint32_t>;

uint32_t root(uint32_t n) { return static_cast<uint32_t>(std::sqrt(n)); }

// Completes a graph with an output that is written.
void end(Graph& graph, uint32_t x) { graph.add(RELU, {x}, {graph.output(TENSOR_FLOAT32, {2})}); }

// A graph that forwards its inputs: x, and the requested number of others.
uint32_t addBranch(Model& model, uint32_t others = 0, const Operand* like = nullptr) {
    Graph graph(model);
    const uint32_t x = graph.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 0; i < others; ++i) {
        const uint32_t other = graph.input(TENSOR_FLOAT32, {2});
        if (like != nullptr) {
            graph.graph.operands[other] = *like;
            graph.graph.operands[other].lifetime = LifeTime::SUBGRAPH_INPUT;
        }
    }
    end(graph, x);
    model.referenced.push_back(std::move(graph.graph));
    return static_cast<uint32_t>(model.referenced.size() - 1);
}

// A condition that never holds, so that a loop ends at once.
uint32_t addCondition(Model& model) {
    Graph graph(model);
    graph.input(TENSOR_FLOAT32, {2});
    graph.add(OperationType::LOGICAL_NOT, {graph.constant<uint8_t>(TENSOR_BOOL8, {1}, {1})},
              {graph.output(TENSOR_BOOL8, {1})});
    model.referenced.push_back(std::move(graph.graph));
    return static_cast<uint32_t>(model.referenced.size() - 1);
}

Operand perChannel(uint32_t channels) {
    Operand operand{.type = TENSOR_QUANT8_SYMM_PER_CHANNEL,
                    .dimensions = {channels},
                    .lifetime = LifeTime::SUBGRAPH_INPUT};
    operand.extraParams =
            Operand::SymmPerChannelQuantParams{.scales = std::vector<float>(channels, 1.0f)};
    return operand;
}

Operand ofExtension(uint32_t bytes) {
    Operand operand{.type = static_cast<OperandType>(1 << 16),
                    .dimensions = {2},
                    .lifetime = LifeTime::SUBGRAPH_INPUT};
    operand.extraParams = Operand::ExtensionParams(bytes, 7);
    return operand;
}

uint32_t addInput(Graph& graph, const Operand& like) {
    const uint32_t index = graph.input(TENSOR_FLOAT32, {2});
    graph.graph.operands[index] = like;
    return index;
}

// ---- chains, fans, wide lists

Model chain(uint32_t n) {
    MainGraph main;
    uint32_t x = main.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 0; i < n / 4; ++i) {
        const uint32_t next = main.temporary(TENSOR_FLOAT32, {2});
        main.add(RELU, {x}, {next});
        x = next;
    }
    end(main, x);
    return main.build();
}

Model fan(uint32_t n) {
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 0; i < n / 5; ++i) end(main, x);
    return main.build();
}

Model manyInputs(uint32_t n) {
    MainGraph main;
    Index inputs;
    for (uint32_t i = 0; i < n / 3; ++i) inputs.push_back(main.input(TENSOR_FLOAT32, {2}));
    inputs.push_back(main.scalar(0));
    main.add(OperationType::CONCATENATION, inputs, {main.output(TENSOR_FLOAT32, {n / 3 * 2})});
    return main.build();
}

Model oneInputManyTimes(uint32_t n) {
    MainGraph main;
    Index inputs(n, main.input(TENSOR_FLOAT32, {2}));
    inputs.push_back(main.scalar(0));
    main.add(OperationType::CONCATENATION, inputs, {main.output(TENSOR_FLOAT32, {n * 2})});
    return main.build();
}

Model manyOutputs(uint32_t n) {
    const uint32_t parts = n / 3;
    MainGraph main;
    const Index inputs = {main.input(TENSOR_FLOAT32, {parts}), main.scalar(0),
                          main.scalar(static_cast<int32_t>(parts))};
    Index outputs;
    for (uint32_t i = 0; i < parts; ++i) outputs.push_back(main.output(TENSOR_FLOAT32, {1}));
    main.add(OperationType::SPLIT, inputs, outputs);
    return main.build();
}

Model highRanks(uint32_t n) {
    MainGraph main;
    const Index dimensions(64, 1);
    const uint32_t x = main.input(TENSOR_FLOAT32, dimensions);
    for (uint32_t i = 0; i < n / 68; ++i)
        main.add(OperationType::ABS, {x}, {main.output(TENSOR_FLOAT32, dimensions)});
    return main.build();
}

// All temporaries live until the last operation reads them.
Model longLived(uint32_t n) {
    const uint32_t parts = n / 5;
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2});
    Index all;
    for (uint32_t i = 0; i < parts; ++i) {
        all.push_back(main.temporary(TENSOR_FLOAT32, {2}));
        main.add(RELU, {x}, {all.back()});
    }
    all.push_back(main.scalar(0));
    main.add(OperationType::CONCATENATION, all, {main.output(TENSOR_FLOAT32, {parts * 2})});
    return main.build();
}

// The same with sizes known only during execution, each smaller than the previous one.
Model unknownSizes(uint32_t n) {
    const uint32_t parts = n / 6;
    MainGraph main;
    Graph branch(main.model);
    const uint32_t large = main.input(TENSOR_FLOAT32, {0}), small = main.input(TENSOR_FLOAT32, {0});
    const uint32_t condition = main.input(TENSOR_BOOL8, {1});
    const uint32_t graph = main.subgraph(0);
    Index inputs = {condition, graph, graph};
    for (uint32_t i = 0; i < parts; ++i) {
        inputs.push_back(main.temporary(TENSOR_FLOAT32, {0}));
        main.add(RELU, {i < parts / 2 ? large : small}, {inputs.back()});
        branch.input(TENSOR_FLOAT32, {0});
    }
    branch.add(RELU, {0}, {branch.output(TENSOR_FLOAT32, {0})});
    main.add(IF, inputs, {main.output(TENSOR_FLOAT32, {0})});
    main.model.referenced.push_back(std::move(branch.graph));
    return main.build();
}

// ---- graphs

// IFs one after the other, each over its own graph, or all over one.
Model ifsInARow(uint32_t count, bool share) {
    MainGraph main;
    const uint32_t condition = main.input(TENSOR_BOOL8, {1});
    uint32_t x = main.input(TENSOR_FLOAT32, {2});
    uint32_t branch = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == 0 || !share) branch = main.subgraph(addBranch(main.model));
        const uint32_t next = main.temporary(TENSOR_FLOAT32, {2});
        main.add(IF, {condition, branch, branch, x}, {next});
        x = next;
    }
    end(main, x);
    return main.build();
}

Model ifs(uint32_t n) { return ifsInARow(n / 16, false); }
Model ifsOverOneGraph(uint32_t n) { return ifsInARow(n / 8, true); }

Model whilesOverOneGraph(uint32_t n) {
    MainGraph main;
    uint32_t x = main.input(TENSOR_FLOAT32, {2});
    const uint32_t condition = main.subgraph(addCondition(main.model));
    const uint32_t body = main.subgraph(addBranch(main.model));
    for (uint32_t i = 0; i < n / 7; ++i) {
        const uint32_t next = main.temporary(TENSOR_FLOAT32, {2});
        main.add(WHILE, {condition, body, x}, {next});
        x = next;
    }
    end(main, x);
    return main.build();
}

// Loops that carry one value, over a graph that lists very many.
Model whilesOverWideGraph(uint32_t n) {
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2}), graph = main.subgraph(0);
    for (uint32_t i = 0; i < n / 10; ++i)
        main.add(WHILE, {graph, graph, x}, {main.output(TENSOR_FLOAT32, {2})});
    addBranch(main.model, n / 6);
    return main.build();
}

// The same with a graph that lists one input repeatedly.
Model whilesOverRepeatedInput(uint32_t n) {
    Model model = whilesOverWideGraph(n);
    const Model narrow = whilesOverOneGraph(16);
    model.referenced[0] = narrow.referenced[1];
    model.referenced[0].inputIndexes.assign(n / 2, 0);
    return model;
}

Model nests(uint32_t n) {
    constexpr uint32_t kDepth = 32;
    MainGraph main;
    const uint32_t condition = main.input(TENSOR_BOOL8, {1});
    uint32_t x = main.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 0; i < n / (18 * kDepth); ++i) {
        uint32_t inner = addBranch(main.model);
        for (uint32_t depth = 1; depth < kDepth; ++depth) {
            Graph graph(main.model);
            const uint32_t y = graph.input(TENSOR_FLOAT32, {2});
            const uint32_t always = graph.constant<uint8_t>(TENSOR_BOOL8, {1}, {1});
            const uint32_t reference = graph.subgraph(inner);
            graph.add(IF, {always, reference, reference, y}, {graph.output(TENSOR_FLOAT32, {2})});
            main.model.referenced.push_back(std::move(graph.graph));
            inner = static_cast<uint32_t>(main.model.referenced.size() - 1);
        }
        const uint32_t next = main.temporary(TENSOR_FLOAT32, {2}), nest = main.subgraph(inner);
        main.add(IF, {condition, nest, nest, x}, {next});
        x = next;
    }
    end(main, x);
    return main.build();
}

// Graphs nested deeper than the limits allow.
Model oneDeepNest(uint32_t n) {
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2});
    main.subgraph(0);
    end(main, x);
    for (uint32_t i = 0; i < n / 6; ++i) {
        Graph graph(main.model);
        const uint32_t y = graph.input(TENSOR_FLOAT32, {2});
        if (i + 1 < n / 6) graph.subgraph(i + 1);
        end(graph, y);
        main.model.referenced.push_back(std::move(graph.graph));
    }
    return main.build();
}

// Sixty graphs, each of which references the next one in many IFs: exponentially many paths.
Model sharedGraphs(uint32_t n) {
    constexpr uint32_t kGraphs = 60;
    Model model;
    for (uint32_t i = 0; i < kGraphs; ++i) {
        Graph graph(model);
        const uint32_t x = graph.input(TENSOR_FLOAT32, {2});
        if (i + 1 == kGraphs) {
            end(graph, x);
        } else {
            const uint32_t always = graph.constant<uint8_t>(TENSOR_BOOL8, {1}, {1});
            const uint32_t next = graph.subgraph(i + 1);
            uint32_t y = x;
            for (uint32_t k = 0; k < n / (kGraphs * 8); ++k) {
                const uint32_t z = graph.temporary(TENSOR_FLOAT32, {2});
                graph.add(IF, {always, next, next, y}, {z});
                y = z;
            }
            end(graph, y);
        }
        model.referenced.push_back(std::move(graph.graph));
    }
    model.main = model.referenced[0];
    return model;
}

Model cycle(uint32_t n) {
    Model model = oneDeepNest(n);
    Graph back(model);
    back.graph = std::move(model.referenced.back());
    back.subgraph(0);
    model.referenced.back() = std::move(back.graph);
    return model;
}

// ---- shared by operations

// One IF lists an operand with many scales as many times as it has scales.
Model repeatedScales(uint32_t n) {
    MainGraph main;
    const Operand wide = perChannel(n / 4);
    const uint32_t condition = main.input(TENSOR_BOOL8, {1}), x = main.input(TENSOR_FLOAT32, {2});
    const uint32_t q = addInput(main, wide), graph = main.subgraph(addBranch(main.model, 1, &wide));
    Index inputs = {condition, graph, graph, x};
    inputs.insert(inputs.end(), n / 4, q);
    main.add(IF, inputs, {main.output(TENSOR_FLOAT32, {2})});
    main.model.referenced[0].inputIndexes.insert(main.model.referenced[0].inputIndexes.end(),
                                                 n / 4 - 1, 1);
    return main.build();
}

Model ifsWith(const Operand& operand, uint32_t count) {
    MainGraph main;
    const uint32_t condition = main.input(TENSOR_BOOL8, {1}), x = main.input(TENSOR_FLOAT32, {2});
    const uint32_t q = addInput(main, operand),
                   graph = main.subgraph(addBranch(main.model, 1, &operand));
    for (uint32_t i = 0; i < count; ++i)
        main.add(IF, {condition, graph, graph, x, q}, {main.output(TENSOR_FLOAT32, {2})});
    return main.build();
}

Model ifsWithScales(uint32_t n) { return ifsWith(perChannel(n / 4), n / 20); }
Model ifsWithBytes(uint32_t n) { return ifsWith(ofExtension(n), n / 20); }

// Many operands with equal parameters, and IFs over each of them.
Model manyScales(uint32_t n) {
    const uint32_t each = root(n);
    MainGraph main;
    const Operand operand = perChannel(each);
    const uint32_t condition = main.input(TENSOR_BOOL8, {1}), x = main.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 0; i < n / (3 * each); ++i) {
        const uint32_t q = addInput(main, operand);
        const uint32_t graph = main.subgraph(addBranch(main.model, 1, &operand));
        main.add(IF, {condition, graph, graph, x, q}, {main.output(TENSOR_FLOAT32, {2})});
    }
    return main.build();
}

// Convolutions with one filter of many channels.
Model oneFilter(uint32_t n) {
    const uint32_t channels = n / 4;
    MainGraph main;
    const uint32_t x = main.input(TENSOR_QUANT8_ASYMM, {1, 0, 0, 1});
    const uint32_t filter = main.constant<int8_t>(
            TENSOR_QUANT8_SYMM_PER_CHANNEL, {channels, 1, 1, 1}, std::vector<int8_t>(channels, 1));
    main.graph.operands[x].scale = 1;
    main.graph.operands[filter].extraParams =
            Operand::SymmPerChannelQuantParams{.scales = std::vector<float>(channels, 1.0f)};
    const uint32_t bias =
            main.constant<int32_t>(TENSOR_INT32, {channels}, std::vector<int32_t>(channels));
    const uint32_t one = main.scalar(1), none = main.scalar(0);
    for (uint32_t i = 0; i < n / 15; ++i) {
        const uint32_t y = main.output(TENSOR_QUANT8_ASYMM, {1, 0, 0, channels});
        main.graph.operands[y].scale = 2;
        main.add(OperationType::CONV_2D, {x, filter, bias, one, one, one, none}, {y});
    }
    return main.build();
}

// Operations with one long list: of axes, paddings, sizes.
Model sharingAList(uint32_t n, OperationType type, Index ofInput, Index dimensions, bool hasScalar,
                   Index ofOutput) {
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, ofInput);
    const uint32_t list =
            main.constant<int32_t>(TENSOR_INT32, dimensions, std::vector<int32_t>(n / 2, 0));
    const uint32_t one = main.scalar(1);
    for (uint32_t i = 0; i < n / 20; ++i) {
        Index inputs = {x, list};
        if (hasScalar) inputs.push_back(one);
        main.add(type, inputs, {main.output(TENSOR_FLOAT32, ofOutput)});
    }
    return main.build();
}

Model axes(uint32_t n) {
    return sharingAList(n, OperationType::MEAN, {1, 1, 1, 1}, {n / 2}, true, {1, 1, 1, 1});
}
Model shapesOfReshape(uint32_t n) {
    return sharingAList(n, OperationType::RESHAPE, {1, 1, 1, 1}, {n / 2}, false, {});
}
Model paddings(uint32_t n) {
    return sharingAList(n, OperationType::PAD, {}, {n / 4, 2}, false, {});
}

// Constants that overlap in the same bytes.
Model overlappingLists(uint32_t n) {
    const uint32_t length = n / 4;
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {1, 1});
    const uint32_t list =
            main.constant<int32_t>(TENSOR_INT32, {2 * length}, std::vector<int32_t>(2 * length));
    const uint32_t one = main.scalar(1);
    for (uint32_t i = 0; i < n / 30; ++i) {
        const uint32_t part = main.constant<int32_t>(TENSOR_INT32, {length}, {});
        main.graph.operands[part].location = {
                .offset = main.graph.operands[list].location.offset + 4 * i, .length = 4 * length};
        main.add(OperationType::MEAN, {x, part, one}, {main.output(TENSOR_FLOAT32, {1, 1})});
    }
    return main.build();
}

// Each operation doubles the rank, or adds one to it.
Model ranks(uint32_t n, OperationType type) {
    MainGraph main;
    uint32_t x = main.input(TENSOR_INT32, {1, 1});
    const uint32_t axis = main.scalar(0);
    for (uint32_t i = 0; i < n / 5; ++i) {
        const uint32_t y =
                i + 1 < n / 5 ? main.temporary(TENSOR_INT32, {}) : main.output(TENSOR_INT32, {});
        const bool doubles = type == OperationType::GATHER;
        main.add(type, doubles ? Index{x, axis, x} : Index{x, axis}, {y});
        x = y;
    }
    return main.build();
}

Model doublingRanks(uint32_t n) { return ranks(n, OperationType::GATHER); }
Model growingRanks(uint32_t n) { return ranks(n, OperationType::EXPAND_DIMS); }

// Optional inputs that all have their default values, which minimizing removes.
Model defaults(uint32_t n) {
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2}), beta = main.scalar(1.0f);
    for (uint32_t i = 0; i < n / 8; ++i) {
        main.add(OperationType::SOFTMAX, {x, beta, main.scalar(-1)},
                 {main.output(TENSOR_FLOAT32, {2})});
    }
    main.graph.operands[x].dimensions = {1, 2};
    for (const uint32_t output : main.graph.outputIndexes)
        main.graph.operands[output].dimensions = {1, 2};
    return main.build();
}

// ---- pools, extensions, dead parts

Model pools(uint32_t n) {
    const uint32_t count = n / 6;
    const auto memory = createSharedMemory(8);
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t c = main.constant<float>(TENSOR_FLOAT32, {2}, {});
        main.graph.operands[c].lifetime = LifeTime::CONSTANT_REFERENCE;
        main.graph.operands[c].location = {.poolIndex = i, .length = 8};
        main.model.pools.push_back(*memory);
    }
    end(main, x);
    return main.build();
}

Model pointers(uint32_t n) {
    static const float kValues[2] = {1, 2};
    MainGraph main;
    for (uint32_t i = 0; i < n / 8; ++i) {
        const uint32_t c = main.constant<float>(TENSOR_FLOAT32, {2}, {});
        main.graph.operands[c].lifetime = LifeTime::POINTER;
        main.graph.operands[c].location = {.pointer = static_cast<const void*>(kValues),
                                           .length = sizeof(kValues)};
        end(main, c);
    }
    return main.build();
}

Model extensions(uint32_t n) {
    const uint32_t count = n / 8;
    MainGraph main;
    const uint32_t x = main.input(TENSOR_FLOAT32, {2});
    for (uint32_t i = 1; i <= count; ++i) {
        main.model.extensionNameToPrefix.push_back(
                {.name = "com.example." + std::to_string(i), .prefix = static_cast<uint16_t>(i)});
        main.add(static_cast<OperationType>(i << 16), {x}, {main.output(TENSOR_FLOAT32, {2})});
    }
    return main.build();
}

Model sameNames(uint32_t n) {
    Model model = chain(16);
    model.extensionNameToPrefix.assign(
            n / 100, {.name = "com.example." + std::string(88, 'x'), .prefix = 1});
    return model;
}

Model deadParts(uint32_t n) {
    Model model = chain(16);
    Graph main(model);
    main.graph = std::move(model.main);
    for (uint32_t i = 0; i < n / 12; ++i) {
        main.scalar(static_cast<int32_t>(i));
        addBranch(model);
    }
    model.main = std::move(main.graph);
    return model;
}

Model mixture(uint32_t n) {
    MainGraph main;
    const uint32_t condition = main.input(TENSOR_BOOL8, {1});
    const uint32_t x = main.input(TENSOR_FLOAT32, {2});
    const uint32_t loop = main.subgraph(addCondition(main.model));
    const uint32_t zero = main.scalar(0);
    const uint32_t wide = main.subgraph(addBranch(main.model, n / 16));
    Index all;
    uint32_t y = x;
    for (uint32_t i = 0; i < n / 32; ++i) {
        const uint32_t branch = main.subgraph(addBranch(main.model));
        const uint32_t a = main.temporary(TENSOR_FLOAT32, {2});
        const uint32_t b = main.temporary(TENSOR_FLOAT32, {2});
        main.add(IF, {condition, branch, branch, y}, {a});
        main.add(WHILE, {loop, branch, a}, {b});
        all.push_back(b);
        y = b;
    }
    Index inputs = {condition, wide, wide, y};
    inputs.insert(inputs.end(), n / 16, x);
    main.add(IF, inputs, {main.output(TENSOR_FLOAT32, {2})});
    const auto size = static_cast<uint32_t>(all.size() * 2);
    all.push_back(zero);
    main.add(OperationType::CONCATENATION, all, {main.output(TENSOR_FLOAT32, {size})});
    return main.build();
}

// ---- errors

// One operand with very many dimensions, which all operations read.
Model tooManyDimensions(uint32_t n) {
    Model model = fan(n / 2);
    model.main.operands[0].dimensions.assign(n / 2, 1);
    return model;
}

Model passedTooManyDimensions(uint32_t n) {
    Model model = ifsOverOneGraph(n / 3);
    for (Operand* operand : {&model.main.operands[1], &model.referenced[0].operands[0]})
        operand->dimensions.assign(n / 3, 1);
    return model;
}

Model wrongOperands(uint32_t n) {
    Model model = chain(n);
    for (Operand& operand : model.main.operands) {
        operand.scale = -1;
        operand.zeroPoint = 5;
        operand.location.padding = 1;
        operand.extraParams = Operand::ExtensionParams{1, 2, 3};
    }
    return model;
}

Model wrongOperations(uint32_t n) {
    Model model = chain(n);
    for (Operation& operation : model.main.operations) {
        operation.inputs = {UINT32_MAX, 0, 0};
        operation.type = static_cast<OperationType>(5000);
    }
    model.main.inputIndexes.assign(n / 8, 1);
    model.main.outputIndexes.assign(n / 8, UINT32_MAX);
    return model;
}

Model wrongOrder(uint32_t n) {
    Model model = chain(n);
    std::reverse(model.main.operations.begin(), model.main.operations.end());
    return model;
}

// Every pair of operands of an IF differs.
Model wrongPairs(uint32_t n) {
    MainGraph main;
    const uint32_t condition = main.input(TENSOR_BOOL8, {1}), x = main.input(TENSOR_FLOAT32, {3});
    const uint32_t graph = main.subgraph(addBranch(main.model, n / 4));
    Index inputs = {condition, graph, graph};
    inputs.insert(inputs.end(), n / 4 + 1, x);
    main.add(IF, inputs, {main.output(TENSOR_FLOAT32, {2})});
    return main.build();
}

Model wrongTypes(uint32_t n) {
    MainGraph main;
    Index inputs(n, main.input(TENSOR_FLOAT32, {2}));
    inputs.back() = main.input(TENSOR_QUANT8_ASYMM, {2});
    main.graph.operands.back().scale = 1;
    inputs.push_back(main.scalar(0));
    main.add(OperationType::CONCATENATION, inputs, {main.output(TENSOR_FLOAT32, {n * 2})});
    return main.build();
}

constexpr Shape kShapes[] = {
        {"Chain", chain, "executed"},
        {"Fan", fan, "executed"},
        {"ManyInputs", manyInputs, "executed"},
        {"OneInputManyTimes", oneInputManyTimes, "executed"},
        {"ManyOutputs", manyOutputs, "executed"},
        {"HighRanks", highRanks, "executed"},
        {"LongLived", longLived, "executed"},
        {"UnknownSizes", unknownSizes, "executed", UINT32_MAX, 1'000'000},
        {"Ifs", ifs, "executed"},
        {"IfsOverOneGraph", ifsOverOneGraph, "executed"},
        {"WhilesOverOneGraph", whilesOverOneGraph, "executed"},
        {"WhilesOverWideGraph", whilesOverWideGraph, "validate:if_while.subgraph"},
        {"WhilesOverRepeatedInput", whilesOverRepeatedInput, "validate:if_while.subgraph"},
        {"Nests", nests, "executed"},
        {"OneDeepNest", oneDeepNest, "prepare:limits.nesting"},
        {"SharedGraphs", sharedGraphs, "prepared"},
        {"Cycle", cycle, "validate:model.cycle"},
        {"RepeatedScales", repeatedScales, "validate:graph.inputs"},
        {"IfsWithScales", ifsWithScales, "prepared"},
        {"IfsWithBytes", ifsWithBytes, "prepare:interpreter.extension"},
        {"ManyScales", manyScales, "prepared"},
        {"OneFilter", oneFilter, "prepared"},
        {"Axes", axes, "prepared"},
        {"ShapesOfReshape", shapesOfReshape, "prepared"},
        {"Paddings", paddings, "prepared"},
        {"OverlappingLists", overlappingLists, "prepared"},
        {"DoublingRanks", doublingRanks, "prepare:limits.rank"},
        {"GrowingRanks", growingRanks, "prepare:limits.rank"},
        {"Defaults", defaults, "executed"},
        {"Pools", pools, "executed"},
        {"Pointers", pointers, "executed"},
        {"Extensions", extensions, "prepare:interpreter.extension",
         240'000},  // prefixes have 15 bits
        {"SameNames", sameNames, "validate:extension.unique_name"},
        {"DeadParts", deadParts, "executed"},
        {"Mixture", mixture, "executed"},
        {"TooManyDimensions", tooManyDimensions, "validate:limits.rank"},
        {"PassedTooManyDimensions", passedTooManyDimensions, "validate:limits.rank"},
        {"WrongOperands", wrongOperands, "validate:operand.scale"},
        {"WrongOperations", wrongOperations, "validate:graph.inputs"},
        {"WrongOrder", wrongOrder, "validate:graph.execution_order"},
        {"WrongPairs", wrongPairs, "validate:if_while.operands"},
        {"WrongTypes", wrongTypes, "validate:concatenation.types"},
};

uint64_t heldBy(const Operand& operand) {
    uint64_t count = 1 + operand.dimensions.size();
    if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams))
        count += quant->scales.size();
    if (const auto* bytes = std::get_if<Operand::ExtensionParams>(&operand.extraParams))
        count += bytes->size() / 4;
    return count;
}

uint64_t heldBy(const Model::Subgraph& graph) {
    uint64_t count = 1 + graph.inputIndexes.size() + graph.outputIndexes.size();
    for (const Operand& operand : graph.operands) count += heldBy(operand);
    for (const Operation& operation : graph.operations)
        count += 1 + operation.inputs.size() + operation.outputs.size();
    return count;
}

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

uint64_t held(const Model& model) {
    uint64_t count = heldBy(model.main) + model.pools.size() + model.operandValues.size() / 4;
    for (const Model::Subgraph& graph : model.referenced) count += heldBy(graph);
    for (const ExtensionNameAndPrefix& entry : model.extensionNameToPrefix)
        count += 1 + entry.name.size() / 4;
    return count;
}

}  // namespace nn::growth
