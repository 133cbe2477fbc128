// Declarations that the files of the Python module share.
#pragma once

// Python's header must be included first.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/losses.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn::python {

namespace py = pybind11;

// A model of the Python API: canonical, with the version whose form it is written in.
struct PyModel {
    std::shared_ptr<const Model> model;
    std::optional<HalVersion> version{};  // whose form it has; empty: canonical
    std::vector<std::string> names{};     // of main.operands, if a file has them
    Losses losses{};                      // of the import
};

// Text of the library, which may have been made from any bytes.
inline py::str textOf(std::string_view text) {
    PyObject* decoded =
            PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (decoded == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(decoded);
}

// The feature level, or None.
inline std::optional<int> levelOf(const std::optional<Version>& version) {
    if (!version) return std::nullopt;
    return featureLevel(*version);
}

// "1.2", "aidl1"; raises for other text.
HalVersion versionOf(const std::string& text);

// A name, an enumeration or a number of Python.
OperandType operandTypeOf(const py::object& type);
OperationType operationTypeOf(const py::object& type);

// Each file adds its part of the module.
void bindModels(py::module_& module);
void bindBuilder(py::module_& module);
void bindExecution(py::module_& module);
void bindDevices(py::module_& module);
void bindComparison(py::module_& module);

}  // namespace nn::python
