// Files of ONNX with one operator each: at least one for each row of operators.def.
#pragma once

#include <string>
#include <vector>

namespace nn::onnx {

struct OnnxOperatorFile {
    std::string name{};  // "Conv", "Conv depthwise"
    std::string bytes{};
    std::string becomes{};  // "CONV_2D"; operations separated by spaces
};

std::vector<OnnxOperatorFile> onnxOperatorFiles();

// Those with several operators, which are among the others.
std::vector<OnnxOperatorFile> onnxGraphFiles();

}  // namespace nn::onnx
