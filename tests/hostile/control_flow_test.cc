// Graphs inside graphs: references that lead nowhere or back, loops that never end, arities that
// differ.
#include "hostile/hostile_models.h"

namespace nn::hostile::control_flow_test {
namespace {

// Subgraphs that contain themselves, and the operands that refer to them.
Operand reference(uint32_t target) {
    return {.type = OperandType::SUBGRAPH,
            .lifetime = LifeTime::SUBGRAPH,
            .location = {.offset = target}};
}

bool isControlFlow(Subject& s) {
    return s.operation().type == OperationType::IF || s.operation().type == OperationType::WHILE;
}

// The graph of the first input, or of the second if the first is the condition.
Model::Subgraph& inner(Subject& s) {
    const size_t input = s.operation().type == OperationType::IF ? 1 : 0;
    return s.model.referenced[s.input(input)->location.offset];
}
Operand& firstReference(Subject& s) {
    return *s.input(s.operation().type == OperationType::IF ? 1 : 0);
}

void refer(Model::Subgraph& graph, uint32_t target) { graph.operands.push_back(reference(target)); }

// A chain of graphs below the operation.
void nest(Subject& s, uint32_t depth) {
    const auto first = static_cast<uint32_t>(s.model.referenced.size());
    for (uint32_t i = 0; i < depth; ++i) {
        s.model.referenced.push_back(s.model.referenced[0]);
        if (i + 1 < depth) refer(s.model.referenced.back(), first + i + 1);
    }
    refer(s.model.main, first);
}

// The operation passes its last operand many times, and the graph lists its last input as often.
void repeatLast(Subject& s, Model::Subgraph& graph, size_t times) {
    auto& passed = s.operation().inputs;
    passed.resize(passed.size() + times, passed.back());
    auto& listed = graph.inputIndexes;
    listed.resize(listed.size() + times, listed.back());
}

// An operand that is listed as often as it has scales, in both lists.
void repeatScales(Subject& s, Model::Subgraph& graph, uint32_t channels) {
    Operand wide{.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                 .dimensions = {channels},
                 .lifetime = LifeTime::SUBGRAPH_INPUT};
    wide.extraParams =
            Operand::SymmPerChannelQuantParams{.scales = std::vector<float>(channels, 1.0f)};
    for (Model::Subgraph* g : {&s.model.main, &graph}) {
        g->inputIndexes.push_back(static_cast<uint32_t>(g->operands.size()));
        g->operands.push_back(wide);
    }
    s.operation().inputs.push_back(s.model.main.inputIndexes.back());
    repeatLast(s, graph, channels);
}

// Many copies of the first operation, each with outputs of its own.
void shareGraphs(Subject& s, size_t times) {
    auto& main = s.model.main;
    const Operation first = s.operation();
    for (size_t i = 0; i < times; ++i) {
        Operation& again = main.operations.emplace_back(first);
        for (uint32_t& output : again.outputs) {
            main.operands.push_back(main.operands[output]);
            main.operands.back().lifetime = LifeTime::TEMPORARY_VARIABLE;
            output = static_cast<uint32_t>(main.operands.size() - 1);
        }
    }
}

#define NNAPI_INNER(what)                    \
    [](Subject& s) {                         \
        if (!isControlFlow(s)) return false; \
        auto& graph = inner(s);              \
        auto& op = s.operation();            \
        (void)graph, (void)op;               \
        what;                                \
        return true;                         \
    }

constexpr Case kCases[] = {
        {"SubgraphDoesNotExist",
         NNAPI_INNER(firstReference(s).location.offset =
                             static_cast<uint32_t>(s.model.referenced.size()))},
        {"SubgraphIsTheLargest", NNAPI_INNER(firstReference(s).location.offset = UINT32_MAX)},
        {"NoSubgraphs", NNAPI_INNER(s.model.referenced.clear())},
        {"SubgraphRefersToItself", NNAPI_INNER(refer(graph, firstReference(s).location.offset))},
        {"SubgraphsReferToEachOther",
         NNAPI_INNER(const auto last = static_cast<uint32_t>(s.model.referenced.size());
                     s.model.referenced.push_back(s.model.referenced[0]);
                     refer(s.model.referenced[0], last); refer(s.model.referenced[last], 0))},
        {"NestedAsDeepAsAllowed", NNAPI_INNER(nest(s, 63))},
        {"NestedOneTooDeep", NNAPI_INNER(nest(s, 64))},
        {"Nested10000", NNAPI_INNER(nest(s, 10'000))},
        {"Nested100000", NNAPI_INNER(nest(s, 100'000))},
        {"ReferenceWithLength", NNAPI_INNER(firstReference(s).location.length = 1)},
        {"ReferenceIsATensor", NNAPI_INNER(firstReference(s).type = OperandType::TENSOR_FLOAT32)},
        {"ReferenceIsAnInput", NNAPI_INNER(firstReference(s).lifetime = LifeTime::SUBGRAPH_INPUT)},
        {"OneInputFewer", NNAPI_INNER(op.inputs.pop_back())},
        {"OneInputMore", NNAPI_INNER(op.inputs.push_back(op.inputs.back()))},
        {"OneOutputFewer", NNAPI_INNER(op.outputs.pop_back())},
        {"OneOutputMore", NNAPI_INNER(op.outputs.push_back(op.outputs.back()))},
        {"OnlyReferences", NNAPI_INNER(op.inputs.resize(2))},
        {"InnerInputsDiffer", NNAPI_INNER(graph.inputIndexes.pop_back())},
        {"InnerOutputsDiffer", NNAPI_INNER(graph.outputIndexes.push_back(graph.outputIndexes[0]))},
        {"InnerInputDoesNotExist", NNAPI_INNER(graph.inputIndexes[0] = UINT32_MAX)},
        {"InnerOutputDoesNotExist", NNAPI_INNER(graph.outputIndexes[0] = UINT32_MAX)},
        {"InnerTypesDiffer", NNAPI_INNER(graph.operands[graph.inputIndexes[0]].type =
                                                 OperandType::TENSOR_QUANT8_ASYMM)},
        {"OneOperandPassedAndListed20000Times", NNAPI_INNER(repeatLast(s, graph, 20'000))},
        {"OneOperandOf5000ScalesPassedAndListed5000Times",
         NNAPI_INNER(repeatScales(s, graph, 5000))},
        {"GraphSharedBy1000Operations", NNAPI_INNER(shareGraphs(s, 1000))},
        {"GraphSharedBy5000OperationsThatDoNotFitIt",
         NNAPI_INNER(graph.inputIndexes.resize(5000, graph.inputIndexes[0]); shareGraphs(s, 5000))},
        {"InnerGraphIsEmpty", NNAPI_INNER(graph = {})},
        {"ConditionIsAFloat",
         NNAPI_INNER((op.type == OperationType::IF ? *s.input(0)
                                                   : graph.operands[graph.outputIndexes[0]])
                             .type = OperandType::TENSOR_FLOAT32)},
        {"ConditionHasTwoElements",
         NNAPI_INNER((op.type == OperationType::IF ? *s.input(0)
                                                   : graph.operands[graph.outputIndexes[0]])
                             .dimensions = {2})},
        {"ConditionIsAScalar",
         NNAPI_INNER((op.type == OperationType::IF ? *s.input(0)
                                                   : graph.operands[graph.outputIndexes[0]])
                             .dimensions = {})},
};

TEST(Hostile, ControlFlow) { runSection("control_flow", kCases); }

#undef NNAPI_INNER

}  // namespace
}  // namespace nn::hostile::control_flow_test
