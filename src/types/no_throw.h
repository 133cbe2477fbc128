// The boundary that no exception crosses.
//
//   Result<Model> readModel(...) try {
//       ...
//   } catch (...) {
//       return statusOfException();
//   }
#pragma once

#include "nnapi/result.h"

namespace nn {

// What the exception under way says: RESOURCE_EXHAUSTED_TRANSIENT where memory ran out, which is
// all that the library lets happen, else GENERAL_FAILURE. Needs no memory itself; where there is
// some, the status has a message.
Status statusOfException() noexcept;

}  // namespace nn
