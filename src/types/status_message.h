// The message of a status, as a type of the standard library: fmt and protobuf do not know those of
// absl everywhere.
#pragma once

#include <string>

#include "nnapi/result.h"

namespace nn {

inline std::string messageOf(const Status& status) { return std::string(status.message()); }

}  // namespace nn
