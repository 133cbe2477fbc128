// Comparing results, and test cases.
#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "comparison/expectations.h"
#include "nnapi/comparison.h"
#include "nnapi/io.h"
#include "nnapi/validate.h"
#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/calls.h"
#include "python/src/errors.h"

namespace nn::python {
namespace {

using testing::Comparison;
using testing::Criteria;
using testing::TensorComparison;
using testing::Tolerance;

// A test case whose model can be shared.
struct PyTestCase {
    std::shared_ptr<const TestCase> testCase;
    PyModel model;
};

Tensor tensorOf(const std::string& place, const py::handle& value, OperandType& type) {
    const Elements elements = elementsOf(place, value);
    type = *tensorTypeOf(elements.array.dtype());
    return elements.tensor();
}

// An expected None is not compared.
TensorComparison compareOne(const std::string& place, const py::handle& actual,
                            const py::handle& expected, const Criteria& criteria) {
    if (expected.is_none()) return {};
    OperandType type{}, wanted{};
    const Tensor right = tensorOf("expected" + place, expected, wanted);
    const Tensor found = tensorOf("actual" + place, actual, type);
    if (type != wanted) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("actual{}: elements of {}, allowed those of {}, as expected", place,
                          toString(type), toString(wanted)));
    }
    return unlocked([&] { return compareTensors(type, right, found, criteria.of(type)); });
}

TensorComparison compareArrays(const py::handle& actual, const py::handle& expected,
                               const Criteria& criteria) {
    return compareOne("", actual, expected, criteria);
}

py::object arrayOrNone(const Model& model, uint32_t operand, const Tensor& tensor) {
    if (tensor.hasNoValue || operand >= model.main.operands.size()) return py::none();
    return arrayOf(model.main.operands[operand].type, tensor.dimensions, tensor.data.data(),
                   tensor.data.size());
}

py::list arraysOf(const PyTestCase& of, const std::vector<uint32_t>& indexes,
                  const std::vector<Tensor>& tensors) {
    py::list arrays;
    for (size_t i = 0; i < std::min(indexes.size(), tensors.size()); ++i)
        arrays.append(arrayOrNone(*of.model.model, indexes[i], tensors[i]));
    return arrays;
}

py::list inputsOf(const PyTestCase& of) {
    return arraysOf(of, of.model.model->main.inputIndexes, of.testCase->inputs);
}

py::list outputsOf(const PyTestCase& of) {
    return arraysOf(of, of.model.model->main.outputIndexes, testing::expectedOutputs(*of.testCase));
}

Comparison compareCase(const PyTestCase& of, const py::sequence& outputs) {
    const Model& model = *of.model.model;
    require(nn::validate(model).status());
    if (outputs.size() != model.main.outputIndexes.size()) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("{} outputs given, allowed {}", outputs.size(),
                          model.main.outputIndexes.size()));
    }
    std::vector<Tensor> actual;
    for (size_t i = 0; i < model.main.outputIndexes.size(); ++i) {
        const OperandType type = model.main.operands[model.main.outputIndexes[i]].type;
        const py::object output = outputs[i];
        actual.push_back(elementsOf(fmt::format("outputs[{}]", i), output, dtypeOf(type)).tensor());
    }
    return unlocked([&] {
        return testing::compareWithCase(model, *of.testCase, actual,
                                        testing::criteriaFor(of.testCase->name, model));
    });
}

// Reads the cases of a file one by one.
class CaseReader {
   public:
    explicit CaseReader(const std::filesystem::path& path)
        : mReader(valueOf(TestCaseReader::open(path))) {}

    PyTestCase next() {
        auto next = unlocked([&] {
            const std::lock_guard lock(mMutex);
            return mReader.next();
        });
        if (!next) throw py::stop_iteration();
        auto testCase = std::make_shared<TestCase>(valueOf(*std::move(next)));
        PyModel model{.model = std::make_shared<const Model>(std::move(testCase->model))};
        testCase->model = {};
        return {std::move(testCase), std::move(model)};
    }

   private:
    std::mutex mMutex{};  // threads may share a reader
    TestCaseReader mReader;
};

