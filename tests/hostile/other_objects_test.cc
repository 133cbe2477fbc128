// Objects other than models: overflowing times, invalid enumerators and performances, caches of the
// wrong size.
#include <cmath>

#include "hostile/hostile_models.h"
#include "nnapi/convert.h"
#include "nnapi/interpreter.h"
#include "types/operation_count.h"

namespace nn::hostile::times_test {
namespace {

using namespace std::chrono_literals;

V1_3::OptionalTimePoint halTime(uint64_t nanoseconds) {
    V1_3::OptionalTimePoint time;
    time.nanosecondsSinceEpoch(nanoseconds);
    return time;
}

V1_3::OptionalTimeoutDuration halDuration(uint64_t nanoseconds) {
    V1_3::OptionalTimeoutDuration duration;
    duration.nanoseconds(nanoseconds);
    return duration;
}

template <class E>
Status ofCode(int32_t code) {
    return validate(static_cast<E>(code)).status();
}

// The errors for codes next to those of an enumeration, and for the extreme codes.
template <class E>
Status outOfRange(int32_t last) {
    for (const int32_t code : {INT32_MIN, -1, last + 1, INT32_MAX}) {
        if (ofCode<E>(code).ok()) return {};
    }
    return ofCode<E>(-1);
}

Status withPerformance(float execTime) {
    const Capabilities::PerformanceInfo good{.execTime = 1, .powerUsage = 1};
    Capabilities capabilities{.relaxedFloat32toFloat16PerformanceScalar = good,
                              .relaxedFloat32toFloat16PerformanceTensor = good,
                              .ifPerformance = good,
                              .whilePerformance = good};
    capabilities.operandPerformance.update(OperandType::FLOAT32,
                                           {.execTime = execTime, .powerUsage = 1});
    return validate(capabilities).status();
}

// A HAL object whose table has these entries in this order.
Status withTable(std::vector<V1_3::OperandType> types) {
    V1_3::Capabilities capabilities;
    for (V1_0::PerformanceInfo* info :
         {&capabilities.relaxedFloat32toFloat16PerformanceScalar,
          &capabilities.relaxedFloat32toFloat16PerformanceTensor, &capabilities.ifPerformance,
          &capabilities.whilePerformance}) {
        *info = {.execTime = 1, .powerUsage = 1};
    }
    capabilities.operandPerformance.resize(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
        capabilities.operandPerformance[i] = {.type = types[i],
                                              .info = {.execTime = 1, .powerUsage = 1}};
    }
    return convert(capabilities).status();
}

// The same for AIDL.
Status withAidlTable(std::vector<aidl_hal::OperandType> types) {
    aidl_hal::Capabilities capabilities;
    for (aidl_hal::PerformanceInfo* info :
         {&capabilities.relaxedFloat32toFloat16PerformanceScalar,
          &capabilities.relaxedFloat32toFloat16PerformanceTensor, &capabilities.ifPerformance,
          &capabilities.whilePerformance}) {
        *info = {.execTime = 1, .powerUsage = 1};
    }
    for (const aidl_hal::OperandType type : types) {
        capabilities.operandPerformance.push_back(
                {.type = type, .info = {.execTime = 1, .powerUsage = 1}});
    }
    return convert(capabilities).status();
}

Status aidlTiming(int64_t onDevice, int64_t inDriver) {
    return convert(aidl_hal::Timing{.timeOnDeviceNs = onDevice, .timeInDriverNs = inDriver})
            .status();
}

// Prepares or executes a slow model with a deadline or a loop timeout.
Status executed(OptionalTimePoint preparation, OptionalTimePoint execution,
                OptionalDuration loopTimeout) {
    for (const Subject& subject : subjects()) {
        if (subject.operation().type != OperationType::WHILE) continue;
        NNAPI_ASSIGN_OR_RETURN(prepared,
                               prepare(subject.model, {.until = {.deadline = preparation}}));
        return prepared.run(subject.inputs, {.deadline = execution, .loopTimeout = loopTimeout})
                .status();
    }
    return makeError(ErrorStatus::GENERAL_FAILURE, "no WHILE");
}

struct Row {
    std::string_view name;
    Status (*run)();
    std::string_view expected;  // the rule, or the code if there is none
};

constexpr V1_3::OperandType kFloat = V1_3::OperandType::FLOAT32;
constexpr V1_3::OperandType kInt = V1_3::OperandType::INT32;

const Row kRows[] = {
        {"HalTimeMax", [] { return convert(halTime(UINT64_MAX)).status(); }, "NONE"},
        {"HalTimeBehindInt64", [] { return convert(halTime(uint64_t{1} << 63)).status(); }, "NONE"},
        {"HalDurationMax", [] { return convert(halDuration(UINT64_MAX)).status(); }, "NONE"},
        {"TimeNegative", [] { return validate(OptionalTimePoint(TimePoint(-1ns))).status(); },
         "time.negative"},
        {"TimeLeast", [] { return validate(OptionalTimePoint(TimePoint::min())).status(); },
         "time.negative"},
        {"DurationNegative", [] { return validate(OptionalDuration(-1ns)).status(); },
         "time.negative"},
        {"DurationLeast",
         [] { return V1_3::utils::convert(OptionalDuration(Duration::min())).status(); },
         "time.negative"},
        {"TimingNegative",
         [] { return validate(Timing{.timeOnDevice = -1ns, .timeInDriver = 1ns}).status(); },
         "time.negative"},
        {"TimingInTheWrongOrder",
         [] { return validate(Timing{.timeOnDevice = 2ns, .timeInDriver = 1ns}).status(); },
         "timing.order"},
        {"PreparationDeadlineInThePast", [] { return executed(Clock::now() - 1s, {}, {}); },
         "until.deadline"},
        {"PreparationDeadlineLeast", [] { return executed(TimePoint::min(), {}, {}); },
         "until.deadline"},
        {"ExecutionDeadlineInThePast", [] { return executed({}, Clock::now() - 1s, {}); },
         "interpreter.deadline"},
        {"ExecutionDeadlineMax", [] { return executed(TimePoint::max(), TimePoint::max(), {}); },
         "NONE"},
        {"LoopTimeoutNegative", [] { return executed({}, {}, Duration::min()); }, "NONE"},
        {"LoopTimeoutMax", [] { return executed({}, {}, Duration::max()); }, "NONE"},

        {"AidlTimeMax", [] { return convertAs<OptionalTimePoint>(INT64_MAX).status(); }, "NONE"},
        {"AidlTimeLeast", [] { return convertAs<OptionalTimePoint>(INT64_MIN).status(); },
         "convert.range"},
        {"AidlDurationMax", [] { return convertAs<OptionalDuration>(INT64_MAX).status(); }, "NONE"},
        {"AidlDurationNegative", [] { return convertAs<OptionalDuration>(int64_t{-2}).status(); },
         "convert.range"},
        {"AidlDurationLeast",
         [] { return AIDL1::utils::convert(OptionalDuration(Duration::min())).status(); },
         "time.negative"},
        {"AidlTimingNegative", [] { return aidlTiming(-2, 1); }, "convert.range"},
        {"AidlTimingInTheWrongOrder", [] { return aidlTiming(2, 1); }, "timing.order"},

        {"DeviceStatus", [] { return outOfRange<DeviceStatus>(3); }, "enumeration.value"},
        {"ExecutionPreference", [] { return outOfRange<ExecutionPreference>(2); },
         "enumeration.value"},
        {"DeviceType", [] { return outOfRange<DeviceType>(4); }, "enumeration.value"},
        {"MeasureTiming", [] { return outOfRange<MeasureTiming>(1); }, "enumeration.value"},
        {"Priority", [] { return outOfRange<Priority>(2); }, "enumeration.value"},
        {"FusedActivationFunc", [] { return outOfRange<FusedActivationFunc>(3); },
         "enumeration.value"},
        {"ErrorStatusNegative", [] { return ofCode<ErrorStatus>(-1); }, "enumeration.value"},
        {"ErrorStatusMax", [] { return ofCode<ErrorStatus>(INT32_MAX); }, "enumeration.value"},
        {"OperandTypeUnknown", [] { return ofCode<OperandType>(16); }, "operand.type"},
        {"OperationTypeUnknown", [] { return ofCode<OperationType>(kOperationCount); },
         "operation.type"},

        {"PerformanceNaN", [] { return withPerformance(NAN); }, "capabilities.performance"},
        {"PerformanceNegative", [] { return withPerformance(-1); }, "capabilities.performance"},
        {"PerformanceMinus0", [] { return withPerformance(-0.0f); }, "capabilities.performance"},
        {"PerformanceUnsorted",
         [] {
             return withTable({kInt, kFloat});
         },
         "convert.performance_order"},
        {"PerformanceTwice",
         [] {
             return withTable({kFloat, kFloat});
         },
         "convert.performance_order"},

        {"AidlPerformanceUnsorted",
         [] {
             return withAidlTable({aidl_hal::OperandType::INT32, aidl_hal::OperandType::FLOAT32});
         },
         "convert.performance_order"},
        {"AidlPerformanceTwice",
         [] {
             return withAidlTable({aidl_hal::OperandType::FLOAT32, aidl_hal::OperandType::FLOAT32});
         },
         "convert.performance_order"},
        {"AidlPerformanceOfOem",
         [] { return withAidlTable({static_cast<aidl_hal::OperandType>(10000)}); },
         "convert.enumerator"},

        {"HandlesOfAHundredFiles", [] { return validate(std::vector<SharedHandle>(100)).status(); },
         "NONE"},
        {"HandleWithoutFile",
         [] { return validate(SharedHandle(std::make_shared<const Handle>(UniqueFd()))).status(); },
         "handle.fd"},
        {"CacheOf33ModelFiles", [] { return validateNumberOfCacheFiles(33, 0); }, "cache.number"},
        {"CacheOf33DataFiles", [] { return validateNumberOfCacheFiles(0, 33); }, "cache.number"},
        {"AidlCacheOf33ModelFiles",
         [] {
             return convert(aidl_hal::NumberOfCacheFiles{33, 0}).status();
         },
         "cache.number"},
        {"AidlCacheOfNegativeFiles",
         [] {
             return convert(aidl_hal::NumberOfCacheFiles{0, INT32_MIN}).status();
         },
         "convert.range"},
        {"CacheFilesUnwanted",
         [] { return validateCacheFiles(std::vector<SharedHandle>(33), 32).status(); },
         "cache.files"},
        {"CacheFileNull",
         [] { return validateCacheFiles(std::vector<SharedHandle>(32), 32).status(); },
         "cache.null"},
};

TEST(Hostile, Times) {
    for (const Row& row : kRows) {
        const Status status = row.run();
        const auto why = diagnostic(status);
        EXPECT_EQ(why ? why->rule : toString(errorStatus(status)), row.expected)
                << row.name << ": " << std::string(status.message());
    }
    EXPECT_EQ(std::size(kRows), kTimes);
}

}  // namespace
}  // namespace nn::hostile::times_test
