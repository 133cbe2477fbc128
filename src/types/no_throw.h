// The boundary that no exception crosses.
//
//   Result<Model> readModel(...) NNAPI_TRY {
//       ...
//   }
//   NNAPI_CATCH
//
// Without exceptions (-fno-exceptions) there is nothing to catch: where memory runs out, the
// standard library ends the process.
#pragma once

#include "nnapi/result.h"

#ifdef __cpp_exceptions
#define NNAPI_TRY try
#define NNAPI_CATCH                       \
    catch (...) {                         \
        return ::nn::statusOfException(); \
    }

namespace nn {

// What the exception under way says: RESOURCE_EXHAUSTED_TRANSIENT where memory ran out, which is
// all that the library lets happen, else GENERAL_FAILURE. Needs no memory itself; where there is
// some, the status has a message.
Status statusOfException() noexcept;

}  // namespace nn
#else
#define NNAPI_TRY
#define NNAPI_CATCH
#endif
