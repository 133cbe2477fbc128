// Each operator of TensorFlow Lite: becomes the operations of its row, executes, and is equal after
// a round trip.
#include <absl/algorithm/container.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
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
#include "unsigned_models.h"

namespace nn::tflite {
namespace {

std::vector<OperationType> typesOf(const nn::Model& model) {
    std::vector<OperationType> types;
    for (const Operation& operation : model.main.operations) types.push_back(operation.type);
    return types;
}

Result<std::vector<nn::Tensor>> execute(const nn::Model& model) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(model));
    return prepared.run(inputsOf(model));
}

class TfliteOperators : public ::testing::TestWithParam<OperatorFile> {};

// What comes back of operations that are written as several operators.
std::vector<OperationType> comesBack(const OperatorFile& file) {
    using enum OperationType;
    if (file.name.starts_with("CAST_to_bytes")) return {MAXIMUM, MINIMUM, CAST};
    if (file.name.starts_with("DIV_integers")) return {ABS, ABS, DIV, MAXIMUM, MINIMUM, MUL, MUL};
    const bool isQuantized = file.name.ends_with("INT8");
    if (isQuantized && file.name.starts_with("LESS_broadcast")) {
        return {DEQUANTIZE, DEQUANTIZE, LESS};
    }
    if (isQuantized && file.name.starts_with("EQUAL_scales")) {
        return {DEQUANTIZE, DEQUANTIZE, EQUAL};
    }
    return file.becomes;
}

TEST_P(TfliteOperators, ComesAndGoes) {
    const OperatorFile& file = GetParam();
    const auto imported = importTflite(file.bytes);
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(std::string(preparationErrors(*imported).message()), "");
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
    ASSERT_EQ(std::string(preparationErrors(*again).message()), "");
    const nn::Model& back = again->parts.front().model;
    if (!file.isComposed) {
        EXPECT_EQ(typesOf(back), comesBack(file));
    }
    if (typesOf(back) == file.becomes) {
        const auto difference = importing::differenceOf(model, back);
        ASSERT_TRUE(difference.ok()) << difference.status();
        EXPECT_EQ(*difference, "");
    }
    const auto same = execute(back);
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(*outputs, *same);
}

// Operators whose operations have no unsigned form.
std::string_view refusalWithoutSigned(std::string_view name) {
    if (name == "CAST_INT8") {
        return "is from or to INT8, whose bytes CAST reads, allowed INT8 from HAL 1.3 on";
    }
    if (name.starts_with("BATCH_MATMUL")) {
        return "becomes BATCH_MATMUL, with INT8 as TENSOR_QUANT8_ASYMM before HAL 1.3: input 0";
    }
    return "";
}

// Before HAL 1.3 there are no signed tensors: unsigned ones compute the same numbers, but that
// averages round halves to the other side, and that HARD_SWISH is composed.
TEST_P(TfliteOperators, WithoutSignedTensors) {
    const OperatorFile& file = GetParam();
    const auto imported = importTflite(file.bytes);
    ASSERT_TRUE(imported.ok()) << imported.status();
    const nn::Model& model = imported->parts.front().model;
    const size_t ends = signedEndsOf(model);
    if (ends == 0) return;
    const auto older = importTflite(file.bytes, {.target = kVersionFeatureLevel3});
    ASSERT_TRUE(older.ok());
    const std::string refusal(preparationErrors(*older).message());
    const std::string_view expected = refusalWithoutSigned(file.name);
    EXPECT_EQ(refusal.empty(), expected.empty()) << refusal;
    EXPECT_THAT(refusal, ::testing::HasSubstr(std::string(expected)));
    if (!refusal.empty()) return;
    EXPECT_EQ(lossesOfSign(*older), ends);
    const nn::Model& without = older->parts.front().model;
    const bool isRounded =
            file.name.starts_with("HARD_SWISH") || file.name.starts_with("AVERAGE_POOL_2D");
    expectSame(model, without, isRounded ? 1 : 0);
}

TEST(TfliteNetworks, WithoutSignedTensors) {
    struct Network {
        const char* name;
        const char* input;
        Dimensions dimensions;
    };
    const Network networks[] = {{"kws_int8", "input_1", {1, 49, 10, 1}},
                                {"resnet_int8", "input_1_int8", {1, 32, 32, 3}},
                                {"vww_96_int8", "input_1_int8", {1, 96, 96, 3}}};
    for (const auto& [name, input, dimensions] : networks) {
        SCOPED_TRACE(name);
        const std::string path =
                std::string(NNAPI_SOURCE_DIR "/tests/tflite/models/") + name + ".tflite";
        std::ifstream stream(path, std::ios::binary);
        const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
        ImportOptions options{.shapes = {{input, dimensions}}};
        const auto imported = importTflite(bytes, options);
        options.target = kVersionFeatureLevel3;
        const auto older = importTflite(bytes, options);
        ASSERT_TRUE(imported.ok() && older.ok()) << imported.status();
        ASSERT_EQ(std::string(preparationErrors(*older).message()), "");
        const nn::Model& without = older->parts.front().model;
        const auto level = nn::validate(without);
        ASSERT_TRUE(level.ok());
        EXPECT_EQ(level->level, Version::Level::FEATURE_LEVEL_3);
        expectSame(imported->parts.front().model, without, 1);
    }
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

// The generator has a file for each row.
TEST(TfliteRows, HaveFiles) {
    std::set<std::string> names;
    for (const OperatorFile& file : operatorFiles()) names.insert(file.name);
    for (const Row& row : operatorRows()) {
        const std::string name(row.custom.empty() ? EnumNameBuiltinOperator(row.code) : row.custom);
        const auto file = names.lower_bound(name + "_");
        EXPECT_TRUE(file != names.end() && file->starts_with(name + "_")) << name;
    }
    EXPECT_GE(names.size(), 100u);
}

}  // namespace
}  // namespace nn::tflite
