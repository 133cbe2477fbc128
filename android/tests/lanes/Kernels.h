// Kernels of the lanes accelerator: elementwise operations on floats and bytes.
#pragma once

#include <CpuExecutor.h>
#include <OperationsUtils.h>
#include <nnapi/OperandTypes.h>
#include <nnapi/OperationTypes.h>
#include <nnapi/Types.h>

namespace vendor::lanes {

namespace nn = ::android::nn;

// One operation: `b` is null for an operation with one input.
struct Step {
    nn::OperationType type;
    const nn::RunTimeOperandInfo* a;
    const nn::RunTimeOperandInfo* b;
    nn::FusedActivationFunc activation;
    nn::RunTimeOperandInfo* output;
};

bool isLaneType(nn::OperandType type);

// Sets the dimensions of the output; returns false if those of the inputs are incompatible.
bool inferShape(const Step& step);

// Computes the output, whose buffer is large enough; returns false once the deadline has passed.
bool compute(const Step& step, const nn::OptionalTimePoint& deadline);

}  // namespace vendor::lanes
