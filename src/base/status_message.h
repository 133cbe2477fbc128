// Returns a status message as a std::string, since absl::string_view is a distinct type when abseil
// is built for C++14.
#pragma once

#include <string>

#include "nnapi/result.h"

namespace nn {

inline std::string messageOf(const Status& status) { return std::string(status.message()); }

}  // namespace nn
