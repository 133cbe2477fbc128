// Networks as files of ONNX, for a runtime that executes the same beside a device.
//
//   const std::string file = onnxNetwork(example("models/mobilenet_224_gender").model);
//
// The operators are those that an exporter would choose: Conv with Relu or Clip, GlobalAveragePool
// and Sigmoid for float32; QLinearConv, and QLinearGlobalAveragePool and QLinearSigmoid of ONNX
// Runtime, for quantised values. Images are NCHW.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Of the input and the output, of which a network has one each.
inline constexpr const char* kOnnxInput = "x";
inline constexpr const char* kOnnxOutput = "y";

// The number in TensorProto.DataType, and the order of the axes, of images of a network.
int onnxTypeOf(const Operand& image);
std::vector<int64_t> onnxDimensionsOf(const Operand& image);

// NHWC as NCHW; also the filters of convolutions, of which `count` is the number of outputs.
std::vector<uint8_t> channelsFirst(std::span<const uint8_t> bytes, size_t count, size_t channels,
                                   size_t elementSize);

// Takes CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D of whole images and LOGISTIC, with implicit
// paddings. Throws std::runtime_error for what is not among these.
std::string onnxNetwork(const Model& model);

}  // namespace nn
