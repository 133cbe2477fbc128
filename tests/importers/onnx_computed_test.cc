// Values that operators of ONNX compute, for attributes whose definition leaves no tolerance.
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

}  // namespace
}  // namespace nn::onnx
