#include "python/src/execution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/no_throw.h"
#include "base/plurals.h"
#include "base/spelling_suggestions.h"
#include "nnapi/type_utils.h"
#include "python/src/calls.h"
#include "python/src/errors.h"

namespace nn::python {
namespace {

constexpr size_t kMaxThreads = 1024;

using Argument = Request::Argument;
using Execute = std::function<ExecutionResult<Executed>(const Request&)>;

// The arguments and results of an execution.
struct Arguments {
    std::vector<Argument> inputs{};
    std::vector<ResultMemory> outputs{};
    std::vector<Dimensions> dimensions{};  // of the outputs
    std::vector<py::object> arrays{};      // that hold the inputs
};

Status tooLarge(const std::string& output) {
    return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                     output + " has 2^32 bytes or more, allowed fewer");
}

void addInput(Arguments& arguments, const Operand& operand, size_t i, const py::handle& value) {
    if (value.is_none()) {
        arguments.inputs.push_back({.lifetime = Argument::LifeTime::NO_VALUE});
        return;
    }
    const std::string place = fmt::format("inputs[{}]", i);
    const auto dtype = dtypeOf(operand.type);
    if (!dtype) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("{}: {} has no type of NumPy", place, toString(operand.type)));
    }
    Elements elements = elementsOf(place, value, dtype);
    const bool isTensor = isNonExtensionTensor(operand.type);
    const bool isOpen = hasUnspecifiedDimensions(operand.type, operand.dimensions);
    const auto combined = combineDimensions(operand.dimensions, elements.dimensions);
    if (isTensor ? combined != elements.dimensions || elements.dimensions.empty()
                 : !elements.dimensions.empty()) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("{}: shape is {}, allowed {}{}", place,
                          DimensionList{elements.dimensions}, DimensionList{operand.dimensions},
                          isOpen ? ", where 0 and [] stand for any" : ""));
    }
    arguments.inputs.push_back(
            {.lifetime = Argument::LifeTime::POINTER,
             .location = {.pointer = static_cast<const void*>(elements.data()),
                          .length = elements.length},
             .dimensions = isOpen ? std::move(elements.dimensions) : Dimensions()});
    arguments.arrays.push_back(std::move(elements.array));
}

std::string_view nameOfInput(const PyModel& model, size_t i) {
    const uint32_t index = model.model->main.inputIndexes[i];
    return index < model.names.size() ? std::string_view(model.names[index]) : "";
}

// Values by the names of the inputs.
std::vector<py::object> namedInputs(const PyModel& model, const py::dict& given) {
    std::vector<std::string_view> names;
    for (size_t i = 0; i < model.model->main.inputIndexes.size(); ++i)
        names.push_back(nameOfInput(model, i));
    std::vector<py::object> values(names.size());
    for (const auto& [key, value] : given) {
        const std::string name = py::str(key);
        const auto found = std::ranges::find(names, name);
        if (found == names.end() || name.empty()) {
            raise(ErrorStatus::INVALID_ARGUMENT,
                  fmt::format("inputs: the model has no input '{}'{}; it has '{}'", name,
                              didYouMean(name, names), fmt::join(names, "', '")));
        }
        if (const auto count = std::ranges::count(names, name); count > 1) {
            raise(ErrorStatus::INVALID_ARGUMENT,
                  fmt::format("inputs: the name '{}' of {} inputs is ambiguous, give a list of all "
                              "inputs in their order",
                              name, count));
        }
        values[static_cast<size_t>(found - names.begin())] =
                py::reinterpret_borrow<py::object>(value);
    }
    for (size_t i = 0; i < values.size(); ++i) {
        if (!values[i])
            raise(ErrorStatus::INVALID_ARGUMENT, fmt::format("inputs: '{}' is missing", names[i]));
    }
    return values;
}

// The values in the order of the inputs. An array is one value, not a sequence of its rows.
std::vector<py::object> valuesOf(const PyModel& model, const py::object& given) {
    const size_t count = model.model->main.inputIndexes.size();
    if (py::isinstance<py::dict>(given)) return namedInputs(model, given);
    if (py::hasattr(given, "__array__")) {
        if (count == 1) return {given};
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("inputs is an array, allowed a list or a dict of {}",
                          Plural{count, "arrays"}));
    }
    std::vector<py::object> values;
    for (const py::handle value : py::iterable(given)) {
        // An endless iterable ends here.
        if (values.size() > count) break;
        values.push_back(py::reinterpret_borrow<py::object>(value));
    }
    if (values.size() != count) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("inputs: {} given, allowed {}",
                          values.size() > count
                                  ? "more arrays"
                                  : fmt::format("{}", Plural{values.size(), "arrays"}),
                          count));
    }
    return values;
}

