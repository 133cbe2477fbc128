// Executes prepared models on arrays.
#pragma once

#include "python/src/arrays.h"
#include "python/src/bindings.h"
// Behind the header of Python.
#include <variant>

#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn::python {

// A model that is ready to execute, by the interpreter or a device. Executions share ownership of
// their objects, so that it can be closed meanwhile.
class Prepared {
   public:
    Prepared(PyModel model, PreparedModel prepared)
        : mModel(std::move(model)), mPrepared(std::move(prepared)) {}
    Prepared(PyModel model, SharedPreparedModel prepared)
        : mModel(std::move(model)), mPrepared(std::move(prepared)) {}

    // One array, or None for an omitted one, for each input of the model: in order, by name, or by
    // itself.
    py::list run(const py::object& inputs, const std::optional<double>& seconds) const;
    void close() { mPrepared = std::monostate(); }
    std::string representation() const;

   private:
    PyModel mModel;
    std::variant<std::monostate, PreparedModel, SharedPreparedModel> mPrepared;
};

// The time so many seconds from now; raises for a number that is no duration.
OptionalTimePoint deadlineIn(const std::optional<double>& seconds);

}  // namespace nn::python
