// Invalid results of devices as clients see them: every version, every execution mode and every
// invalid result, in both directions. Behind an adapter, a canonical device returns them to clients
// of a version; behind a wrapper, a driver of a version returns them to a canonical client. Each
// row is one invalid result. Rules hidl.statuses, hidl.successful_launch, hidl.absent_timing,
// hidl.failed_fenced, wrapper.failed_creation, wrapper.notified_status, wrapper.failed_outputs,
// wrapper.v1_0_execute, wrapper.no_fallback, wrapper.insufficient_size,
// wrapper.insufficient_launch, wrapper.unconvertible_result, wrapper.checked_shapes,
// wrapper.v1_0_notification, wrapper.fenced, wrapper.reusable_fenced,
// adapter.asynchronous_execution, adapter.synchronous_execution, adapter.fenced,
// adapter.execution_info, adapter.burst, callback.synchronous, resilient.objects,
// burst.large_result, deadline.exhausted_resources and aidl.insufficient_size.
#include "driver/execution_clients.h"
#include "driver/execution_drivers.h"

namespace nn::results_matrix_test {
namespace {

using namespace execution_modes;
using namespace std::chrono_literals;
using enum ErrorStatus;
using enum HalVersion;

// ---- results of devices, and the expected outcomes

constexpr Timing kTimes{.timeOnDevice = 3us, .timeInDriver = 4us};
constexpr Timing kTimesInDriver{.timeInDriver = 7us};
constexpr Timing kTimesOnDevice{.timeOnDevice = 0us};
constexpr Timing kTooLongOnDevice{.timeOnDevice = 4us, .timeInDriver = 3us};
constexpr Timing kNegative{.timeInDriver = -3us};

OutputShape sufficient(Dimensions dimensions) { return {std::move(dimensions), true}; }
OutputShape insufficient(Dimensions dimensions) { return {std::move(dimensions), false}; }

// Error messages, without the leading name of the call.
const char* const kNoShapes =
        "the driver reports no output shapes, allowed where model and request say all dimensions "
        "of outputs";
const char* const kZeroShapes =
        "the driver reports 0 output shapes, allowed 1, one for each output";
const char* const kTwoShapes = "the driver reports 2 output shapes, allowed 1, one for each output";
const char* const kNotSufficient =
        "the driver reports outputShapes[0] as not sufficient, allowed sufficient after a success";
const char* const kNoDimensions =
        "the driver reports outputShapes[0] without dimensions, allowed those of a tensor";
const char* const kAllSufficient =
        "the driver reports OUTPUT_INSUFFICIENT_SIZE, but all outputs as sufficient";
const char* const kWrongOrder =
        "timeOnDevice is 4000 ns, allowed at most timeInDriver, which is 3000 ns [timing.order]";
const char* const kBelowZero = "timeInDriver is -3000 ns, allowed 0 or more [time.negative]";

std::string wrongDimensions(const std::string& found, const std::string& allowed) {
    return "the driver reports outputShapes[0] with dimensions " + found + ", allowed " + allowed +
           ", where 0 is not known beforehand";
}

// GENERAL_FAILURE with this message.
Seen wrong(std::string message) { return {.message = std::move(message)}; }

// A failure for which the device returns only the code. A code that the version lacks becomes
// GENERAL_FAILURE.
Seen codeIn(HalVersion version, ErrorStatus code) {
    const auto number = static_cast<int32_t>(code);
    const int32_t most = version < V1_3 ? 4 : 8;
    return {.code = number < 0 || number > most ? GENERAL_FAILURE : code};
}

struct Row {
    const char* name;
    ExecutionCase execution;
    Behavior behavior;
    Seen seen;  // a failure has its message without the call; an empty message means the code's own
    // The outcome if the wrapper or adapter does not have the model.
    std::optional<Seen> withoutModel{};
    // The outcome of fenced executions, which return neither shapes nor, at their launch, times.
    std::optional<Seen> fenced{};
    // The outcome with drivers of HAL 1.0, which return neither shapes nor times.
    std::optional<Seen> by1_0{};
    // The outcome for clients of HAL 1.0, which receive neither shapes nor times; the adapter does
    // not request times from the device.
    std::optional<ErrorStatus> to1_0{};
    // Wrappers also check times that the client did not request; HIDL bursts do not.
    std::optional<Seen> byDriver{};
    // AIDL drivers return either shapes or a code.
    std::optional<Seen> byAidl{};
    // The outcome with HIDL drivers, whose times are unsigned.
    std::optional<Timing> byHidl{};

