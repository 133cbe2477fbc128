// Many random models of each operation, compared with the reference.
#include <algorithm>

#include "device_test/cases/cases.h"
#include "device_test/cases/drawn_case.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

// The models of an operation are shared by several cases, so that one that hangs costs a part.
constexpr uint64_t kCases = 4;
// So many models that are not supported end a case if none is; so many for each that is executed
// are passed over.
constexpr size_t kMaxRefused = 160;
constexpr size_t kMaxPassedOver = 8;
constexpr uint64_t kMaxModels = 1000;  // of a case
constexpr uint64_t kRepeated = 4;      // one model of so many is executed again

// Chooses what to draw. A device may support a small part of an operation: where it refuses model
// after model, some of the next are plain, and then near those that it has supported.
class Choices {
   public:
    // All models are of this operation, size aside.
    explicit Choices(DrawOptions common) : mCommon(std::move(common)) {}

    // Of the i-th model.
    DrawOptions of(uint64_t i) {
        constexpr size_t kRefusedInARow = 8;
        DrawOptions draw = mCommon;
        draw.seed += i;
        mIsNear = mIsHuge = false;
        if (mSupported.empty()) {
            draw.style = i % 2 == 0 ? DrawnStyle::VARIED : DrawnStyle::PLAIN;
        } else if (mHugeToTry > 0) {  // once any, then near others
            mIsHuge = true;
            mIsNear = mHugeToTry-- < kTriesOfHuge;
        } else {
            mIsNear = mRefused >= kRefusedInARow && i % 2 == 0;
        }
        if (mIsHuge) draw.size = DrawnSize::HUGE;
        if (mIsNear) draw.near = mSupported[draw.seed % mSupported.size()];
        return draw;
    }

    void hasSupported(std::vector<uint8_t> choices) {
        constexpr size_t kMaxSupported = 64;
        if (!mIsNear) mRefused = 0;
        if (mIsHuge) mHugeToTry = 0;
        if (mSupported.size() < kMaxSupported) mSupported.push_back(std::move(choices));
    }
    void hasRefused() {
        if (!mIsNear) ++mRefused;
    }

   private:
    static constexpr size_t kTriesOfHuge = 5;  // until one is supported

    const DrawOptions mCommon;
    std::vector<std::vector<uint8_t>> mSupported{};
    size_t mRefused = 0;  // in a row, of those that are near none
    size_t mHugeToTry = kTriesOfHuge;
    bool mIsNear = false, mIsHuge = false;  // the kind of the last one
};

