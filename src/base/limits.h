// Diagnostics of exceeded limits.
#pragma once

#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn {

inline constexpr ErrorStatus kLimitExceeded = ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT;

// "path: has 5 operands, allowed 4 [limits.operands]"
Diagnostic exceeded(Limit limit, uint64_t found, uint64_t allowed, std::string path);

// Success if `found` is at most `allowed`.
Status within(const Limits& limits, Limit limit, uint64_t found, std::string_view path);

}  // namespace nn
