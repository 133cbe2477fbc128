// IF and WHILE: the rules for their graphs, values by reference, loops whose values change size.
#include <functional>

#include "interpreter/builder.h"
#include "validate/models.h"

namespace nn::if_while_test {
namespace {

using enum OperandType;

// ---- rules

struct Broken {
    std::function<void(Model&)> change;
    const char* message;
};

void expectRefused(const Model& legal, const char* place, const std::vector<Broken>& rows) {
    for (const Broken& row : rows) {
        Model model = legal;
        row.change(model);
        EXPECT_THAT(validate(model), Refuses(std::string(place) + row.message));
    }
}

// Adds an input to a graph, and to every graph that must have as many inputs.
void addInput(Model::Subgraph& graph) {
    graph.inputIndexes.push_back(graph.operands.size());
    graph.operands.push_back(operandOf(TENSOR_FLOAT32, {1}, LifeTime::SUBGRAPH_INPUT));
}

TEST(ValidateIf, TakesUnknownDimensions) {
    EXPECT_THAT(validate(ifModel()), Needs(kVersionFeatureLevel4));
    Model model = ifModel();
    model.main.operands[3].dimensions = {};
    model.main.operands[4].dimensions = {0, 3};
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
}

TEST(ValidateIf, SaysWhyItRefuses) {
    expectRefused(
            ifModel(), "main.operations[0] IF: ",
            {{[](Model& m) {
                  m.main.operations[0].inputs = {0, 1};
              },
              "has 2 inputs, allowed 3 or more [if_while.inputs]"},
             {[](Model& m) { m.main.operations[0].outputs = {}; },
              "has 0 outputs, allowed 1 or more [if_while.outputs]"},
             {[](Model& m) { m.main.operands[0].dimensions = {0}; },
              "input 0 (operand 0) is TENSOR_BOOL8[0], allowed TENSOR_BOOL8[1] "
              "[if_while.condition]"},
             {[](Model& m) { m.main.operands[0] = operandOf(BOOL, {}, LifeTime::SUBGRAPH_INPUT); },
              "input 0 (operand 0) is BOOL[], allowed TENSOR_BOOL8[1] [if_while.condition]"},
             {[](Model& m) { m.main.operands[0].dimensions = {}; },
              "input 0 (operand 0) is TENSOR_BOOL8[], allowed TENSOR_BOOL8[1] "
              "[if_while.condition]"},
             {[](Model& m) {
                  m.main.operands[0].dimensions = {1, 1};
              },
              "input 0 (operand 0) is TENSOR_BOOL8[1, 1], allowed TENSOR_BOOL8[1] "
              "[if_while.condition]"},
             {[](Model& m) {
                  m.main.operations[0].inputs = {0, 1, 3};
              },
              "referenced[0] has 1 input, allowed 0: the operation passes 0 [if_while.subgraph]"},
             {[](Model& m) {
                  m.main.operations[0].inputs = {0, 3, 1, 3};
              },
              "input 1 (operand 3) is TENSOR_FLOAT32, allowed SUBGRAPH [if_while.types]"},
             {[](Model& m) { addInput(m.referenced[1]); },
              "referenced[1] has 2 inputs, allowed 1: the operation passes 1 [if_while.subgraph]"},
             {[](Model& m) {
                  m.main.operands.push_back(
                          operandOf(TENSOR_FLOAT32, {1}, LifeTime::SUBGRAPH_OUTPUT));
                  m.main.outputIndexes.push_back(5);
                  m.main.operations[0].outputs.push_back(5);
              },
              "referenced[0] has 1 output, allowed 2: the operation has 2 [if_while.subgraph]"},
             {[](Model& m) {
                  m.main.operands[3].dimensions = {2, 4};
              },
              "input 3 (operand 3) has dimensions [2, 4], allowed [2, 3] as input 0 of "
              "referenced[0] [if_while.operands]"},
             {[](Model& m) { m.main.operands[3].dimensions = {2}; },
              "input 3 (operand 3) has dimensions [2], allowed [2, 3] as input 0 of referenced[0] "
              "[if_while.operands]"},
             {[](Model& m) { m.main.operands[4].type = TENSOR_FLOAT16; },
              "output 0 of referenced[0] is TENSOR_FLOAT32, allowed TENSOR_FLOAT16 as output 0 "
              "(operand 4) [if_while.operands]"}});
}

TEST(ValidateIf, ComparesQuantization) {
    Model legal = ifModel();
    for (Model::Subgraph* graph : {&legal.main, &legal.referenced[0], &legal.referenced[1]}) {
        for (Operand& operand : graph->operands) {
            if (operand.type != TENSOR_FLOAT32) continue;
            operand.type = TENSOR_QUANT8_ASYMM;
            operand.scale = 1.0f / 256;
        }
    }
    EXPECT_THAT(validate(legal), Needs(kVersionFeatureLevel4));
    expectRefused(legal, "main.operations[0] IF: ",
                  {{[](Model& m) { m.main.operands[3].scale = 2; },
                    "input 3 (operand 3) has scale 2, allowed 0.00390625 as input 0 of "
                    "referenced[0] [if_while.operands]"},
                   {[](Model& m) { m.main.operands[4].zeroPoint = 2; },
                    "output 0 of referenced[0] has zeroPoint 0, allowed 2 as output 0 (operand 4) "
                    "[if_while.operands]"}});
}

TEST(ValidateIf, ComparesExtraParams) {
    Model model = ifModel();
    Operand filter = operandOf(TENSOR_QUANT8_SYMM_PER_CHANNEL, {1}, LifeTime::SUBGRAPH_INPUT);
    filter.extraParams = Operand::SymmPerChannelQuantParams{.scales = {1}, .channelDim = 0};
    for (Model::Subgraph* graph : {&model.main, &model.referenced[0], &model.referenced[1]}) {
        addInput(*graph);
        graph->operands.back() = filter;
    }
    model.main.operations[0].inputs.push_back(5);
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
    std::get<Operand::SymmPerChannelQuantParams>(model.main.operands[5].extraParams).scales = {2};
    EXPECT_THAT(validate(model),
                Refuses("main.operations[0] IF: input 4 (operand 5) has other extraParams, allowed "
                        "the same as input 1 of referenced[0] [if_while.operands]"));
}

TEST(ValidateWhile, NeedsARuntimeForUnknownSizes) {
    EXPECT_THAT(validate(whileModel()), Needs(kVersionFeatureLevel4));
    const Version runtimeOnly{.level = Version::Level::FEATURE_LEVEL_4,
                              .runtimeOnlyFeatures = true};
    const std::vector<std::function<Operand&(Model&)>> kOperands = {
            [](Model& m) -> Operand& { return m.main.operands[2]; },
            [](Model& m) -> Operand& { return m.main.operands[3]; },
            [](Model& m) -> Operand& { return m.referenced[0].operands[0]; },
            [](Model& m) -> Operand& { return m.referenced[1].operands[0]; },
            [](Model& m) -> Operand& { return m.referenced[1].operands[3]; },
    };
    for (const auto& operand : kOperands) {
        Model model = whileModel();
        operand(model).dimensions = {0, 3};
        EXPECT_THAT(validate(model), Needs(runtimeOnly));
        EXPECT_EQ(validateFor(model, kVersionFeatureLevel4).message(),
                  "main.operations[0] WHILE: an operand of unknown size needs HAL 1.3 with "
                  "runtime-only features, target is HAL 1.3 [since]");
    }
    Model inner = whileModel();  // sizes within a subgraph may be unknown
    inner.referenced[1].operands[2].dimensions = {0, 3};
    EXPECT_THAT(validate(inner), Needs(kVersionFeatureLevel4));
}

// Only the vendor has the size of a value of an extension's type.
TEST(ValidateWhile, TakesTypesOfExtensions) {
    Model model = whileModel();
    for (Model::Subgraph* graph : {&model.main, &model.referenced[0], &model.referenced[1]}) {
        for (Operand& operand : graph->operands) {
            if (operand.type == TENSOR_FLOAT32) operand.type = static_cast<OperandType>(0x00010000);
        }
        for (Operation& operation : graph->operations) {
            if (operation.type == OperationType::SOFTMAX)
                operation.type = OperationType::OEM_OPERATION;
        }
    }
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
}

// A loop with a counter in its body; only the value is an output of the model.
TEST(ValidateWhile, TakesMoreOutputsOfTheBodyThanOfTheOperation) {
    Model model = whileModel();
    for (Model::Subgraph* graph : {&model.main, &model.referenced[0], &model.referenced[1]}) {
        addInput(*graph);
    }
    model.main.operations[0].inputs.push_back(4);
    Model::Subgraph& body = model.referenced[1];
    body.operands.push_back(operandOf(TENSOR_FLOAT32, {1}, LifeTime::SUBGRAPH_OUTPUT));
    body.operations.push_back(
            {.type = OperationType::OEM_OPERATION, .inputs = {4}, .outputs = {5}});
    body.outputIndexes.push_back(5);
    model.main.operations[0].outputs = {3, 0};
    model.main.operations[0].outputs.pop_back();  // further outputs of the body are ignored
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
    expectRefused(model, "main.operations[0] WHILE: ",
                  {{[](Model& m) { m.referenced[1].operands[5].dimensions = {2}; },
                    "output 1 of referenced[1] has dimensions [2], allowed [1] as input 1 of "
                    "referenced[1] [if_while.operands]"},
                   {[](Model& m) { m.main.operands[4].dimensions = {2}; },
                    "input 3 (operand 4) has dimensions [2], allowed [1] as input 1 of "
                    "referenced[0] [if_while.operands]"}});
}

TEST(ValidateWhile, SaysWhyItRefuses) {
    expectRefused(
            whileModel(), "main.operations[0] WHILE: ",
            {{[](Model& m) {
                  m.main.operations[0].inputs = {0, 1};
              },
              "has 2 inputs, allowed 3 or more [if_while.inputs]"},
             {[](Model& m) { m.main.operations[0].outputs = {}; },
              "has 0 outputs, allowed 1 or more [if_while.outputs]"},
             {[](Model& m) {
                  m.main.operations[0].inputs = {2, 1, 2};
              },
              "input 0 (operand 2) is TENSOR_FLOAT32, allowed SUBGRAPH [if_while.types]"},
             {[](Model& m) { addInput(m.referenced[0]); },
              "referenced[0] has 2 inputs, allowed 1: the operation passes 1 [if_while.subgraph]"},
             {[](Model& m) { addInput(m.referenced[1]); },
              "referenced[1] has 2 inputs, allowed 1: the operation passes 1 [if_while.subgraph]"},
             {[](Model& m) {
                  m.referenced[0].outputIndexes = {1, 1};
              },
              "referenced[0] has 2 outputs, allowed 1: a condition has 1 [if_while.subgraph]"},
             {[](Model& m) { m.referenced[0].operands[1].dimensions = {2}; },
              "output 0 of referenced[0] is TENSOR_BOOL8[2], allowed TENSOR_BOOL8[1] "
              "[if_while.condition]"},
             {[](Model& m) {
                  m.referenced[1].outputIndexes = {3, 3};
              },
              "referenced[1] has 2 outputs, allowed 1 to 1: as many as the operation has outputs "
              "to as many as the body has inputs [if_while.subgraph]"},
             {[](Model& m) { m.referenced[1].outputIndexes = {}; },
              "referenced[1] has 0 outputs, allowed 1 to 1: as many as the operation has outputs "
              "to as many as the body has inputs [if_while.subgraph]"},
             {[](Model& m) {
                  m.referenced[1].operands[3].dimensions = {2, 4};
              },
              "output 0 of referenced[1] has dimensions [2, 4], allowed [2, 3] as output 0 "
              "(operand 3) [if_while.operands]"},
             {[](Model& m) {
                  m.main.operands[3].dimensions = {2, 4};
                  m.referenced[1].operands[3].dimensions = {2, 4};
              },
              "output 0 of referenced[1] has dimensions [2, 4], allowed [2, 3] as input 0 of "
              "referenced[1] [if_while.operands]"}});
}

TEST(ValidateWhile, LeavesBrokenSubgraphsToTheirOwnCheck) {
    Model model = whileModel();
    model.referenced[1].inputIndexes = {77};
    EXPECT_THAT(validate(model),
                Refuses("referenced[1].inputIndexes[0]: operand 77 does not exist, allowed below "
                        "4, the number of operands [graph.inputs]"));
    model = whileModel();
    model.referenced[0].outputIndexes = {77};  // of the condition
    EXPECT_THAT(textsOf(validateAll(model).errors),
                testing::Contains("referenced[0].outputIndexes[0]: operand 77 does not exist, "
                                  "allowed below 2, the number of operands [graph.outputs]"));
}

// ---- execution

using namespace std::chrono_literals;

constexpr auto ADD = OperationType::ADD;
constexpr auto MUL = OperationType::MUL;
constexpr auto LESS = OperationType::LESS;
constexpr auto EQUAL = OperationType::EQUAL;
constexpr auto CONCATENATION = OperationType::CONCATENATION;
constexpr auto IF = OperationType::IF;
constexpr auto WHILE = OperationType::WHILE;

constexpr auto kLate = ErrorStatus::MISSED_DEADLINE_TRANSIENT;
constexpr auto kFailure = ErrorStatus::GENERAL_FAILURE;
constexpr auto kExhausted = ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT;

using Dims = std::vector<uint32_t>;

// y = op(x, x)
Model::Subgraph twice(Model& model, OperationType op, Dims in, Dims out) {
    Graph graph(model);
    const auto x = graph.input(TENSOR_FLOAT32, std::move(in));
    graph.add(op, {x, x, graph.scalar(0)}, {graph.output(TENSOR_FLOAT32, std::move(out))});
    return std::move(graph.graph);
}

// condition ? x + x : x * x
Model choice(const Dims& dimensions) {
    Model model;
    model.referenced = {twice(model, ADD, dimensions, dimensions),
                        twice(model, MUL, dimensions, dimensions)};
    Graph main(model);
    const auto condition = main.input(TENSOR_BOOL8, {1});
    const auto x = main.input(TENSOR_FLOAT32, dimensions);
    main.add(IF, {condition, main.subgraph(0), main.subgraph(1), x},
             {main.output(TENSOR_FLOAT32, dimensions)});
    model.main = std::move(main.graph);
    return model;
}

TEST(If, RunsTheChosenBranch) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}, Dims{}}) {
        const Model model = choice(dimensions);
        const Tensor x = floats({2}, {3, -4});
        expectRuns(model, {bools({1}, {1}), x}, {floats({2}, {6, -8})});
        expectRuns(model, {bools({1}, {255}), x}, {floats({2}, {6, -8})});
        expectRuns(model, {bools({1}, {0}), x}, {floats({2}, {9, 16})});
    }
}

