// nnapi._nnapi, the compiled part of the Python package.
#include "python/src/bindings.h"

PYBIND11_MODULE(_nnapi, module) {
    using namespace nn::python;
    // Docstrings begin with a signature that inspect reads, "run(self, inputs)\n--\n\n".
    py::options options;
    options.disable_function_signatures();
    module.doc() = "The compiled part of the package nnapi.";
    module.attr("__version__") = NNAPI_VERSION;
    bindModels(module);
    bindBuilder(module);
    bindExecution(module);
    bindDevices(module);
    bindComparison(module);
}
