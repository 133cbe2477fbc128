#include "tools/nnapi-device/device_execution.h"

#include <algorithm>

#include "device_test/cases/prepared_case.h"
#include "driver/wrap/checked_objects.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

using testing::Arguments;

Status statusOf(const testing::DeviceOutcome& outcome) {
    const bool isLacking = outcome.result == testing::DeviceOutcome::Result::NOT_SUPPORTED;
    // Without a place, the whole model is too new.
    return makeError(outcome.code.value_or(ErrorStatus::GENERAL_FAILURE),
                     isLacking && !outcome.place.empty()
                             ? fmt::format("{}: the device does not support {}", outcome.place,
                                           outcome.message)
                             : testing::toString(outcome));
}

// The known sizes of the outputs; 0 for unknown ones.
std::vector<Arguments::Output> placesOf(const Model& model) {
    std::vector<Arguments::Output> places;
    for (const uint32_t index : model.main.outputIndexes) {
        const Operand& operand = model.main.operands[index];
        const uint64_t size = operandSize(operand).value_or(0);
        places.push_back({.length = static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX)),
                          .dimensions = operand.dimensions});
    }
    return places;
}

}  // namespace

Result<DeviceExecution> DeviceExecution::prepare(const SharedDevice& device, Model model) {
    SharedPreparedModel prepared;
    if (const testing::Failure failure = testing::prepareOn(*device, model, &prepared)) {
        return statusOf(*failure);
    }
    // Devices that are not drivers have no wrapper that checks their results.
    prepared = driver::checkResults(std::move(prepared),
                                    std::make_shared<std::vector<driver::OutputSignature>>(
                                            driver::outputSignatures(model)));
    return DeviceExecution(std::move(prepared), std::move(model));
}

Result<std::vector<Tensor>> DeviceExecution::run(const std::vector<Tensor>& inputs,
                                                 const Limits& limits) const {
    const std::vector<uint32_t>& outputs = mModel.main.outputIndexes;
    if (inputs.size() != mModel.main.inputIndexes.size()) {
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("{} for {} of the model", counted(inputs.size(), "value", "values"),
                            counted(mModel.main.inputIndexes.size(), "input", "inputs")));
    }
    std::vector<OperandType> types;
    types.reserve(outputs.size());
    for (const uint32_t index : outputs) types.push_back(mModel.main.operands[index].type);
    std::vector<Arguments::Output> places = placesOf(mModel);
    // The size of an output may be known only when another output is large enough.
    for (size_t left = outputs.size() + 1;; --left) {
        NNAPI_ASSIGN_OR_RETURN(arguments, Arguments::create(inputs, places));
        const auto executed = testing::execute(*mPrepared, arguments.request());
        if (executed.has_value()) return arguments.outputs(executed->first, types);
        const ExecutionError error = executed.error();
        bool grows = false;
        uint64_t total = 0;
        for (size_t i = 0; i < std::min(error.outputShapes.size(), places.size()); ++i) {
            const OutputShape& shape = error.outputShapes[i];
            const uint64_t size = operandSize(types[i], shape.dimensions).value_or(0);
            total += size;
            if (shape.isSufficient || size <= places[i].length || size > UINT32_MAX) continue;
            places[i] = {.length = static_cast<uint32_t>(size), .dimensions = shape.dimensions};
            grows = true;
        }
        if (error.code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE || !grows || left == 0 ||
            total > limits.peakBytes) {
            return makeError(error.code,
                             fmt::format("execute: {}: {}", toString(error.code), error.message));
        }
    }
}

}  // namespace nn::cli
