// Graphs: indexes out of range, operands written twice or too late, codes without a meaning.
#include "hostile/hostile_models.h"
#include "types/operation_count.h"

namespace nn::hostile::graph_test {
namespace {

// A million inputs for one operation with repeated inputs and for one without.
size_t many(const Subject& s) {
    const OperationType type = s.operation().type;
    return type == OperationType::CONCATENATION || type == OperationType::ADD ? 1'000'000 : 1000;
}

void setType(Subject& s, int32_t code) { s.operation().type = static_cast<OperationType>(code); }

uint32_t operandCount(const Subject& s) {
    return static_cast<uint32_t>(s.model.main.operands.size());
}

// After the last input of the signature, or instead of the first.
#define NNAPI_GRAPH(change)        \
    [](Subject& s) {               \
        auto& main = s.model.main; \
        auto& op = s.operation();  \
        (void)main, (void)op;      \
        change;                    \
        return true;               \
    }

constexpr Case kCases[] = {
        {"InputDoesNotExist", NNAPI_GRAPH(op.inputs[0] = operandCount(s)),
         "validate:operation.input_index"},
        {"InputIsTheLargest", NNAPI_GRAPH(op.inputs.back() = UINT32_MAX),
         "validate:operation.input_index"},
        {"OutputDoesNotExist", NNAPI_GRAPH(op.outputs[0] = operandCount(s)),
         "validate:operation.output_index"},
        {"OutputIsTheLargest", NNAPI_GRAPH(op.outputs.back() = UINT32_MAX),
         "validate:operation.output_index"},
        {"NoInputs", NNAPI_GRAPH(op.inputs.clear()), "validate:$.inputs"},
        {"NoOutputs", NNAPI_GRAPH(op.outputs.clear()), "validate:$.outputs"},
        {"ManyInputs", NNAPI_GRAPH(op.inputs.resize(many(s), op.inputs[0])),
         "validate:$.inputs validate:$.types validate:$.subgraph"},
        {"ManyOutputs", NNAPI_GRAPH(op.outputs.resize(many(s), op.outputs[0])),
         "validate:graph.writers"},
        {"OneInputMissing", NNAPI_GRAPH(op.inputs.erase(op.inputs.begin())),
         "validate:$.inputs validate:$.types validate:$.condition validate:$.subgraph prepare:$.* "
         "prepare:operation.output_shape"},
        {"OutputIsItsOwnInput", NNAPI_GRAPH(op.inputs[0] = op.outputs[0]),
         "validate:graph.execution_order"},
        {"InputIsItsOwnOutput", NNAPI_GRAPH(op.outputs[0] = op.inputs[0]),
         "validate:graph.writers"},
        {"WrittenTwice", NNAPI_GRAPH(main.operations.push_back(main.operations[0])),
         "validate:graph.writers"},
        {"ReadBeforeWritten",
         NNAPI_GRAPH(main.operands[op.inputs[0]].lifetime = LifeTime::TEMPORARY_VARIABLE;
                     std::erase(main.inputIndexes, op.inputs[0])),
         "validate:graph.execution_order validate:operand.location validate:operand.lifetime"},
        {"NeverWritten",
         NNAPI_GRAPH(
                 main.operands.push_back({.type = OperandType::TENSOR_FLOAT32, .dimensions = {1}})),
         "validate:graph.unwritten"},
        {"ModelInputIsAnOutput", NNAPI_GRAPH(main.outputIndexes = {op.inputs[0]}),
         "validate:graph.outputs"},
        {"ModelOutputIsAnInput", NNAPI_GRAPH(main.inputIndexes = {op.outputs[0]}),
         "validate:graph.inputs"},
        {"ModelInputListedTwice",
         NNAPI_GRAPH(if (!main.inputIndexes.empty())
                             main.inputIndexes.push_back(main.inputIndexes[0])),
         "validate:graph.inputs"},
        {"ModelInputDoesNotExist", NNAPI_GRAPH(main.inputIndexes.push_back(operandCount(s))),
         "validate:graph.inputs"},
        {"ModelOutputDoesNotExist", NNAPI_GRAPH(main.outputIndexes.push_back(UINT32_MAX)),
         "validate:graph.outputs"},
        {"ModelInputsAreNotListed", NNAPI_GRAPH(main.inputIndexes.clear()),
         "validate:graph.inputs"},
        {"ModelOutputsAreNotListed", NNAPI_GRAPH(main.outputIndexes.clear()),
         "validate:graph.outputs"},
        {"NoOperations", NNAPI_GRAPH(main.operations.clear()), "validate:graph.empty"},
        {"NoOperands", NNAPI_GRAPH(main.operands.clear()), "validate:graph.empty"},
        {"TypeNegative", NNAPI_GRAPH(setType(s, -1)), "prepare:interpreter.extension"},
        {"TypeBehindTheLast", NNAPI_GRAPH(setType(s, kOperationCount)), "validate:operation.type"},
        {"TypeBeforeOem", NNAPI_GRAPH(setType(s, 9999)), "validate:operation.type"},
        {"TypeOem", NNAPI_GRAPH(setType(s, 10000)), "prepare:interpreter.operation"},
        {"TypeBehindOem", NNAPI_GRAPH(setType(s, 10001)), "validate:operation.type"},
        {"TypeLastOfNoExtension", NNAPI_GRAPH(setType(s, 0xFFFF)), "validate:operation.type"},
        {"TypeOfAnExtension", NNAPI_GRAPH(setType(s, 0x10000)), "prepare:interpreter.extension"},
        {"TypeIsTheLargest", NNAPI_GRAPH(setType(s, INT32_MAX)), "prepare:interpreter.extension"},
        {"OperandTypeNegative", NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(-1)),
         "validate:operand.scale validate:$.types validate:$.condition validate:operand.lifetime"},
        {"OperandTypeBehindTheLast", NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(16)),
         "validate:operand.type"},
        {"OperandTypeOem", NNAPI_GRAPH(s.input(0)->type = OperandType::OEM),
         "validate:operand.dimensions validate:$.types validate:operand.lifetime"},
        {"OperandTypeTensorOem", NNAPI_GRAPH(s.input(0)->type = OperandType::TENSOR_OEM_BYTE),
         "validate:operand.dimensions validate:$.types validate:$.condition "
         "validate:operand.lifetime"},
        {"OperandTypeBehindOem", NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(10002)),
         "validate:operand.type"},
        {"OperandTypeOfAnExtension",
         NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(0x10000)),
         "validate:operand.scale validate:$.types validate:$.condition validate:operand.lifetime"},
        // The first input of a WHILE has type SUBGRAPH.
        {"OperandTypeSubgraph", NNAPI_GRAPH(s.input(0)->type = OperandType::SUBGRAPH),
         "validate:operand.dimensions validate:operand.lifetime ok"},
        // The output of a RANK is a scalar.
        {"OutputTypeIsAScalar", NNAPI_GRAPH(s.output(0)->type = OperandType::INT32),
         "validate:operand.dimensions ok"},
        {"FirstInputHasNoValue",
         NNAPI_GRAPH(std::erase(main.inputIndexes, op.inputs[0]);
                     if (s.inputs.size() > main.inputIndexes.size())
                             s.inputs.erase(s.inputs.begin());
                     s.input(0)->lifetime = LifeTime::NO_VALUE; s.input(0)->location = {}),
         "validate:$.omitted prepare:interpreter.omitted validate:operand.lifetime"},
        {"OutputHasNoValue",
         NNAPI_GRAPH(std::erase(main.outputIndexes, op.outputs[0]);
                     s.output(0)->lifetime = LifeTime::NO_VALUE),
         "validate:graph.writers"},
        {"EmptyReferencedGraph", NNAPI_GRAPH(s.model.referenced.emplace_back()),
         "validate:graph.empty"},
};

TEST(Hostile, Graph) { runSection("graph", kCases, kGraph); }

#undef NNAPI_GRAPH

}  // namespace
}  // namespace nn::hostile::graph_test
