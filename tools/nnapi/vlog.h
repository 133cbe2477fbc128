// Verbose logging of the program to standard error, controlled by NNAPI_VLOG.
#pragma once

#include "nnapi/driver/vlog.h"

namespace nn::cli {

// Null if the variable requests no logs. Reports unknown tags, once.
const SharedLog& programLog();

}  // namespace nn::cli
