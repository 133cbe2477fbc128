// Operands and operations of models that may be invalid as a whole.
#include <functional>

#include "validate/models.h"

namespace nn::parts_test {
namespace {

constexpr Version V1_0 = kVersionFeatureLevel1, V1_2 = kVersionFeatureLevel3,
                  V1_3 = kVersionFeatureLevel4;

Result<Version> validateFirst(const Model& model) {
    return validateOperation(model.main.operations[0], model.main, model);
}
Result<Version> validateFirstButNotOperands(const Model& model) {
    return validateOperationButNotOperands(model.main.operations[0], model.main, model);
}

TEST(ValidateParts, NeedTheLeastVersion) {
    EXPECT_THAT(validateFirst(softmaxModel()), Needs(V1_0));
    EXPECT_THAT(validateFirst(ifModel()), Needs(V1_3));
    EXPECT_THAT(validateFirst(extensionModel()), Needs(V1_2));
    EXPECT_THAT(validateOperand(softmaxModel().main.operands[0], softmaxModel()), Needs(V1_0));
    EXPECT_THAT(validateOperand(ifModel().main.operands[0], ifModel()), Needs(V1_2));
    EXPECT_THAT(validateOperand(ifModel().main.operands[1], ifModel()), Needs(V1_3));
}

TEST(ValidateParts, TheRestOfTheModelDoesNotCount) {
    Model model = softmaxModel();
    model.main.inputIndexes = {77};
    model.main.operands[3].scale = -1;  // of the other operation
    EXPECT_THAT(validateFirst(model), Needs(V1_0));
}

// Only an operand of type SUBGRAPH depends on a graph; the offsets of others do not matter.
TEST(ValidateParts, OperandsDependOnGraphsThatTheyName) {
    Model model = ifModel();
    model.referenced[0].outputIndexes = {77};
    EXPECT_THAT(validateOperand(model.main.operands[3], model), Needs(V1_0));
    EXPECT_THAT(validateOperand(model.main.operands[2], model), Needs(V1_3));
    EXPECT_THAT(validateOperand(model.main.operands[1], model),
                Refuses("referenced[0].outputIndexes[0]: operand 77 does not exist, allowed below "
                        "4, the number of operands [graph.outputs]"));
    EXPECT_THAT(validateOperand(subgraphOperand(2), model),  // one past the last
                Refuses("location.offset is 2, allowed below 2, the number of referenced subgraphs "
                        "[operand.location]"));
    model.referenced.clear();
    EXPECT_THAT(validateOperand(subgraphOperand(0), model),
                Refuses("location.offset is 0, but the model has no referenced subgraphs "
                        "[operand.location]"));
}

// Dependencies through an inner IF of a graph count as well.
TEST(ValidateParts, GraphsDependOnGraphs) {
    Model model = ifModel();
    model.referenced.push_back(model.referenced[0]);
    model.referenced[1].operands.push_back(subgraphOperand(2));
    EXPECT_THAT(validateFirst(model), Needs(V1_3));
    model.referenced[2].operations.clear();
    EXPECT_THAT(validateFirst(model),
                Refuses("referenced[2]: has no operations, allowed 1 or more [graph.empty]"));
    EXPECT_THAT(validateOperand(model.main.operands[1], model),
                Needs(V1_3));  // it does not depend on the graph
}

// A tensor of unknown rank raises the version only as part of an operation.
TEST(ValidateParts, OperandsCountOnlyWithTheirOperation) {
    Model model = softmaxModel();
    model.main.operands[2].dimensions = {};
    EXPECT_THAT(validateFirst(model), Needs(V1_2));
    EXPECT_THAT(validateFirstButNotOperands(model), Needs(V1_0));
    model.main.operands[2].scale = 1;
    EXPECT_THAT(validateFirst(model),
                Refuses("operands[2]: scale is 1, allowed 0 for TENSOR_FLOAT32 [operand.scale]"));
    EXPECT_THAT(validateFirstButNotOperands(model), Needs(V1_0));
}

struct Row {
    const char* name;
    Model model;
    std::function<void(Model&)> change;
    std::string message;
};

TEST(ValidateParts, SayWhyTheyRefuse) {
    const Row kRows[] = {
            {"Index", softmaxModel(), [](Model& m) { m.main.operations[0].inputs[1] = 4; },
             "SOFTMAX: input 1 is operand 4, allowed below 4, the number of operands "
             "[operation.input_index]"},
            {"FarIndex", softmaxModel(),
             [](Model& m) { m.main.operations[0].inputs[1] = UINT32_MAX; },
             "SOFTMAX: input 1 is operand 4294967295, allowed below 4, the number of operands "
             "[operation.input_index]"},
            {"Count", softmaxModel(), [](Model& m) { m.main.operations[0].inputs.pop_back(); },
             "SOFTMAX: has 1 input, allowed 2 or 3 [softmax.inputs]"},
            {"NoType", softmaxModel(),
             [](Model& m) {
                 m.main.operations[0].type = static_cast<OperationType>(kOperationCount);
             },
             "type is " + std::to_string(kOperationCount) + ", " + kAllowedOperationTypes},
            {"OutputIndex", softmaxModel(), [](Model& m) { m.main.operations[0].outputs[0] = 4; },
             "SOFTMAX: output 0 is operand 4, allowed below 4, the number of operands "
             "[operation.output_index]"},
            {"Output", softmaxModel(), [](Model& m) { m.main.operands[2].zeroPoint = 1; },
             "operands[2]: zeroPoint is 1, allowed 0 for TENSOR_FLOAT32 [operand.zero_point]"},
            {"InABranch", ifModel(),
             [](Model& m) { m.referenced[1].operations[0].inputs.pop_back(); },
             "referenced[1].operations[0] SOFTMAX: has 1 input, allowed 2 or 3 [softmax.inputs]"},
            {"Cycle", ifModel(),
             [](Model& m) { m.referenced[1].operands.push_back(subgraphOperand(1)); },
             "referenced[1].operands[4]: refers to referenced[1], which leads back here, allowed "
             "no cycles [model.cycle]"},
    };
    for (const Row& row : kRows) {
        Model model = row.model;
        row.change(model);
        EXPECT_THAT(validateFirst(model), Refuses(row.message)) << row.name;
    }
}

TEST(ValidateParts, OperationTypes) {
    EXPECT_THAT(validate(OperationType::SOFTMAX), Needs(V1_0));
    EXPECT_THAT(validate(OperationType::HARD_SWISH), Needs(V1_3));
    EXPECT_THAT(validate(OperationType::REVERSE), Needs(kVersionFeatureLevel7));
    EXPECT_THAT(validate(OperationType::OEM_OPERATION), Needs(V1_0));
    EXPECT_THAT(validate(static_cast<OperationType>(0x00010000)), Needs(V1_2));
    EXPECT_THAT(
            validate(static_cast<OperationType>(kOperationCount)),
            Refuses("type is " + std::to_string(kOperationCount) + ", " + kAllowedOperationTypes));
}

TEST(ValidateParts, ScalesOfChannels) {
    Operand operand = operandOf(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 3});
    operand.extraParams = Operand::SymmPerChannelQuantParams{.scales = {1, 2, 3}, .channelDim = 1};
    EXPECT_TRUE(validateOperandSymmPerChannelQuantParams(operand).ok());
    operand.dimensions = {3, 2};
    EXPECT_EQ(std::string(validateOperandSymmPerChannelQuantParams(operand).message()),
              "3 scales for 2 channels, allowed one each and one at least [operand.extra_params]");
    operand.type = OperandType::TENSOR_FLOAT32;
    EXPECT_EQ(std::string(validateOperandSymmPerChannelQuantParams(operand).message()),
              "type is TENSOR_FLOAT32, allowed TENSOR_QUANT8_SYMM_PER_CHANNEL [operand.type]");
}

}  // namespace
}  // namespace nn::parts_test