    // The device's own result.
    Seen asSaid() const {
        const auto& [code, outputShapes, timing, lie] = behavior;
        const bool isTimed = code == NONE && execution.measure == MeasureTiming::YES;
        return {code, outputShapes, isTimed ? timing : Timing(), {}};
    }
    Row&& passedWithoutModel() && {
        withoutModel = asSaid();
        return std::move(*this);
    }
    // For invalid times.
    Row&& soIsFenced() && {
        fenced = seen;
        fenced->outputShapes.clear();
        return std::move(*this);
    }
    // Model and request leave dimensions unspecified.
    Row&& needsShapes() && {
        by1_0 = wrong(kNoShapes);
        return std::move(*this);
    }
    Row&& to1_0Is(ErrorStatus code) && {
        to1_0 = code;
        return std::move(*this);
    }
    Row&& byDriverIs(Seen other) && {
        byDriver = std::move(other);
        return std::move(*this);
    }
    Row&& byAidlIs(Seen other) && {
        byAidl = std::move(other);
        return std::move(*this);
    }
    Row&& byHidlIs(Timing other) && {
        byHidl = other;
        return std::move(*this);
    }
};

Row passed(const char* name, const ExecutionCase& execution, const Behavior& behavior) {
    Row row{name, execution, behavior, {}};
    row.seen = row.asSaid();
    return row;
}
Row refused(const char* name, const ExecutionCase& execution, const Behavior& behavior,
            const std::string& message) {
    return {name, execution, behavior, wrong(message)};
}

const std::vector<Row>& rows() {
    const ExecutionCase kModel{};
    const ExecutionCase kTimed{.measure = MeasureTiming::YES};
    const ExecutionCase kOpen{.model = {0}, .inputs = {4}};
    const ExecutionCase kRequest{.model = {0}, .inputs = {4}, .outputs = {4}};
    const ExecutionCase kHalfOpen{.model = {0, 4}, .inputs = {1, 4}};
    const ExecutionCase kHalfRequest{.model = {0, 0}, .inputs = {2, 2}, .outputs = {3, 0}};
    const Shapes kRight = {sufficient({4})};
    const Shapes kSmall = {insufficient({4})};
    const Shapes kTwo = {kRight[0], kRight[0]};
    const Shapes kTwoSmall = {kSmall[0], kSmall[0]};
    const auto kTooSmall = OUTPUT_INSUFFICIENT_SIZE;
    const auto one = [](Dimensions dimensions) {
        return Shapes{sufficient(std::move(dimensions))};
    };
    const auto small = [](Dimensions dimensions) {
        return Shapes{insufficient(std::move(dimensions))};
    };
    static const std::vector<Row> kRows = {
            // ---- valid results
            passed("Right", kModel, {NONE, kRight}),
            passed("RightWithTimes", kTimed, {NONE, kRight, kTimes}).soIsFenced(),
            passed("RightWithTimeInDriver", kTimed, {NONE, kRight, kTimesInDriver}).soIsFenced(),
            passed("RightWithTimeOnDevice", kTimed, {NONE, kRight, kTimesOnDevice}).soIsFenced(),
            passed("RightWithoutTimes", kTimed, {NONE, kRight}),
            passed("RightWithoutShapes", kModel, {NONE}),
            passed("RightOfARequest", kRequest, {NONE, kRight}),
            passed("RightOfARequestWithoutShapes", kRequest, {NONE}),
            passed("RightOfAnOpenModel", kOpen, {NONE, kRight}).needsShapes(),
            passed("RightOfAHalfOpenModel", kHalfOpen, {NONE, one({1, 4})}).needsShapes(),
            passed("Empty", kHalfOpen, {NONE, one({0, 4})}).needsShapes(),
            passed("TooSmall", kModel, {kTooSmall, kSmall}),
            passed("TooSmallOfAHalfOpenModel", kHalfOpen, {kTooSmall, small({2, 4})}),
            passed("TooSmallOfUnknownExtent", kHalfOpen, {kTooSmall, small({0, 4})}),
            passed("TooSmallOfUnknownExtentOfARequest", kHalfRequest, {kTooSmall, small({3, 0})}),
            passed("TooSmallWithTimes", kTimed, {kTooSmall, kSmall, kTimes}),

            // ---- codes, where the version has them
            passed("Unavailable", kModel, {DEVICE_UNAVAILABLE}),
            passed("Fails", kModel, {GENERAL_FAILURE}),
            passed("Invalid", kModel, {INVALID_ARGUMENT}),
            passed("Late", kModel, {MISSED_DEADLINE_TRANSIENT}),
            passed("TooLate", kModel, {MISSED_DEADLINE_PERSISTENT}),
            passed("Full", kModel, {RESOURCE_EXHAUSTED_TRANSIENT}),
            passed("FullForGood", kModel, {RESOURCE_EXHAUSTED_PERSISTENT}),
            passed("CodeOfNoVersion", kModel, {DEAD_OBJECT}),
            passed("UnknownCode", kModel, {ErrorStatus(77)}),
            passed("NegativeCode", kModel, {ErrorStatus(-1)}),
            passed("FailureWithTimes", kTimed, {INVALID_ARGUMENT, {}, kTimes}),

            // ---- times
            passed("TimesUnasked", kModel, {NONE, kRight, kTimes}),
            passed("ImpossibleTimesUnasked", kModel, {NONE, kRight, kTooLongOnDevice})
                    .byDriverIs(wrong(kWrongOrder)),
            refused("ImpossibleTimes", kTimed, {NONE, kRight, kTooLongOnDevice}, kWrongOrder)
                    .soIsFenced()
                    .to1_0Is(NONE),
            refused("NegativeTimes", kTimed, {NONE, kRight, kNegative}, kBelowZero)
                    .soIsFenced()
                    .to1_0Is(NONE)
                    .byDriverIs(wrong("timeInDriverNs: time is -3000 ns, allowed 0 or more, or -1 "
                                      "for none [convert.range]"))
                    .byHidlIs({.timeInDriver = Duration::max()}),

            // ---- shapes of a success
            refused("OtherExtent", kModel, {NONE, one({5})}, wrongDimensions("[5]", "[4]"))
                    .passedWithoutModel(),
            refused("OtherRank", kModel, {NONE, one({2, 2})}, wrongDimensions("[2, 2]", "[4]"))
                    .passedWithoutModel(),
            refused("NoDimensions", kModel, {NONE, one({})}, kNoDimensions).passedWithoutModel(),
            refused("TooManyShapes", kModel, {NONE, kTwo}, kTwoShapes),
            refused("SuccessTooSmall", kModel, {NONE, kSmall}, kNotSufficient),
            refused("OtherRankOfAnOpenModel", kOpen, {NONE, one({2, 2})},
                    wrongDimensions("[2, 2]", "[0]"))
                    .passedWithoutModel()
                    .needsShapes(),
            refused("LargerThanTheOutput", kOpen, {NONE, one({5})},
                    "the driver reports outputShapes[0] as sufficient with dimensions [5], allowed "
                    "what fits the output's 16 bytes")
                    .passedWithoutModel()
                    .needsShapes(),
            refused("NoShapesOfAnOpenModel", kOpen, {NONE}, kNoShapes)
                    .passedWithoutModel()
                    .needsShapes(),
            refused("OtherExtentThanRequested", kRequest, {NONE, one({5})},
                    wrongDimensions("[5]", "[4]")),
            refused("OtherExtentOfAHalfOpenModel", kHalfOpen, {NONE, one({1, 5})},
                    wrongDimensions("[1, 5]", "[0, 4]"))
                    .passedWithoutModel()
                    .needsShapes(),
            refused("HigherRankOfAHalfOpenModel", kHalfOpen, {NONE, one({1, 1, 4})},
                    wrongDimensions("[1, 1, 4]", "[0, 4]"))
                    .passedWithoutModel()
                    .needsShapes(),
            refused("LowerRankThanRequested", kHalfRequest, {NONE, one({3})},
                    wrongDimensions("[3]", "[3, 0]"))
                    .needsShapes(),
            refused("OtherExtentThanHalfRequested", kHalfRequest, {NONE, one({4, 5})},
                    wrongDimensions("[4, 5]", "[3, 0]"))
                    .needsShapes(),

            // ---- shapes of outputs that are too small
            refused("TooSmallWithoutShapes", kModel, {kTooSmall}, kZeroShapes).to1_0Is(kTooSmall),
            refused("TooSmallOfTooMany", kModel, {kTooSmall, kTwoSmall}, kTwoShapes),
            refused("TooSmallButSufficient", kModel, {kTooSmall, kRight}, kAllSufficient),
            refused("TooSmallOfOtherExtent", kModel, {kTooSmall, small({5})},
                    wrongDimensions("[5]", "[4]"))
                    .passedWithoutModel(),
            refused("TooSmallWithoutDimensions", kModel, {kTooSmall, small({})},
                    wrongDimensions("[]", "[4]"))
                    .passedWithoutModel(),
            refused("TooSmallOfLessThanTheModel", kHalfOpen, {kTooSmall, small({2, 0})},
                    wrongDimensions("[2, 0]", "[0, 4]"))
                    .passedWithoutModel(),
            refused("TooSmallOfLessThanRequested", kHalfRequest, {kTooSmall, small({0, 5})},
                    wrongDimensions("[0, 5]", "[3, 0]")),

            // ---- shapes of a failure
            refused("FailureWithShapes", kModel, {INVALID_ARGUMENT, kSmall},
                    "the driver reports INVALID_ARGUMENT and 1 output shapes, allowed none")
                    .byAidlIs({INVALID_ARGUMENT}),
    };
    return kRows;
}

// The failure as a client sees it: the message begins with the call, and names the code if there is
// no other text.
Seen withMessage(const std::string& call, Seen seen) {
    if (seen.code == NONE) return seen;
    if (seen.message.empty()) seen.message = "the driver reports " + toString(seen.code);
    seen.message = call + ": " + seen.message;
    return seen;
}

void expectAll(
        const std::vector<ExecutionMode>& modes,
        const std::function<Seen(const Row&, const ExecutionMode&, bool isModelKnown)>& expected) {
    for (const ExecutionMode& mode : modes) {
        for (const Row& row : rows()) {
            for (const bool isModelKnown : {true, false}) {
                SCOPED_TRACE(mode.name + " " + row.name + (isModelKnown ? "" : " from a cache"));
                ExecutionCase execution = row.execution;
                execution.isModelKnown = isModelKnown;
                EXPECT_EQ(mode.see(row.behavior, execution), expected(row, mode, isModelKnown));
            }
        }
    }
}

// ---- results

TEST(ResultsMatrix, OfCanonicalDevicesToClientsOfAVersion) {
    expectAll(adapterModes(), [](const Row& row, const ExecutionMode& mode, bool isModelKnown) {
        const auto& [code, outputShapes, timing, lie] = row.behavior;
        Seen seen = isModelKnown ? row.seen : row.withoutModel.value_or(row.seen);
        if (mode.isFenced()) seen = row.fenced.value_or(codeIn(mode.version, code));
        if (mode.version == V1_0) seen = {.code = row.to1_0.value_or(seen.code)};
        seen.code = codeIn(mode.version, seen.code).code;
        // HIDL has no messages, and neither have outputs that are too small or fenced executions.
        if (seen.code == NONE || mode.isHidl() || (mode.isFenced() && code == NONE) ||
            (!mode.isFenced() && seen.code == OUTPUT_INSUFFICIENT_SIZE)) {
            seen.message.clear();
        } else if (seen.message.empty()) {
            seen.message = "no";  // the device's message
        } else {
            seen = withMessage(mode.judged, seen);
        }
        return seen;
    });
}

TEST(ResultsMatrix, OfDriversOfAVersionToCanonicalClients) {
    expectAll(wrapperModes(),
              [](const Row& row, const ExecutionMode& mode, bool isModelKnown) -> Seen {
                  const ErrorStatus code = row.behavior.code;
                  if (mode.isFenced()) {
                      if (mode.version < V1_3) {
                          return wrong(std::string(mode.version < V1_2 ? "HAL 1.0" : "HAL 1.2") +
                                       " has no fenced executions");
                      }
                      if (row.byHidl && mode.isHidl()) return {NONE, {}, *row.byHidl, {}};
                      const Seen seen = row.byDriver.value_or(
                              row.fenced.value_or(codeIn(mode.version, code)));
                      return withMessage(seen.message.empty() ? mode.judged : "getExecutionInfo",
                                         seen);
                  }
                  if (mode.version < V1_2) {
                      const Seen alone = codeIn(mode.version, code);
                      return withMessage(mode.judged,
                                         isModelKnown ? row.by1_0.value_or(alone) : alone);
                  }
                  if (row.byHidl && mode.isHidl())
                      return {NONE, row.behavior.outputShapes, *row.byHidl, {}};
                  const bool isBurstOfHidl = mode.isHidl() && mode.isBurst();
                  if (row.byDriver && !isBurstOfHidl)
                      return withMessage(mode.judged, *row.byDriver);
                  if (!mode.isHidl() && row.byAidl) return withMessage(mode.judged, *row.byAidl);
                  Seen seen = isModelKnown ? row.seen : row.withoutModel.value_or(row.seen);
                  // With HAL 1.3, bursts are those of HAL 1.2.
                  const HalVersion version = isBurstOfHidl ? V1_2 : mode.version;
                  if (seen.message.empty()) seen.code = codeIn(version, seen.code).code;
                  return withMessage(mode.judged, seen);
              });
}

// ---- violations apart from results

bool isFenced(const ExecutionMode& mode) { return mode.isFenced(); }
bool isFencedOfHidl(const ExecutionMode& mode) { return mode.isFenced() && mode.isHidl(); }
bool isFencedOfAidl(const ExecutionMode& mode) { return mode.isFenced() && !mode.isHidl(); }
bool isBurst(const ExecutionMode& mode) { return mode.isBurst(); }
bool isQueue(const ExecutionMode& mode) { return mode.judged == "IBurst::execute"; }
bool isCallback(const ExecutionMode& mode) {
    return mode.isHidl() && !mode.isFenced() &&
           (mode.judged == "execute" || mode.judged == "execute_1_2" ||
            mode.judged == "execute_1_3");
}
bool isAtOnce(const ExecutionMode& mode) {
    return mode.isHidl() && !isCallback(mode) && !isQueue(mode);
}
bool isAidl(const ExecutionMode& mode) { return !mode.isHidl(); }
bool isAidlAtOnce(const ExecutionMode& mode) { return isAidl(mode) && !mode.isFenced(); }
bool isBurstOfAidl(const ExecutionMode& mode) { return isAidl(mode) && mode.isBurst(); }
bool isReusableOfAidl4(const ExecutionMode& mode) {
    return mode.version == AIDL4 && mode.isReusable() && !mode.isBurst();
}

struct LieRow {
    const char* name;
    bool (*tells)(const ExecutionMode&);  // whether the mode can show this violation
    Lie lie;
    Seen seen;
    ErrorStatus code = NONE;  // the result that accompanies the violation
    int calls = 1;            // how many times the message begins with the call
    ExecutionCase execution{};

