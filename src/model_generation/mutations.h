// The mutations of the vendor test suite of Android, which it applies to every model of its
// collection and to requests for them: change one thing, and expect a refusal. Each mutation names
// the rules that may refuse it.
//
//   forEachMutant(model, [](const Model& mutant, const Mutation& mutation, size_t graph,
//                           size_t place, size_t variant) { ... });
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "nnapi/type_utils.h"
#include "types/operation_count.h"

namespace nn::mutants {

using Graph = Model::Subgraph;
using LifeTime = Operand::LifeTime;

// The place of a graph that a mutation changes.
struct MutationSite {
    Model& model;
    Graph& graph;
    size_t place;    // of an operand or operation
    size_t variant;  // of the mutation

    Operand& operand() const { return graph.operands[place]; }
    Operation& operation() const { return graph.operations[place]; }
};

struct Mutation {
    enum class Of : uint8_t { OPERANDS, OPERATIONS };

    const char* name;
    Of of;
    size_t variants;
    bool (*apply)(const MutationSite& site);  // false: not possible here, or legal
    const char* rules;  // separated by spaces; "*.types" is that of any operation
};

namespace mutation_internal {

using enum OperandType;

inline bool isWritten(const Operand& operand) {
    return operand.lifetime == LifeTime::TEMPORARY_VARIABLE ||
           operand.lifetime == LifeTime::SUBGRAPH_OUTPUT;
}

inline bool isOneOf(OperationType type, std::initializer_list<OperationType> types) {
    return std::ranges::count(types, type) != 0;
}

inline bool reads(const Operation& operation, size_t operand) {
    return std::ranges::count(operation.inputs, operand) != 0;
}
inline bool writes(const Operation& operation, size_t operand) {
    return std::ranges::count(operation.outputs, operand) != 0;
}

// Operations whose operands may have several types or any number.
inline bool takesOtherTypes(OperationType type) {
    using enum OperationType;
    return isOneOf(type, {LSH_PROJECTION, CAST, ARGMAX, ARGMIN, QUANTIZE, DEQUANTIZE,
                          RANDOM_MULTINOMIAL, CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D,
                          TRANSPOSE_CONV_2D, AXIS_ALIGNED_BBOX_TRANSFORM, RANK, OEM_OPERATION});
}
inline bool takesMoreOperands(OperationType type) {
    using enum OperationType;
    return isOneOf(type, {CONCATENATION, PACK, SPLIT, IF, WHILE, OEM_OPERATION,
                          UNIDIRECTIONAL_SEQUENCE_LSTM, UNIDIRECTIONAL_SEQUENCE_RNN,
                          BIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_RNN, LSTM});
}

// True if trailing inputs are optional.
inline bool hasOptionalTail(OperationType type) {
    using enum OperationType;
    return isOneOf(type, {CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D, L2_POOL_2D, MAX_POOL_2D,
                          RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR, SPACE_TO_DEPTH, DEPTH_TO_SPACE,
                          BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND, L2_NORMALIZATION,
                          LOCAL_RESPONSE_NORMALIZATION, SOFTMAX});
}

inline bool operandType(const MutationSite& at) {
    static constexpr int32_t kCodes[] = {16, 9999, 10002};
    at.operand().type = static_cast<OperandType>(kCodes[at.variant]);
    return true;
}

inline bool rankOfScalar(const MutationSite& at) {
    at.operand().dimensions.push_back(0);
    return isNonExtensionScalar(at.operand().type);
}

inline bool scale(const MutationSite& at) {
    const OperandTypeInfo* info = operandTypeInfo(at.operand().type);
    if (info == nullptr || info->scale == ScaleRule::ANY) return false;
    switch (at.variant) {
        case 0:
            at.operand().scale = -1.0f;
            return true;
        case 1:
            at.operand().scale = std::numeric_limits<float>::quiet_NaN();
            return true;
        default:
            at.operand().scale = info->scale == ScaleRule::ZERO ? 1.0f : 0.0f;
            return info->scale != ScaleRule::NON_NEGATIVE;
    }
}

inline bool zeroPoint(const MutationSite& at) {
    const OperandTypeInfo* info = operandTypeInfo(at.operand().type);
    if (info == nullptr || info->scale == ScaleRule::ANY) return false;
    at.operand().zeroPoint = at.variant == 0 ? info->zeroPointMin - 1 : info->zeroPointMax + 1;
    return true;
}

inline bool lifetimeOfWritten(const MutationSite& at) {
    Operand& operand = at.operand();
    if (!isWritten(operand)) return false;
    if (at.variant == 0) {
        operand.lifetime = LifeTime::SUBGRAPH_INPUT;
        return true;
    }
    const std::vector<uint8_t> zeros(operandSize(operand).value_or(0));
    if (zeros.empty()) return false;
    operand.lifetime = LifeTime::CONSTANT_COPY;
    operand.location = *at.model.operandValues.append(zeros.data(), zeros.size());
    return true;
}

inline bool lifetimeOfGiven(const MutationSite& at) {
    Operand& operand = at.operand();
    if (isWritten(operand) || operand.type == SUBGRAPH) return false;
    operand.lifetime = at.variant == 0 ? LifeTime::TEMPORARY_VARIABLE : LifeTime::SUBGRAPH_OUTPUT;
    operand.location = {};
    return true;
}

inline bool inputOutputExchanged(const MutationSite& at) {
    Operand& operand = at.operand();
    const bool isInput = operand.lifetime == LifeTime::SUBGRAPH_INPUT;
    if (!isInput && operand.lifetime != LifeTime::SUBGRAPH_OUTPUT) return false;
    operand.lifetime = isInput ? LifeTime::SUBGRAPH_OUTPUT : LifeTime::SUBGRAPH_INPUT;
    return true;
}

inline bool inputListedAsOutput(const MutationSite& at) {
    at.graph.outputIndexes.push_back(static_cast<uint32_t>(at.place));
    return at.operand().lifetime == LifeTime::SUBGRAPH_INPUT;
}

// Adds a copy of an operation, so that both write one output.
inline bool secondWriter(const MutationSite& at) {
    Operation second = at.operation();
    if (at.variant >= second.outputs.size()) return false;
    for (size_t i = 0; i < second.outputs.size(); ++i) {
        if (i == at.variant) continue;
        Operand own = at.graph.operands[second.outputs[i]];
        own.lifetime = LifeTime::TEMPORARY_VARIABLE;
        second.outputs[i] = static_cast<uint32_t>(at.graph.operands.size());
        at.graph.operands.push_back(std::move(own));
    }
    at.graph.operations.push_back(std::move(second));
    return true;
}

// Moves an operation before the one that writes its input.
inline bool readerBeforeWriter(const MutationSite& at) {
    auto& operations = at.graph.operations;
    for (size_t i = 0; i < at.place; ++i) {
        const bool feeds = std::ranges::any_of(operations[i].outputs, [&](uint32_t output) {
            return reads(operations[at.place], output);
        });
        if (!feeds) continue;
        const auto begin = operations.begin();
        std::rotate(begin + static_cast<ptrdiff_t>(i), begin + static_cast<ptrdiff_t>(at.place),
                    begin + static_cast<ptrdiff_t>(at.place) + 1);
        return true;
    }
    return false;
}

// Moves an operation after the last one that reads its output.
inline bool writerBehindReaders(const MutationSite& at) {
    auto& operations = at.graph.operations;
    for (size_t i = operations.size() - 1; i > at.place; --i) {
        const bool isFed = std::ranges::any_of(operations[at.place].outputs, [&](uint32_t output) {
            return reads(operations[i], output);
        });
        if (!isFed) continue;
        const auto first = operations.begin() + static_cast<ptrdiff_t>(at.place);
        std::rotate(first, first + 1, operations.begin() + static_cast<ptrdiff_t>(i) + 1);
        return true;
    }
    return false;
}

// Changes an operand to another type, with everything the new type requires; the operations that
// use it do not allow it.
inline bool typeOfAnOperationsOperand(const MutationSite& at) {
    const OperandTypeInfo& info = operandTypes()[at.variant];
    Operand& operand = at.operand();
    const auto uses = [&](const Operation& operation) {
        return reads(operation, at.place) || writes(operation, at.place);
    };
    const auto mayHaveIt = [&](const Operation& operation) {
        return uses(operation) && takesOtherTypes(operation.type);
    };
    if (info.elementSize == 0 || info.type == TENSOR_OEM_BYTE || operand.type == info.type ||
        operand.type == SUBGRAPH || std::ranges::none_of(at.graph.operations, uses) ||
        std::ranges::any_of(at.graph.operations, mayHaveIt)) {
        return false;
    }
    operand.type = info.type;
    operand.scale = info.scale == ScaleRule::POSITIVE ? 1.0f : 0.0f;
    operand.zeroPoint = 0;
    operand.extraParams = {};
    if (!info.isTensor) operand.dimensions.clear();
    if (info.type != TENSOR_QUANT8_SYMM_PER_CHANNEL) return true;
    if (operand.dimensions.empty() || operand.dimensions[0] == 0) return false;
    operand.extraParams = Operand::SymmPerChannelQuantParams{
            .scales = std::vector<float>(operand.dimensions[0], 1.0f), .channelDim = 0};
    return true;
}

inline bool operationType(const MutationSite& at) {
    static constexpr int32_t kCodes[] = {kOperationCount, 9999, 10001};
    at.operation().type = static_cast<OperationType>(kCodes[at.variant]);
    return true;
}

inline bool inputOutOfRange(const MutationSite& at) {
    if (at.variant >= at.operation().inputs.size()) return false;
    at.operation().inputs[at.variant] = static_cast<uint32_t>(at.graph.operands.size());
    return true;
}
inline bool outputOutOfRange(const MutationSite& at) {
    if (at.variant >= at.operation().outputs.size()) return false;
    at.operation().outputs[at.variant] = static_cast<uint32_t>(at.graph.operands.size());
    return true;
}

inline bool removedWrite(const MutationSite& at) {
    if (at.variant >= at.operation().outputs.size()) return false;
    uint32_t& output = at.operation().outputs[at.variant];
    Operand copy = at.graph.operands[output];
    copy.lifetime = LifeTime::TEMPORARY_VARIABLE;
    output = static_cast<uint32_t>(at.graph.operands.size());
    at.graph.operands.push_back(std::move(copy));
    return true;
}

inline bool removedOperand(const MutationSite& at) {
    const auto isUsedFreely = [&](const Operation& operation) {
        return (reads(operation, at.place) || writes(operation, at.place)) &&
               (takesMoreOperands(operation.type) || hasOptionalTail(operation.type)) &&
               at.operand().type != SUBGRAPH;
    };
    const auto uses = [&](const Operation& operation) {
        return reads(operation, at.place) || writes(operation, at.place);
    };
    if (std::ranges::none_of(at.graph.operations, uses) ||
        std::ranges::any_of(at.graph.operations, isUsedFreely)) {
        return false;
    }
    at.graph.operands.erase(at.graph.operands.begin() + static_cast<ptrdiff_t>(at.place));
    const auto remove = [&](std::vector<uint32_t>& indexes) {
        std::erase(indexes, at.place);
        for (uint32_t& index : indexes) index -= index > at.place ? 1 : 0;
    };
    remove(at.graph.inputIndexes);
    remove(at.graph.outputIndexes);
    for (Operation& operation : at.graph.operations) {
        remove(operation.inputs);
        remove(operation.outputs);
    }
    return true;
}

inline bool removedOperation(const MutationSite& at) {
    at.graph.operations.erase(at.graph.operations.begin() + static_cast<ptrdiff_t>(at.place));
    return true;
}

inline bool removedInput(const MutationSite& at) {
    Operation& operation = at.operation();
    if (at.variant >= operation.inputs.size()) return false;
    const size_t required = operation.type == OperationType::L2_NORMALIZATION ? 1 : 2;  // at least
    const bool isTail = hasOptionalTail(operation.type) && at.variant >= required;
    if (isTail || (takesMoreOperands(operation.type) && operation.inputs.size() > 2) ||
        operation.type == OperationType::OEM_OPERATION) {
        return false;
    }
    operation.inputs.erase(operation.inputs.begin() + static_cast<ptrdiff_t>(at.variant));
    return true;
}

inline bool removedOutput(const MutationSite& at) {
    Operation& operation = at.operation();
    if (operation.outputs.empty() || operation.type == OperationType::OEM_OPERATION) return false;
    operation.outputs.pop_back();
    return true;
}

inline bool addedInput(const MutationSite& at) {
    Operation& operation = at.operation();
    if (isOneOf(operation.type, {OperationType::PACK, OperationType::OEM_OPERATION})) return false;
    operation.inputs.push_back(operation.inputs[0]);
    return true;
}

inline bool addedOutput(const MutationSite& at) {
    Operation& operation = at.operation();
    if (operation.type != OperationType::IF && operation.type != OperationType::WHILE &&
        takesMoreOperands(operation.type)) {
        return false;
    }
    operation.outputs.push_back(static_cast<uint32_t>(at.graph.operands.size()));
    at.graph.operands.push_back({.type = TENSOR_FLOAT32, .dimensions = {1}});
    return true;
}

}  // namespace mutation_internal

inline const std::vector<Mutation>& mutations() {
    using namespace mutation_internal;
    using enum Mutation::Of;
    constexpr size_t kMaxOperands = 64;
    static const std::vector<Mutation> kAll = {
            {"operand type out of range", OPERANDS, 3, operandType, "operand.type"},
            {"rank of a scalar", OPERANDS, 1, rankOfScalar, "operand.dimensions"},
            {"scale", OPERANDS, 3, scale, "operand.scale"},
            {"zero point", OPERANDS, 2, zeroPoint, "operand.zero_point"},
            {"lifetime of what is written", OPERANDS, 2, lifetimeOfWritten,
             "graph.inputs graph.outputs graph.writers"},
            {"lifetime of what is given", OPERANDS, 2, lifetimeOfGiven,
             "graph.inputs graph.outputs graph.execution_order graph.unwritten"},
            {"input and output exchanged", OPERANDS, 1, inputOutputExchanged,
             "graph.inputs graph.outputs"},
            {"input listed as output", OPERANDS, 1, inputListedAsOutput, "graph.outputs"},
            {"second writer", OPERATIONS, kMaxOperands, secondWriter, "graph.writers"},
            {"reader before its writer", OPERATIONS, 1, readerBeforeWriter,
             "graph.execution_order"},
            {"writer behind its readers", OPERATIONS, 1, writerBehindReaders,
             "graph.execution_order"},
            {"type of an operation's operand", OPERANDS, operandTypes().size(),
             typeOfAnOperationsOperand,
             "*.types if_while.condition if_while.operands operand.dimensions operand.location "
             "*.rank *.mul_scale *.shape *.channel_dim"},
            {"operation type out of range", OPERATIONS, 3, operationType, "operation.type"},
            {"input out of range", OPERATIONS, kMaxOperands, inputOutOfRange,
             "operation.input_index"},
            {"output out of range", OPERATIONS, kMaxOperands, outputOutOfRange,
             "operation.output_index"},
            {"write redirected", OPERATIONS, kMaxOperands, removedWrite,
             "graph.unwritten graph.execution_order"},
            {"operand removed", OPERANDS, 1, removedOperand,
             "*.inputs *.outputs *.types if_while.subgraph graph.empty graph.unwritten"},
            {"operation removed", OPERATIONS, 1, removedOperation,
             "graph.empty graph.unwritten graph.execution_order"},
            {"input removed", OPERATIONS, kMaxOperands, removedInput,
             "*.inputs *.types if_while.subgraph"},
            {"output removed", OPERATIONS, 1, removedOutput,
             "*.outputs graph.unwritten graph.execution_order if_while.subgraph"},
            {"input added", OPERATIONS, 1, addedInput, "*.inputs *.types if_while.subgraph"},
            {"output added", OPERATIONS, 1, addedOutput,
             "*.outputs if_while.subgraph if_while.operands"},
    };
    return kAll;
}

// True if this rule may refuse the mutant. A fault inside a referenced graph shows first where IF
// or WHILE passes values to the graph.
inline bool isExpected(const Mutation& mutation, size_t graph, std::string_view rule) {
    if (graph != 0 && rule.starts_with("if_while.")) return true;
    std::string_view rest = mutation.rules;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view expected = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const bool fits =
                expected.starts_with('*') ? rule.ends_with(expected.substr(1)) : rule == expected;
        if (fits) return true;
    }
    return false;
}

