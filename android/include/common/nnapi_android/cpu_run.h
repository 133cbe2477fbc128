// nnapi_android/cpu_run.h -- Executes a model of any family of types with the interpreter.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/interpreter.h"
#include "nnapi_android/memory_pools.h"

namespace nnapi_android {

using Pools = std::vector<::android::nn::RunTimePoolInfo>;

// The end of an execution.
struct CpuRun {
    ::nn::ErrorStatus status = ::nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<::nn::OutputShape> outputShapes{};
};

// Constants and arguments are read from the pools that are given, not from those of the model and
// the request. A pool of unknown size (RunTimePoolInfo) is trusted to have all bytes.
CpuRun runOnCpu(const ::nn::V1_3::Model& model, const ::nn::V1_3::Request& request,
                const Pools& modelPools, const Pools& requestPools,
                const ::nn::ExecuteOptions& options);
CpuRun runOnCpu(const ::nn::Model& model, const ::nn::Request& request, const Pools& modelPools,
                const Pools& requestPools, const ::nn::ExecuteOptions& options);

// ANEURALNETWORKS_BAD_DATA and its like, and back; OP_FAILED and GENERAL_FAILURE for unknown codes.
int resultCodeOf(::nn::ErrorStatus status);
::nn::ErrorStatus errorStatusOf(int resultCode);

// Time that is left until a deadline of the steady clock, from now on the canonical clock.
::nn::TimePoint canonicalDeadline(std::chrono::steady_clock::time_point deadline);

}  // namespace nnapi_android
