#include "nnapi/driver/sample.h"

#include <absl/algorithm/container.h>

#include <initializer_list>
#include <span>
#include <string>

#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"

namespace nn {
namespace {

using Performance = Capabilities::PerformanceInfo;
using OperandTypes = std::initializer_list<OperandType>;
using OperationTypes = std::initializer_list<OperationType>;

constexpr OperandTypes kAnyType = {};
constexpr OperandTypes kFloat = {OperandType::TENSOR_FLOAT32};
constexpr OperandTypes kQuantized = {OperandType::TENSOR_QUANT8_ASYMM,
                                     OperandType::TENSOR_QUANT8_ASYMM_SIGNED};

constexpr OperationTypes kEvery = {};
constexpr OperationTypes kFew = {OperationType::ADD, OperationType::CONCATENATION,
                                 OperationType::CONV_2D};

constexpr OperationTypes kNone = {};
constexpr OperationTypes kSelect = {OperationType::SELECT};

struct Row {
    const char* name;
    Performance float32;  // of FLOAT32 and TENSOR_FLOAT32
    Performance relaxed;  // of the same, computed as float16
    Performance others;
    OperandTypes types;         // of the input that decides
    OperationTypes operations;  // that it has; those that can have such an input
    OperationTypes bySecond;    // those whose second input decides instead of the first
};

constexpr Performance kProcessor = {1.0f, 1.0f};

// Execution time and power, relative to a processor; lower is better.
constexpr Row kRows[] = {
        {"all", {1.1f, 1.1f}, {1.1f, 1.1f}, {1.1f, 1.1f}, kAnyType, kEvery, kNone},
        {"float_fast", {0.8f, 1.2f}, {0.7f, 1.1f}, kProcessor, kFloat, kEvery, kNone},
        {"float_slow", {1.3f, 0.7f}, {1.2f, 0.6f}, kProcessor, kFloat, kEvery, kNone},
        {"minimal", {0.4f, 0.5f}, {0.4f, 0.5f}, kProcessor, kFloat, kFew, kNone},
        {"quant", {50.0f, 1.0f}, {50.0f, 1.0f}, {50.0f, 1.0f}, kQuantized, kEvery, kSelect},
        {"sl", kProcessor, kProcessor, kProcessor, kAnyType, kEvery, kNone},
};

Capabilities capabilitiesOf(const Row& row) {
    Capabilities capabilities{
            .relaxedFloat32toFloat16PerformanceScalar = row.relaxed,
            .relaxedFloat32toFloat16PerformanceTensor = row.relaxed,
            .operandPerformance = nonExtensionOperandPerformance(HalVersion::AIDL4, row.others),
            .ifPerformance = row.others,
            .whilePerformance = row.others};
    capabilities.operandPerformance.update(OperandType::FLOAT32, row.float32);
    capabilities.operandPerformance.update(OperandType::TENSOR_FLOAT32, row.float32);
    return capabilities;
}

// Can an input of an operation have that type?
bool canBe(const ops::OperationSpec& spec, const ops::TypeSpec& input, OperandType type) {
    switch (input.kind) {
        case ops::TypeSpec::Kind::FIXED:
            return input.fixed == type;
        case ops::TypeSpec::Kind::COLUMN:
            return absl::c_any_of(spec.types, [&](const ops::Types& row) {
                return input.column < row.columns.size() && row.columns[input.column] == type;
            });
        case ops::TypeSpec::Kind::ANY:
            return true;
    }
    return false;
}

// The input of each form at that place must have one of these types. No operands if none can.
DeviceProfile::Operation entryOf(const ops::OperationSpec& spec, size_t place, OperandTypes types) {
    DeviceProfile::Operation entry{.type = spec.type};
    for (const ops::Form& form : spec.forms) {
        if (place >= form.inputs.size()) continue;
        const ops::Param& input = form.inputs[place];
        if (absl::c_none_of(types, [&](OperandType t) { return canBe(spec, input.type, t); })) {
            continue;
        }
        if (absl::c_any_of(entry.operands, [&](const auto& o) { return o.name == input.name; })) {
            continue;
        }
        entry.operands.push_back({.name = std::string(input.name), .types = types});
    }
    return entry;
}

DeviceProfile profileOf(const Row& row, std::string name) {
    DeviceProfile overlay{.name = std::move(name), .supportsOthers = row.types.size() == 0};
    if (overlay.supportsOthers) return overlay;
    for (const OperationTypeInfo& info : operationTypes()) {
        const bool isThere =
                row.operations.size() == 0 || absl::c_linear_search(row.operations, info.type);
        const ops::OperationSpec* spec = isThere ? ops::specOf(info.type) : nullptr;
        if (spec == nullptr) continue;
        const size_t place = absl::c_linear_search(row.bySecond, info.type) ? 1 : 0;
        DeviceProfile::Operation entry = entryOf(*spec, place, row.types);
        if (!entry.operands.empty()) overlay.operations.push_back(std::move(entry));
    }
    return overlay;
}

std::string nameOf(const Row& row) { return std::string("nnapi-sample_") + row.name; }

ReferenceDeviceOptions optionsOf(const Row& row) {
    const std::string name = nameOf(row);
    return {.name = name,
            .versionString = "JUST_AN_EXAMPLE",
            .featureLevel = kNewestVersion,  // drivers of a HAL version have no more
            .overlay = profileOf(row, name),
            .capabilities = capabilitiesOf(row),
            .hasCache = false};
}

}  // namespace

std::vector<ReferenceDeviceOptions> sampleDevices() {
    std::vector<ReferenceDeviceOptions> devices;
    for (const Row& row : kRows) devices.push_back(optionsOf(row));
    return devices;
}

void registerSampleDevices(DeviceRegistry& registry, size_t fencedThreads, const SharedLog& log) {
    for (const Row& row : kRows) {
        (void)registry.registerDevice(nameOf(row), [&row, fencedThreads, log] {
            ReferenceDeviceOptions options = optionsOf(row);
            options.fencedThreads = fencedThreads;
            options.log = log;
            return referenceDevice(std::move(options));
        });
    }
}

}  // namespace nn
