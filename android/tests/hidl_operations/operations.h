// The operations of the sample NPU, which CpuExecutor stands for, in its drivers of HAL 1.0
// and 1.3.
#ifndef SAMPLE_NPU_OPERATIONS_H
#define SAMPLE_NPU_OPERATIONS_H

#include <vector>

#include "HalInterfaces.h"

namespace sample::npu {

// The types of tensors that the NPU computes with.
bool isComputed(android::nn::hal::OperandType type);

// For each operation of a valid model, whether the NPU supports it.
std::vector<bool> supportedOperations(const android::nn::hal::Model& model);
bool areAllSupported(const android::nn::hal::Model& model);

}  // namespace sample::npu

#endif  // SAMPLE_NPU_OPERATIONS_H