// Later operations read the outputs of an IF, from planned memory and from other memory.
TEST(If, ResultsAreReadAgain) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}}) {
        Model model = choice(dimensions);
        Graph main(model);
        const auto condition = main.input(TENSOR_BOOL8, {1});
        const auto x = main.input(TENSOR_FLOAT32, dimensions);
        const auto first = main.temporary(TENSOR_FLOAT32, dimensions);
        const auto second = main.temporary(TENSOR_FLOAT32, dimensions);
        const auto thenGraph = main.subgraph(0);
        const auto elseGraph = main.subgraph(1);
        main.add(IF, {condition, thenGraph, elseGraph, x}, {first});
        main.add(IF, {condition, elseGraph, thenGraph, first}, {second});
        main.add(ADD, {first, second, main.scalar(0)}, {main.output(TENSOR_FLOAT32, dimensions)});
        model.main = std::move(main.graph);
        // 2x + (2x)^2, x^2 + 2x^2
        expectRuns(model, {bools({1}, {1}), floats({2}, {1, 3})}, {floats({2}, {6, 42})});
        expectRuns(model, {bools({1}, {0}), floats({2}, {1, 3})}, {floats({2}, {3, 27})});
    }
}

TEST(If, OutputThatIsTooSmall) {
    const Result<PreparedModel> prepared = prepare(choice({0}));
    ASSERT_THAT(prepared, Succeeds());
    std::vector<uint8_t> condition = {1};
    std::vector<float> x = {1, 2};
    std::vector<float> y = {7};
    const ExecutionOutcome result = prepared->execute(
            {.inputs = {pointerTo(condition), pointerTo(x, {2})}, .outputs = {pointerTo(y)}});
    EXPECT_THAT(
            result,
            Fails(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                  "outputs[0]: has 4 bytes, needed 8 for dimensions [2] [request.output_size]"));
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{2}, false}}));
}

