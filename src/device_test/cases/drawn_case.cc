#include "device_test/cases/drawn_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/plurals.h"
#include "device_test/cases/models.h"
#include "device_test/cases/unrounded.h"
#include "nnapi/generate/generate.h"
#include "nnapi/half.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "op_support/rules/op_view.h"
#include "validate/control_flow.h"

namespace nn::testing {
namespace {

// Few steps for each model, since there are many of them.
constexpr uint32_t kUsualElements = 2048;
constexpr uint32_t kHugeElements = 1 << 18;

// Of the bytes that choices are read from, the first part is for the model.
constexpr size_t kChoices = 1 << 11;
constexpr size_t kChoicesOfModel = 1 << 10;

// Makes choices plain, all or most of them. The first ones are types of operands.
void makePlain(std::mt19937_64& random, std::span<uint8_t> choices) {
    constexpr size_t kOfTypes = 4;
    static constexpr uint64_t kRandomOf32[] = {0, 0, 1, 4};
    const uint64_t kept = kRandomOf32[random() % std::size(kRandomOf32)];
    for (uint8_t& choice : choices.subspan(kOfTypes)) {
        if (random() % 32 >= kept) choice = 0;
    }
}

// Replaces choices by those of another model, but for a few short pieces.
void makeNear(std::mt19937_64& random, std::span<uint8_t> choices, std::span<const uint8_t> other) {
    constexpr uint64_t kPieces = 3, kLength = 4;
    other = other.first(std::min(choices.size(), other.size()));
    std::vector<uint8_t> made(other.begin(), other.end());
    for (uint64_t pieces = 1 + random() % kPieces; pieces != 0 && !made.empty(); --pieces) {
        const size_t begin = random() % made.size();
        const size_t end = std::min(made.size(), begin + 1 + random() % kLength);
        std::copy(choices.begin() + begin, choices.begin() + end, made.begin() + begin);
    }
    std::ranges::copy(made, choices.begin());
}

std::vector<uint8_t> sourceBytes(const DrawOptions& options) {
    std::mt19937_64 random(options.seed * 1000 + static_cast<uint64_t>(options.operation));
    std::vector<uint8_t> bytes(kChoices);
    for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
        const uint64_t number = random();
        std::memcpy(&bytes[i], &number, sizeof(number));
    }
    const std::span<uint8_t> ofModel = std::span(bytes).first(kChoicesOfModel);
    if (!options.near.empty()) {
        makeNear(random, ofModel, options.near);
    } else if (options.style == DrawnStyle::PLAIN) {
        makePlain(random, ofModel);
    }
    return bytes;
}

// The model with a scale of its quantized output that suits the results: most of them fit, in some
// models some saturate. Empty for other models.
std::optional<Model> calibrated(Source& source, const Model& model, std::span<const double> steps) {
    if (steps.empty() || model.main.outputIndexes.size() != 1) return std::nullopt;
    Model made = model;
    Operand& output = made.main.operands[made.main.outputIndexes.front()];
    const OperandTypeInfo* info = operandTypeInfo(output.type);
    if (info == nullptr || info->scale != ScaleRule::POSITIVE) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(steps);
    const double lowest = (least - output.zeroPoint) * output.scale;
    const double width = (most - least) * output.scale;
    const double part = static_cast<double>(128 + source.below(256)) / 256;  // of it that fits
    output.scale = static_cast<float>(width * part / (info->zeroPointMax - info->zeroPointMin));
    if (!std::isnormal(output.scale)) return std::nullopt;
    if (!source.oneIn(3)) {
        output.zeroPoint = static_cast<int32_t>(
                std::clamp<double>(std::round(info->zeroPointMin - lowest / output.scale),
                                   info->zeroPointMin, info->zeroPointMax));
    }
    return made;
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

// False if there are not enough values for the operation.
bool drawInputs(std::span<const uint8_t> bytes, const DrawnModel& drawn, const DrawOptions& options,
                std::vector<Tensor>& inputs) {
    // Inputs of models that are plain, or near others, are neither.
    const bool isVaried = options.style == DrawnStyle::VARIED && options.near.empty();
    Source source(bytes.subspan(isVaried ? drawn.choices.size() : kChoicesOfModel));
    inputs = variedInputs(source, drawn.model);
    if (!findsOneOfEqual(options.operation)) return true;
    const Model::Subgraph& main = drawn.model.main;
    return inputs.size() == 1 &&
           makeDistinct(source, main.operands[main.inputIndexes.front()], inputs.front());
}

// Empty if the reference refuses model or inputs.
std::optional<DrawnCase> computed(const TestCase& testCase, const OwnWorkHook& hook) {
    ReferenceWork work(hook);
    const Result<PreparedModel> prepared = prepare(testCase.model);
    if (!prepared.ok()) return std::nullopt;
    const Result<std::vector<Tensor>> outputs = work.run(*prepared, testCase.inputs);
    if (!outputs.ok()) return std::nullopt;
    DrawnCase made{.testCase = testCase};
    for (const Tensor& tensor : *outputs) made.testCase.outputs.push_back({.value = tensor});
    // The first output of an LSTM is for the driver's own use.
    const bool hasScratch = testCase.model.main.operations.front().type == OperationType::LSTM;
    if (hasScratch) made.testCase.outputs.front().ignored = true;
    if (auto unrounded = unroundedOutputs(testCase.model, testCase.inputs, work)) {
        made.unrounded = *std::move(unrounded);
    }
    return made;
}

}  // namespace

bool findsOneOfEqual(OperationType operation) {
    return operation == OperationType::ARGMAX || operation == OperationType::ARGMIN;
}

std::optional<DrawnModel> drawModel(const DrawOptions& options) {
    const OperationType operation = options.operation;
    const std::vector<uint8_t> bytes = sourceBytes(options);
    Source source(bytes);
    DrawnModel made;
    const bool isHuge = options.size == DrawnSize::HUGE;
    Model& model = made.model;
    model = validModel(source, {.maxOperations = 1,
                                .operations = std::span(&operation, 1),
                                .executable = true,
                                .featureLevel = options.version,
                                .unknownDimensions = source.oneIn(16) && !isHuge,
                                .maxElements = isHuge ? kHugeElements : kUsualElements,
                                .varied = true});
    if (model.main.operations.size() != 1 || model.main.operations.front().type != operation) {
        return std::nullopt;
    }
    made.choices.assign(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(source.used()));
    return made;
}

std::optional<DrawnCase> computeCase(const DrawnModel& drawn, const DrawOptions& options) {
    const std::vector<uint8_t> bytes = sourceBytes(options);
    TestCase other{.name = fmt::format("{}_{}", nn::toString(options.operation), options.seed),
                   .model = drawn.model};
    if (!drawInputs(bytes, drawn, options, other.inputs)) return std::nullopt;
    std::optional<DrawnCase> made = computed(other, options.onOwnWork);
    if (!made || made->unrounded.empty()) return made;
    Source source(bytes);
    auto model = calibrated(source, drawn.model, made->unrounded.front());
    // Many operations demand the scale that the output has.
    if (!model || !validateFor(*model, options.version).ok()) return made;
    other.model = *std::move(model);
    std::optional<DrawnCase> better = computed(other, options.onOwnWork);
    return better ? better : made;
}

std::optional<DrawnCase> longSum(OperationType operation, const OwnWorkHook& hook) {
    // XNNPACK of 2022 sums 2^32 / size for each of the largest values, which comes to 0.
    constexpr uint32_t kSize = 1024;
    if (operation != OperationType::SOFTMAX) return std::nullopt;
    TestCase made{.name = "SOFTMAX_sum"};
    SubgraphBuilder main(made.model);
    const auto x = main.input(quantTensor({1, kSize}, 1.0f / 256, 0));
    const auto beta = main.constant<float>({.type = OperandType::FLOAT32}, {1});
    main.add(operation, {x, beta}, {main.output(quantTensor({1, kSize}, 1.0f / 256, 0))});
    made.model.main = std::move(main.graph);
    made.inputs = {{.dimensions = {1, kSize}, .data = std::vector<uint8_t>(kSize, 200)}};
    return computed(made, hook);
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

namespace {

template <class E>
E elementIn(const uint8_t* bytes) {
    E element{};
    std::memcpy(&element, bytes, sizeof(E));
    return element;
}

// The value of a parameter: a scalar, or a constant of a few integers. Empty for other operands.
std::string parameterText(const Model& model, const Operand& operand) {
    constexpr size_t kMaxIntegers = 8;
    if (operand.lifetime != Operand::LifeTime::CONSTANT_COPY) return "";
    const uint8_t* bytes = model.operandValues.data() + operand.location.offset;
    switch (operand.type) {
        case OperandType::FLOAT32:
            return fmt::format("{}", elementIn<float>(bytes));
        case OperandType::FLOAT16:
            return fmt::format("{}", halfToFloat(elementIn<uint16_t>(bytes)));
        case OperandType::INT32:
            return fmt::format("{}", elementIn<int32_t>(bytes));
        case OperandType::BOOL:
            return *bytes != 0 ? "true" : "false";
        case OperandType::TENSOR_INT32:
            break;
        default:
            return "";
    }
    const size_t count = operand.location.length / sizeof(int32_t);
    if (count > kMaxIntegers) return "";
    std::vector<int32_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = elementIn<int32_t>(bytes + i * sizeof(int32_t));
    return fmt::format("{{{}}}", fmt::join(values, ", "));
}

}  // namespace

std::string descriptionOf(const Model& model) {
    const Operation& operation = model.main.operations.front();
    std::string type, shapes, parameters;
    for (const uint32_t i : operation.inputs) {
        const Operand& operand = model.main.operands[i];
        if (const std::string parameter = parameterText(model, operand); !parameter.empty()) {
            parameters += (parameters.empty() ? "; " : ", ") + parameter;
        }
        if (!isNonExtensionTensor(operand.type) || operand.dimensions.empty()) continue;
        if (type.empty()) type = nn::toString(operand.type);
        shapes += fmt::format("{}{}", shapes.empty() ? "" : ", ",
                              toString(DimensionList{operand.dimensions}));
        if (operand.scale > 0) {
            shapes += fmt::format(" ({}, {})", operand.scale, operand.zeroPoint);
        }
    }
    return fmt::format("{} of {} {}{}", nn::toString(operation.type), type, shapes, parameters);
}

}  // namespace nn::testing