    Behavior behavior() const { return {.code = code, .lie = lie}; }
};

void expectLies(const std::vector<ExecutionMode>& modes, std::span<const LieRow> lies,
                const std::function<Seen(const LieRow&, const ExecutionMode&)>& expected) {
    for (const LieRow& lie : lies) {
        size_t told = 0;
        for (const ExecutionMode& mode : modes) {
            if (!lie.tells(mode)) continue;
            if (mode.isFenced() && mode.version < V1_3) continue;
            SCOPED_TRACE(mode.name + " " + lie.name);
            const TimePoint began = Clock::now();
            EXPECT_EQ(mode.see(lie.behavior(), lie.execution), expected(lie, mode));
            EXPECT_LT(Clock::now() - began, 5s);
            ++told;
        }
        EXPECT_GT(told, 0u) << lie.name;
    }
}

// faults_test.cc covers calls that fail, and notifications that are missing, late or repeated.
TEST(ResultsMatrix, OfDriversThatLieOtherwise) {
    const ExecutionCase kOpen{.model = {0}, .inputs = {4}};
    const ExecutionCase kRequest{.model = {0}, .inputs = {4}, .outputs = {4}};
    const Seen kTooSmall{OUTPUT_INSUFFICIENT_SIZE};
    using enum Lie;
    constexpr auto kNone = ErrorStatus::NONE;
    const LieRow kLies[] = {
            {"Silent", isAtOnce, SILENT, wrong("the driver returns without results")},
            {"TooSmallAsAFailure", isAidlAtOnce, TOO_SMALL_CODE,
             wrong("the driver reports OUTPUT_INSUFFICIENT_SIZE"), kNone, 2},
            {"NoInfo", isFenced, NULL_INFO, wrong("the driver reports NONE without a callback")},
            {"NoBurst", isQueue, NULL_BURST, wrong("configureExecutionBurst returns no context"),
             kNone, 0},
            {"NoBurst", isBurstOfAidl, NULL_BURST,
             wrong("configureExecutionBurst: the driver reports NONE without a burst"), kNone, 0},
            {"NoExecution", isReusableOfAidl4, NULL_EXECUTION,
             wrong("createReusableExecution: the driver reports NONE without an execution"), kNone,
             0},

            {"NotifiesAsOf1_0", isCallback, NOTIFIES_WITH_1_0, {kNone}},
            {"OfAnOpenModel", isCallback, NOTIFIES_WITH_1_0, wrong(kNoShapes), kNone, 1, kOpen},
            {"OfARequest", isCallback, NOTIFIES_WITH_1_0, {kNone}, kNone, 1, kRequest},
            {"TooSmallAsOf1_0", isCallback, NOTIFIES_WITH_1_0, kTooSmall, OUTPUT_INSUFFICIENT_SIZE},
    };
    expectLies(wrapperModes(), kLies, [](const LieRow& lie, const ExecutionMode& mode) {
        Seen seen = lie.seen;
        for (int i = 0; i < lie.calls; ++i) seen = withMessage(mode.judged, seen);
        return seen;
    });
}

TEST(ResultsMatrix, OfCanonicalDevicesWithOtherViolations) {
    using enum Lie;
    const LieRow kLies[] = {
            {"NoInfo", isFenced, NULL_INFO, wrong("the device gave no callback")},
            {"ClosedFence", isFencedOfHidl, CLOSED_FENCE, wrong("")},
            {"ClosedFence", isFencedOfAidl, CLOSED_FENCE, {ErrorStatus::NONE}},
            {"NoBurst", isBurst, NULL_BURST, wrong("the device gave no burst")},
            {"NoExecution", isReusableOfAidl4, NULL_EXECUTION,
             wrong("the device gave no execution")},
    };
    expectLies(adapterModes(), kLies, [](const LieRow& lie, const ExecutionMode& mode) {
        Seen seen = lie.seen;
        if (mode.isHidl()) seen.message.clear();
        return seen;
    });
}

}  // namespace
}  // namespace nn::results_matrix_test
