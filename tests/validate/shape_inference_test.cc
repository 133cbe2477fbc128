#include "validate/shape_inference.h"

#include "validate/models.h"

namespace nn::shape_inference_test {
namespace {

using enum OperandType;
using testing::ElementsAre;
using testing::IsEmpty;

KnownDimensions inferred(const Model& model) {
    Report report({.collectAll = true});
    const SmallConstants constants(model, model.main);
    return inferShapes(model.main, constants.data(), Place{nullptr, "main"}, report);
}

std::vector<std::string> warnings(const Model& model) {
    EXPECT_TRUE(validate(model).ok());
    return textsOf(validateAll(model).warnings);
}

TEST(InferShapes, GoesFromOperationToOperation) {
    Model model = softmaxModel();
    model.main.operands[2].dimensions = {};
    model.main.operands[3].dimensions = {0, 3};
    EXPECT_THAT(inferred(model),
                ElementsAre(ElementsAre(2, 3), IsEmpty(), ElementsAre(2, 3), ElementsAre(2, 3)));
    model.main.operands[0].dimensions = {0, 3};
    EXPECT_THAT(inferred(model),
                ElementsAre(ElementsAre(0, 3), IsEmpty(), ElementsAre(0, 3), ElementsAre(0, 3)));
}

TEST(InferShapes, LeavesAloneWhatTellsNothing) {
    for (const Model& model : {extensionModel(), ifModel(), whileModel()}) {
        KnownDimensions declared;
        for (const Operand& operand : model.main.operands) declared.push_back(operand.dimensions);
        EXPECT_EQ(inferred(model), declared);
    }
}

TEST(ValidateAll, WarnsOfWhatPreparationRefuses) {
    EXPECT_THAT(warnings(softmaxModel()), IsEmpty());

    Model model = softmaxModel();
    model.main.operands[1] = constantOf<float>(model, FLOAT32, {}, {-1.0f});
    EXPECT_THAT(warnings(model),
                ElementsAre("main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is -1, allowed "
                            "above 0 [softmax.beta]",
                            "main.operations[1] SOFTMAX: input 1 'beta' (operand 1) is -1, allowed "
                            "above 0 [softmax.beta]"));

    model = softmaxModel();
    model.main.operands[2].dimensions = {};
    model.main.operands[3].dimensions = {2, 4};
    EXPECT_THAT(warnings(model),
                ElementsAre("main.operations[1] SOFTMAX: output 0 (operand 3) has dimensions [2, "
                            "4], but the operation gives [2, 3] [operation.output_shape]"));
}

TEST(ValidateAll, ReadsConstantsWhereverTheyLie) {
    const float beta = -1.0f;
    Model model = softmaxModel();
    Operand& operand = model.main.operands[1];
    std::vector<uint8_t> bytes(5);
    std::memcpy(bytes.data() + 1, &beta, sizeof(beta));
    model.operandValues = Model::OperandValues(bytes);
    operand.location = {.offset = 1, .length = 4};
    EXPECT_EQ(warnings(model).size(), 2);

    operand.lifetime = LifeTime::POINTER;
    operand.location = {.pointer = static_cast<const void*>(&beta), .length = 4};
    EXPECT_EQ(warnings(model).size(), 2);
    operand.location.pointer = static_cast<const void*>(bytes.data() + 1);
    EXPECT_EQ(warnings(model).size(), 2);
}

TEST(ValidateAll, WarnsInReferencedSubgraphsAndForOldTargets) {
    Model model = ifModel();
    model.referenced[1].operands[2].dimensions = {5, 5};
    const Findings findings = validateAll(model, {.target = kVersionFeatureLevel1});
    EXPECT_FALSE(findings.valid());
    EXPECT_THAT(
            textsOf(findings.warnings),
            ElementsAre("referenced[1].operations[0] SOFTMAX: output 0 (operand 2) has dimensions "
                        "[5, 5], but the operation gives [2, 3] [operation.output_shape]",
                        "referenced[1].operations[1] SOFTMAX: output 0 (operand 3) has dimensions "
                        "[2, 3], but the operation gives [5, 5] [operation.output_shape]"));
}

}  // namespace
}  // namespace nn::shape_inference_test
