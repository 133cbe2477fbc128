// Operators whose inputs are all known, with the constants that they become.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "importers/onnx/fold.h"

namespace nn::onnx::fold_test {
namespace {

const Limits kLimits;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = -kMax - 1;
constexpr auto kInt64 = ElementType::INT64, kInt32 = ElementType::INT32, kBool = ElementType::BOOL,
               kHalf = ElementType::FLOAT16, kDouble = ElementType::DOUBLE,
               kUint64 = ElementType::UINT64, kString = ElementType::STRING;

Constant integers(ElementType type, Dimensions dimensions, std::vector<int64_t> values) {
    return makeIntegers(type, std::move(dimensions), values);
}
Constant list(std::vector<int64_t> values) {
    const Dimensions dimensions{static_cast<uint32_t>(values.size())};
    return integers(kInt64, dimensions, std::move(values));
}
Constant scalar(int64_t value) { return integers(kInt64, {}, {value}); }
Constant floats(Dimensions dimensions, std::vector<float> values) {
    return makeFloats(std::move(dimensions), values);
}
Constant real(float value) { return floats({}, {value}); }
Constant doubles(std::vector<double> values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(double));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return makeConstant(kDouble, {static_cast<uint32_t>(values.size())}, std::move(bytes));
}
// Of one element, whatever its dimensions are: too large ones are refused before they are read.
Constant huge() { return integers(kInt64, {1 << 21}, std::vector<int64_t>(1 << 21)); }

std::vector<AttributeMessage> of(std::string_view name, int64_t integer) {
    return {{.name = name, .integer = integer}};
}
std::vector<AttributeMessage> ofAll(std::string_view name, std::vector<int64_t> all) {
    return {{.name = name, .integers = std::move(all)}};
}

std::string textOf(const Constant& constant) {
    std::string values;
    if (const auto all = constant.integers()) {
        values = fmt::format("{}", fmt::join(*all, " "));
    } else if (const auto reals = constant.floats()) {
        values = fmt::format("{}", fmt::join(*reals, " "));
    } else {
        std::vector<double> wide(constant.count());
        std::memcpy(wide.data(), constant.bytes.data(), constant.bytes.size());
        values = fmt::format("{}", fmt::join(wide, " "));
    }
    return fmt::format("{}[{}] {}", static_cast<int>(constant.type),
                       fmt::join(constant.dimensions, ","), values);
}

struct Row {
    std::string_view type;
    std::vector<Constant> inputs;
    std::vector<AttributeMessage> attributes;
    std::vector<Constant> results;  // none: it is not computed here
};

const Constant kMatrix = integers(kInt64, {2, 3}, {1, 2, 3, 4, 5, 6});

const Row kRows[] = {
        // ---- other places
        {"Identity", {kMatrix}, {}, {kMatrix}},
        {"Reshape", {kMatrix, list({3, -1})}, {}, {integers(kInt64, {3, 2}, {1, 2, 3, 4, 5, 6})}},
        {"Reshape", {kMatrix}, ofAll("shape", {6}), {list({1, 2, 3, 4, 5, 6})}},
        {"Reshape", {kMatrix, list({4})}, {}, {}},
        {"Reshape", {kMatrix, real(6)}, {}, {}},
        {"Squeeze", {integers(kInt64, {1, 2}, {1, 2})}, {}, {list({1, 2})}},
        {"Unsqueeze", {list({1, 2})}, ofAll("axes", {0}), {integers(kInt64, {1, 2}, {1, 2})}},
        {"Unsqueeze", {list({1, 2})}, {}, {}},
        {"Flatten", {kMatrix}, of("axis", 0), {integers(kInt64, {1, 6}, {1, 2, 3, 4, 5, 6})}},
        {"Transpose", {kMatrix}, {}, {integers(kInt64, {3, 2}, {1, 4, 2, 5, 3, 6})}},
        {"Transpose", {kMatrix}, ofAll("perm", {0, 1}), {kMatrix}},
        {"Transpose", {kMatrix}, ofAll("perm", {0, 0}), {}},
        {"Expand", {list({7}), list({2, 2})}, {}, {integers(kInt64, {2, 2}, {7, 7, 7, 7})}},
        {"Expand", {list({7, 8}), list({3})}, {}, {}},
        {"Expand", {list({7}), list({-1})}, {}, {}},
        {"Expand", {list({7}), list({int64_t{1} << 31})}, {}, {}},
        {"Expand", {list({7}), list({1 << 21})}, {}, {}},
        {"Expand", {list({7}), real(2)}, {}, {}},
        {"Expand", {list({7})}, {}, {}},
        {"Concat", {list({1}), list({2, 3})}, of("axis", 0), {list({1, 2, 3})}},
        {"Concat",
         {kMatrix, integers(kInt64, {2, 1}, {7, 8})},
         of("axis", 1),
         {integers(kInt64, {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8})}},
        {"Concat", {list({1}), real(2)}, of("axis", 0), {}},
        {"Concat", {list({1}), floats({1}, {2})}, of("axis", 0), {}},
        {"Concat", {list({1}), scalar(2)}, of("axis", 0), {}},
        {"Concat", {kMatrix, integers(kInt64, {3, 1}, {1, 2, 3})}, of("axis", 1), {}},
        {"Concat", {list({1})}, of("axis", 1), {}},
        {"Concat", {huge()}, of("axis", 0), {}},
        {"Slice", {list({1, 2, 3, 4}), list({1}), list({kMax})}, {}, {list({2, 3, 4})}},
        {"Slice",
         {list({1, 2, 3, 4}), list({3}), list({kMin}), list({0}), list({-2})},
         {},
         {list({4, 2})}},
        {"Slice", {list({1, 2})}, {}, {}},
        {"Slice", {list({1, 2}), list({0})}, {}, {}},
        {"Slice", {list({1, 2}), list({0}), list({1}), list({5})}, {}, {}},
        {"Gather", {list({5, 6, 7}), scalar(-1)}, {}, {scalar(7)}},
        {"Gather",
         {kMatrix, list({2, 0})},
         of("axis", 1),
         {integers(kInt64, {2, 2}, {3, 1, 6, 4})}},
        {"Gather", {kMatrix, scalar(1)}, of("axis", 0), {list({4, 5, 6})}},
        {"Gather", {list({5}), scalar(1)}, {}, {}},
        {"Gather", {list({5}), scalar(-2)}, {}, {}},
        {"Gather", {list({5}), real(0)}, {}, {}},
        {"Gather", {list({5})}, {}, {}},
        {"Gather", {list({5}), scalar(0)}, of("axis", 1), {}},
        // ---- other types
        {"Cast", {list({1, 2})}, of("to", 1), {floats({2}, {1, 2})}},
        {"Cast", {floats({3}, {1.9f, -1.9f, NAN})}, of("to", 7), {list({1, -1, 0})}},
        {"Cast", {floats({3}, {0, 0.5f, NAN})}, of("to", 9), {integers(kBool, {3}, {0, 1, 1})}},
        {"Cast", {list({0, 256})}, of("to", 9), {integers(kBool, {2}, {0, 1})}},
        {"Cast", {floats({1}, {1.5f})}, of("to", 11), {doubles({1.5})}},
        {"Cast", {doubles({2.5})}, of("to", 1), {floats({1}, {2.5f})}},
        {"Cast", {doubles({2.5})}, of("to", 7), {list({2})}},
        {"Cast", {floats({1}, {1})}, of("to", 10), {makeConstant(kHalf, {1}, {0x00, 0x3c})}},
        {"Cast", {makeConstant(kHalf, {1}, {0x00, 0x3c})}, of("to", 1), {floats({1}, {1})}},
        {"Cast", {list({1})}, of("to", 8), {}},  // text
        {"Cast", {list({1})}, {}, {}},
        {"Cast", {makeConstant(kString, {1}, {1})}, of("to", 1), {}},
        {"Cast", {makeConstant(kString, {1}, {1})}, of("to", 7), {}},
        {"Cast", {huge()}, of("to", 1), {}},
        // ---- numbers
        {"Neg", {floats({2}, {1, -2})}, {}, {floats({2}, {-1, 2})}},
        {"Abs", {floats({2}, {1, -2})}, {}, {floats({2}, {1, 2})}},
        {"Floor", {real(-1.5f)}, {}, {real(-2)}},
        {"Ceil", {real(-1.5f)}, {}, {real(-1)}},
        {"Sqrt", {real(9)}, {}, {real(3)}},
        {"Round", {floats({2}, {0.5f, 1.5f})}, {}, {floats({2}, {0, 2})}},
        {"Reciprocal", {real(4)}, {}, {real(0.25f)}},
        {"Not", {real(1)}, {}, {}},
        {"Not", {integers(kBool, {2}, {0, 1})}, {}, {integers(kBool, {2}, {1, 0})}},
        {"Neg", {list({1, kMin})}, {}, {list({-1, kMin})}},
        {"Abs", {list({3, -3})}, {}, {list({3, 3})}},
        {"Sqrt", {scalar(9)}, {}, {}},
        {"Neg", {makeConstant(kString, {1}, {1})}, {}, {}},
        {"Neg", {huge()}, {}, {}},
        {"Add", {list({1, kMax}), scalar(1)}, {}, {list({2, kMin})}},
        {"Sub", {scalar(1), list({1, 2})}, {}, {list({0, -1})}},
        {"Mul", {list({2, 3}), list({4, 5})}, {}, {list({8, 15})}},
        {"Div", {list({7, -7, 7}), list({2, 2, -1})}, {}, {list({3, -3, -7})}},
        {"Div", {scalar(1), scalar(0)}, {}, {}},
        {"Mod", {list({7, -7, 7}), list({3, 3, -1})}, {}, {list({1, 2, 0})}},
        {"Mod", {scalar(7), scalar(0)}, {}, {}},
        {"Mod", {list({7, -7}), scalar(3)}, of("fmod", 1), {list({1, -1})}},
        {"Min", {scalar(1), scalar(2)}, {}, {scalar(1)}},
        {"Max", {scalar(1), scalar(2)}, {}, {scalar(2)}},
        {"Pow", {scalar(2), scalar(3)}, {}, {}},
        {"Add", {integers(kUint64, {1}, {1}), integers(kUint64, {1}, {1})}, {}, {}},
        {"Add", {scalar(1), integers(kInt32, {}, {1})}, {}, {}},
        {"Add", {list({1, 2}), list({1, 2, 3})}, {}, {}},
        {"Add", {scalar(1), scalar(2)}, of("axis", 0), {}},
        {"Add", {scalar(1)}, {}, {}},
        {"Add", {makeConstant(kString, {1}, {1}), makeConstant(kString, {1}, {1})}, {}, {}},
        {"Add", {huge(), huge()}, {}, {}},
        {"Add", {real(1), real(2)}, {}, {real(3)}},
        {"Sub", {real(1), real(2)}, {}, {real(-1)}},
        {"Mul", {real(3), real(2)}, {}, {real(6)}},
        {"Div", {real(3), real(2)}, {}, {real(1.5f)}},
        {"Min", {real(3), real(2)}, {}, {real(2)}},
        {"Max", {real(3), real(2)}, {}, {real(3)}},
        {"Pow", {real(3), real(2)}, {}, {real(9)}},
        {"Mod", {real(3), real(2)}, {}, {}},
        {"Mod", {real(-3), real(2)}, of("fmod", 1), {real(-1)}},
        // ---- comparisons
        {"Equal", {list({1, 2}), scalar(2)}, {}, {integers(kBool, {2}, {0, 1})}},
        {"Less", {list({1, 2}), scalar(2)}, {}, {integers(kBool, {2}, {1, 0})}},
        {"LessOrEqual", {list({2, 3}), scalar(2)}, {}, {integers(kBool, {2}, {1, 0})}},
        {"Greater", {list({2, 3}), scalar(2)}, {}, {integers(kBool, {2}, {0, 1})}},
        {"GreaterOrEqual", {list({1, 2}), scalar(2)}, {}, {integers(kBool, {2}, {0, 1})}},
        {"Equal", {real(1), real(1)}, {}, {integers(kBool, {}, {1})}},
        // As numbers of 53 bits these would be equal.
        {"Equal", {scalar(kMax), scalar(kMax - 1)}, {}, {integers(kBool, {}, {0})}},
        {"Less", {scalar(kMax - 1), scalar(kMax)}, {}, {integers(kBool, {}, {1})}},
        {"And",
         {integers(kBool, {4}, {0, 0, 1, 1}), integers(kBool, {4}, {0, 1, 0, 1})},
         {},
         {integers(kBool, {4}, {0, 0, 0, 1})}},
        {"Or",
         {integers(kBool, {4}, {0, 0, 1, 1}), integers(kBool, {4}, {0, 1, 0, 1})},
         {},
         {integers(kBool, {4}, {0, 1, 1, 1})}},
        {"Equal", {scalar(1), real(1)}, {}, {}},
        {"Equal", {scalar(1)}, {}, {}},
        {"Equal", {scalar(1), scalar(1)}, of("axis", 0), {}},
        {"Equal", {makeConstant(kString, {1}, {1}), makeConstant(kString, {1}, {1})}, {}, {}},
        // ---- choices and sums
        {"Where", {integers(kBool, {2}, {1, 0}), scalar(1), list({2, 3})}, {}, {list({1, 3})}},
        {"Where",
         {integers(kBool, {2, 1}, {1, 0}), real(1), floats({2}, {2, 3})},
         {},
         {floats({2, 2}, {1, 1, 2, 3})}},
        {"Where", {list({1, 0}), scalar(1), scalar(2)}, {}, {}},
        {"Where", {integers(kBool, {2}, {1, 0}), scalar(1), real(2)}, {}, {}},
        {"Where", {integers(kBool, {2}, {1, 0}), list({1, 2, 3}), scalar(2)}, {}, {}},
        {"Where", {integers(kBool, {2}, {1, 0}), scalar(1)}, {}, {}},
        {"ReduceSum", {kMatrix}, {}, {integers(kInt64, {1, 1}, {21})}},
        {"ReduceProd", {kMatrix, list({1})}, of("keepdims", 0), {list({6, 120})}},
        {"ReduceMin", {kMatrix}, ofAll("axes", {0}), {integers(kInt64, {1, 3}, {1, 2, 3})}},
        {"ReduceMax", {kMatrix}, ofAll("axes", {-1}), {integers(kInt64, {2, 1}, {3, 6})}},
        {"ReduceSum", {kMatrix}, of("noop_with_empty_axes", 1), {kMatrix}},
        {"ReduceSum", {kMatrix}, ofAll("axes", {2}), {}},
        {"ReduceSum", {real(1)}, {}, {}},
        {"ReduceMax", {list({})}, {}, {}},
        {"ReduceMax", {huge()}, {}, {}},
        // ---- new values
        {"Range", {scalar(1), scalar(6), scalar(2)}, {}, {list({1, 3, 5})}},
        {"Range", {scalar(3), scalar(0), scalar(-1)}, {}, {list({3, 2, 1})}},
        {"Range", {scalar(3), scalar(0), scalar(1)}, {}, {list({})}},
        {"Range", {real(3), real(0), real(1)}, {}, {floats({0}, {})}},
        {"Range", {real(0), real(1), real(0)}, {}, {}},
        {"Range", {real(0), real(NAN), real(1)}, {}, {}},
        {"Range", {real(0), real(1), real(0.5f)}, {}, {floats({2}, {0, 0.5f})}},
        {"Range", {scalar(0), scalar(1), scalar(0)}, {}, {}},
        {"Range", {scalar(0), scalar(kMax), scalar(1)}, {}, {}},
        {"Range", {scalar(kMin), scalar(kMax), scalar(1)}, {}, {}},
        {"Range", {scalar(kMin), scalar(kMax), scalar(kMax)}, {}, {list({kMin, -1, kMax - 1})}},
        {"Range", {scalar(kMax), scalar(kMin), scalar(kMin)}, {}, {list({kMax, -1})}},
        {"Range", {scalar(kMax - 1), scalar(kMax), scalar(1)}, {}, {list({kMax - 1})}},
        {"Range", {scalar(kMax), scalar(kMax), scalar(1)}, {}, {list({})}},
        {"Range", {scalar(kMax), scalar(kMin), scalar(1)}, {}, {list({})}},
        {"Range", {scalar(0), scalar(1), real(1)}, {}, {}},
        {"Range", {scalar(0), list({1, 2}), scalar(1)}, {}, {}},
        {"Range", {scalar(0), scalar(1)}, {}, {}},
        {"ConstantOfShape", {list({2})}, {}, {floats({2}, {0, 0})}},
        {"ConstantOfShape", {list({-1})}, {}, {}},
        {"ConstantOfShape", {list({int64_t{1} << 31})}, {}, {}},
        {"ConstantOfShape", {real(1)}, {}, {}},
        {"Split", {list({1, 2, 3, 4})}, {}, {list({1, 2}), list({3, 4})}},
        {"Split", {list({1, 2, 3})}, {}, {}},
        {"Split", {list({1, 2, 3}), list({1, 2})}, {}, {list({1}), list({2, 3})}},
        {"Split", {list({1, 2, 3})}, ofAll("split", {1, 1, 1}), {}},
        {"Split", {list({1, 2, 3})}, ofAll("split", {-1, 4}), {}},
        {"Split", {list({1, 2, 3})}, ofAll("split", {2, 2}), {}},
        {"Split", {list({1, 2})}, of("axis", 1), {}},
        {"Conv", {kMatrix}, {}, {}},
        {"Identity", {}, {}, {}},
};

std::optional<std::vector<Constant>> folded(const NodeMessage& message,
                                            const std::vector<const Constant*>& inputs,
                                            size_t outputs = 1) {
    Budget budget(kLimits, 0);
    return fold({.message = message,
                 .version = 13,
                 .inputs = inputs,
                 .outputs = outputs,
                 .budget = budget});
}

TEST(OnnxFold, GivesTheConstantsOfTheTable) {
    for (const Row& row : kRows) {
        std::vector<const Constant*> inputs;
        std::string call(row.type);
        for (const Constant& input : row.inputs) {
            inputs.push_back(&input);
            if (input.count() < 10 && input.type != kString) call += " " + textOf(input);
        }
        const auto results = folded({.type = row.type, .attributes = row.attributes}, inputs,
                                    row.type == "Split" ? 2 : 1);
        ASSERT_EQ(results.has_value(), !row.results.empty()) << call;
        if (!results) continue;
        ASSERT_EQ(results->size(), row.results.size()) << call;
        for (size_t i = 0; i < results->size(); ++i) {
            EXPECT_EQ(textOf((*results)[i]), textOf(row.results[i])) << call;
        }
    }
}

// Omitted inputs are not known.
TEST(OnnxFold, ComputesNothingOfOmittedInputs) {
    const Constant one = list({1});
    for (size_t omitted = 0; omitted < 3; ++omitted) {
        std::vector<const Constant*> inputs(3, &one);
        inputs[omitted] = nullptr;
        EXPECT_FALSE(folded({.type = "Where"}, inputs));
    }
    for (const std::string_view type :
         {"Add", "Concat", "Equal", "Expand", "Gather", "Identity", "Range", "Where"}) {
        for (const std::vector<const Constant*>& inputs :
             std::vector<std::vector<const Constant*>>{{&one, nullptr}, {nullptr, &one}}) {
            if (type == "Identity" && inputs[0] != nullptr) continue;
            EXPECT_FALSE(folded({.type = type}, inputs)) << type;
        }
    }
}

}  // namespace
}  // namespace nn::onnx::fold_test
