// Random models, compared with the reference device.
#include <algorithm>
#include <random>

#include "device_test/cases/cases.h"
#include "device_test/cases/drawn_case.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"
#include "nnapi/generate/generate.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

std::vector<uint8_t> bytesOf(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> bytes(1 << 18);
    std::ranges::generate(bytes, [&] { return static_cast<uint8_t>(random()); });
    return bytes;
}

// The newest HAL version whose models the device accepts.
HalVersion newestOf(const IDevice& device) {
    for (size_t i = kHalVersions.size(); i > 1; --i) {
        if (isCompliantVersion(toVersion(kHalVersions[i - 1]), device.getFeatureLevel())) {
            return kHalVersions[i - 1];
        }
    }
    return HalVersion::V1_0;
}

// Widens the criteria of single operations to a chain of them.
Criteria forChain(Criteria criteria, size_t operations) {
    const auto widen = [&](Tolerance& tolerance) {
        tolerance.absolute *= static_cast<double>(operations + 1);
        tolerance.relative *= static_cast<double>(operations + 1);
    };
    widen(criteria.float32);
    widen(criteria.float16);
    widen(criteria.quant8);
    widen(criteria.quant16);
    criteria.int32 = {};
    return criteria;
}

// A model of up to `most` operations, and the device's support of each; nothing if the query fails.
Model modelWithSupport(Source& source, const IDevice& device, size_t most,
                       std::span<const OperationType> operations, std::vector<bool>& supported) {
    Model model = validModel(source, {.version = newestOf(device),
                                      .maxOperations = most,
                                      .operations = operations,
                                      .executable = true});
    auto result = device.getSupportedOperations(model);
    supported.clear();
    if (result.has_value() && result->size() == model.main.operations.size()) {
        supported = *std::move(result);
    }
    return model;
}

// Adds the operations of a model that the device supports partly.
void survey(Source& source, const IDevice& device, size_t most,
            std::span<const OperationType> operations, std::vector<OperationType>& known) {
    std::vector<bool> supported;
    const Model model = modelWithSupport(source, device, most, operations, supported);
    for (size_t k = 0; k < supported.size(); ++k) {
        const OperationType type = model.main.operations[k].type;
        if (supported[k] && std::ranges::count(known, type) == 0) known.push_back(type);
    }
}

// Operations that the device supports partly: most devices support a small part of all operations,
// and some only a few forms of these, which need a query for each operation.
std::vector<OperationType> surveyOperations(Source& source, const IDevice& device) {
    constexpr int kModels = 2, kModelsOfEach = 4;
    constexpr size_t kMaxOperations = 48, kMaxOfEach = 8;
    std::vector<OperationType> known;
    for (int i = 0; i < kModels; ++i) survey(source, device, kMaxOperations, {}, known);
    if (!known.empty()) return known;
    for (const OperationTypeInfo& info : operationTypes()) {
        for (int i = 0; i < kModelsOfEach; ++i) {
            survey(source, device, kMaxOfEach, {&info.type, 1}, known);
        }
    }
    return known;
}

// A model of any operations. If the device does not support it as a whole, one of operations that
// it supports partly, the shorter the more of them it has rejected. `isSupported` is the device's
// result.
Model drawAnyModel(Source& source, const IDevice& device, bool& isSupported) {
    constexpr size_t kMaxOperations = 5, kTriesOfEach = 4, kTriesOfOne = 64;
    std::vector<bool> supported;
    const auto isWhole = [&] { return std::ranges::count(supported, false) == 0; };
    Model first = modelWithSupport(source, device, kMaxOperations, {}, supported);
    isSupported = !supported.empty() && isWhole();
    if (supported.empty() || isSupported) return first;
    const std::vector<OperationType> known = surveyOperations(source, device);
    if (known.empty()) return first;
    for (size_t most = kMaxOperations; most > 0; --most) {
        const size_t tries = most == 1 ? kTriesOfOne : kTriesOfEach;
        for (size_t i = 0; i < tries; ++i) {
            Model model = modelWithSupport(source, device, most, known, supported);
            isSupported = !supported.empty() && isWhole();
            if (supported.empty() || isSupported) return model;
        }
    }
    return first;
}

// ---- strata: each window of seeds has some models of each

// Properties of each model of a stratum, where the device supports it.
struct Stratum {
    std::vector<OperationType> operations{};  // to choose from; empty: any
    size_t maxOperations = 5;
    bool unknownDimensions = false;
    bool varied = false;
    uint32_t maxElements = 4096;
};

// Of the index in a window. Half of the models are any; the others have in turn only one operation,
// in chains of itself, so that each occurs in every window; open dimensions; control flow;
// values around the bounds of types; long chains.
std::optional<Stratum> stratumOf(uint64_t index) {
    if (index % 2 == 0) return std::nullopt;
    const uint64_t number = index / 2;
    const std::span<const OperationType> all = drawnOperations();
    switch (number % 4) {
        case 0:
        case 1: {  // each operation
            const uint64_t chosen = number / 4 * 2 + number % 4;
            return Stratum{.operations = {all[chosen % all.size()]}, .maxOperations = 3};
        }
        case 2:
            if (number / 4 % 2 == 0) return Stratum{.maxOperations = 3, .unknownDimensions = true};
            return Stratum{.operations = {OperationType::IF, OperationType::WHILE}};
        default:
            if (number / 4 % 2 == 0) return Stratum{.maxOperations = 2, .varied = true};
            return Stratum{.maxOperations = 16};
    }
}