Arguments argumentsOf(const PyModel& given, const py::object& inputs) {
    const Model::Subgraph& main = given.model->main;
    const std::vector<py::object> values = valuesOf(given, inputs);
    Arguments arguments;
    for (size_t i = 0; i < values.size(); ++i)
        addInput(arguments, main.operands[main.inputIndexes[i]], i, values[i]);
    for (const uint32_t index : main.outputIndexes) {
        const Operand& operand = main.operands[index];
        const uint64_t size = operandSize(operand).value_or(UINT64_MAX);
        if (size > UINT32_MAX) raise(tooLarge(fmt::format("operand {}, an output,", index)));
        arguments.outputs.emplace_back(static_cast<uint32_t>(size));
        arguments.dimensions.push_back(operand.dimensions);
    }
    return arguments;
}

Request requestOf(const std::vector<Argument>& inputs, const std::vector<ResultMemory>& outputs) {
    Request request{.inputs = inputs};
    for (const ResultMemory& memory : outputs) {
        request.outputs.push_back({.lifetime = Argument::LifeTime::POINTER,
                                   .location = {.pointer = static_cast<void*>(memory.data()),
                                                .length = std::max(memory.length(), 1u)}});
    }
    return request;
}

// Executes, and repeats with larger outputs while the returned shapes require it: the size of an
// output may be known only once another is large enough. Sets the dimensions.
Status executeGrowing(const std::vector<Argument>& inputs, const std::vector<OperandType>& types,
                      std::vector<ResultMemory>& outputs, std::vector<Dimensions>& dimensions,
                      const Execute& execute) {
    for (size_t left = outputs.size() + 1;; --left) {
        const auto executed = execute(requestOf(inputs, outputs));
        const auto shapes = executed.has_value() ? executed->first : executed.error().outputShapes;
        if (executed.has_value()) {
            for (size_t i = 0; i < shapes.size(); ++i) dimensions[i] = shapes[i].dimensions;
            return {};
        }
        if (executed.error().code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE || left == 0)
            return executed.status();
        bool grows = false;
        uint64_t total = 0;
        for (size_t i = 0; i < std::min(shapes.size(), outputs.size()); ++i) {
            const uint64_t size = operandSize(types[i], shapes[i].dimensions).value_or(UINT64_MAX);
            if (size > UINT32_MAX) return tooLarge(fmt::format("outputs[{}]", i));
            total += size;
            NNAPI_RETURN_IF_ERROR(within(Limits(), &Limits::peakBytes, total, "outputs"));
            if (shapes[i].isSufficient || size <= outputs[i].length()) continue;
            outputs[i] = ResultMemory(static_cast<uint32_t>(size));
            grows = true;
        }
        if (!grows) return executed.status();
    }
}

ExecutionResult<Executed> executeOn(const PreparedModel& prepared, const Request& request,
                                    const ExecuteOptions& options) {
    ExecutionOutcome outcome = prepared.execute(request, options);
    if (outcome.status.ok()) return Executed(std::move(outcome.outputShapes), outcome.timing);
    return {outcome.status, std::move(outcome.outputShapes)};
}

// An exception of a device becomes a failure.
ExecutionResult<Executed> executeOn(const IPreparedModel& prepared, const Request& request,
                                    const OptionalTimePoint& deadline) NNAPI_TRY {
    return prepared.execute(request, MeasureTiming::NO, deadline, {}, {}, {});
}
NNAPI_CATCH

py::list arraysOf(const std::vector<OperandType>& types, std::vector<ResultMemory>& outputs,
                  const std::vector<Dimensions>& dimensions) {
    py::list arrays;
    for (size_t i = 0; i < outputs.size(); ++i)
        arrays.append(outputs[i].release(types[i], dimensions[i]));
    return arrays;
}

Prepared prepareHere(const PyModel& model, size_t threads) {
    if (threads < 1 || threads > kMaxThreads) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("threads is {}, allowed 1 to {}", threads, kMaxThreads));
    }
    PreparedModel prepared = valueOf(untilInterrupted([&](const StopFunction& stop) {
        Result<ValidatedModel> checked = validateModel(model.model, {}, {.isCancelled = stop});
        return checked.ok()
                       ? prepare(*checked, {.threads = threads, .until = {.isCancelled = stop}})
                       : Result<PreparedModel>(checked.status());
    }));
    return {model, prepared};
}

