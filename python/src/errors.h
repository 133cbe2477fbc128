// Failures of the library as exceptions of Python.
#pragma once

#include <string_view>
#include <utility>

#include "nnapi/driver/result.h"
#include "nnapi/result.h"

namespace nn::python {

// Throws nnapi.ValidationError for a status with a diagnostic, else nnapi.Error. Requires the GIL.
[[noreturn]] void raise(const Status& status);
[[noreturn]] void raise(ErrorStatus code, std::string_view message);

inline void require(const Status& status) {
    if (!status.ok()) raise(status);
}

// The value of a Result or GeneralResult.
template <class R>
auto valueOf(R result) {
    require(result.status());
    return *std::move(result);
}

}  // namespace nn::python