TEST(If, ValueThatTheBranchDoesNotTake) {
    Model model = choice({0});
    for (Model::Subgraph& branch : model.referenced) {
        branch.operands[branch.inputIndexes[0]].dimensions = {3};
    }
    const Result<PreparedModel> prepared = prepare(model);
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {bools({1}, {1}), floats({2}, {1, 2})};
    EXPECT_THAT(prepared->run(inputs), Fails(kFailure,
                                             "referenced[0].operands[0]: the value has dimensions "
                                             "[2], allowed [3] [interpreter.dimensions]"));
}

TEST(If, FailureInsideABranch) {
    Model model = choice({0});
    model.referenced[0] = twice(model, CONCATENATION, {0}, {0});
    Graph wrong(model);
    const auto x = wrong.input(TENSOR_FLOAT32, {0});
    const auto y = wrong.constant<float>(TENSOR_FLOAT32, {3}, {1, 2, 3});
    wrong.add(ADD, {x, y, wrong.scalar(0)}, {wrong.output(TENSOR_FLOAT32, {0})});
    model.referenced[1] = std::move(wrong.graph);
    const Result<PreparedModel> prepared = prepare(model);
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {bools({1}, {0}), floats({2}, {1, 2})};
    const Result<std::vector<Tensor>> result = prepared->run(inputs);
    EXPECT_THAT(result, Fails(kFailure,
                              "referenced[1].operations[0] ADD: dimension 1 from the end is 2 in "
                              "input 0 'input0' (operand 0) and 3 in input 1 'input1' (operand 1), "
                              "allowed equal or 1 [arithmetic.shapes]"));
}

