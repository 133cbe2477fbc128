#include "python/src/errors.h"

#include "base/status_message.h"
#include "python/src/bindings.h"

namespace nn::python {
namespace {

[[noreturn]] void throwObject(const py::object& error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw py::error_already_set();
}

}  // namespace

void raise(ErrorStatus code, std::string_view message) {
    const char* type = code == ErrorStatus::INVALID_ARGUMENT ? "ArgumentError" : "Error";
    throwObject(py::module_::import("nnapi._errors").attr(type)(textOf(message), toString(code)));
}

void raise(const Status& status) {
    const std::string code = toString(errorStatus(status));
    const auto found = diagnostic(status);
    if (!found) raise(errorStatus(status), messageOf(status));
    throwObject(py::module_::import("nnapi._errors")
                        .attr("ValidationError")(textOf(messageOf(status)), code,
                                                 textOf(found->rule), textOf(found->path),
                                                 textOf(found->operation), textOf(found->message),
                                                 levelOf(found->since)));
}

}  // namespace nn::python
