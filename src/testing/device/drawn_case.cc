#include "testing/device/drawn_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "nnapi/interpreter.h"
#include "nnapi/testing/generate.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "opkit/rules/call.h"
#include "testing/device/models.h"
#include "testing/device/unrounded.h"
#include "types/plurals.h"
#include "validate/control_flow.h"

namespace nn::testing {
namespace {

// Few steps for each model, since there are many of them.
constexpr uint32_t kUsualElements = 2048;
constexpr uint32_t kHugeElements = 1 << 18;

std::vector<uint8_t> sourceBytes(const DrawOptions& options) {
    std::mt19937_64 random(options.seed * 1000 + static_cast<uint64_t>(options.operation));
    std::vector<uint8_t> bytes(1 << 11);
    for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
        const uint64_t number = random();
        std::memcpy(&bytes[i], &number, sizeof(number));
    }
    return bytes;
}

Operand& outputOf(Model& model) { return model.main.operands[model.main.outputIndexes.front()]; }

// Gives the quantised output of the model a scale for the results: most of them fit, some saturate
// in one model of three. False if the operation demands its scale.
bool calibrate(Source& source, Model& model, std::span<const double> steps, Version version) {
    if (steps.empty() || model.main.outputIndexes.size() != 1) return false;
    Operand& output = outputOf(model);
    const OperandTypeInfo* info = operandTypeInfo(output.type);
    if (info == nullptr || info->scale != ScaleRule::POSITIVE) return false;
    const Operand before = output;
    const auto [least, most] = std::ranges::minmax(steps);
    const double width = (most - least) * before.scale;
    if (!(width > 0) || !std::isfinite(width)) return false;
    const double part = static_cast<double>(128 + source.below(256)) / 256;  // of the range, taken
    output.scale = static_cast<float>(width * part / (info->zeroPointMax - info->zeroPointMin));
    const double lowest = (least - before.zeroPoint) * before.scale / output.scale;
    const double zeroPoint = std::round(info->zeroPointMin - lowest);
    if (!source.oneIn(3)) {
        output.zeroPoint = static_cast<int32_t>(
                std::clamp<double>(zeroPoint, info->zeroPointMin, info->zeroPointMax));
    }
    if (std::isnormal(output.scale) && validateFor(model, version).ok()) return true;
    output = before;
    return false;
}

// Where several elements are greatest, the documentation does not say which of them is the answer.
bool hasFreeChoice(OperationType operation) {
    return operation == OperationType::ARGMAX || operation == OperationType::ARGMIN;
}

// Gives an input a different value for each element; false if the type has too few.
bool makeDistinct(Source& source, const Operand& operand, Tensor& tensor) {
    const uint32_t width = elementSize(operand.type);
    const size_t count = tensor.data.size() / width;
    if (count > 256) return false;
    std::vector<uint8_t> order(count);
    std::iota(order.begin(), order.end(), uint8_t{0});
    for (size_t i = 1; i < count; ++i) std::swap(order[i], order[source.below(i + 1)]);
    // In the upper bits of any type: positive floats that are not subnormal.
    for (size_t i = 0; i < count; ++i) {
        uint8_t* element = &tensor.data[i * width];
        std::fill_n(element, width, uint8_t{0});
        element[width - 1] = width == 1 ? order[i] : static_cast<uint8_t>(4 + order[i] / 4);
        if (width != 1) element[width - 2] = static_cast<uint8_t>(order[i] % 4 * 64);
    }
    return true;
}

std::optional<std::vector<Tensor>> computed(const TestCase& testCase) {
    const Result<PreparedModel> prepared = prepare(testCase.model);
    if (!prepared.ok()) return std::nullopt;
    const Result<std::vector<Tensor>> outputs = prepared->run(testCase.inputs);
    return outputs.ok() ? std::optional(*outputs) : std::nullopt;
}

}  // namespace

std::optional<TestCase> drawModel(const DrawOptions& options) {
    const OperationType operation = options.operation;
    const std::vector<uint8_t> bytes = sourceBytes(options);
    Source source(bytes);
    TestCase drawn{.name = fmt::format("{}_{}", nn::toString(operation), options.seed)};
    const bool isHuge = options.size == DrawnSize::HUGE;
    Model& model = drawn.model;
    model = validModel(source, {.mostOperations = 1,
                                .operations = std::span(&operation, 1),
                                .executable = true,
                                .featureLevel = options.version,
                                .unknownDimensions = source.oneIn(16) && !isHuge,
                                .mostElements = isHuge ? kHugeElements : kUsualElements,
                                .varied = true});
    if (model.main.operations.size() != 1 || model.main.operations.front().type != operation) {
        return std::nullopt;
    }
    drawn.inputs = variedInputs(source, model);
    if (hasFreeChoice(operation)) {
        const Operand& operand = model.main.operands[model.main.inputIndexes.front()];
        if (drawn.inputs.size() != 1 || !makeDistinct(source, operand, drawn.inputs.front())) {
            return std::nullopt;
        }
    }
    return drawn;
}

std::optional<DrawnCase> computeCase(TestCase testCase, const DrawOptions& options) {
    const std::vector<uint8_t> bytes = sourceBytes(options);
    Source source(bytes);
    DrawnCase drawn{.testCase = std::move(testCase)};
    Model& model = drawn.testCase.model;
    auto unrounded = unroundedOutputs(model, drawn.testCase.inputs);
    if (unrounded && calibrate(source, model, unrounded->front(), options.version)) {
        unrounded = unroundedOutputs(model, drawn.testCase.inputs);
    }
    if (unrounded) drawn.unrounded = *std::move(unrounded);
    const auto outputs = computed(drawn.testCase);
    if (!outputs) return std::nullopt;
    for (const Tensor& tensor : *outputs) drawn.testCase.outputs.push_back({.value = tensor});
    // The first output of an LSTM is for the driver's own use.
    if (options.operation == OperationType::LSTM) drawn.testCase.outputs.front().ignored = true;
    return drawn;
}

std::span<const OperationType> drawnOperations() {
    static const std::vector<OperationType> kOperations = [] {
        std::vector<OperationType> operations;
        for (const OperationTypeInfo& info : operationTypes()) {
            const bool isDrawn = ops::specOf(info.type) != nullptr && !isControlFlow(info.type) &&
                                 info.type != OperationType::RANDOM_MULTINOMIAL;
            if (isDrawn) operations.push_back(info.type);
        }
        return operations;
    }();
    return kOperations;
}

std::string descriptionOf(const Model& model) {
    const Operation& operation = model.main.operations.front();
    std::string type, shapes;
    for (const uint32_t i : operation.inputs) {
        const Operand& operand = model.main.operands[i];
        if (!isNonExtensionTensor(operand.type) || operand.dimensions.empty()) continue;
        if (type.empty()) type = nn::toString(operand.type);
        shapes += fmt::format("{}{}", shapes.empty() ? "" : ", ",
                              toString(DimensionList{operand.dimensions}));
    }
    return fmt::format("{} of {} {}", nn::toString(operation.type), type, shapes);
}

}  // namespace nn::testing
