// Verbose logging of the program to standard error, controlled by NNAPI_VLOG.
#pragma once

#include "nnapi/driver/vlog.h"

namespace nn::cli {

// Null where the variable asks for nothing. Complains about unknown tags, once.
const SharedLog& programLog();

}  // namespace nn::cli
