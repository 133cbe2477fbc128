// Turns exceptions into errors at the boundary of a function that must not throw.
//
//   Result<Model> readModel(...) NNAPI_TRY {
//       ...
//   }
//   NNAPI_CATCH
//
// Without exceptions (-fno-exceptions) both macros are empty: where memory runs out, the standard
// library ends the process.
#pragma once

#include "nnapi/result.h"

#ifdef __cpp_exceptions
#define NNAPI_TRY try
#define NNAPI_CATCH                       \
    catch (...) {                         \
        return ::nn::statusOfException(); \
    }

namespace nn {

// A status for the exception in flight: RESOURCE_EXHAUSTED_TRANSIENT if memory ran out, the only
// exception that the library causes, else GENERAL_FAILURE. Needs no memory; if there is enough, the
// status has a message.
Status statusOfException() noexcept;

// True for the status of std::bad_alloc and std::length_error.
bool isOutOfMemory(const Status& status);

}  // namespace nn
#else
#define NNAPI_TRY
#define NNAPI_CATCH
#endif