TEST(If, OmittedValueIsRefused) {
    const Result<PreparedModel> prepared = prepare(choice({2}));
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {bools({1}, {0}), Tensor{.hasNoValue = true}};
    EXPECT_THAT(prepared->run(inputs), Fails(ErrorStatus::INVALID_ARGUMENT,
                                             "inputs[1]: has no value, but main.operations[0] IF "
                                             "needs one [interpreter.omitted]"));
}

// while (counter < limit) { ++counter; value = step(value, value) }
Model countedLoop(OperationType step, const Dims& dimensions, int32_t limit) {
    Model model;
    Graph condition(model);
    {
        const auto counter = condition.input(TENSOR_INT32, {1});
        condition.input(TENSOR_FLOAT32, dimensions);
        const auto most = condition.constant<int32_t>(TENSOR_INT32, {1}, {limit});
        condition.add(LESS, {counter, most}, {condition.output(TENSOR_BOOL8, {1})});
    }
    Graph body(model);
    {
        const auto counter = body.input(TENSOR_INT32, {1});
        const auto value = body.input(TENSOR_FLOAT32, dimensions);
        const auto one = body.constant<int32_t>(TENSOR_INT32, {1}, {1});
        body.add(ADD, {counter, one, body.scalar(0)}, {body.output(TENSOR_INT32, {1})});
        body.add(step, {value, value, body.scalar(0)}, {body.output(TENSOR_FLOAT32, dimensions)});
    }
    model.referenced = {std::move(condition.graph), std::move(body.graph)};
    Graph main(model);
    const auto counter = main.input(TENSOR_INT32, {1});
    const auto value = main.input(TENSOR_FLOAT32, dimensions);
    const auto conditionGraph = main.subgraph(0);
    const auto bodyGraph = main.subgraph(1);
    main.add(WHILE, {conditionGraph, bodyGraph, counter, value},
             {main.output(TENSOR_INT32, {1}), main.output(TENSOR_FLOAT32, dimensions)});
    model.main = std::move(main.graph);
    return model;
}

