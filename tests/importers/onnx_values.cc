#include "onnx_values.h"

#include "kernel_tolerance.h"

namespace nn::onnx {

Tensor tensorFor(const Constant& constant) {
    Tensor tensor{.dimensions = constant.dimensions,
                  .data = {constant.bytes.begin(), constant.bytes.end()}};
    if (tensor.dimensions.empty()) tensor.dimensions = {1};
    if (constant.type != ElementType::INT64) return tensor;
    tensor.data.clear();
    const std::vector<int64_t> integers = *constant.integers();
    for (const int64_t wide : integers) {
        const auto narrow = static_cast<int32_t>(wide);
        const auto* from = reinterpret_cast<const uint8_t*>(&narrow);
        tensor.data.insert(tensor.data.end(), from, from + sizeof(narrow));
    }
    return tensor;
}

std::string differenceOf(OperandType type, const Tensor& found, const Constant& expected) {
    testing::Tolerance tolerance = toleranceOf(type);
    tolerance.nanMeetsNan = true;  // the logarithm of a negative number
    return testing::compareTensors(type, tensorFor(expected), found, tolerance).message;
}

}  // namespace nn::onnx
