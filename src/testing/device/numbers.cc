// Many random models of each operation, compared with the reference.
#include <algorithm>
#include <memory>
#include <mutex>

#include "testing/device/cases.h"
#include "testing/device/drawn_case.h"
#include "testing/device/prepared_case.h"

namespace nn::testing {
namespace {

// The models of an operation are shared by several cases, so that one that hangs costs a part.
constexpr uint64_t kCases = 4;
// Of models that are not supported: so many one after the other end a case, and so many for each
// that is executed are passed over.
constexpr size_t kMaxRefused = 40;
constexpr size_t kMaxPassedOver = 8;
constexpr uint64_t kMaxModels = 1000;  // of a case
constexpr uint64_t kRepeated = 4;      // one model of so many is executed again
// Models of all operations in a case of each, and the least of one operation: devices with many
// operations have many cases.
constexpr size_t kModelsOfAll = 500;
constexpr size_t kMinModels = 12;

// The number of operations that a device supports, counted once for all cases. Thread-safe.
class SupportedOperations {
   public:
    size_t count(const SharedDevice& device) {
        const std::lock_guard lock(mMutex);
        if (mDevice.lock() != device) {
            mCount = static_cast<size_t>(std::ranges::count_if(
                    drawnOperations(),
                    [&](OperationType operation) { return supports(*device, operation); }));
            mDevice = device;
        }
        return mCount;
    }

   private:
    static bool supports(const IDevice& device, OperationType operation) {
        constexpr uint64_t kAttempts = 4;
        for (uint64_t seed = 0; seed < kAttempts; ++seed) {
            const auto drawn = drawModel(
                    {.operation = operation, .seed = seed, .version = device.getFeatureLevel()});
            if (drawn && !checkSupports(device, drawn->model)) return true;
        }
        return false;
    }

    std::mutex mMutex{};
    std::weak_ptr<const IDevice> mDevice{};
    size_t mCount = 0;
};
using SharedSupport = std::shared_ptr<SupportedOperations>;

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

// A case, and what all cases share.
struct NumbersCase {
    OperationType operation{};
    uint64_t part = 0;
    DeviceTestOptions options{};
    SharedSupport support{};

    size_t models(const SharedDevice& device) const {
        const size_t share = kModelsOfAll / std::max<size_t>(support->count(device), 1);
        return std::min(std::max(share, kMinModels), options.drawnModels);
    }
};

// `failing` is the model that fails.
DeviceOutcome runNumbers(const NumbersCase& numbers, const SharedDevice& device,
                         TestCase* failing = nullptr) {
    const auto& [operation, part, options, support] = numbers;
    const size_t models = numbers.models(device);
    std::vector<OutputStatistics> statistics;
    size_t executed = 0, refused = 0, passedOver = 0;
    const uint64_t first = (options.seed * kCases + part) * kMaxModels;
    for (uint64_t i = 0; executed < models && i < kMaxModels; ++i) {
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
        if (refused == kMaxRefused || passedOver == kMaxPassedOver * models) break;
    }
    if (executed == 0) return notSupported(nn::toString(operation));
    return {.statistics = std::move(statistics)};
}

Result<TestCase> failingModel(const NumbersCase& numbers, const SharedDevice& device) {
    TestCase failing;
    runNumbers(numbers, device, &failing);
    if (failing.model.main.operations.empty()) {
        return makeError(ErrorStatus::GENERAL_FAILURE, "no model of the case fails by itself");
    }
    failing.name = fmt::format("{}_{}", nn::toString(numbers.operation), numbers.part + 1);
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
    const auto support = std::make_shared<SupportedOperations>();
    for (const OperationType operation : drawnOperations()) {
        for (uint64_t part = 0; part < kCases; ++part) {
            const NumbersCase numbers{operation, part, options, support};
            DeviceCase made = deviceCase(
                    fmt::format("numbers/{}/{}", nn::toString(operation), part + 1),
                    [=](const SharedDevice& device) { return runNumbers(numbers, device); });
            made.operation = nn::toString(operation);
            made.path = "drawn";
            made.testCase = [=](const SharedDevice& device) {
                return failingModel(numbers, device);
            };
            made.runOther = [=](const SharedDevice& device, const TestCase& other) {
                return runOtherModel(other, options, device);
            };
            cases.push_back(std::move(made));
        }
    }
}

}  // namespace nn::testing
