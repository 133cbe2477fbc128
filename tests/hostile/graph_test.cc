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
        {"InputDoesNotExist", NNAPI_GRAPH(op.inputs[0] = operandCount(s))},
        {"InputIsTheLargest", NNAPI_GRAPH(op.inputs.back() = UINT32_MAX)},
        {"OutputDoesNotExist", NNAPI_GRAPH(op.outputs[0] = operandCount(s))},
        {"OutputIsTheLargest", NNAPI_GRAPH(op.outputs.back() = UINT32_MAX)},
        {"NoInputs", NNAPI_GRAPH(op.inputs.clear())},
        {"NoOutputs", NNAPI_GRAPH(op.outputs.clear())},
        {"ManyInputs", NNAPI_GRAPH(op.inputs.resize(many(s), op.inputs[0]))},
        {"ManyOutputs", NNAPI_GRAPH(op.outputs.resize(many(s), op.outputs[0]))},
        {"OneInputMissing", NNAPI_GRAPH(op.inputs.erase(op.inputs.begin()))},
        {"OutputIsItsOwnInput", NNAPI_GRAPH(op.inputs[0] = op.outputs[0])},
        {"InputIsItsOwnOutput", NNAPI_GRAPH(op.outputs[0] = op.inputs[0])},
        {"WrittenTwice", NNAPI_GRAPH(main.operations.push_back(main.operations[0]))},
        {"ReadBeforeWritten",
         NNAPI_GRAPH(main.operands[op.inputs[0]].lifetime = LifeTime::TEMPORARY_VARIABLE;
                     std::erase(main.inputIndexes, op.inputs[0]))},
        {"NeverWritten", NNAPI_GRAPH(main.operands.push_back(
                                 {.type = OperandType::TENSOR_FLOAT32, .dimensions = {1}}))},
        {"ModelInputIsAnOutput", NNAPI_GRAPH(main.outputIndexes = {op.inputs[0]})},
        {"ModelOutputIsAnInput", NNAPI_GRAPH(main.inputIndexes = {op.outputs[0]})},
        {"ModelInputListedTwice",
         NNAPI_GRAPH(if (!main.inputIndexes.empty())
                             main.inputIndexes.push_back(main.inputIndexes[0]))},
        {"ModelInputDoesNotExist", NNAPI_GRAPH(main.inputIndexes.push_back(operandCount(s)))},
        {"ModelOutputDoesNotExist", NNAPI_GRAPH(main.outputIndexes.push_back(UINT32_MAX))},
        {"ModelInputsAreNotListed", NNAPI_GRAPH(main.inputIndexes.clear())},
        {"ModelOutputsAreNotListed", NNAPI_GRAPH(main.outputIndexes.clear())},
        {"NoOperations", NNAPI_GRAPH(main.operations.clear())},
        {"NoOperands", NNAPI_GRAPH(main.operands.clear())},
        {"TypeNegative", NNAPI_GRAPH(setType(s, -1))},
        {"TypeBehindTheLast", NNAPI_GRAPH(setType(s, kOperationCount))},
        {"TypeBeforeOem", NNAPI_GRAPH(setType(s, 9999))},
        {"TypeOem", NNAPI_GRAPH(setType(s, 10000))},
        {"TypeBehindOem", NNAPI_GRAPH(setType(s, 10001))},
        {"TypeLastOfNoExtension", NNAPI_GRAPH(setType(s, 0xFFFF))},
        {"TypeOfAnExtension", NNAPI_GRAPH(setType(s, 0x10000))},
        {"TypeIsTheLargest", NNAPI_GRAPH(setType(s, INT32_MAX))},
        {"OperandTypeNegative", NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(-1))},
        {"OperandTypeBehindTheLast", NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(16))},
        {"OperandTypeOem", NNAPI_GRAPH(s.input(0)->type = OperandType::OEM)},
        {"OperandTypeTensorOem", NNAPI_GRAPH(s.input(0)->type = OperandType::TENSOR_OEM_BYTE)},
        {"OperandTypeBehindOem", NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(10002))},
        {"OperandTypeOfAnExtension",
         NNAPI_GRAPH(s.input(0)->type = static_cast<OperandType>(0x10000))},
        // The first input of a WHILE has type SUBGRAPH.
        {"OperandTypeSubgraph", NNAPI_GRAPH(s.input(0)->type = OperandType::SUBGRAPH)},
        // The output of a RANK is a scalar.
        {"OutputTypeIsAScalar", NNAPI_GRAPH(s.output(0)->type = OperandType::INT32)},
        {"FirstInputHasNoValue",
         NNAPI_GRAPH(std::erase(main.inputIndexes, op.inputs[0]);
                     if (s.inputs.size() > main.inputIndexes.size())
                             s.inputs.erase(s.inputs.begin());
                     s.input(0)->lifetime = LifeTime::NO_VALUE; s.input(0)->location = {})},
        {"OutputHasNoValue", NNAPI_GRAPH(std::erase(main.outputIndexes, op.outputs[0]);
                                         s.output(0)->lifetime = LifeTime::NO_VALUE)},
        {"EmptyReferencedGraph", NNAPI_GRAPH(s.model.referenced.emplace_back())},
};

TEST(Hostile, Graph) { runSection("graph", kCases); }

#undef NNAPI_GRAPH

}  // namespace
}  // namespace nn::hostile::graph_test
