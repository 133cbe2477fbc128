#include "nnapi/kernel/output_shapes.h"

#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <string>

#include "base/no_throw.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"
#include "validate/operation_check.h"
#include "validate/report.h"

namespace nn::kernel {
namespace {

Status illegal(const std::string& message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, message);
}

// Keeps the first failure.
class FirstFailure final : public ops::Sink {
   public:
    explicit FirstFailure(const Place& place) : mPlace(place) {}
    void requireVersion(Version, std::string_view) override {}
    void fail(std::string_view rule, std::string message) override {
        if (!mFailure.ok()) return;
        mFailure = makeError(ErrorStatus::INVALID_ARGUMENT,
                             Diagnostic{.rule = std::string(rule),
                                        .path = mPlace.path(),
                                        .operation = std::string(mPlace.operation),
                                        .message = std::move(message)});
    }
    const Status& failure() const { return mFailure; }

   private:
    const Place& mPlace;
    Status mFailure{};
};

// The operands of one operation as values, with data that is aligned for all elements.
class Values {
   public:
    Status addInput(const Operand& operand, uint32_t index, const InputValue& value) {
        ops::Value& input = add(inputs, operand, index);
        input.omitted = value.isOmitted || operand.lifetime == Operand::LifeTime::NO_VALUE;
        if (input.omitted) return {};
        input.dimensions = value.dimensions;
        input.zeroIsSize = true;
        if (value.data.empty()) return {};
        const auto size = operandSize(operand.type, value.dimensions);
        if (size != value.data.size()) {
            return illegal(fmt::format("input {} has {} bytes, allowed {}", inputs.size() - 1,
                                       value.data.size(),
                                       size ? std::to_string(*size) : "none: too many"));
        }
        const uint8_t* data = value.data.data();
        if (reinterpret_cast<uintptr_t>(data) % sizeof(uint64_t) != 0) {
            auto& copy = mAligned.emplace_back((value.data.size() + 7) / sizeof(uint64_t));
            std::memcpy(copy.data(), data, value.data.size());
            data = reinterpret_cast<const uint8_t*>(copy.data());
        }
        input.data = ops::Bytes::entrusted(data);
        return {};
    }
    void addOutput(const Operand& operand, uint32_t index) {
        add(outputs, operand, index).dimensions = operand.dimensions;
    }

    std::vector<ops::Value> inputs{};
    std::vector<ops::Value> outputs{};

   private:
    static ops::Value& add(std::vector<ops::Value>& values, const Operand& operand,
                           uint32_t index) {
        return values.emplace_back(ops::Value{.type = operand.type,
                                              .scale = operand.scale,
                                              .zeroPoint = operand.zeroPoint,
                                              .extraParams = &operand.extraParams,
                                              .operand = index});
    }

    std::deque<std::vector<uint64_t>> mAligned{};
};

Dimensions dimensionsOf(const ops::Shape& shape) {
    Dimensions dimensions;
    if (shape) {
        for (const ops::Dim& dim : *shape) dimensions.push_back(dim.value_or(0));
    }
    return dimensions;
}

}  // namespace

Result<std::vector<Dimensions>> outputDimensions(const Operation& operation,
                                                 std::span<const Operand> operands,
                                                 std::span<const InputValue> inputs) NNAPI_TRY {
    const ops::OperationSpec* spec = ops::specOf(operation.type);
    if (spec == nullptr || spec->inferShapes == nullptr) {
        return illegal(fmt::format("{} has no shape inference", toString(operation.type)));
    }
    if (inputs.size() != operation.inputs.size()) {
        return illegal(fmt::format("there are {} inputs, allowed {} as the operation has",
                                   inputs.size(), operation.inputs.size()));
    }
    for (const auto* indexes : {&operation.inputs, &operation.outputs}) {
        for (const uint32_t index : *indexes) {
            if (index < operands.size()) continue;
            return illegal(
                    fmt::format("operand {} is named, allowed below {}", index, operands.size()));
        }
    }
    Values values;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const uint32_t index = operation.inputs[i];
        NNAPI_RETURN_IF_ERROR(values.addInput(operands[index], index, inputs[i]));
    }
    for (const uint32_t index : operation.outputs) values.addOutput(operands[index], index);

    const OperationTypeInfo* info = operationTypeInfo(operation.type);
    const Place place{nullptr, "operation", -1, info == nullptr ? std::string_view() : info->name};
    Report report;
    const ops::Form* form =
            checkOperation(operation.type, values.inputs, values.outputs, place, report);
    if (!report.ok()) return report.result().status();
    std::vector<ops::Shape> shapes(operation.outputs.size());
    FirstFailure sink(place);
    const ops::OpView call(operation.type, values.inputs, values.outputs, form, sink);
    if (!spec->inferShapes(call, shapes)) return sink.failure();
    std::vector<Dimensions> dimensions;
    for (const ops::Shape& shape : shapes) dimensions.push_back(dimensionsOf(shape));
    return dimensions;
}
NNAPI_CATCH

}  // namespace nn::kernel
