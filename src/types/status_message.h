// The message of a status as a std::string: absl::string_view is a type of its own where abseil is
// built for C++14.
#pragma once

#include <string>

#include "nnapi/result.h"

namespace nn {

inline std::string messageOf(const Status& status) { return std::string(status.message()); }

}  // namespace nn