TEST(While, RunsUntilTheConditionFails) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}, Dims{}}) {
        const Model model = countedLoop(ADD, dimensions, 5);
        const Tensor x = floats({2}, {1, -3});
        expectRuns(model, {ints({1}, {0}), x}, {ints({1}, {5}), floats({2}, {32, -96})});
        expectRuns(model, {ints({1}, {4}), x}, {ints({1}, {5}), floats({2}, {2, -6})});
    }
}

TEST(While, WithoutAnyIterationGivesTheInitialValues) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}, Dims{}}) {
        const Tensor x = floats({2}, {1, -3});
        expectRuns(countedLoop(ADD, dimensions, 5), {ints({1}, {7}), x}, {ints({1}, {7}), x});
    }
}

TEST(While, ValuesMayGrow) {
    const Model model = countedLoop(CONCATENATION, {0}, 3);
    expectRuns(model, {ints({1}, {1}), floats({2}, {1, 2})},
               {ints({1}, {3}), floats({8}, {1, 2, 1, 2, 1, 2, 1, 2})});
}

TEST(While, OutputMayHaveALargerBuffer) {
    const Result<PreparedModel> prepared = prepare(countedLoop(ADD, {0}, 2));
    ASSERT_THAT(prepared, Succeeds());
    std::vector<int32_t> counter = {1}, count(1);
    std::vector<float> x = {1, -3}, y(4, 7);
    const ExecutionOutcome result =
            prepared->execute({.inputs = {pointerTo(counter), pointerTo(x, {2})},
                               .outputs = {pointerTo(count), pointerTo(y)}});
    ASSERT_THAT(result, Succeeds());
    EXPECT_EQ(y, (std::vector<float>{2, -6, 7, 7}));
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{1}, true}, {{2}, true}}));
}