inline Graph& graphAt(Model& model, size_t index) {
    return index == 0 ? model.main : model.referenced[index - 1];
}

// A mutation at one place of a model; it may turn out to be impossible.
struct Mutant {
    const Mutation* mutation = nullptr;
    size_t graph = 0;
    size_t place = 0;
    size_t variant = 0;

    // Empty if it is impossible.
    std::optional<Model> of(const Model& legal) const {
        std::optional<Model> mutant = legal;
        const MutationSite site{*mutant, graphAt(*mutant, graph), place, variant};
        if (!mutation->apply(site)) mutant.reset();
        return mutant;
    }
};

// Calls a function with every mutation and place.
template <class Function>
void forEachPlace(const Model& legal, Function function) {
    for (const Mutation& mutation : mutations()) {
        for (size_t g = 0; g <= legal.referenced.size(); ++g) {
            const Graph& graph = g == 0 ? legal.main : legal.referenced[g - 1];
            const size_t places = mutation.of == Mutation::Of::OPERANDS ? graph.operands.size()
                                                                        : graph.operations.size();
            for (size_t place = 0; place < places; ++place) {
                for (size_t variant = 0; variant < mutation.variants; ++variant) {
                    function(Mutant{&mutation, g, place, variant});
                }
            }
        }
    }
}

