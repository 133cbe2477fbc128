#include "validate/shape_inference.h"

#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/models.h"
#include "validate/validation_facts.h"

namespace nn::shape_inference_test {
namespace {

using enum OperandType;
using testing::ElementsAre;
using testing::IsEmpty;

KnownDimensions inferred(const Model& model) {
    Report report({.collectAll = true});
    const SmallConstants constants(model, model.main);
    ValidationFacts found;
    findAll(model, {}, found);
    return inferDimensions(model.main, found.main(), /*isMain=*/true, constants.data(),
                           Place{nullptr, "main"}, report);
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

// MEAN infers the dimensions before it finds that the quantization differs.
TEST(InferShapes, LearnsNothingFromWhatFails) {
    Model model = softmaxModel();
    model.main.operands = {quantized(TENSOR_QUANT8_ASYMM, {2, 3}, LifeTime::SUBGRAPH_INPUT, 1, 0),
                           constantOf<int32_t>(model, TENSOR_INT32, {1}, {0}),
                           constantOf<int32_t>(model, INT32, {}, {0}),
                           quantized(TENSOR_QUANT8_ASYMM, {0}, LifeTime::SUBGRAPH_OUTPUT, 1, 0)};
    model.main.operations = {{.type = OperationType::MEAN, .inputs = {0, 1, 2}, .outputs = {3}}};
    EXPECT_THAT(inferred(model)[3], ElementsAre(3));
    model.main.operands[3].scale = 2;
    EXPECT_THAT(inferred(model)[3], ElementsAre(0));
    EXPECT_THAT(warnings(model), ElementsAre("main.operations[0] MEAN: output 0 'output' (operand "
                                             "3) has scale 2 and zeroPoint 0, allowed 1 and 0 as "
                                             "input 0 'input' (operand 0) [mean.quantization]"));
}

// Parameters are small: larger constants are not read, nor are empty ones, or those in a pool.
TEST(SmallConstants, AreThoseThatAreReachedWithoutMapping) {
    const std::vector<uint8_t> bytes(8192, 1);
    const auto located = [&](OperandType type, LifeTime lifetime, uint32_t length) {
        Operand operand = operandOf(type, {length}, lifetime);
        operand.location.length = length;
        if (lifetime == LifeTime::POINTER) {
            operand.location.pointer = static_cast<const void*>(bytes.data());
        }
        return operand;
    };
    constexpr auto kExtensionType = static_cast<OperandType>(0x00010000);
    const struct {
        const char* name;
        Operand operand;
        bool isFound;
    } kRows[] = {
            {"Copy", located(TENSOR_INT32, LifeTime::CONSTANT_COPY, 4), true},
            {"Pointer", located(TENSOR_INT32, LifeTime::POINTER, 4), true},
            {"Pool", located(TENSOR_INT32, LifeTime::CONSTANT_REFERENCE, 4), false},
            {"Input", located(TENSOR_INT32, LifeTime::SUBGRAPH_INPUT, 4), false},
            {"Largest", located(TENSOR_INT32, LifeTime::CONSTANT_COPY, 4096), true},
            {"TooLarge", located(TENSOR_BOOL8, LifeTime::CONSTANT_COPY, 4097), false},
            {"Empty", located(TENSOR_INT32, LifeTime::POINTER, 0), false},
            {"Extension", located(kExtensionType, LifeTime::CONSTANT_COPY, 4), false},
    };
    Model model;
    model.operandValues = Model::OperandValues(bytes);
    for (const auto& row : kRows) {
        model.main.operands = {row.operand};
        const SmallConstants constants(model, model.main);
        ASSERT_EQ(constants.data().size(), 1u);
        EXPECT_EQ(constants.data()[0] != nullptr, row.isFound) << row.name;
    }
}

TEST(SmallConstants, AreCopiedOnlyFromOddAddresses) {
    Model model;
    std::vector<uint8_t> bytes(64);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
    model.operandValues = Model::OperandValues(bytes);
    const struct {
        OperandType type;
        uint32_t offset, length;
        bool isCopied;
    } kRows[] = {
            {TENSOR_INT32, 4, 8, false},   {TENSOR_INT32, 2, 12, true},
            {TENSOR_FLOAT16, 2, 6, false}, {TENSOR_FLOAT16, 3, 6, true},
            {TENSOR_FLOAT16, 1, 2, true},  {TENSOR_QUANT8_ASYMM, 3, 5, false},
    };
    for (const auto& row : kRows) {
        Operand operand = operandOf(row.type, {1}, LifeTime::CONSTANT_COPY);
        operand.location = {.offset = row.offset, .length = row.length};
        model.main.operands = {operand};
        const SmallConstants constants(model, model.main);
        const uint8_t* original = model.operandValues.data() + row.offset;
        const uint8_t* data = constants.data()[0];
        ASSERT_NE(data, nullptr);
        EXPECT_EQ(data != original, row.isCopied) << row.offset;
        EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % elementSize(row.type), 0u) << row.offset;
        EXPECT_EQ(std::memcmp(data, original, row.length), 0) << row.offset;
    }
}

TEST(ValidateAll, WarnsOfWhatPreparationRefuses) {
    EXPECT_THAT(warnings(softmaxModel()), IsEmpty());

    Model model = softmaxModel();
    model.main.operands[1] = constantOf<float>(model, FLOAT32, {}, {-1.0f});
    EXPECT_THAT(warnings(model), ElementsAre("main.operations[0] SOFTMAX: input 1 'beta' (operand "
                                             "1) is -1, allowed above 0 [softmax.beta]",
                                             "main.operations[1] SOFTMAX: input 1 'beta' (operand "
                                             "1) is -1, allowed above 0 [softmax.beta]"));

    model = softmaxModel();
    model.main.operands[2].dimensions = {};
    model.main.operands[3].dimensions = {2, 4};
    EXPECT_THAT(
            warnings(model),
            ElementsAre("main.operations[1] SOFTMAX: output 0 'output' (operand 3) has dimensions "
                        "[2, 4], but the operation gives [2, 3] [operation.output_shape]"));
}

// Operands with too many dimensions stay unknown, so that a chain cannot keep doubling them.
TEST(ValidateAll, WarnsOfTooManyDimensions) {
    Model model;
    model.main.operands = {operandOf(TENSOR_INT32, {1, 1}, LifeTime::SUBGRAPH_INPUT),
                           constantOf<int32_t>(model, INT32, {}, {0})};
    model.main.inputIndexes = {0};
    for (uint32_t i = 0; i < 40; ++i) {
        model.main.operands.push_back(operandOf(TENSOR_INT32, {}));
        const uint32_t x = i == 0 ? 0 : i + 1;
        model.main.operations.push_back(
                {.type = OperationType::GATHER, .inputs = {x, 1, x}, .outputs = {i + 2}});
    }
    model.main.operands.back().lifetime = LifeTime::SUBGRAPH_OUTPUT;
    model.main.outputIndexes = {41};
    EXPECT_THAT(warnings(model), ElementsAre("main.operations[5] GATHER: output 0 has 65 "
                                             "dimensions, allowed 64 [limits.rank]"));
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

// The shapes of an invalid model are not inferred: operands may not exist.
TEST(ValidateAll, DoesNotInferWhereTheModelIsIllegal) {
    Model model = softmaxModel();
    model.main.operands[3].dimensions = {2, 4};
    EXPECT_EQ(warnings(model).size(), 1u);
    model.main.operations[0].inputs[1] = 99;
    const Findings findings = validateAll(model);
    EXPECT_EQ(textsOf(findings.errors).front(),
              "main.operations[0] SOFTMAX: input 1 is operand 99, allowed below 4, the number of "
              "operands [operation.input_index]");
    EXPECT_THAT(textsOf(findings.warnings), IsEmpty());
}

TEST(ValidateAll, WarnsInReferencedSubgraphsAndForOldTargets) {
    Model model = ifModel();
    model.referenced[1].operands[2].dimensions = {5, 5};
    const Findings findings = validateAll(model, {.target = kVersionFeatureLevel1});
    EXPECT_FALSE(findings.valid());
    EXPECT_THAT(
            textsOf(findings.warnings),
            ElementsAre(
                    "referenced[1].operations[0] SOFTMAX: output 0 'output' (operand 2) has "
                    "dimensions [5, 5], but the operation gives [2, 3] [operation.output_shape]",
                    "referenced[1].operations[1] SOFTMAX: output 0 'output' (operand 3) has "
                    "dimensions [2, 3], but the operation gives [5, 5] [operation.output_shape]"));
}

}  // namespace
}  // namespace nn::shape_inference_test
