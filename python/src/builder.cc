// nnapi._nnapi.Builder: the operands and operations of a model, one by one. The package adds
// shorter forms for Python.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/spelling_suggestions.h"
#include "nnapi/type_utils.h"
#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/errors.h"

namespace nn::python {
namespace {

template <class Infos>
std::vector<std::string_view> namesOf(const Infos& infos) {
    std::vector<std::string_view> names;
    for (const auto& info : infos) names.push_back(info.name);
    return names;
}

template <class T, class Parse, class Infos>
T typeOf(const py::object& type, std::string_view what, Parse parse, const Infos& infos) {
    if (py::isinstance<py::str>(type)) {
        const std::string name = py::cast<std::string>(type);
        if (const auto found = parse(name)) return *found;
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("there is no {} '{}'{}", what, name, didYouMean(name, namesOf(infos))));
    }
    // Any number is a type: those of extensions have no names.
    if (PyIndex_Check(type.ptr()) == 0) {
        throw py::type_error(fmt::format("{} is {}, allowed its name or number", what,
                                         std::string(py::repr(type))));
    }
    const py::int_ number(type);
    int isBeyond = 0;
    const long long code = PyLong_AsLongLongAndOverflow(number.ptr(), &isBeyond);
    if (isBeyond != 0 || !std::in_range<int32_t>(code)) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("{} is a number of more than 32 bits, which no type has", what));
    }
    return static_cast<T>(code);
}

// A number from Python, which has no bounds.
template <class T>
T inRange(const std::string& name, int64_t number) {
    using Bounds = std::numeric_limits<T>;
    if (std::in_range<T>(number)) return static_cast<T>(number);
    raise(ErrorStatus::INVALID_ARGUMENT,
          fmt::format("{} is {}, allowed {} to {}", name, number, Bounds::min(), Bounds::max()));
}

class Builder {
   public:
    uint32_t operand(const py::object& type, const std::vector<int64_t>& dimensions, float scale,
                     int64_t zeroPoint, const std::vector<float>& scales, int64_t channelDim,
                     std::string name) {
        Operand operand{.type = operandTypeOf(type),
                        .scale = scale,
                        .zeroPoint = inRange<int32_t>("zero_point", zeroPoint)};
        for (size_t i = 0; i < dimensions.size(); ++i) {
            operand.dimensions.push_back(
                    inRange<uint32_t>(fmt::format("dimensions[{}]", i), dimensions[i]));
        }
        const auto axis = inRange<uint32_t>("channel_dim", channelDim);
        if (!scales.empty()) {
            operand.extraParams =
                    Operand::SymmPerChannelQuantParams{.scales = scales, .channelDim = axis};
        }
        mModel.main.operands.push_back(std::move(operand));
        mNames.push_back(std::move(name));
        return static_cast<uint32_t>(mModel.main.operands.size() - 1);
    }

    void input(uint32_t index) {
        at(index).lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
        mModel.main.inputIndexes.push_back(index);
    }

    void output(uint32_t index) {
        at(index).lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
        mModel.main.outputIndexes.push_back(index);
    }

    void omit(uint32_t index) { at(index).lifetime = Operand::LifeTime::NO_VALUE; }

    // The elements become the value of an operand, and their shape its dimensions.
    void constant(uint32_t index, const py::object& value) {
        const OperandType type = at(index).type;
        at(index).lifetime = Operand::LifeTime::NO_VALUE;  // legal, should the rest fail
        const auto dtype = dtypeOf(type);
        if (!dtype) {
            raise(ErrorStatus::INVALID_ARGUMENT,
                  fmt::format("{} has no type of NumPy", toString(type)));
        }
        // Becoming an array can run any code, which may add operands.
        const Elements elements = elementsOf("constant", value, dtype);
        const auto location = mModel.operandValues.append(elements.data(), elements.length);
        if (!location) {
            raise(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                  "the constants of the model have 2^32 bytes or more");
        }
        Operand& operand = at(index);
        operand.dimensions = elements.dimensions;
        operand.location = *location;
        operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
    }

    void operation(const py::object& type, const std::vector<uint32_t>& inputs,
                   const std::vector<uint32_t>& outputs) {
        for (const uint32_t index : inputs) (void)at(index);
        for (const uint32_t index : outputs) (void)at(index);
        mModel.main.operations.push_back(
                {.type = operationTypeOf(type), .inputs = inputs, .outputs = outputs});
    }

    // The model may be illegal: validate() checks it.
    PyModel build(bool isRelaxed) const {
        const Model::Subgraph& main = mModel.main;
        const char* lack = main.operations.empty()      ? "operations: operation() adds one"
                           : main.outputIndexes.empty() ? "outputs: output() adds one"
                                                        : nullptr;
        if (lack != nullptr)
            raise(ErrorStatus::INVALID_ARGUMENT, fmt::format("the model has no {}", lack));
        Model model = mModel;
        model.relaxComputationFloat32toFloat16 = isRelaxed;
        return {.model = std::make_shared<const Model>(std::move(model)), .names = mNames};
    }

   private:
    Operand& at(uint32_t index) {
        if (index < mModel.main.operands.size()) return mModel.main.operands[index];
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("operand is {}, allowed below {}", index, mModel.main.operands.size()));
    }

    Model mModel{};
    std::vector<std::string> mNames{};
};

}  // namespace

OperandType operandTypeOf(const py::object& type) {
    return typeOf<OperandType>(type, "operand type", parseOperandType, operandTypes());
}

OperationType operationTypeOf(const py::object& type) {
    return typeOf<OperationType>(type, "operation", parseOperationType, operationTypes());
}

void bindBuilder(py::module_& module) {
    py::dict operands, operations;
    for (const OperandTypeInfo& info : operandTypes())
        operands[textOf(info.name)] = static_cast<int32_t>(info.type);
    for (const OperationTypeInfo& info : operationTypes())
        operations[textOf(info.name)] = static_cast<int32_t>(info.type);
    module.attr("OPERAND_TYPES") = operands;
    module.attr("OPERATION_TYPES") = operations;
    module.def("is_tensor", [](const py::object& type) {
        const OperandTypeInfo* info = operandTypeInfo(operandTypeOf(type));
        return info == nullptr || info->isTensor;
    });
    module.def("tensor_type_of", [](const py::dtype& dtype) -> std::optional<std::string> {
        const auto type = tensorTypeOf(dtype);
        return type ? std::optional(toString(*type)) : std::nullopt;
    });

    py::class_<Builder>(module, "Builder")
            .def(py::init<>())
            .def("operand", &Builder::operand)
            .def("input", &Builder::input)
            .def("output", &Builder::output)
            .def("omit", &Builder::omit)
            .def("constant", &Builder::constant)
            .def("operation", &Builder::operation)
            .def("build", &Builder::build);
}

}  // namespace nn::python
