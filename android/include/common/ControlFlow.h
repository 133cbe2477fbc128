// ControlFlow.h -- the operands of IF and WHILE, and how long a WHILE may take.
#pragma once

#include <cstdint>

#include "nnapi/types.h"

namespace android::nn {

namespace operation_if {

inline constexpr uint32_t kCondBoolOperand = 0;
inline constexpr uint32_t kThenModelOperand = 1;
inline constexpr uint32_t kElseModelOperand = 2;
inline constexpr uint32_t kFirstInput = 3;

}  // namespace operation_if

namespace operation_while {

inline constexpr uint32_t kCondModelOperand = 0;
inline constexpr uint32_t kBodyModelOperand = 1;
inline constexpr uint32_t kFirstInput = 2;

// Nanoseconds.
inline constexpr uint64_t kTimeoutNsDefault = ::nn::kLoopTimeoutDefault.count();
inline constexpr uint64_t kTimeoutNsMaximum = ::nn::kLoopTimeoutMaximum.count();

}  // namespace operation_while

}  // namespace android::nn