// Those of the operation only. Where the reference has NaN, as in 0 / 0, a device may have any
// result; larger operands than in test vectors cost digits.
Criteria criteriaOf(const TestCase& testCase, const DeviceTestOptions& options) {
    Criteria criteria = criteriaFor("", testCase.model, options.tolerances);
    criteria.float32.nanMeetsAny = criteria.float16.nanMeetsAny = true;
    criteria.float32.relative = std::max(criteria.float32.relative, 1e-5);
    widenForInterpolation(testCase.model, criteria);
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

// Only failures; unsupported models are skipped.
Failure runLongSum(OperationType operation, const DeviceTestOptions& options, const IDevice& device,
                   TestCase* failing) {
    const std::optional<DrawnCase> sum = longSum(operation, options.onOwnWork);
    if (!sum || checkSupports(device, sum->testCase.model)) return std::nullopt;
    std::vector<OutputStatistics> statistics;  // equal values have no use in them
    Failure failure = runDrawn(*sum, /*isRepeated=*/false, options, device, statistics);
    if (!failure || failure->result != DeviceOutcome::Result::FAILED) return std::nullopt;
    failure->place =
            fmt::format("equal values, {}: {}", descriptionOf(sum->testCase.model), failure->place);
    if (failing != nullptr) *failing = sum->testCase;
    return failure;
}

// The models of one case on a device.
class DrawnModels {
   public:
    DrawnModels(const SharedDevice& device, OperationType operation, uint64_t part,
                const DeviceTestOptions& options)
        : mDevice(device),
          mOptions(options),
          mChoices({.operation = operation,
                    .seed = (options.seed * kCases + part) * kMaxModels,
                    .version = device->getFeatureLevel(),
                    .onOwnWork = options.onOwnWork}) {}

    // `failing` is the model that fails.
    DeviceOutcome run(TestCase* failing) {
        for (uint64_t i = 0; i < kMaxModels && !isOver(); ++i) {
            Failure failure = runModel(i, failing);
            if (!failure) continue;
            failure->statistics = std::move(mStatistics);
            return *failure;
        }
        return {.statistics = std::move(mStatistics)};
    }
    size_t executed() const { return mExecuted; }

   private:
    // On a slow device, fewer models are enough.
    bool isOver() const {
        if (mExecuted > 0 && Clock::now() - mBegin >= mOptions.patience) return true;
        return mExecuted >= mOptions.drawnModels ||
               mPassedOver >=
                       (mExecuted == 0 ? kMaxRefused : kMaxPassedOver * mOptions.drawnModels);
    }

    // Only failures; unsupported models are skipped.
    Failure runModel(uint64_t i, TestCase* failing) {
        const DrawOptions draw = mChoices.of(i);
        std::optional<DrawnModel> model = drawModel(draw);
        if (!model) return std::nullopt;
        const bool isRepeated = mExecuted % kRepeated == 0;
        // The reference computes only supported models.
        Failure failure = checkSupports(*mDevice, model->model);
        const bool isSupported = !failure;
        std::optional<DrawnCase> drawn;
        if (isSupported) {
            drawn = computeCase(*model, draw);
            if (drawn) failure = runDrawn(*drawn, isRepeated, mOptions, *mDevice, mStatistics);
        }
        const auto isFailed = [&] {
            return failure && failure->result == DeviceOutcome::Result::FAILED;
        };
        if (!isFailed() && (isSupported ? isRepeated : i % kRepeated == 0)) {
            Failure other = checkSupportsStill(*mDevice, model->model, isSupported);
            if (other) failure = std::move(other);
        }
        if (isFailed()) {
            failure->place =
                    fmt::format("model {}, {}: {}", i, descriptionOf(model->model), failure->place);
            if (failing != nullptr && drawn) *failing = std::move(drawn->testCase);
            return failure;
        }
        if (isSupported && !drawn) return std::nullopt;
        mExecuted += failure ? 0 : 1;
        mPassedOver += failure ? 1 : 0;
        if (failure) {
            mChoices.hasRefused();
        } else {
            mChoices.hasSupported(std::move(model->choices));
        }
        return std::nullopt;
    }

    const SharedDevice& mDevice;
    const DeviceTestOptions& mOptions;
    Choices mChoices;
    std::vector<OutputStatistics> mStatistics{};
    const TimePoint mBegin = Clock::now();
    size_t mExecuted = 0, mPassedOver = 0;
};

DeviceOutcome runNumbers(OperationType operation, uint64_t part, const DeviceTestOptions& options,
                         const SharedDevice& device, TestCase* failing = nullptr) {
    if (part == 0) {
        if (Failure failure = runLongSum(operation, options, *device, failing)) return *failure;
    }
    DrawnModels models(device, operation, part, options);
    DeviceOutcome outcome = models.run(failing);
    const bool isPassed = outcome.result == DeviceOutcome::Result::PASSED;
    if (isPassed && models.executed() == 0) return notSupported(nn::toString(operation));
    return outcome;
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

Failure runOtherModel(const TestCase& other, const DeviceTestOptions& options,
                      const SharedDevice& device) {
    if (Failure failure = checkWellFormed(other)) return failure;
    std::vector<OutputStatistics> statistics;
    return runDrawn({.testCase = other}, /*isRepeated=*/true, options, *device, statistics);
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
                return runOtherModel(other, options, device).value_or(passed());
            };
            cases.push_back(std::move(made));
        }
    }
}

}  // namespace nn::testing
