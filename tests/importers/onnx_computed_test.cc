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

}  // namespace
}  // namespace nn::onnx
