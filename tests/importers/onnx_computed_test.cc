// Values that imported ONNX operators compute, which must be exact.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/status_message.h"
#include "nnapi/import/onnx.h"
#include "nnapi/interpreter.h"
#include "onnx_file.h"

namespace nn::onnx {
namespace {

using Floats = std::vector<float>;

// The output of a model with one input.
Floats computed(const OnnxFile& file, const Dimensions& dimensions, const Floats& x) {
    const auto imported = importOnnx(bytesOf(file.bytes()), {});
    if (!imported.ok() || imported->parts.size() != 1) return {};
    const auto prepared = prepare(imported->parts.front().model);
    if (!prepared.ok()) return {};
    const auto* bytes = reinterpret_cast<const uint8_t*>(x.data());
    const auto outputs = prepared->run(std::vector<Tensor>{
            {.dimensions = dimensions, .data = {bytes, bytes + x.size() * sizeof(float)}}});
    if (!outputs.ok()) return {};
    Floats y(outputs->front().data.size() / sizeof(float));
    std::memcpy(y.data(), outputs->front().data.data(), outputs->front().data.size());
    return y;
}

TEST(OnnxComputed, ShrinkComparesWithTheLowerBoundFirst) {
    OnnxFile file(13);
    file.input("x", {4}).node("Shrink", {"x"}, {"y"}, {{"lambd", -0.5f}, {"bias", 0.25f}});
    file.output("y");
    EXPECT_EQ(computed(file, {4}, {-1, 0, 0.5f, 1}), (Floats{-0.75f, 0.25f, 0.25f, 0.75f}));
}

// Before operator set 11, an axis that becomes smaller rounds up.
TEST(OnnxComputed, OldResizeRoundsByScale) {
    const auto resized = [](const std::vector<int64_t>& dimensions, const Floats& scales,
                            const Floats& x) {
        OnnxFile file(10);
        file.input("x", dimensions).floats("s", {static_cast<int64_t>(scales.size())}, scales);
        file.node("Resize", {"x", "s"}, {"y"}).output("y");
        return computed(file, {dimensions.begin(), dimensions.end()}, x);
    };
    EXPECT_EQ(resized({1, 1, 2, 4}, {1, 1, 0.6f, 0.6f}, {1, 2, 3, 4, 5, 6, 7, 8}), (Floats{1, 3}));
    EXPECT_EQ(resized({4}, {1.5f}, {1, 2, 3, 4}), (Floats{1, 1, 2, 3, 3, 4}));
    EXPECT_EQ(resized({2, 4}, {1.5f, 0.6f}, {1, 2, 3, 4, 5, 6, 7, 8}), (Floats{1, 3, 1, 3, 5, 7}));
}

// 11 / 2.2f is 5 in float, and less in double; 0.7f * 10 is 7 in float, and less in double.
TEST(OnnxComputed, NearestPixelsAreFoundInFloat) {
    const auto resized = [](float scale, const Floats& x) {
        const auto size = static_cast<uint32_t>(x.size());
        OnnxFile file(13);
        file.input("x", {size}).floats("s", {1}, {scale});
        file.node("Resize", {"x", "", "s"}, {"y"},
                  {{"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}});
        return computed(file.output("y"), {size}, x);
    };
    EXPECT_EQ(resized(2.2f, {0, 1, 2, 3, 4, 5}), (Floats{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
    EXPECT_EQ(resized(0.7f, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), (Floats{0, 1, 2, 4, 5, 7, 8}));
}

// SLICE has four axes, so axes that are not cut are joined.
TEST(OnnxComputed, SlicesOfFiveAxes) {
    const Dimensions sizes{2, 3, 3, 2, 4};
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
        SCOPED_TRACE(axis);
        std::vector<int64_t> all(sizes.begin(), sizes.end()), taken = all, from(5, 0);
        from[axis] = 1;
        taken[axis] -= 1;
        OnnxFile file(13);
        file.input("x", {144}).integers("sizes", all).integers("from", from).integers("to", all);
        file.integers("flat", {-1}).node("Reshape", {"x", "sizes"}, {"wide"});
        file.node("Slice", {"wide", "from", "to"}, {"part"});
        file.node("Reshape", {"part", "flat"}, {"y"}).output("y");

        Floats x(144), expected;
        size_t inner = 1;
        for (size_t i = axis + 1; i < sizes.size(); ++i) inner *= sizes[i];
        for (size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(i);
            if (i / inner % sizes[axis] >= 1) expected.push_back(x[i]);
        }
        EXPECT_EQ(computed(file, {144}, x), expected);
    }
}

}  // namespace
}  // namespace nn::onnx
