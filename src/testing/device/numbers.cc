// Many random models of each operation, compared with the reference.
#include <algorithm>

#include "testing/device/cases.h"
#include "testing/device/drawn_case.h"
#include "testing/device/prepared_case.h"

namespace nn::testing {
namespace {

// The models of an operation are shared by several cases, so that one that hangs costs a part.
constexpr uint64_t kCases = 4;
// Of models that are not supported: so many one after the other end the first case, and the others;
// so many for each that is executed are passed over.
constexpr size_t kMaxRefusedFirst = 40;
constexpr size_t kMaxRefused = 16;
constexpr size_t kMaxPassedOver = 8;
constexpr uint64_t kMaxModels = 1000;  // of a case
constexpr uint64_t kRepeated = 4;      // one model of so many is executed again

// Those of the operation alone. Where the reference has NaN, as in 0 / 0, a device may have any
// result; larger operands than in test vectors cost digits.
Criteria criteriaOf(const TestCase& testCase, const DeviceTestOptions& options) {
    Criteria criteria = criteriaFor("", testCase.model, options.tolerances);
    criteria.float32.nanMeetsAny = criteria.float16.nanMeetsAny = true;
    criteria.float32.relative = std::max(criteria.float32.relative, 1e-5);
    // Between two elements, a position loses the digits of the larger index.
    const OperationType operation = testCase.model.main.operations.front().type;
    if (operation == OperationType::RESIZE_BILINEAR || operation == OperationType::ROI_ALIGN) {
        criteria.float32.absolute = std::max(criteria.float32.absolute, 1e-3);
    }
    criteria.int32 = {};
    return criteria;
}

// Executes a drawn model; again if it is repeated: that must not depend on the first time.
Failure runDrawn(const DrawnCase& drawn, bool isRepeated, const DeviceTestOptions& options,
                 const IDevice& device, std::vector<OutputStatistics>& statistics) {
    const TestCase& testCase = drawn.testCase;
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(device, testCase.model, &prepared)) return failure;
    Result<Arguments> arguments = argumentsFor(testCase.model, testCase);
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    Expectation wanted{.model = testCase.model,
                       .testCase = testCase,
                       .criteria = criteriaOf(testCase, options),
                       .statistics = &statistics,
                       .unrounded = &drawn.unrounded};
    for (const char* place : {"execute", "execute again"}) {
        arguments->clearOutputs();
        const auto executed = execute(*prepared, arguments->request());
        if (!executed.has_value() && !areOutputsSpecified(testCase.model) &&
            executed.error().code == ErrorStatus::GENERAL_FAILURE) {
            return notSupported("outputs whose size is not known beforehand");
        }
        if (Failure failure =
                    checkExecuted(place, executed, MeasureTiming::NO, wanted, *arguments)) {
            return failure;
        }
        if (!isRepeated) break;
        wanted.statistics = nullptr;
    }
    return std::nullopt;
}

// `failing` is the model that fails.
DeviceOutcome runNumbers(OperationType operation, uint64_t part, const DeviceTestOptions& options,
                         const SharedDevice& device, TestCase* failing = nullptr) {
    std::vector<OutputStatistics> statistics;
    size_t executed = 0, refused = 0, passedOver = 0;
    const size_t maxRefused = part == 0 ? kMaxRefusedFirst : kMaxRefused;
    const uint64_t first = (options.seed * kCases + part) * kMaxModels;
    for (uint64_t i = 0; executed < options.drawnModels && i < kMaxModels; ++i) {
        const DrawOptions draw{.operation = operation,
                               .seed = first + i,
                               .version = device->getFeatureLevel(),
                               .size = i == 0 ? DrawnSize::HUGE : DrawnSize::USUAL};
        const std::optional<TestCase> testCase = drawModel(draw);
        if (!testCase) continue;
        const std::string model = descriptionOf(testCase->model);
        // The reference computes only what the device supports.
        Failure failure = checkSupports(*device, testCase->model);
        std::optional<DrawnCase> drawn;
        if (!failure) {
            drawn = computeCase(*testCase, draw);
            if (!drawn) continue;
            failure = runDrawn(*drawn, i % kRepeated == 0, options, *device, statistics);
        }
        if (failure && failure->result == DeviceOutcome::Result::FAILED) {
            failure->place = fmt::format("model {}, {}: {}", i, model, failure->place);
            failure->statistics = std::move(statistics);
            if (failing != nullptr && drawn) *failing = std::move(drawn->testCase);
            return *failure;
        }
        executed += failure ? 0 : 1;
        refused = failure ? refused + 1 : 0;
        passedOver += failure ? 1 : 0;
        if (refused == maxRefused || passedOver == kMaxPassedOver * options.drawnModels) break;
    }
    if (executed == 0) return notSupported(nn::toString(operation));
    return {.statistics = std::move(statistics)};
}

Result<TestCase> failingModel(OperationType operation, uint64_t part,
                              const DeviceTestOptions& options, const SharedDevice& device) {
    TestCase failing;
    runNumbers(operation, part, options, device, &failing);
    if (failing.model.main.operations.empty()) {
        return makeError(ErrorStatus::GENERAL_FAILURE, "no model of the case fails by itself");
    }
    failing.name = fmt::format("{}_{}", nn::toString(operation), part + 1);
    return failing;
}

DeviceOutcome runOtherModel(const TestCase& other, const DeviceTestOptions& options,
                            const SharedDevice& device) {
    if (Failure failure = checkWellFormed(other)) return *failure;
    std::vector<OutputStatistics> statistics;
    return runDrawn({.testCase = other}, /*isRepeated=*/true, options, *device, statistics)
            .value_or(passed());
}

}  // namespace

void addNumbers(Cases& cases, const DeviceTestOptions& options) {
    if (options.drawnModels == 0) return;
    for (const OperationType operation : drawnOperations()) {
        for (uint64_t part = 0; part < kCases; ++part) {
            DeviceCase made =
                    deviceCase(fmt::format("numbers/{}/{}", nn::toString(operation), part + 1),
                               [=](const SharedDevice& device) {
                                   return runNumbers(operation, part, options, device);
                               });
            made.operation = nn::toString(operation);
            made.path = "drawn";
            made.testCase = [=](const SharedDevice& device) {
                return failingModel(operation, part, options, device);
            };
            made.runOther = [=](const SharedDevice& device, const TestCase& other) {
                return runOtherModel(other, options, device);
            };
            cases.push_back(std::move(made));
        }
    }
}

}  // namespace nn::testing
