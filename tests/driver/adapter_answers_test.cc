// What clients of adapters see where a canonical device answers what it may not: each way of
// executing, in each version, against each answer. Rules 14 to 18 and 147.
#include "driver/adapter_fakes.h"
#include "driver/burst_peers.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::adapter_answers_test {
namespace {

using namespace driver_adapter_fakes;
using namespace std::chrono_literals;
using driver_burst_test::RequestQueue;
using driver_burst_test::ResultPacket;
using driver_burst_test::ResultQueue;
using driver_burst_test::ScriptedCallback;
using ndk::ScopedAStatus;
using Shapes = std::vector<OutputShape>;
using enum ErrorStatus;

// ---- what a client sees

struct Seen {
    ErrorStatus code = GENERAL_FAILURE;
    Shapes outputShapes{};
    Timing timing{};
    bool operator==(const Seen&) const = default;
};

void PrintTo(const Seen& seen, std::ostream* out) {
    *out << toString(seen.code);
    for (const OutputShape& shape : seen.outputShapes) {
        *out << (shape.isSufficient ? " sufficient" : " insufficient")
             << testing::PrintToString(shape.dimensions);
    }
    for (const auto& time : {seen.timing.timeOnDevice, seen.timing.timeInDriver}) {
        if (time) *out << " " << time->count() << "ns";
    }
}

// How a client asks.
struct Asking {
    Model model = addition();
    bool fromCache = false;  // the adapter does not see the model
    Request request{};
    MeasureTiming measure{};
};

// ---- HIDL

Seen seenBy(const Told& told) {
    return {static_cast<ErrorStatus>(told.status), nn::convert(told.outputShapes).value(),
            nn::convert(told.timing).value()};
}

sp<V1_3::IPreparedModel> hidlModel(const SharedScript& script, const Asking& asking) {
    return preparedOn(*adapted(script), asking.fromCache, asking.model);
}

V1_2::MeasureTiming hidlMeasure(const Asking& asking) {
    return V1_2::utils::convert(asking.measure).value();
}

Seen byCallback(const ExecuteMethod& method, const SharedScript& script, const Asking& asking) {
    const auto client = sp<ExecutionClient>::make();
    method.call(*hidlModel(script, asking),
                {.request = asking.request, .measure = hidlMeasure(asking)}, client);
    Told told = client->diary.wait().at(0);
    if (method.version == HalVersion::V1_0) return {static_cast<ErrorStatus>(told.status)};
    return seenBy(told);
}

auto into(Told& told) {
    return [&](auto status, const auto& outputShapes, const auto& timing) {
        told = {"", static_cast<int32_t>(status), {}, outputShapes, timing};
    };
}

Seen atOnce1_2(const SharedScript& script, const Asking& asking) {
    Told told;
    EXPECT_TRUE(
            hidlModel(script, asking)
                    ->executeSynchronously(V1_0::utils::unvalidatedConvert(asking.request).value(),
                                           hidlMeasure(asking), into(told))
                    .isOk());
    return seenBy(told);
}

Seen atOnce1_3(const SharedScript& script, const Asking& asking) {
    Told told;
    EXPECT_TRUE(hidlModel(script, asking)
                        ->executeSynchronously_1_3(
                                V1_3::utils::unvalidatedConvert(asking.request).value(),
                                hidlMeasure(asking), {}, {}, into(told))
                        .isOk());
    return seenBy(told);
}

Seen fenced1_3(const SharedScript& script, const Asking& asking) {
    Seen seen;
    const auto answered =
            hidlModel(script, asking)
                    ->executeFenced(V1_3::utils::unvalidatedConvert(asking.request).value(), {},
                                    hidlMeasure(asking), {}, {}, {},
                                    [&](auto status, const auto&,
                                        const sp<V1_3::IFencedExecutionCallback>& info) {
                                        seen.code = static_cast<ErrorStatus>(status);
                                        if (info == nullptr) return;
                                        const auto asked = info->getExecutionInfo(
                                                [&](auto code, const V1_2::Timing& launched,
                                                    const V1_2::Timing& fenced) {
                                                    EXPECT_EQ(launched, fenced);
                                                    seen.code = static_cast<ErrorStatus>(code);
                                                    seen.timing = nn::convert(launched).value();
                                                });
                                        EXPECT_TRUE(asked.isOk());
                                    });
    EXPECT_TRUE(answered.isOk());
    return seen;
}

Seen burst1_2(const SharedScript& script, const Asking& asking) {
    const V1_0::Request request = V1_0::utils::unvalidatedConvert(asking.request).value();
    RequestQueue requests(V1_2::utils::kExecutionBurstChannelLength, true);
    ResultQueue results(V1_2::utils::kExecutionBurstChannelLength, true);
    const auto callback = sp<ScriptedCallback>::make();
    callback->script = [&](const auto&, const auto& answer) {
        answer(V1_0::ErrorStatus::NONE, request.pools);
        return hidl::Void();
    };
    const auto preparedModel = hidlModel(script, asking);
    sp<V1_2::IBurstContext> context;
    EXPECT_TRUE(preparedModel
                        ->configureExecutionBurst(callback, *requests.getDesc(), *results.getDesc(),
                                                  [&](V1_0::ErrorStatus status, const auto& made) {
                                                      EXPECT_EQ(status, V1_0::ErrorStatus::NONE);
                                                      context = made;
                                                  })
                        .isOk());
    const auto packet = V1_2::utils::serialize(request, hidlMeasure(asking), {0});
    EXPECT_TRUE(requests.writeBlocking(packet.data(), packet.size(), 1'000'000'000));
    EXPECT_TRUE(driver_burst_test::eventually([&] { return results.availableToRead() != 0; }));
    ResultPacket answer(results.availableToRead());
    EXPECT_TRUE(results.read(answer.data(), answer.size()));
    const auto read = V1_2::utils::deserialize(answer).value();
    return {static_cast<ErrorStatus>(read.status), nn::convert(read.outputShapes).value(),
            nn::convert(read.timing).value()};
}

// ---- AIDL

constexpr int64_t kNoTime = -1;

class AidlClient final : public aidl_hal::BnPreparedModelCallback {
   public:
    ScopedAStatus notify(aidl_hal::ErrorStatus,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& model) override {
        preparedModel = model;
        return ScopedAStatus::ok();
    }
    std::shared_ptr<aidl_hal::IPreparedModel> preparedModel{};
};

std::shared_ptr<aidl_hal::IPreparedModel> aidlModel(HalVersion version, const SharedScript& script,
                                                    const Asking& asking) {
    const auto driver = hal::adapter::adaptAidl(std::make_shared<const FakeDevice>(script), version,
                                                {.executor = runInline})
                                .value();
    const auto client = ndk::SharedRefBase::make<AidlClient>();
    const std::vector<uint8_t> token(32);
    if (asking.fromCache) {
        EXPECT_TRUE(driver->prepareModelFromCache(kNoTime, {}, {}, token, client).isOk());
    } else {
        const auto model = unvalidatedConvertTo<HalVersion::AIDL4>(asking.model).value();
        EXPECT_TRUE(driver->prepareModel(model, {}, {}, kNoTime, {}, {}, token, client).isOk());
    }
    return client->preparedModel;
}

aidl_hal::Request aidlRequest(const Asking& asking) {
    return AIDL1::utils::unvalidatedConvert(asking.request).value();
}

ErrorStatus codeOf(const ScopedAStatus& status) {
    return status.isOk() ? NONE : static_cast<ErrorStatus>(status.getServiceSpecificError());
}

Seen seenBy(const ScopedAStatus& status, const aidl_hal::ExecutionResult& result) {
    if (!status.isOk()) return {codeOf(status)};
    return {result.outputSufficientSize ? NONE : OUTPUT_INSUFFICIENT_SIZE,
            nn::convert(result.outputShapes).value(), nn::convert(result.timing).value()};
}

Seen seenBy(const ScopedAStatus& status, const aidl_hal::FencedExecutionResult& result) {
    if (!status.isOk()) return {codeOf(status)};
    aidl_hal::Timing launched;
    aidl_hal::Timing fenced;
    aidl_hal::ErrorStatus code{};
    EXPECT_TRUE(result.callback->getExecutionInfo(&launched, &fenced, &code).isOk());
    EXPECT_EQ(launched, fenced);
    return {static_cast<ErrorStatus>(code), {}, nn::convert(launched).value()};
}

enum class Aidl { EXECUTE, FENCED, BURST, REUSABLE, REUSABLE_FENCED };

Seen byAidl(HalVersion version, Aidl way, bool hasConfig, const SharedScript& script,
            const Asking& asking) {
    const auto model = aidlModel(version, script, asking);
    const auto request = aidlRequest(asking);
    const bool measure = asking.measure == MeasureTiming::YES;
    const aidl_hal::ExecutionConfig config{.measureTiming = measure,
                                           .loopTimeoutDurationNs = kNoTime};
    aidl_hal::ExecutionResult result;
    aidl_hal::FencedExecutionResult fenced;
    std::shared_ptr<aidl_hal::IBurst> burst;
    std::shared_ptr<aidl_hal::IExecution> execution;
    switch (way) {
        case Aidl::EXECUTE:
            return seenBy(hasConfig ? model->executeSynchronouslyWithConfig(request, config,
                                                                            kNoTime, &result)
                                    : model->executeSynchronously(request, measure, kNoTime,
                                                                  kNoTime, &result),
                          result);
        case Aidl::FENCED:
            return seenBy(hasConfig ? model->executeFencedWithConfig(request, {}, config, kNoTime,
                                                                     kNoTime, &fenced)
                                    : model->executeFenced(request, {}, measure, kNoTime, kNoTime,
                                                           kNoTime, &fenced),
                          fenced);
        case Aidl::BURST:
            EXPECT_TRUE(model->configureExecutionBurst(&burst).isOk());
            return seenBy(hasConfig ? burst->executeSynchronouslyWithConfig(request, {0}, config,
                                                                            kNoTime, &result)
                                    : burst->executeSynchronously(request, {0}, measure, kNoTime,
                                                                  kNoTime, &result),
                          result);
        case Aidl::REUSABLE:
            EXPECT_TRUE(model->createReusableExecution(request, config, &execution).isOk());
            return seenBy(execution->executeSynchronously(kNoTime, &result), result);
        case Aidl::REUSABLE_FENCED:
            EXPECT_TRUE(model->createReusableExecution(request, config, &execution).isOk());
            return seenBy(execution->executeFenced({}, kNoTime, kNoTime, &fenced), fenced);
    }
    return {};
}

// ---- the ways

struct Way {
    std::string name;
    HalVersion version;
    bool isFenced;
    std::function<Seen(const SharedScript&, const Asking&)> see;
};

std::vector<Way> ways() {
    using enum HalVersion;
    std::vector<Way> all;
    for (const ExecuteMethod& method : executeMethods()) {
        all.push_back({method.name, method.version, false,
                       [&](const auto& s, const auto& a) { return byCallback(method, s, a); }});
    }
    all.push_back({"executeSynchronously", V1_2, false, atOnce1_2});
    all.push_back({"executeSynchronously_1_3", V1_3, false, atOnce1_3});
    all.push_back({"executeFenced", V1_3, true, fenced1_3});
    all.push_back({"burst", V1_2, false, burst1_2});
    struct AidlWay {
        const char* name;
        Aidl way;
        bool hasConfig;
        HalVersion since;
    };
    constexpr AidlWay kAidl[] = {
            {"executeSynchronously", Aidl::EXECUTE, false, AIDL1},
            {"executeSynchronouslyWithConfig", Aidl::EXECUTE, true, AIDL4},
            {"executeFenced", Aidl::FENCED, false, AIDL1},
            {"executeFencedWithConfig", Aidl::FENCED, true, AIDL4},
            {"IBurst::executeSynchronously", Aidl::BURST, false, AIDL1},
            {"IBurst::executeSynchronouslyWithConfig", Aidl::BURST, true, AIDL4},
            {"IExecution::executeSynchronously", Aidl::REUSABLE, true, AIDL4},
            {"IExecution::executeFenced", Aidl::REUSABLE_FENCED, true, AIDL4},
    };
    for (const HalVersion version : {AIDL1, AIDL2, AIDL3, AIDL4}) {
        for (const AidlWay& each : kAidl) {
            if (version < each.since) continue;
            all.push_back({std::string(toString(version)) + " " + each.name, version,
                           each.way == Aidl::FENCED || each.way == Aidl::REUSABLE_FENCED,
                           [=](const auto& s, const auto& a) {
                               return byAidl(version, each.way, each.hasConfig, s, a);
                           }});
        }
    }
    return all;
}

// ---- the answers

constexpr Timing kTimes{.timeOnDevice = 3us, .timeInDriver = 4us};
constexpr Timing kTooLongOnDevice{.timeOnDevice = 4us, .timeInDriver = 3us};
constexpr Timing kNegative{.timeInDriver = -3us};
const Shapes kRight = {{.dimensions = {4}, .isSufficient = true}};
const Shapes kTooSmall = {{.dimensions = {4}, .isSufficient = false}};
const Shapes kOtherExtent = {{.dimensions = {5}, .isSufficient = true}};
const Shapes kOtherExtentTooSmall = {{.dimensions = {5}, .isSufficient = false}};
const Shapes kOtherRank = {{.dimensions = {2, 2}, .isSufficient = true}};
const Shapes kNoRank = {{.dimensions = {}, .isSufficient = true}};
const Shapes kTwo = {kRight[0], kRight[0]};
const Seen kWrong{GENERAL_FAILURE};

enum class Of { MODEL, OPEN_MODEL, REQUEST };  // who says the dimensions of the output

struct Answer {
    const char* name;
    ErrorStatus code;
    Shapes outputShapes;
    Timing timing;
    MeasureTiming measure;
    Of of;
    Seen seen;
    // Where the adapter has not seen the model.
    Seen seenWithoutModel = seen;
};

const std::vector<Answer>& answers() {
    using enum MeasureTiming;
    static const std::vector<Answer> kAnswers = {
            {"Right", NONE, kRight, {}, NO, Of::MODEL, {NONE, kRight}},
            {"RightWithTimes", NONE, kRight, kTimes, YES, Of::MODEL, {NONE, kRight, kTimes}},
            {"RightWithoutShapes", NONE, {}, {}, NO, Of::MODEL, {NONE}},
            {"RightOfAnOpenModel", NONE, kRight, {}, NO, Of::OPEN_MODEL, {NONE, kRight}},
            {"TooSmall",
             OUTPUT_INSUFFICIENT_SIZE,
             kTooSmall,
             {},
             NO,
             Of::MODEL,
             {OUTPUT_INSUFFICIENT_SIZE, kTooSmall}},
            {"Failure", INVALID_ARGUMENT, {}, {}, NO, Of::MODEL, {INVALID_ARGUMENT}},

            {"TimesUnasked", NONE, kRight, kTimes, NO, Of::MODEL, {NONE, kRight}},
            {"ImpossibleTimesUnasked",
             NONE,
             kRight,
             kTooLongOnDevice,
             NO,
             Of::MODEL,
             {NONE, kRight}},
            {"ImpossibleTimes", NONE, kRight, kTooLongOnDevice, YES, Of::MODEL, kWrong},
            {"NegativeTimes", NONE, kRight, kNegative, YES, Of::MODEL, kWrong},

            {"OtherExtent", NONE, kOtherExtent, {}, NO, Of::MODEL, kWrong, {NONE, kOtherExtent}},
            {"OtherRank", NONE, kOtherRank, {}, NO, Of::MODEL, kWrong, {NONE, kOtherRank}},
            {"OtherRankOfAnOpenModel",
             NONE,
             kOtherRank,
             {},
             NO,
             Of::OPEN_MODEL,
             kWrong,
             {NONE, kOtherRank}},
            {"OtherExtentThanRequested", NONE, kOtherExtent, {}, NO, Of::REQUEST, kWrong},
            {"NoRank", NONE, kNoRank, {}, NO, Of::MODEL, kWrong, {NONE, kNoRank}},
            {"TooManyShapes", NONE, kTwo, {}, NO, Of::MODEL, kWrong},
            {"NoShapesOfAnOpenModel", NONE, {}, {}, NO, Of::OPEN_MODEL, kWrong, {NONE}},
            {"SuccessTooSmall", NONE, kTooSmall, {}, NO, Of::MODEL, kWrong},
            {"TooSmallWithoutShapes", OUTPUT_INSUFFICIENT_SIZE, {}, {}, NO, Of::MODEL, kWrong},
            {"TooSmallButSufficient", OUTPUT_INSUFFICIENT_SIZE, kRight, {}, NO, Of::MODEL, kWrong},
            {"TooSmallOfOtherExtent",
             OUTPUT_INSUFFICIENT_SIZE,
             kOtherExtentTooSmall,
             {},
             NO,
             Of::MODEL,
             kWrong,
             {OUTPUT_INSUFFICIENT_SIZE, kOtherExtentTooSmall}},
            {"FailureWithShapes", INVALID_ARGUMENT, kTooSmall, {}, NO, Of::MODEL, kWrong},
    };
    return kAnswers;
}

SharedScript scriptOf(const Answer& answer) {
    auto script = std::make_shared<Script>();
    script->execute = [&](const ExecuteCall&) -> ExecutionResult<Executed> {
        if (answer.code == NONE) return Executed{answer.outputShapes, answer.timing};
        return ExecutionError("no", answer.code, answer.outputShapes);
    };
    script->fenced = [&](const ExecuteCall&) -> GeneralResult<ExecutedFenced> {
        return ExecutedFenced{SyncFence::createAsSignaled(),
                              [&] { return std::pair(answer.timing, answer.timing); }};
    };
    script->burst = [weak = std::weak_ptr(script)] {
        return V1_0::utils::Burst::create(std::make_shared<const FakePreparedModel>(weak.lock()));
    };
    return script;
}

Asking askingFor(const Answer& answer, bool fromCache) {
    Asking asking{
            .fromCache = fromCache, .request = PooledSum().request(), .measure = answer.measure};
    if (answer.of != Of::MODEL) {
        asking.model = addition(0);
        for (auto& input : asking.request.inputs) input.dimensions = {4};
    }
    if (answer.of == Of::REQUEST) asking.request.outputs[0].dimensions = {4};
    return asking;
}

// A fenced execution answers neither shapes nor, at its launch, how it ends.
bool isOfFenced(const Answer& answer) {
    return answer.code == NONE && answer.outputShapes == kRight;
}

// What drivers of HAL 1.0 say of outputs that are too small.
bool isTooSmallWithoutShapes(const Answer& answer) {
    return answer.code == OUTPUT_INSUFFICIENT_SIZE && answer.outputShapes.empty();
}

TEST(AdapterAnswers, PassOnWhatADeviceMayAnswerAlone) {
    for (const Way& way : ways()) {
        for (const Answer& answer : answers()) {
            if (way.isFenced && !isOfFenced(answer)) continue;
            for (const bool fromCache : {false, true}) {
                SCOPED_TRACE(way.name + " " + answer.name + (fromCache ? " from a cache" : ""));
                Seen expected = fromCache ? answer.seenWithoutModel : answer.seen;
                // HAL 1.0 measures nothing and has no shapes, and fenced executions have none.
                if (way.version == HalVersion::V1_0) {
                    if (isOfFenced(answer)) expected.code = NONE;
                    if (isTooSmallWithoutShapes(answer)) expected.code = answer.code;
                    expected = {expected.code};
                }
                if (way.isFenced) expected.outputShapes.clear();
                EXPECT_EQ(way.see(scriptOf(answer), askingFor(answer, fromCache)), expected);
            }
        }
    }
}

}  // namespace
}  // namespace nn::adapter_answers_test