// Calls a function with every mutant of a model.
template <class Function>
void forEachMutant(const Model& legal, Function function) {
    forEachPlace(legal, [&](const Mutant& mutant) {
        if (const std::optional<Model> model = mutant.of(legal)) {
            function(*model, *mutant.mutation, mutant.graph, mutant.place, mutant.variant);
        }
    });
}

// ---- requests

// Changes one argument.
struct RequestMutation {
    const char* name;
    bool (*apply)(Request::Argument& argument, const Request& request);  // false: not possible
    const char* rules;                                                   // as in Mutation
};

namespace mutation_internal {

inline bool hasPlace(const Request::Argument& argument) {
    return argument.lifetime == Request::Argument::LifeTime::POOL;
}

}  // namespace mutation_internal

inline const std::vector<RequestMutation>& requestMutations() {
    using namespace mutation_internal;
    static const std::vector<RequestMutation> kAll = {
            {"pool that is not there",
             [](Request::Argument& a, const Request& r) {
                 a.location.poolIndex = static_cast<uint32_t>(r.pools.size());
                 return hasPlace(a);
             },
             "request.location"},
            {"behind the pool",
             [](Request::Argument& a, const Request&) {
                 a.location.offset = std::numeric_limits<uint32_t>::max();
                 return hasPlace(a);
             },
             "request.location"},
            {"no length",
             [](Request::Argument& a, const Request&) {
                 a.location.length = 0;
                 return hasPlace(a);
             },
             "request.location"},
            {"too short",
             [](Request::Argument& a, const Request&) {
                 a.location.length -= 1;
                 return hasPlace(a) && a.location.length != 0;
             },
             "request.length"},
            {"other rank",
             [](Request::Argument& a, const Request&) {
                 a.dimensions.push_back(2);
                 return hasPlace(a);
             },
             "request.dimensions request.length"},
            {"lifetime",
             [](Request::Argument& a, const Request&) {
                 a.lifetime = static_cast<Request::Argument::LifeTime>(3);
                 return true;
             },
             "request.lifetime"},
            {"nothing, but with a place",
             [](Request::Argument& a, const Request&) {
                 a.lifetime = Request::Argument::LifeTime::NO_VALUE;
                 return a.location.length != 0;
             },
             "request.location request.dimensions"},
            {"pointer to nothing",
             [](Request::Argument& a, const Request&) {
                 a.lifetime = Request::Argument::LifeTime::POINTER;
                 return true;
             },
             "request.location"},
    };
    return kAll;
}

// Calls a function with every mutant of a request, its name, and the rules that may refuse it.
template <class Function>
void forEachMutant(const Request& legal, Function function) {
    for (auto list : {&Request::inputs, &Request::outputs}) {
        for (size_t i = 0; i < (legal.*list).size(); ++i) {
            Request removed = legal;
            (removed.*list).erase((removed.*list).begin() + static_cast<ptrdiff_t>(i));
            function(removed, "removed", "request.arguments");
            for (const RequestMutation& mutation : requestMutations()) {
                Request mutant = legal;
                if (mutation.apply((mutant.*list)[i], mutant)) {
                    function(mutant, mutation.name, mutation.rules);
                }
            }
        }
    }
}

}  // namespace nn::mutants
