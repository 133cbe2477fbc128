// The operations of the sample NPU, for its drivers of HAL 1.0 and 1.3.
#ifndef SAMPLE_NPU_KERNELS_H
#define SAMPLE_NPU_KERNELS_H

#include <cstdint>
#include <vector>

#include "HalInterfaces.h"
#include "OperationsUtils.h"

namespace sample::npu {

struct Tensor {
    android::nn::Shape shape;
    std::vector<uint8_t> bytes;
};

// The types that all kernels support.
bool isComputed(android::nn::hal::OperandType type);

// Each sets the dimensions and bytes of the result, whose type and quantization the caller has set,
// and returns false if the arguments contradict each other.
bool addOrMultiply(android::nn::hal::OperationType operation, const Tensor& a, const Tensor& b,
                   int32_t activation, Tensor* result);
bool relu(const Tensor& input, Tensor* result);
bool reshape(const Tensor& input, const Tensor& dimensions, Tensor* result);

}  // namespace sample::npu

#endif  // SAMPLE_NPU_KERNELS_H