// A model of the stratum that the device supports; any model where it supports none of some.
Model drawModel(Source& source, const IDevice& device, const std::optional<Stratum>& stratum,
                bool& isSupported) {
    constexpr int kTries = 4;
    for (int i = 0; stratum && i < kTries; ++i) {
        Model model = validModel(source, {.version = newestOf(device),
                                          .maxOperations = stratum->maxOperations,
                                          .operations = stratum->operations,
                                          .executable = true,
                                          .unknownDimensions = stratum->unknownDimensions,
                                          .maxElements = stratum->maxElements,
                                          .varied = stratum->varied});
        const auto result = device.getSupportedOperations(model);
        isSupported = result.has_value() && result->size() == model.main.operations.size() &&
                      std::ranges::count(*result, false) == 0;
        if (isSupported) return model;
    }
    return drawAnyModel(source, device, isSupported);
}

std::vector<Tensor> inputsOf(Source& source, const Model& model,
                             const std::optional<Stratum>& stratum) {
    return stratum && stratum->varied ? variedInputs(source, model) : anyInputs(source, model);
}

// Without outputs.
TestCase drawRandom(uint64_t seed, const IDevice& device, bool& isSupported) {
    const std::vector<uint8_t> bytes = bytesOf(seed);
    Source source(bytes);
    TestCase testCase{.name = fmt::format("random_{}", seed)};
    const std::optional<Stratum> stratum = stratumOf(seed % kRandomWindow);
    testCase.model = drawModel(source, device, stratum, isSupported);
    testCase.inputs = inputsOf(source, testCase.model, stratum);
    return testCase;
}

// The outputs of the reference; fails where it refuses the values.
Failure computeOutputs(TestCase& testCase, const OwnWorkHook& hook) {
    const Result<PreparedModel> reference = prepare(testCase.model);
    if (!reference.ok()) return failedCall("the reference", reference.status());
    ReferenceWork work(hook);
    Result<std::vector<Tensor>> expected = work.run(*reference, testCase.inputs);
    if (!expected.ok()) {
        return notSupported(work.isExhausted() ? "work that the reference does not do for a test"
                                               : "values that the reference refuses");
    }
    for (Tensor& tensor : *expected) testCase.outputs.push_back({.value = std::move(tensor)});
    return std::nullopt;
}

Failure executeRandom(const TestCase& testCase, const DeviceTestOptions& options,
                      const SharedPreparedModel& prepared) {
    Criteria ofEach = criteriaFor(testCase.name, testCase.model, options.tolerances);
    widenForInterpolation(testCase.model, ofEach);
    const Expectation wanted{.model = testCase.model,
                             .testCase = testCase,
                             .criteria = forChain(ofEach, testCase.model.main.operations.size()),
                             .ofEach = &ofEach,
                             .onOwnWork = &options.onOwnWork};
    Result<Arguments> arguments = argumentsFor(testCase.model, testCase);
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    for (const ExecutionPath path : {ExecutionPath::SYNC, ExecutionPath::BURST}) {
        arguments->clearOutputs();
        const auto executed = executeBy(path, *prepared, arguments->request());
        if (!executed.has_value() && !areOutputsSpecified(testCase.model) &&
            executed.error().code == ErrorStatus::GENERAL_FAILURE) {
            return notSupported("outputs whose size is not known beforehand");
        }
        if (Failure failure = checkExecuted(fmt::format("execute ({})", nameOf(path)), executed,
                                            MeasureTiming::NO, wanted, *arguments)) {
            if (!failure->operation.empty()) failure->place += " of " + failure->operation;
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace

DeviceCase randomCase(uint64_t seed, const DeviceTestOptions& options) {
    const auto run = [=](const SharedDevice& device) -> Failure {
        bool isSupported = false;
        TestCase testCase = drawRandom(seed, *device, isSupported);
        SharedPreparedModel prepared;
        if (Failure failure = prepareOn(*device, testCase.model, &prepared)) {
            const bool isLess =
                    isSupported && failure->result == DeviceOutcome::Result::NOT_SUPPORTED;
            if (!isLess) return failure;
            return checkSupportsStill(*device, testCase.model, isSupported).value_or(*failure);
        }
        if (Failure failure = computeOutputs(testCase, options.onOwnWork)) return failure;
        return executeRandom(testCase, options, prepared);
    };
    DeviceCase made = deviceCase(fmt::format("random/{}", seed), run);
    made.testCase = [seed](const SharedDevice& device) -> Result<TestCase> {
        bool isSupported = false;
        TestCase testCase = drawRandom(seed, *device, isSupported);
        if (const Failure failure = computeOutputs(testCase, {})) {
            return makeError(ErrorStatus::GENERAL_FAILURE, failure->message);
        }
        return testCase;
    };
    made.runOther = [options](const SharedDevice& device, const TestCase& other) {
        if (Failure failure = checkWellFormed(other)) return *failure;
        SharedPreparedModel prepared;
        if (Failure failure = prepareOn(*device, other.model, &prepared)) return *failure;
        return executeRandom(other, options, prepared).value_or(passed());
    };
    return made;
}

uint64_t randomSeed(uint64_t seed, uint64_t i) {
    return (seed < kRandomWindow ? seed * kRandomWindow : seed) + i;
}

void addRandom(Cases& cases, const DeviceTestOptions& options) {
    for (size_t i = 0; i < options.randomModels; ++i) {
        cases.push_back(randomCase(randomSeed(options.seed, i), options));
    }
}

}  // namespace nn::testing
