// Failures of the library as exceptions of Python.
#pragma once

#include <string_view>
#include <utility>

#include "nnapi/driver/result.h"
#include "nnapi/result.h"

namespace nn::python {

// Throws nnapi.ValidationError for a status with a diagnostic, else nnapi.Error. Needs the lock of
// the interpreter.
[[noreturn]] void raise(const Status& status);
[[noreturn]] void raise(ErrorStatus code, std::string_view message);

inline void require(const Status& status) {
    if (!status.ok()) raise(status);
}

template <class T>
T valueOf(Result<T> result) {
    require(result.status());
    return *std::move(result);
}

template <class T>
T valueOf(GeneralResult<T> result) {
    require(result.status());
    return *std::move(result);
}

}  // namespace nn::python