py::list run(const PyModel& model, const py::object& inputs, size_t threads,
             const std::optional<double>& seconds) {
    return prepareHere(model, threads).run(inputs, seconds);
}

}  // namespace

OptionalTimePoint deadlineIn(const std::optional<double>& seconds) {
    if (!seconds) return std::nullopt;
    if (!std::isfinite(*seconds) || *seconds < 0) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("timeout is {}, allowed seconds from 0 on, or None", *seconds));
    }
    constexpr double kLongest = 1e9;  // some 30 years
    return makeDeadline(std::chrono::duration_cast<Duration>(
            std::chrono::duration<double>(std::min(*seconds, kLongest))));
}

py::list Prepared::run(const py::object& inputs, const std::optional<double>& seconds) const {
    if (std::holds_alternative<std::monostate>(mPrepared))
        raise(ErrorStatus::INVALID_ARGUMENT, "the prepared model is closed");
    // Values of Python can run any code, which may close this.
    const PyModel held = mModel;
    const std::shared_ptr<const Model>& model = held.model;
    const auto prepared = mPrepared;
    const OptionalTimePoint deadline = deadlineIn(seconds);
    Arguments arguments = argumentsOf(held, inputs);
    std::vector<OperandType> types;
    for (const uint32_t index : model->main.outputIndexes)
        types.push_back(model->main.operands[index].type);

    if (const auto* here = std::get_if<PreparedModel>(&prepared)) {
        require(untilInterrupted([&](StopFunction stop) {
            const ExecuteOptions options{.deadline = deadline, .isCancelled = std::move(stop)};
            return executeGrowing(
                    arguments.inputs, types, arguments.outputs, arguments.dimensions,
                    [&](const Request& request) { return executeOn(*here, request, options); });
        }));
        return arraysOf(types, arguments.outputs, arguments.dimensions);
    }

    // Owns its memory, since work that is abandoned at ^C still uses it.
    struct Results {
        std::vector<ResultMemory> outputs{};
        std::vector<Dimensions> dimensions{};
    };
    const auto results = std::make_shared<Results>(
            Results{std::move(arguments.outputs), std::move(arguments.dimensions)});
    require(untilAbandoned(
            [device = std::get<SharedPreparedModel>(prepared), deadline, types, results,
             given = std::move(arguments.inputs)] {
                return executeGrowing(given, types, results->outputs, results->dimensions,
                                      [&](const Request& request) {
                                          return executeOn(*device, request, deadline);
                                      });
            },
            std::move(arguments.arrays), deadline));
    return arraysOf(types, results->outputs, results->dimensions);
}

std::string Prepared::representation() const {
    const Model::Subgraph& main = mModel.model->main;
    const char* state = std::holds_alternative<std::monostate>(mPrepared)  ? "closed"
                        : std::holds_alternative<PreparedModel>(mPrepared) ? "for the interpreter"
                                                                           : "for a device";
    return fmt::format("<nnapi.Prepared {}: {}, {}>", state,
                       Plural{main.inputIndexes.size(), "inputs"},
                       Plural{main.outputIndexes.size(), "outputs"});
}

void bindExecution(py::module_& module) {
    py::class_<Prepared>(module, "Prepared",
                         "A model that is ready to execute, by any number of threads at once.")
            .def("run", &Prepared::run, py::arg("inputs"), py::kw_only(),
                 py::arg("timeout") = py::none(),
                 "run(self, inputs, *, timeout=None)\n--\n\nExecutes once.\n\n"
                 "Parameters\n----------\n"
                 "inputs : dict of str to array, sequence of array, or array\n"
                 "    One for each input of the model, of its type, by name or in order; None for\n"
                 "    one that is omitted. An array by itself is for a model of one input.\n"
                 "    Arrays in row-major order are read where they are, and must not change "
                 "meanwhile.\n"
                 "timeout : float, optional\n"
                 "    Seconds. A driver that has not returned a second later is left to itself.\n\n"
                 "Returns\n-------\nlist of numpy.ndarray")
            .def("close", &Prepared::close,
                 "close(self)\n--\n\nGives up the model; executions that run end as usual.")
            .def("__repr__", &Prepared::representation)
            .def("__enter__", [](py::object self) { return self; })
            .def("__exit__", [](Prepared& self, const py::args&) { self.close(); });
    module.def("prepare", &prepareHere, py::arg("model"), py::kw_only(), py::arg("threads") = 1);
    module.def("run", &run, py::arg("model"), py::arg("inputs"), py::kw_only(),
               py::arg("threads") = 1, py::arg("timeout") = py::none());
}

}  // namespace nn::python
