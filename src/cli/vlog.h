// What NNAPI_VLOG has the program tell on standard error.
#pragma once

#include "nnapi/driver/vlog.h"

namespace nn::cli {

// Null where the variable asks for nothing. Complains about unknown tags, once.
const SharedLog& programLog();

}  // namespace nn::cli