template <Tolerance Criteria::*kMember>
void bindTolerance(py::class_<Criteria>& criteria, const char* name, const char* text) {
    criteria.def_property(
            name,
            [](const Criteria& self) {
                return std::pair((self.*kMember).absolute, (self.*kMember).relative);
            },
            [](Criteria& self, const std::pair<double, double>& tolerance) {
                (self.*kMember).absolute = tolerance.first;
                (self.*kMember).relative = tolerance.second;
            },
            text);
}

template <class T>
void bindCommon(py::class_<T>& type) {
    type.def_readonly("passed", &T::pass, "True if no element is beyond the tolerance.")
            .def_readonly("elements", &T::elements, "How many elements were compared.")
            .def_readonly("max_abs_error", &T::maxAbsError, "The largest distance.")
            .def_readonly("mean_abs_error", &T::meanAbsError, "The mean distance.")
            .def_property_readonly(
                    "message", [](const T& self) { return textOf(self.message); },
                    "Where it fails first; empty if it passed.")
            .def("__bool__", [](const T& self) { return self.pass; })
            .def("__repr__", [](const T& self) {
                return textOf(fmt::format("<nnapi comparison: {}, {} elements, worst error {}>",
                                          self.pass ? "passed" : self.message, self.elements,
                                          self.maxAbsError));
            });
}

}  // namespace

void bindComparison(py::module_& module) {
    py::class_<Criteria> criteria(module, "Tolerances",
                                  "Accepted differences by type, each as (absolute, relative);\n"
                                  "quantized types in stored units.");
    criteria.def(py::init<>(), "__init__(self)\n--\n\nThose of the type, which suit most models.")
            .def_static(
                    "of", [](const PyModel& model) { return testing::criteriaFor(*model.model); },
                    py::arg("model"), "of(model)\n--\n\nThose that suit the types of a model.");
    bindTolerance<&Criteria::float32>(criteria, "float32", "Of float32.");
    bindTolerance<&Criteria::float16>(criteria, "float16", "Of float16.");
    bindTolerance<&Criteria::int32>(criteria, "int32", "Of int32.");
    bindTolerance<&Criteria::quant8>(criteria, "quant8",
                                     "Of quantized types of 8 bits, in stored units.");
    bindTolerance<&Criteria::quant16>(criteria, "quant16",
                                      "Of quantized types of 16 bits, in stored units.");
    bindTolerance<&Criteria::boolean>(criteria, "boolean", "Of bool.");

    py::class_<TensorComparison> tensor(module, "TensorComparison", "How far one array is off.");
    bindCommon(tensor);
    tensor.def_readonly("max_ulps", &TensorComparison::maxUlps,
                        "The largest distance, in units of the last place.")
            .def_property_readonly(
                    "first",
                    [](const TensorComparison& self) -> std::optional<size_t> {
                        if (!self.first) return std::nullopt;
                        return self.first->element;
                    },
                    "The first element beyond the tolerance.");
    py::class_<Comparison> comparison(module, "Comparison",
                                      "How far the outputs of a test case are off.");
    bindCommon(comparison);
    comparison.def_readonly("outputs", &Comparison::outputs, "A TensorComparison for each output.");
    module.def("compare_arrays", &compareArrays);

    py::class_<PyTestCase>(module, "TestCase", "A model with inputs and expected outputs.")
            .def_property_readonly(
                    "name", [](const PyTestCase& self) { return textOf(self.testCase->name); },
                    "The name in the file.")
            .def_readonly("model", &PyTestCase::model, "The model.")
            .def_property_readonly("inputs", &inputsOf,
                                   "One array for each input; None for omitted ones.")
            .def_property_readonly("outputs", &outputsOf, "None for those that are not compared.")
            .def_property_readonly(
                    "expects_failure",
                    [](const PyTestCase& self) { return self.testCase->expectFailure; },
                    "True if the execution must fail.")
            .def("compare", &compareCase, py::arg("outputs"),
                 "compare(self, outputs)\n--\n\nCompares outputs with the expected ones.\n\n"
                 "Returns\n-------\nComparison")
            .def("__repr__", [](const PyTestCase& self) {
                return textOf("<nnapi.TestCase " + self.testCase->name + ">");
            });
    py::class_<CaseReader>(module, "CaseReader")
            .def(py::init<const std::filesystem::path&>())
            .def("__iter__", [](py::object self) { return self; })
            .def("__next__", &CaseReader::next);
}

}  // namespace nn::python
