// Clients of a version that use an adapted canonical device: each way of executing, as an
// ExecutionMode.
#pragma once

#include "driver/burst_peers.h"
#include "driver/execution_modes.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::execution_modes {

// ---- the device

inline fakes::SharedScript scriptOf(const Behavior& behavior) {
    auto script = std::make_shared<fakes::Script>();
    script->execute = [=](const fakes::ExecuteCall&) -> ExecutionResult<Executed> {
        if (behavior.code == ErrorStatus::NONE) {
            return Executed{behavior.outputShapes, behavior.timing};
        }
        return ExecutionError("no", behavior.code, behavior.outputShapes);
    };
    script->fenced = [=](const fakes::ExecuteCall&) -> GeneralResult<ExecutedFenced> {
        if (behavior.code != ErrorStatus::NONE) return error(behavior.code) << "no";
        const SyncFence fence = behavior.lie == Lie::CLOSED_FENCE ? SyncFence::create(UniqueFd(-1))
                                                                  : SyncFence::createAsSignaled();
        if (behavior.lie == Lie::NULL_INFO) return ExecutedFenced{fence, {}};
        return ExecutedFenced{fence,
                              [timing = behavior.timing] { return std::pair(timing, timing); }};
    };
    script->isExecutionNull = behavior.lie == Lie::NULL_EXECUTION;
    script->burst = [weak = std::weak_ptr(script), behavior]() -> GeneralResult<SharedBurst> {
        if (behavior.lie == Lie::NULL_BURST) return SharedBurst();
        return V1_0::utils::Burst::create(
                std::make_shared<const fakes::FakePreparedModel>(weak.lock()));
    };
    return script;
}

// ---- HIDL

inline Seen seenBy(const fakes::Notification& notification) {
    return {static_cast<ErrorStatus>(notification.status),
            nn::convert(notification.outputShapes).value(),
            nn::convert(notification.timing).value()};
}

inline sp<V1_3::IPreparedModel> hidlModel(const Behavior& behavior,
                                          const ExecutionCase& execution) {
    return fakes::preparedOn(*fakes::adapted(scriptOf(behavior)), !execution.isModelKnown,
                             addition(execution.model));
}

inline V1_2::MeasureTiming hidlMeasure(const ExecutionCase& execution) {
    return V1_2::utils::convert(execution.measure).value();
}

inline Seen byCallback(const fakes::ExecuteMethod& method, const Behavior& behavior,
                       const ExecutionCase& execution) {
    const auto client = sp<fakes::ExecutionClient>::make();
    const int32_t launched = method.call(
            *hidlModel(behavior, execution),
            {.request = execution.request(), .measure = hidlMeasure(execution)}, client);
    const std::vector<fakes::Notification> all = client->log.wait();
    EXPECT_EQ(all.size(), 1u);
    const fakes::Notification& notification = all.at(0);
    EXPECT_EQ(notification.by, method.notify);
    // Without the model, the adapter executes at once, and only the device checks the request.
    const bool isRefused = !execution.isModelKnown && notification.status == 4;
    EXPECT_EQ(launched, isRefused ? 4 : 0);
    if (method.version == HalVersion::V1_0) return {static_cast<ErrorStatus>(notification.status)};
    return seenBy(notification);
}

inline auto into(fakes::Notification& notification) {
    return [&](auto status, const auto& outputShapes, const auto& timing) {
        EXPECT_EQ(notification.by, "") << "called twice";
        notification = {"results", static_cast<int32_t>(status), {}, outputShapes, timing};
    };
}

inline Seen atOnce1_2(const Behavior& behavior, const ExecutionCase& execution) {
    fakes::Notification notification;
    EXPECT_TRUE(hidlModel(behavior, execution)
                        ->executeSynchronously(
                                V1_0::utils::unvalidatedConvert(execution.request()).value(),
                                hidlMeasure(execution), into(notification))
                        .isOk());
    return seenBy(notification);
}

inline Seen atOnce1_3(const Behavior& behavior, const ExecutionCase& execution) {
    fakes::Notification notification;
    EXPECT_TRUE(hidlModel(behavior, execution)
                        ->executeSynchronously_1_3(
                                V1_3::utils::unvalidatedConvert(execution.request()).value(),
                                hidlMeasure(execution), {}, {}, into(notification))
                        .isOk());
    return seenBy(notification);
}

