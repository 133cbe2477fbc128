// nnapi/nnapi.h -- All of the core: types, models, validation, conversion, execution.
//
//   #include "nnapi/nnapi.h"
//
// Compiles slower than the headers that a file needs; nnapi/forward.h only declares types.
#pragma once

#include "nnapi/convert.h"           // IWYU pragma: export
#include "nnapi/interpreter.h"       // IWYU pragma: export
#include "nnapi/memory.h"            // IWYU pragma: export
#include "nnapi/print.h"             // IWYU pragma: export
#include "nnapi/subgraph_builder.h"  // IWYU pragma: export
#include "nnapi/validate.h"          // IWYU pragma: export
