// Each operator of TensorFlow Lite: becomes what its row says, executes, is written, comes back
// equal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "importers/common/equal_models.h"
#include "importers/operator_files.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/row_tokens.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::tflite {
namespace {

std::vector<OperationType> typesOf(const nn::Model& model) {
    std::vector<OperationType> types;
    for (const Operation& operation : model.main.operations) types.push_back(operation.type);
    return types;
}

// Any legal values.
std::vector<nn::Tensor> inputsOf(const nn::Model& model) {
    std::vector<nn::Tensor> inputs;
    for (const uint32_t index : model.main.inputIndexes) {
        const Operand& operand = model.main.operands[index];
        nn::Tensor tensor{.dimensions = operand.dimensions};
        const uint64_t bytes = operandSize(operand).value();
        const bool isBool = operand.type == OperandType::TENSOR_BOOL8;
        const bool isFloat = operand.type == OperandType::TENSOR_FLOAT32;
        for (uint64_t i = 0; i < bytes; ++i) {
            // Floats of 1 to 2, INT32 of 0 to 15.
            const auto value = static_cast<uint8_t>(i * 37);
            if (isFloat) {
                tensor.data.push_back(i % 4 == 3 ? 0x3f : i % 4 == 2 ? value | 0x80 : value);
            } else if (operand.type == OperandType::TENSOR_INT32) {
                tensor.data.push_back(i % 4 == 0 ? value % 16 : 0);
            } else {
                tensor.data.push_back(isBool ? value & 1 : value);
            }
        }
        inputs.push_back(std::move(tensor));
    }
    return inputs;
}

Result<std::vector<nn::Tensor>> execute(const nn::Model& model) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(model));
    return prepared.run(inputsOf(model));
}

class TfliteOperators : public ::testing::TestWithParam<OperatorFile> {};

TEST_P(TfliteOperators, ComesAndGoes) {
    const OperatorFile& file = GetParam();
    const auto imported = importTflite(file.bytes);
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(std::string(refusalsOf(*imported).message()), "");
    ASSERT_EQ(imported->parts.size(), 1u);
    const nn::Model& model = imported->parts.front().model;
    EXPECT_EQ(typesOf(model), file.becomes);
    EXPECT_TRUE(nn::validate(model).ok()) << nn::validate(model).status();

    const auto outputs = execute(model);
    ASSERT_TRUE(outputs.ok()) << outputs.status();

    Losses losses;
    const auto written = exportTflite(model, &losses);
    EXPECT_EQ(written.ok(), file.isWritten);
    if (!file.isWritten) return;
    ASSERT_TRUE(written.ok()) << written.status();
    const auto again = importTflite(*written);
    ASSERT_TRUE(again.ok()) << again.status();
    ASSERT_EQ(std::string(refusalsOf(*again).message()), "");
    const nn::Model& back = again->parts.front().model;
    const auto difference = importing::differenceOf(model, back);
    ASSERT_TRUE(difference.ok()) << difference.status();
    EXPECT_EQ(*difference, "");
    const auto same = execute(back);
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(*outputs, *same);
}

INSTANTIATE_TEST_SUITE_P(All, TfliteOperators, ::testing::ValuesIn(operatorFiles()),
                         [](const auto& info) { return info.param.name; });

TEST(TfliteRows, AreInTheirNotation) {
    for (const Row& row : operatorRows()) {
        const char* name = EnumNameBuiltinOperator(row.code);
        if (row.function != nullptr) {
            EXPECT_FALSE(row.text.empty()) << name;
            continue;
        }
        EXPECT_FALSE(tokensOf(row.inputs).empty()) << name << ": " << row.inputs;
        EXPECT_TRUE(row.outputs.empty() || !tokensOf(row.outputs).empty()) << name;
        EXPECT_EQ(row.conditions.empty(), conditionsOf(row.conditions).empty()) << name;
    }
}

// The generator has a file for each row, but for those that a test of their own has.
TEST(TfliteRows, HaveFiles) {
    std::set<std::string> names;
    for (const OperatorFile& file : operatorFiles()) names.insert(file.name);
    const std::set<std::string> elsewhere = {"RANK", "SHAPE"};
    for (const Row& row : operatorRows()) {
        const std::string name = EnumNameBuiltinOperator(row.code);
        const auto file = names.lower_bound(name + "_");
        const bool hasFile = file != names.end() && file->starts_with(name + "_");
        EXPECT_EQ(hasFile, !elsewhere.contains(name)) << name;
    }
    EXPECT_GE(names.size(), 100u);
}

}  // namespace
}  // namespace nn::tflite
