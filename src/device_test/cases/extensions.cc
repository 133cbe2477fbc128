// Cases of extension hints, prefixes and types.
#include "device_test/cases/cases.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;
using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;

constexpr uint16_t kPrefix = 1;

struct HintRow {
    const char* name;
    Hints hints{};
    Prefixes prefixes{};
    bool isLegal = true;  // if not, a device that checks hints may refuse it
};

int32_t tokenOf(uint16_t prefix) { return static_cast<int32_t>(prefix) << kExtensionTypeBits | 5; }

std::vector<HintRow> hintRows() {
    const Prefixes unknown = {{.name = "com.example.unknown", .prefix = kPrefix}};
    return {
            {.name = "unknown",
             .hints = {{.token = tokenOf(kPrefix), .value = {1, 2, 3}}},
             .prefixes = unknown},
            {.name = "empty_value", .hints = {{.token = tokenOf(kPrefix)}}, .prefixes = unknown},
            {.name = "prefix_alone", .prefixes = unknown},
            {.name = "token_twice",
             .hints = {{.token = tokenOf(kPrefix)}, {.token = tokenOf(kPrefix)}},
             .prefixes = unknown,
             .isLegal = false},
            {.name = "prefix_twice",
             .prefixes = {{.name = "com.example.a", .prefix = kPrefix},
                          {.name = "com.example.b", .prefix = kPrefix}},
             .isLegal = false},
    };
}

// Rule device.hints: unknown hints are ignored; illegal ones may be refused.
Failure checkHints(const std::string& place, const Status& status, const HintRow& row) {
    if (status.ok()) return std::nullopt;
    if (row.isLegal) return failedCall(place, status, "device.hints");
    return mustFail(place, status, {kInvalid}, "device.hints");
}

Failure hints(const SharedDevice& device, const HintRow& row) {
    const JobCase job(sumJob());
    if (Failure failure = checkSupports(*device, job.model())) return failure;
    const auto hinted =
            device->prepareModel(job.model(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {},
                                 {}, {}, {}, row.hints, row.prefixes);
    if (Failure failure = checkHints("prepareModel", hinted.status(), row)) return failure;
    if (hinted.has_value()) {
        if (*hinted == nullptr) return failed("prepareModel", "null and no error");
        if (Failure failure = checkComputes("execute after hints", **hinted, job)) return failure;
    }
    const auto prepared = prepareOn(*device, job.model());
    if (!prepared.has_value())
        return failedCall("prepareModel", prepared.status(), "prepare.arguments");
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    const auto executed = (*prepared)->execute(arguments->request(), MeasureTiming::NO, {}, {},
                                               row.hints, row.prefixes);
    if (Failure failure = checkHints("execute", executed.status(), row)) return failure;
    if (!executed.has_value()) return std::nullopt;
    return checkExecuted("execute", executed, MeasureTiming::NO, job.wanted(), *arguments);
}

// An addition, and an operation of an extension that no device supports.
Model withUnknownExtension() {
    Model model;
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({4}));
    const auto sum = main.temporary(floatTensor({4}));
    main.add(OperationType::ADD, {x, x, main.scalar(0)}, {sum});
    main.add(static_cast<OperationType>(tokenOf(kPrefix)), {sum}, {main.output(floatTensor({4}))});
    model.main = std::move(main.graph);
    model.extensionNameToPrefix = {{.name = "com.example.unknown", .prefix = kPrefix}};
    return model;
}

// Legal, but of unknown meaning.
Failure unknownOperation(const SharedDevice& device) {
    const Model model = withUnknownExtension();
    const auto supported = device->getSupportedOperations(model);
    if (!supported.has_value()) {
        return mustFail("getSupportedOperations", supported.status(), {kInvalidOrFailed},
                        "device.supported_operations");
    }
    if (supported->size() != 2) {
        return failed("getSupportedOperations",
                      fmt::format("{} results, allowed 2", supported->size()),
                      "device.supported_operations");
    }
    if ((*supported)[1]) {
        return failed("getSupportedOperations",
                      "says that it supports an operation of com.example.unknown",
                      "device.supported_operations, sample.all");
    }
    return mustFail("prepareModel", prepareOn(*device, model).status(), {kInvalidOrFailed},
                    "prepare.arguments");
}

Failure unknownOperandType(const SharedDevice& device) {
    Model model = withUnknownExtension();
    model.main.operands[0].type = static_cast<OperandType>(tokenOf(kPrefix));
    const auto prepared = prepareOn(*device, model);
    return mustFail("prepareModel", prepared.status(), {kInvalidOrFailed},
                    "prepare.arguments, extension.sizes");
}

// A model that declares an extension and uses nothing of it. The HAL neither
// forbids such a model nor obliges a driver to support it.
DeviceOutcome unusedExtension(const SharedDevice& device) {
    Job job = sumJob();
    if (Failure failure = checkSupports(*device, job.model)) return *failure;
    job.model.extensionNameToPrefix = {{.name = "com.example.unknown", .prefix = kPrefix}};
    const JobCase unused(std::move(job));
    const auto prepared = prepareOn(*device, unused.model());
    if (!prepared.has_value()) {
        if (Failure failure = mustFail("prepareModel", prepared.status(), {kInvalidOrFailed},
                                       "prepare.arguments")) {
            return *failure;
        }
        return passedWith(
                "prepareModel: rejects a model that declares an extension and does not use it; the "
                "HAL does not say that a driver must accept it [sample.all]");
    }
    if (*prepared == nullptr)
        return failed("prepareModel", "null and no error", "hidl.notified_model");
    return checkComputes("execute", **prepared, unused).value_or(passed());
}

// The model does not declare the prefix, and the device must not mistake it for a declared one.
Failure undeclaredPrefix(const SharedDevice& device) {
    Model model = withUnknownExtension();
    model.extensionNameToPrefix.clear();
    return mustFail("prepareModel", prepareOn(*device, model).status(), {kInvalidOrFailed},
                    "prepare.arguments");
}

}  // namespace

void addExtensions(Cases& cases, const DeviceTestOptions&) {
    addRows(cases, "extensions/hints", hintRows(), hints);
    const auto add = [&](const char* name, const RunCase& run) {
        cases.push_back(deviceCase(
                fmt::format("extensions/{}", name), [run](const SharedDevice& device) -> Failure {
                    if (device->getFeatureLevel().level >= Version::Level::FEATURE_LEVEL_3) {
                        return run(device);
                    }
                    return notSupported("extensions");
                }));
    };
    add("unknown_operation", unknownOperation);
    add("unknown_operand_type", unknownOperandType);
    add("unused", unusedExtension);
    add("undeclared_prefix", undeclaredPrefix);
}

}  // namespace nn::testing
