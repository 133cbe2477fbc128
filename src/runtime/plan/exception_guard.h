// Calls peers that may throw, and converts exceptions to failures.
#pragma once

#include <utility>

#include "base/no_throw.h"
#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

// Returns the result of the call, or a failure if it throws.
template <class Outcome, class Call>
Outcome guardExceptions(Call&& call) NNAPI_TRY {
    return std::forward<Call>(call)();
}
NNAPI_CATCH

// Also fails if the call returns null.
template <class T, class Call>
GeneralResult<std::shared_ptr<T>> guardObject(std::string_view what, Call&& call) {
    auto made = guardExceptions<GeneralResult<std::shared_ptr<T>>>(std::forward<Call>(call));
    if (made.has_value() && *made == nullptr) return error() << what << " succeeds with null";
    return made;
}

}  // namespace nn::runtime
