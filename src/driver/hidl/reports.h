// From what a driver says of an execution to the result of the canonical one.
#pragma once

#include "driver/common/shapes.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver::hidl {

// Of an answer that has shapes.
hal::utils::ExecutionReport makeReport(ErrorStatus code,
                                       const nn::hidl::hidl_vec<V1_2::OutputShape>& shapes,
                                       const V1_2::Timing& timing);

// GENERAL_FAILURE where the driver breaks the rules of the HAL, see driver/common/shapes.h. Times
// that nobody asked for are left out.
ExecutionResult<Executed> judge(hal::utils::ExecutionReport report, const ExpectedOutputs& expected,
                                MeasureTiming measure, std::string_view call);

}  // namespace nn::driver::hidl