TEST(While, EndsWithItsTime) {
    Model model = countedLoop(ADD, {2}, 5);
    Graph condition(model);  // equal to itself, so it always holds
    const auto counter = condition.input(TENSOR_INT32, {1});
    condition.input(TENSOR_FLOAT32, {2});
    condition.add(EQUAL, {counter, counter}, {condition.output(TENSOR_BOOL8, {1})});
    model.referenced[0] = std::move(condition.graph);
    const Result<PreparedModel> prepared = prepare(model);
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {ints({1}, {0}), floats({2}, {1, 2})};
    EXPECT_THAT(
            prepared->run(inputs, {.loopTimeout = 1ms}),
            Fails(kLate,
                  "main.operations[0] WHILE: still goes on after 1 ms [interpreter.loop_timeout]"));
    for (const Duration negative : {Duration(-1ms), Duration::min()}) {
        EXPECT_THAT(prepared->run(inputs, {.loopTimeout = negative}),
                    Fails(kLate,
                          "main.operations[0] WHILE: still goes on after 0 ms "
                          "[interpreter.loop_timeout]"));
    }
    const Result<std::vector<Tensor>> late = prepared->run(
            inputs, {.deadline = Clock::now() + 10ms, .loopTimeout = Duration::max()});
    EXPECT_EQ(errorStatus(late.status()), kLate);
    EXPECT_THAT(std::string(late.status().message()),
                testing::EndsWith("the deadline passed before it [interpreter.deadline]"));
}

// referenced[i] is an IF whose branches are both referenced[i + 1].
Model nested(uint32_t depth) {
    Model model;
    for (uint32_t i = 0; i <= depth; ++i) {
        Graph graph(model);
        const auto condition = graph.input(TENSOR_BOOL8, {1});
        const auto x = graph.input(TENSOR_FLOAT32, {1});
        const auto y = graph.output(TENSOR_FLOAT32, {1});
        if (i == depth) {
            graph.add(ADD, {x, x, graph.scalar(0)}, {y});
        } else {
            const auto inner = graph.subgraph(i);  // minus one: main is not counted
            graph.add(IF, {condition, inner, inner, condition, x}, {y});
        }
        if (i == 0) {
            model.main = std::move(graph.graph);
        } else {
            model.referenced.push_back(std::move(graph.graph));
        }
    }
    return model;
}

TEST(If, NestsAsDeepAsAllowed) {
    expectRuns(nested(63), {bools({1}, {1}), floats({1}, {2})}, {floats({1}, {4})});
    EXPECT_THAT(prepare(nested(64)),
                Fails(kExhausted,
                      "main: has 65 graphs inside each other, allowed 64 [limits.nesting]"));
    EXPECT_THAT(prepare(nested(20000)),
                Fails(kExhausted,
                      "main: has 20001 graphs inside each other, allowed 64 [limits.nesting]"));
}

}  // namespace
}  // namespace nn::if_while_test