inline Seen fenced1_3(const Behavior& behavior, const ExecutionCase& execution) {
    Seen seen;
    const auto returned =
            hidlModel(behavior, execution)
                    ->executeFenced(V1_3::utils::unvalidatedConvert(execution.request()).value(),
                                    {}, hidlMeasure(execution), {}, {}, {},
                                    [&](auto status, const hidl::hidl_handle& fence,
                                        const sp<V1_3::IFencedExecutionCallback>& info) {
                                        seen.code = static_cast<ErrorStatus>(status);
                                        EXPECT_EQ(fence.getNativeHandle(), nullptr);
                                        EXPECT_EQ(info != nullptr, seen.code == ErrorStatus::NONE);
                                        if (info == nullptr) return;
                                        const auto informed = info->getExecutionInfo(
                                                [&](auto code, const V1_2::Timing& launched,
                                                    const V1_2::Timing& fenced) {
                                                    EXPECT_EQ(launched, fenced);
                                                    seen.code = static_cast<ErrorStatus>(code);
                                                    seen.timing = nn::convert(launched).value();
                                                });
                                        EXPECT_TRUE(informed.isOk());
                                    });
    EXPECT_TRUE(returned.isOk());
    return seen;
}

inline Seen burst1_2(const Behavior& behavior, const ExecutionCase& execution) {
    using namespace driver_burst_test;
    const V1_0::Request request = V1_0::utils::unvalidatedConvert(execution.request()).value();
    RequestQueue requests(V1_2::utils::kExecutionBurstChannelLength, true);
    ResultQueue results(V1_2::utils::kExecutionBurstChannelLength, true);
    const auto callback = sp<ScriptedCallback>::make();
    callback->script = [&](const auto&, const auto& putMemories) {
        putMemories(V1_0::ErrorStatus::NONE, request.pools);
        return hidl::Void();
    };
    const auto preparedModel = hidlModel(behavior, execution);
    sp<V1_2::IBurstContext> context;
    V1_0::ErrorStatus made{};
    EXPECT_TRUE(preparedModel
                        ->configureExecutionBurst(callback, *requests.getDesc(), *results.getDesc(),
                                                  [&](V1_0::ErrorStatus status, const auto& given) {
                                                      made = status;
                                                      context = given;
                                                  })
                        .isOk());
    EXPECT_EQ(made == V1_0::ErrorStatus::NONE, context != nullptr);
    if (context == nullptr) return {static_cast<ErrorStatus>(made)};
    const auto packet = V1_2::utils::serialize(request, hidlMeasure(execution), {0});
    EXPECT_TRUE(requests.writeBlocking(packet.data(), packet.size(), 1'000'000'000));
    EXPECT_TRUE(eventually([&] { return results.availableToRead() != 0; }));
    ResultPacket reply(results.availableToRead());
    EXPECT_TRUE(results.read(reply.data(), reply.size()));
    const auto read = V1_2::utils::deserialize(reply).value();
    return {static_cast<ErrorStatus>(read.status), nn::convert(read.outputShapes).value(),
            nn::convert(read.timing).value()};
}

// ---- AIDL

constexpr int64_t kNoTime = -1;

class AidlClient final : public aidl_hal::BnPreparedModelCallback {
   public:
    ndk::ScopedAStatus notify(aidl_hal::ErrorStatus,
                              const std::shared_ptr<aidl_hal::IPreparedModel>& model) override {
        preparedModel = model;
        return ndk::ScopedAStatus::ok();
    }
    std::shared_ptr<aidl_hal::IPreparedModel> preparedModel{};
};

inline std::shared_ptr<aidl_hal::IPreparedModel> aidlModel(HalVersion version,
                                                           const Behavior& behavior,
                                                           const ExecutionCase& execution) {
    const auto driver =
            hal::adapter::adaptAidl(std::make_shared<const fakes::FakeDevice>(scriptOf(behavior)),
                                    version, {.executor = fakes::runInline})
                    .value();
    const auto client = ndk::SharedRefBase::make<AidlClient>();
    const std::vector<uint8_t> token(32);
    if (!execution.isModelKnown) {
        EXPECT_TRUE(driver->prepareModelFromCache(kNoTime, {}, {}, token, client).isOk());
    } else {
        const auto model =
                unvalidatedConvertTo<HalVersion::AIDL4>(addition(execution.model)).value();
        EXPECT_TRUE(driver->prepareModel(model, {}, {}, kNoTime, {}, {}, token, client).isOk());
    }
    return client->preparedModel;
}

inline Seen failed(const ndk::ScopedAStatus& status) {
    return {.code = static_cast<ErrorStatus>(status.getServiceSpecificError()),
            .message = status.getMessage()};
}

inline Seen seenBy(const ndk::ScopedAStatus& status, const aidl_hal::ExecutionResult& result) {
    if (!status.isOk()) return failed(status);
    return {result.outputSufficientSize ? ErrorStatus::NONE : ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
            nn::convert(result.outputShapes).value(), nn::convert(result.timing).value()};
}

inline Seen seenBy(const ndk::ScopedAStatus& status,
                   const aidl_hal::FencedExecutionResult& result) {
    EXPECT_EQ(result.callback != nullptr, status.isOk());
    EXPECT_EQ(result.syncFence.get(), -1);
    if (!status.isOk()) return failed(status);
    aidl_hal::Timing launched;
    aidl_hal::Timing fenced;
    aidl_hal::ErrorStatus code{};
    EXPECT_TRUE(result.callback->getExecutionInfo(&launched, &fenced, &code).isOk());
    EXPECT_EQ(launched, fenced);
    return {static_cast<ErrorStatus>(code), {}, nn::convert(launched).value()};
}

inline Seen byAidl(HalVersion version, Kind kind, bool hasConfig, const Behavior& behavior,
                   const ExecutionCase& execution) {
    const auto model = aidlModel(version, behavior, execution);
    const auto request = AIDL1::utils::unvalidatedConvert(execution.request()).value();
    const bool measure = execution.measure == MeasureTiming::YES;
    const aidl_hal::ExecutionConfig config{.measureTiming = measure,
                                           .loopTimeoutDurationNs = kNoTime};
    aidl_hal::ExecutionResult result;
    aidl_hal::FencedExecutionResult fenced;
    std::shared_ptr<aidl_hal::IBurst> burst;
    std::shared_ptr<aidl_hal::IExecution> reusable;
    if (kind == Kind::BURST) {
        const auto made = model->configureExecutionBurst(&burst);
        if (!made.isOk()) return failed(made);
    }
    if (kind == Kind::REUSABLE || kind == Kind::REUSABLE_FENCED) {
        const auto made = model->createReusableExecution(request, config, &reusable);
        if (!made.isOk()) return failed(made);
    }
    switch (kind) {
        case Kind::FENCED:
            return seenBy(hasConfig ? model->executeFencedWithConfig(request, {}, config, kNoTime,
                                                                     kNoTime, &fenced)
                                    : model->executeFenced(request, {}, measure, kNoTime, kNoTime,
                                                           kNoTime, &fenced),
                          fenced);
        case Kind::BURST:
            return seenBy(hasConfig ? burst->executeSynchronouslyWithConfig(request, {0}, config,
                                                                            kNoTime, &result)
                                    : burst->executeSynchronously(request, {0}, measure, kNoTime,
                                                                  kNoTime, &result),
                          result);
        case Kind::REUSABLE:
            return seenBy(reusable->executeSynchronously(kNoTime, &result), result);
        case Kind::REUSABLE_FENCED:
            return seenBy(reusable->executeFenced({}, kNoTime, kNoTime, &fenced), fenced);
        default:
            return seenBy(hasConfig ? model->executeSynchronouslyWithConfig(request, config,
                                                                            kNoTime, &result)
                                    : model->executeSynchronously(request, measure, kNoTime,
                                                                  kNoTime, &result),
                          result);
    }
}

// ---- the modes

inline std::vector<ExecutionMode> adapterModes() {
    using enum HalVersion;
    std::vector<ExecutionMode> all;
    for (const fakes::ExecuteMethod& method : fakes::executeMethods()) {
        all.push_back({method.name, method.version, Kind::ASYNCHRONOUS, "",
                       [&](const auto& b, const auto& a) { return byCallback(method, b, a); }});
    }
    all.push_back({"executeSynchronously", V1_2, Kind::EXECUTE, "", atOnce1_2});
    all.push_back({"executeSynchronously_1_3", V1_3, Kind::EXECUTE, "", atOnce1_3});
    all.push_back({"executeFenced", V1_3, Kind::FENCED, "", fenced1_3});
    all.push_back({"burst", V1_2, Kind::BURST, "", burst1_2});
    struct AidlWay {
        const char* name;
        Kind kind;
        bool hasConfig;
        HalVersion since;
        const char* judged;
    };
    constexpr AidlWay kAidl[] = {
            {"executeSynchronously", Kind::EXECUTE, false, AIDL1, "execute"},
            {"executeSynchronouslyWithConfig", Kind::EXECUTE, true, AIDL4, "execute"},
            {"executeFenced", Kind::FENCED, false, AIDL1, "getExecutionInfo"},
            {"executeFencedWithConfig", Kind::FENCED, true, AIDL4, "getExecutionInfo"},
            {"IBurst::executeSynchronously", Kind::BURST, false, AIDL1, "execute"},
            {"IBurst::executeSynchronouslyWithConfig", Kind::BURST, true, AIDL4, "execute"},
            {"IExecution::executeSynchronously", Kind::REUSABLE, true, AIDL4,
             "IExecution::compute"},
            {"IExecution::executeFenced", Kind::REUSABLE_FENCED, true, AIDL4, "getExecutionInfo"},
    };
    for (const HalVersion version : {AIDL1, AIDL2, AIDL3, AIDL4}) {
        for (const AidlWay& each : kAidl) {
            if (version < each.since) continue;
            all.push_back({std::string(toString(version)) + " " + each.name, version, each.kind,
                           each.judged, [=](const auto& behavior, const auto& execution) {
                               return byAidl(version, each.kind, each.hasConfig, behavior,
                                             execution);
                           }});
        }
    }
    return all;
}

}  // namespace nn::execution_modes
