// What clients see where a device answers what it may not: every version, every way of executing,
// every lie, in both directions. Behind an adapter a canonical device lies to clients of a version,
// behind a wrapper a driver of a version lies to a canonical client. One row a lie. Rules 14 to 18,
// 40, 43, 46, 48, 52, 57, 69 to 71, 82, 83, 85 to 90, 92, 97, 114, 116 to 118, 121, 123, 127, 128,
// 147, 178, 208 and 255.
#include "driver/execution_clients.h"
#include "driver/execution_drivers.h"

namespace nn::answers_matrix_test {
namespace {

using namespace execution_ways;
using namespace std::chrono_literals;
using enum ErrorStatus;
using enum HalVersion;

// ---- what devices answer, and what becomes of it

constexpr Timing kTimes{.timeOnDevice = 3us, .timeInDriver = 4us};
constexpr Timing kTimesInDriver{.timeInDriver = 7us};
constexpr Timing kTimesOnDevice{.timeOnDevice = 0us};
constexpr Timing kTooLongOnDevice{.timeOnDevice = 4us, .timeInDriver = 3us};
constexpr Timing kNegative{.timeInDriver = -3us};
constexpr auto kMeasured = MeasureTiming::YES;

OutputShape sufficient(Dimensions dimensions) { return {std::move(dimensions), true}; }
OutputShape insufficient(Dimensions dimensions) { return {std::move(dimensions), false}; }

// Messages of refusals, after the call.
const char* const kNoShapes =
        "the driver answers no output shapes, allowed where model and request say all dimensions "
        "of outputs";
const char* const kZeroShapes =
        "the driver answers 0 output shapes, allowed 1, one for each output";
const char* const kTwoShapes = "the driver answers 2 output shapes, allowed 1, one for each output";
const char* const kNotSufficient =
        "the driver answers outputShapes[0] as not sufficient, allowed sufficient after a success";
const char* const kNoDimensions =
        "the driver answers outputShapes[0] without dimensions, allowed those of a tensor";
const char* const kAllSufficient =
        "the driver answers OUTPUT_INSUFFICIENT_SIZE, but all outputs as sufficient";
const char* const kWrongOrder =
        "timeOnDevice is 4000 ns, allowed at most timeInDriver, which is 3000 ns [timing.order]";
const char* const kBelowZero = "timeInDriver is -3000 ns, allowed 0 or more [time.negative]";

std::string wrongDimensions(const std::string& found, const std::string& allowed) {
    return "the driver answers outputShapes[0] with dimensions " + found + ", allowed " + allowed +
           ", where 0 is not known beforehand";
}

// GENERAL_FAILURE, with this message.
Seen wrong(std::string message) { return {.message = std::move(message)}; }

// A failure of which the device says its code alone. A code that the version does not have is
// GENERAL_FAILURE.
Seen codeIn(HalVersion version, ErrorStatus code) {
    const auto number = static_cast<int32_t>(code);
    const int32_t most = version < V1_3 ? 4 : 8;
    return {.code = number < 0 || number > most ? GENERAL_FAILURE : code};
}

struct Row {
    const char* name;
    Behaviour behaviour{};
    Asked asked{};
    Seen seen{};
    // Where the wrapper or adapter has not seen the model.
    std::optional<Seen> withoutModel{};
    // Fenced executions answer neither shapes nor, at their launch, times: the code.
    std::optional<Seen> fenced{};
    // Drivers of HAL 1.0 answer neither shapes nor times: the code.
    std::optional<Seen> by1_0{};
    // Clients of HAL 1.0 see neither shapes nor times, and nobody asks the device for times.
    std::optional<ErrorStatus> to1_0{};
    // Wrappers look at times that nobody asked for, too; bursts of HIDL do not.
    std::optional<Seen> byDriver{};
    // Drivers of AIDL answer shapes or a code.
    std::optional<Seen> byAidl{};
    // Times of drivers of HIDL have no sign: the time.
    std::optional<Timing> byHidl{};
};

const std::vector<Row>& rows() {
    const Asked kModel{};
    const Asked kTimed{.measure = kMeasured};
    const Asked kOpen{.model = {0}, .inputs = {4}};
    const Asked kRequest{.model = {0}, .inputs = {4}, .outputs = {4}};
    const Asked kHalfOpen{.model = {0, 4}, .inputs = {1, 4}};
    const Asked kHalfOfRequest{.model = {0, 0}, .inputs = {2, 2}, .outputs = {3, 0}};
    const Shapes kRight = {sufficient({4})};
    const Shapes kTooSmall = {insufficient({4})};
    const auto small = [](const Shapes& shapes) {
        return Seen{.code = OUTPUT_INSUFFICIENT_SIZE, .outputShapes = shapes};
    };
    static const std::vector<Row> kRows = {
            // ---- the truth
            {"Right", {NONE, kRight}, kModel, {NONE, kRight}},
            {"RightWithTimes",
             {NONE, kRight, kTimes},
             kTimed,
             {NONE, kRight, kTimes},
             {},
             Seen{NONE, {}, kTimes}},
            {"RightWithTimeInDriver",
             {NONE, kRight, kTimesInDriver},
             kTimed,
             {NONE, kRight, kTimesInDriver},
             {},
             Seen{NONE, {}, kTimesInDriver}},
            {"RightWithTimeOnDevice",
             {NONE, kRight, kTimesOnDevice},
             kTimed,
             {NONE, kRight, kTimesOnDevice},
             {},
             Seen{NONE, {}, kTimesOnDevice}},
            {"RightWithoutTimes", {NONE, kRight}, kTimed, {NONE, kRight}},
            {"RightWithoutShapes", {NONE}, kModel, {NONE}},
            {"RightOfARequest", {NONE, kRight}, kRequest, {NONE, kRight}},
            {"RightOfARequestWithoutShapes", {NONE}, kRequest, {NONE}},
            {"RightOfAnOpenModel", {NONE, kRight}, kOpen, {NONE, kRight}, {}, {}, wrong(kNoShapes)},
            {"RightOfAHalfOpenModel",
             {NONE, {sufficient({1, 4})}},
             kHalfOpen,
             {NONE, {sufficient({1, 4})}},
             {},
             {},
             wrong(kNoShapes)},
            {"Empty",
             {NONE, {sufficient({0, 4})}},
             kHalfOpen,
             {NONE, {sufficient({0, 4})}},
             {},
             {},
             wrong(kNoShapes)},
            {"TooSmall", {OUTPUT_INSUFFICIENT_SIZE, kTooSmall}, kModel, small(kTooSmall)},
            {"TooSmallOfAHalfOpenModel",
             {OUTPUT_INSUFFICIENT_SIZE, {insufficient({2, 4})}},
             kHalfOpen,
             small({insufficient({2, 4})})},
            {"TooSmallOfUnknownExtent",
             {OUTPUT_INSUFFICIENT_SIZE, {insufficient({3, 0})}},
             kHalfOfRequest,
             small({insufficient({3, 0})})},
            {"TooSmallWithTimes",
             {OUTPUT_INSUFFICIENT_SIZE, kTooSmall, kTimes},
             kTimed,
             small(kTooSmall)},

            // ---- codes
            {"Unavailable", {DEVICE_UNAVAILABLE}, kModel, {DEVICE_UNAVAILABLE}},
            {"Fails", {GENERAL_FAILURE}, kModel, {GENERAL_FAILURE}},
            {"Invalid", {INVALID_ARGUMENT}, kModel, {INVALID_ARGUMENT}},
            {"Late", {MISSED_DEADLINE_TRANSIENT}, kModel, {MISSED_DEADLINE_TRANSIENT}},
            {"TooLate", {MISSED_DEADLINE_PERSISTENT}, kModel, {MISSED_DEADLINE_PERSISTENT}},
            {"Full", {RESOURCE_EXHAUSTED_TRANSIENT}, kModel, {RESOURCE_EXHAUSTED_TRANSIENT}},
            {"FullForGood",
             {RESOURCE_EXHAUSTED_PERSISTENT},
             kModel,
             {RESOURCE_EXHAUSTED_PERSISTENT}},
            {"CodeOfNoVersion", {DEAD_OBJECT}, kModel, {GENERAL_FAILURE}},
            {"UnknownCode", {ErrorStatus(77)}, kModel, {GENERAL_FAILURE}},
            {"NegativeCode", {ErrorStatus(-1)}, kModel, {GENERAL_FAILURE}},
            {"FailureWithTimes", {INVALID_ARGUMENT, {}, kTimes}, kTimed, {INVALID_ARGUMENT}},

            // ---- times
            {"TimesUnasked", {NONE, kRight, kTimes}, kModel, {NONE, kRight}},
            {"ImpossibleTimesUnasked",
             {NONE, kRight, kTooLongOnDevice},
             kModel,
             {NONE, kRight},
             {},
             {},
             {},
             {},
             wrong(kWrongOrder)},
            {"ImpossibleTimes",
             {NONE, kRight, kTooLongOnDevice},
             kTimed,
             wrong(kWrongOrder),
             {},
             wrong(kWrongOrder),
             {},
             NONE},
            {"NegativeTimes",
             {NONE, kRight, kNegative},
             kTimed,
             wrong(kBelowZero),
             {},
             wrong(kBelowZero),
             {},
             NONE,
             wrong("timeInDriverNs: time is -3000 ns, allowed 0 or more, or -1 for none "
                   "[convert.range]"),
             {},
             Timing{.timeInDriver = Duration::max()}},

            // ---- shapes of a success
            {"OtherExtent",
             {NONE, {sufficient({5})}},
             kModel,
             wrong(wrongDimensions("[5]", "[4]")),
             Seen{NONE, {sufficient({5})}}},
            {"OtherRank",
             {NONE, {sufficient({2, 2})}},
             kModel,
             wrong(wrongDimensions("[2, 2]", "[4]")),
             Seen{NONE, {sufficient({2, 2})}}},
            {"NoDimensions",
             {NONE, {sufficient({})}},
             kModel,
             wrong(kNoDimensions),
             Seen{NONE, {sufficient({})}}},
            {"TooManyShapes", {NONE, {kRight[0], kRight[0]}}, kModel, wrong(kTwoShapes)},
            {"SuccessTooSmall", {NONE, kTooSmall}, kModel, wrong(kNotSufficient)},
            {"OtherRankOfAnOpenModel",
             {NONE, {sufficient({2, 2})}},
             kOpen,
             wrong(wrongDimensions("[2, 2]", "[0]")),
             Seen{NONE, {sufficient({2, 2})}},
             {},
             wrong(kNoShapes)},
            {"NoShapesOfAnOpenModel",
             {NONE},
             kOpen,
             wrong(kNoShapes),
             Seen{NONE},
             {},
             wrong(kNoShapes)},
            {"OtherExtentThanRequested",
             {NONE, {sufficient({5})}},
             kRequest,
             wrong(wrongDimensions("[5]", "[4]"))},
            {"OtherExtentOfAHalfOpenModel",
             {NONE, {sufficient({1, 5})}},
             kHalfOpen,
             wrong(wrongDimensions("[1, 5]", "[0, 4]")),
             Seen{NONE, {sufficient({1, 5})}},
             {},
             wrong(kNoShapes)},
            {"HigherRankOfAHalfOpenModel",
             {NONE, {sufficient({1, 1, 4})}},
             kHalfOpen,
             wrong(wrongDimensions("[1, 1, 4]", "[0, 4]")),
             Seen{NONE, {sufficient({1, 1, 4})}},
             {},
             wrong(kNoShapes)},
            {"LowerRankThanRequested",
             {NONE, {sufficient({3})}},
             kHalfOfRequest,
             wrong(wrongDimensions("[3]", "[3, 0]")),
             {},
             {},
             wrong(kNoShapes)},
            {"OtherExtentThanHalfRequested",
             {NONE, {sufficient({4, 5})}},
             kHalfOfRequest,
             wrong(wrongDimensions("[4, 5]", "[3, 0]")),
             {},
             {},
             wrong(kNoShapes)},

            // ---- shapes of what is too small
            {"TooSmallWithoutShapes",
             {OUTPUT_INSUFFICIENT_SIZE},
             kModel,
             wrong(kZeroShapes),
             {},
             {},
             {},
             OUTPUT_INSUFFICIENT_SIZE},
            {"TooSmallOfTooMany",
             {OUTPUT_INSUFFICIENT_SIZE, {kTooSmall[0], kTooSmall[0]}},
             kModel,
             wrong(kTwoShapes)},
            {"TooSmallButSufficient",
             {OUTPUT_INSUFFICIENT_SIZE, kRight},
             kModel,
             wrong(kAllSufficient)},
            {"TooSmallOfOtherExtent",
             {OUTPUT_INSUFFICIENT_SIZE, {insufficient({5})}},
             kModel,
             wrong(wrongDimensions("[5]", "[4]")),
             small({insufficient({5})})},
            {"TooSmallWithoutDimensions",
             {OUTPUT_INSUFFICIENT_SIZE, {insufficient({})}},
             kModel,
             wrong(wrongDimensions("[]", "[4]")),
             small({insufficient({})})},
            {"TooSmallOfLessThanTheModel",
             {OUTPUT_INSUFFICIENT_SIZE, {insufficient({2, 0})}},
             kHalfOpen,
             wrong(wrongDimensions("[2, 0]", "[0, 4]")),
             small({insufficient({2, 0})})},
            {"TooSmallOfLessThanRequested",
             {OUTPUT_INSUFFICIENT_SIZE, {insufficient({0, 5})}},
             kHalfOfRequest,
             wrong(wrongDimensions("[0, 5]", "[3, 0]"))},

            // ---- shapes of a failure
            {"FailureWithShapes",
             {INVALID_ARGUMENT, kTooSmall},
             kModel,
             wrong("the driver answers INVALID_ARGUMENT and 1 output shapes, allowed none"),
             {},
             {},
             {},
             {},
             {},
             Seen{INVALID_ARGUMENT}},
    };
    return kRows;
}

// A failure without a message of its own has its code for one.
Seen told(const std::string& call, Seen seen) {
    if (seen.code == NONE) return seen;
    if (seen.message.empty()) seen.message = "the driver answers " + toString(seen.code);
    seen.message = call + ": " + seen.message;
    return seen;
}

void expectAll(const std::vector<Way>& ways,
               const std::function<Seen(const Row&, const Way&, bool isModelKnown)>& expected) {
    for (const Way& way : ways) {
        for (const Row& row : rows()) {
            for (const bool isModelKnown : {true, false}) {
                SCOPED_TRACE(way.name + " " + row.name + (isModelKnown ? "" : " from a cache"));
                Asked asked = row.asked;
                asked.isModelKnown = isModelKnown;
                EXPECT_EQ(way.see(row.behaviour, asked), expected(row, way, isModelKnown));
            }
        }
    }
}

// ---- answers

TEST(AnswersMatrix, OfCanonicalDevicesToClientsOfAVersion) {
    expectAll(adapterWays(), [](const Row& row, const Way& way, bool isModelKnown) {
        const auto& [code, outputShapes, timing, lie] = row.behaviour;
        Seen seen = isModelKnown ? row.seen : row.withoutModel.value_or(row.seen);
        if (way.isFenced()) seen = row.fenced.value_or(codeIn(way.version, code));
        if (way.version == V1_0) seen = {.code = row.to1_0.value_or(seen.code)};
        seen.code = codeIn(way.version, seen.code).code;
        // HIDL has no messages, and neither have outputs that are too small, nor the fenced.
        if (seen.code == NONE || way.isHidl() || (way.isFenced() && code == NONE) ||
            (!way.isFenced() && seen.code == OUTPUT_INSUFFICIENT_SIZE)) {
            seen.message.clear();
        } else if (seen.message.empty()) {
            seen.message = "no";  // what the device says
        } else {
            seen = told(way.judged, seen);
        }
        return seen;
    });
}

TEST(AnswersMatrix, OfDriversOfAVersionToCanonicalClients) {
    expectAll(wrapperWays(), [](const Row& row, const Way& way, bool isModelKnown) -> Seen {
        const ErrorStatus code = row.behaviour.code;
        if (way.isFenced()) {
            if (way.version < V1_3) {
                return wrong(std::string(way.version < V1_2 ? "HAL 1.0" : "HAL 1.2") +
                             " has no fenced executions");
            }
            if (row.byHidl && way.isHidl()) return {NONE, {}, *row.byHidl, {}};
            const Seen seen = row.byDriver.value_or(row.fenced.value_or(codeIn(way.version, code)));
            return told(seen.message.empty() ? way.judged : "getExecutionInfo", seen);
        }
        if (way.version < V1_2) {
            const Seen alone = codeIn(way.version, code);
            return told(way.judged, isModelKnown ? row.by1_0.value_or(alone) : alone);
        }
        if (row.byHidl && way.isHidl()) return {NONE, row.behaviour.outputShapes, *row.byHidl, {}};
        const bool isBurstOfHidl = way.isHidl() && way.isBurst();
        if (row.byDriver && !isBurstOfHidl) return told(way.judged, *row.byDriver);
        if (!way.isHidl() && row.byAidl) return told(way.judged, *row.byAidl);
        Seen seen = isModelKnown ? row.seen : row.withoutModel.value_or(row.seen);
        // These are HAL 1.2's in 1.3, too.
        const HalVersion version = isBurstOfHidl ? V1_2 : way.version;
        if (seen.message.empty()) seen.code = codeIn(version, seen.code).code;
        return told(way.judged, seen);
    });
}

// ---- lies apart from answers

bool isAny(const Way&) { return true; }
bool isFenced(const Way& way) { return way.isFenced(); }
bool isFencedOfHidl(const Way& way) { return way.isFenced() && way.isHidl(); }
bool isFencedOfAidl(const Way& way) { return way.isFenced() && !way.isHidl(); }
bool isBurst(const Way& way) { return way.isBurst(); }
bool isQueue(const Way& way) { return way.judged == "IBurst::execute"; }
bool isCallback(const Way& way) {
    return way.isHidl() && !way.isFenced() &&
           (way.judged == "execute" || way.judged == "execute_1_2" || way.judged == "execute_1_3");
}
bool isAtOnce(const Way& way) { return way.isHidl() && !isCallback(way) && !isQueue(way); }
bool isCall(const Way& way) { return !isQueue(way); }
bool isAidl(const Way& way) { return !way.isHidl(); }
bool isAidlAtOnce(const Way& way) { return isAidl(way) && !way.isFenced(); }
bool isBurstOfAidl(const Way& way) { return isAidl(way) && way.isBurst(); }
bool isReusableOfAidl4(const Way& way) {
    return way.version == AIDL4 && way.isReusable() && !way.isBurst();
}

struct LieRow {
    const char* name;
    bool (*tells)(const Way&);  // the ways that can tell this lie
    Behaviour behaviour;
    Seen seen;
    Asked asked{};
    int calls = 1;  // how often the message begins with the call
};

void expectLies(const std::vector<Way>& ways, std::span<const LieRow> lies,
                const std::function<Seen(const LieRow&, const Way&)>& expected) {
    for (const LieRow& lie : lies) {
        size_t told = 0;
        for (const Way& way : ways) {
            if (!lie.tells(way)) continue;
            if (way.isFenced() && way.version < V1_3) continue;
            SCOPED_TRACE(way.name + " " + lie.name);
            const TimePoint began = Clock::now();
            EXPECT_EQ(way.see(lie.behaviour, lie.asked), expected(lie, way));
            EXPECT_LT(Clock::now() - began, 5s);
            ++told;
        }
        EXPECT_GT(told, 0u) << lie.name;
    }
}

TEST(AnswersMatrix, OfDriversThatLieOtherwise) {
    const Asked kOpen{.model = {0}, .inputs = {4}};
    const Asked kRequest{.model = {0}, .inputs = {4}, .outputs = {4}};
    const Seen kHasDied{DEAD_OBJECT, {}, {}, "the driver has died"};
    const std::string kNotAnswered = "the driver returns without results";
    const LieRow kLies[] = {
            {"Lost",
             isCall,
             {.lie = Lie::LOST},
             wrong("transaction failed with status -2147483646")},
            {"Dead", isCall, {.lie = Lie::DEAD}, {DEAD_OBJECT, {}, {}, "dead object"}},
            {"Silent", isAtOnce, {.lie = Lie::SILENT}, wrong(kNotAnswered)},
            {"Repeats", isAtOnce, {.lie = Lie::REPEATS}, {NONE}},
            {"TooSmallAsAFailure",
             isAidlAtOnce,
             {.lie = Lie::TOO_SMALL_CODE},
             wrong("the driver answers OUTPUT_INSUFFICIENT_SIZE"),
             {},
             2},
            {"NoInfo",
             isFenced,
             {.lie = Lie::NULL_INFO},
             wrong("the driver answers NONE without a callback")},
            {"NoBurst",
             isQueue,
             {.lie = Lie::NULL_BURST},
             wrong("configureExecutionBurst answers no context"),
             {},
             0},
            {"NoBurst",
             isBurstOfAidl,
             {.lie = Lie::NULL_BURST},
             wrong("configureExecutionBurst: the driver answers NONE without a burst"),
             {},
             0},
            {"NoExecution",
             isReusableOfAidl4,
             {.lie = Lie::NULL_EXECUTION},
             wrong("createReusableExecution: the driver answers NONE without an execution"),
             {},
             0},

            {"LaunchFails", isCallback, {.lie = Lie::LAUNCH_FAILS}, {DEVICE_UNAVAILABLE}},
            {"LaunchFailsOtherwise",
             isCallback,
             {.code = INVALID_ARGUMENT, .lie = Lie::LAUNCH_FAILS},
             {DEVICE_UNAVAILABLE}},
            {"LaunchIsTooSmall", isCallback, {.lie = Lie::LAUNCH_TOO_SMALL}, {NONE}},
            {"NotifiesTwice", isCallback, {.lie = Lie::NOTIFIES_TWICE}, {NONE}},
            {"NotifiesLater",
             isCallback,
             {.code = DEVICE_UNAVAILABLE, .lie = Lie::NOTIFIES_LATER},
             {DEVICE_UNAVAILABLE}},
            {"NotifiesAsOf1_0", isCallback, {.lie = Lie::NOTIFIES_WITH_1_0}, {NONE}},
            {"NotifiesAsOf1_0OfAnOpenModel",
             isCallback,
             {.lie = Lie::NOTIFIES_WITH_1_0},
             wrong(kNoShapes),
             kOpen},
            {"NotifiesAsOf1_0OfARequest",
             isCallback,
             {.lie = Lie::NOTIFIES_WITH_1_0},
             {NONE},
             kRequest},
            {"NotifiesAsOf1_0TooSmall",
             isCallback,
             {.code = OUTPUT_INSUFFICIENT_SIZE, .lie = Lie::NOTIFIES_WITH_1_0},
             {OUTPUT_INSUFFICIENT_SIZE}},
            {"Drops",
             isCallback,
             {.lie = Lie::DROPS},
             wrong("the driver has dropped the callback without calling it"),
             {},
             0},
            {"DiesLaunching", isCallback, {.lie = Lie::DIES_LAUNCHING}, kHasDied, {}, 0},
            {"DiesAfterwards", isCallback, {.lie = Lie::DIES_AFTERWARDS}, kHasDied, {}, 0},
    };
    expectLies(wrapperWays(), kLies, [](const LieRow& lie, const Way& way) {
        Seen seen = lie.seen;
        for (int i = 0; i < lie.calls; ++i) seen = told(way.judged, seen);
        return seen;
    });
}

TEST(AnswersMatrix, OfCanonicalDevicesThatLieOtherwise) {
    const LieRow kLies[] = {
            {"Throws", isAny, {.lie = Lie::THROWS}, wrong("an exception was thrown: no")},
            {"NoInfo", isFenced, {.lie = Lie::NULL_INFO}, wrong("the device gave no callback")},
            {"ClosedFence", isFencedOfHidl, {.lie = Lie::CLOSED_FENCE}, wrong("")},
            {"ClosedFence", isFencedOfAidl, {.lie = Lie::CLOSED_FENCE}, {NONE}},
            {"InfoFails", isFenced, {.lie = Lie::INFO_FAILS}, {DEVICE_UNAVAILABLE}},
            {"InfoThrows", isFenced, {.lie = Lie::INFO_THROWS}, wrong("")},
            {"NoBurst", isBurst, {.lie = Lie::NULL_BURST}, wrong("the device gave no burst")},
            {"NoExecution",
             isReusableOfAidl4,
             {.lie = Lie::NULL_EXECUTION},
             wrong("the device gave no execution")},
    };
    expectLies(adapterWays(), kLies, [](const LieRow& lie, const Way& way) {
        Seen seen = lie.seen;
        if (way.isHidl()) seen.message.clear();
        return seen;
    });
}

}  // namespace
}  // namespace nn::answers_matrix_test
