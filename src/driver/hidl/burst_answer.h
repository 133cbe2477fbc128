// What both ends of a burst expect of an execution.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/v1_2.h"

namespace nn::driver {

// GENERAL_FAILURE where the shapes are not those that belong to the code: on success none, or one
// for each output, all sufficient; where outputs are too small one for each output, not all
// sufficient; else none. A shape has what the request says of it.
Status checkShapes(ErrorStatus code, std::span<const OutputShape> shapes,
                   std::span<const Request::Argument> outputs);

// 1.2 has the codes up to INVALID_ARGUMENT; all others are GENERAL_FAILURE, both ways.
V1_0::ErrorStatus toHal(ErrorStatus code);
ErrorStatus fromHal(V1_0::ErrorStatus code);

// Of HAL 1.2.
inline constexpr V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

}  // namespace nn::driver
