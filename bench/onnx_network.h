// Writes networks as ONNX files, to compare a runtime with a device on the same network.
//
//   const OnnxNetwork network = onnxNetwork(example("models/mobilenet_224_gender").model);
//
// The operators are those that an exporter would choose: Conv with Relu or Clip, GlobalAveragePool
// and Sigmoid for float32; QLinearConv, and QLinearGlobalAveragePool and QLinearSigmoid of ONNX
// Runtime, for quantized values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Names of the input and the output; a network has one each.
inline constexpr const char* kOnnxInput = "x";
inline constexpr const char* kOnnxOutput = "y";

struct OnnxNetwork {
    std::string file{};
    int type = 0;  // of the input and the output, in TensorProto.DataType
    std::vector<int64_t> inputDimensions{}, outputDimensions{};
    // The input is NCHW, the layout of ONNX Runtime for float32. For quantized values its layout is
    // NHWC: then a Transpose follows the input and cancels the one that the runtime would add.
    bool isChannelsFirst = false;
};

// Supports CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D of whole images and LOGISTIC, with implicit
// paddings. Throws std::runtime_error for any other operation.
OnnxNetwork onnxNetwork(const Model& model);

// Converts NHWC to NCHW; also the filters of convolutions, whose `count` is the number of outputs.
std::vector<uint8_t> channelsFirst(std::span<const uint8_t> bytes, size_t count, size_t channels,
                                   size_t elementSize);

}  // namespace nn
