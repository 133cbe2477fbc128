// nnapi_android/graph_dump.h -- Graphviz text to a stream, or line by line to the log.
#pragma once

#include <iosfwd>

#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nnapi_android {

// `out` may be null. A model that does not convert is reported in the log.
void dumpGraph(const char* name, const ::nn::V1_3::Model& model, std::ostream* out);
void dumpGraph(const char* name, const ::nn::Model& model, std::ostream* out);

}  // namespace nnapi_android
