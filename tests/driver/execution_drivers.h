// Drivers of a version, wrapped for a canonical client: each way of executing, as an ExecutionMode.
#pragma once

#include "driver/aidl_fakes.h"
#include "driver/burst_peers.h"
#include "driver/execution_clients.h"
#include "driver/fake_driver.h"
#include "nnapi/driver/wrap.h"

namespace nn::execution_modes {

// ---- HIDL

inline V1_2::Timing hidlTiming(const Timing& timing) {
    const auto microseconds = [](const OptionalDuration& time) {
        return time ? static_cast<uint64_t>(time->count() / 1000) : UINT64_MAX;
    };
    return {microseconds(timing.timeOnDevice), microseconds(timing.timeInDriver)};
}

inline hidl::hidl_vec<V1_2::OutputShape> hidlShapes(const Shapes& shapes) {
    std::vector<V1_2::OutputShape> hal;
    for (const OutputShape& shape : shapes) hal.push_back({shape.dimensions, shape.isSufficient});
    return hal;
}

// Makes the driver misbehave when `call` executes, and in its other calls.
inline void misbehave(fake::PreparedModel& driver, const std::string& call,
                      const Behavior& behavior) {
    const auto code = static_cast<int32_t>(behavior.code);
    driver.code = code;
    driver.shapes = hidlShapes(behavior.outputShapes);
    driver.timing = hidlTiming(behavior.timing);
    for (const char* each : {"executeSynchronously", "executeSynchronously_1_3", "executeFenced"}) {
        driver.replies[each] = {.code = code};
    }
    const auto info = sp<fake::FencedCallback>::make();
    info->launched = info->fenced = driver.timing;
    driver.fencedCallback = info;
    const auto server = sp<driver_burst_test::ScriptedServer>::make(
            [packet = V1_2::utils::serialize(static_cast<V1_0::ErrorStatus>(code), driver.shapes,
                                             driver.timing)](const auto&) { return packet; });
    driver.onBurst = [server](const auto& callback, const auto& requests, const auto& results,
                              const auto& cb) {
        server->connect(callback, requests, results);
        cb(V1_0::ErrorStatus::NONE, server);
        return hidl::Void();
    };

    switch (behavior.lie) {
        case Lie::NULL_INFO:
            driver.fencedCallback = nullptr;
            return;
        case Lie::NULL_BURST:
            driver.onBurst = {};
            return;
        case Lie::SILENT:
            driver.replies[call] = {.times = 0};
            return;
        case Lie::NOTIFIES_WITH_1_0:
            driver.onExecute = [code](const sp<V1_0::IExecutionCallback>& callback) {
                (void)callback->notify(static_cast<V1_0::ErrorStatus>(code)).isOk();
            };
            return;
        default:
            return;
    }
}

inline SharedPreparedModel wrapped(const sp<fake::PreparedModel>& driver, HalVersion version,
                                   bool isSynchronous, const ExecutionCase& execution) {
    if (execution.isModelKnown) {
        const auto device = sp<fake::Device>::make(version);
        device->prepared = driver;
        const auto wrapper = wrap("fake", device, {.executeSynchronously = isSynchronous});
        return prepareOn(*wrapper.value(), addition(execution.model)).value();
    }
    if (version < HalVersion::V1_2) return V1_0::utils::PreparedModel::create(driver).value();
    if (version < HalVersion::V1_3) {
        return V1_2::utils::PreparedModel::create(driver, isSynchronous).value();
    }
    return V1_3::utils::PreparedModel::create(driver, isSynchronous).value();
}

// ---- AIDL

inline aidl_hal::Timing aidlTiming(const Timing& timing) {
    const auto nanoseconds = [](const OptionalDuration& time) { return time ? time->count() : -1; };
    return {nanoseconds(timing.timeOnDevice), nanoseconds(timing.timeInDriver)};
}

class FencedInfo final : public aidl_hal::BnFencedExecutionCallback {
   public:
    explicit FencedInfo(const aidl_hal::Timing& timing) : mTiming(timing) {}
    ndk::ScopedAStatus getExecutionInfo(aidl_hal::Timing* launched, aidl_hal::Timing* fenced,
                                        aidl_hal::ErrorStatus* status) override {
        *launched = *fenced = mTiming;
        *status = aidl_hal::ErrorStatus::NONE;
        return ndk::ScopedAStatus::ok();
    }

   private:
    const aidl_hal::Timing mTiming;
};

inline void misbehave(fake_aidl::Notes& driver, const std::string& call, const Behavior& behavior) {
    using ndk::ScopedAStatus;
    const auto fails = [behavior] {
        return ScopedAStatus::fromServiceSpecificError(static_cast<int32_t>(behavior.code));
    };
    driver.execute = [=](aidl_hal::ExecutionResult* result) {
        const bool isTooSmall = behavior.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        if (behavior.code != ErrorStatus::NONE && !isTooSmall) return fails();
        result->outputSufficientSize = !isTooSmall;
        for (const OutputShape& shape : behavior.outputShapes) {
            result->outputShapes.push_back(
                    {.dimensions = {shape.dimensions.begin(), shape.dimensions.end()},
                     .isSufficient = shape.isSufficient});
        }
        result->timing = aidlTiming(behavior.timing);
        return ScopedAStatus::ok();
    };
    driver.launch = [=](aidl_hal::FencedExecutionResult* result) {
        if (behavior.code != ErrorStatus::NONE) return fails();
        if (behavior.lie != Lie::NULL_INFO) {
            result->callback = ndk::SharedRefBase::make<FencedInfo>(aidlTiming(behavior.timing));
        }
        return ScopedAStatus::ok();
    };
    driver.isBurstNull = behavior.lie == Lie::NULL_BURST;
    driver.isExecutionNull = behavior.lie == Lie::NULL_EXECUTION;
    if (behavior.lie == Lie::TOO_SMALL_CODE) {
        driver.fails[call] = [] { return ScopedAStatus::fromServiceSpecificError(3); };
    }
}

inline SharedPreparedModel wrapped(const std::shared_ptr<fake_aidl::Device>& driver,
                                   const ExecutionCase& execution) {
    const SharedDevice device = wrap("fake", driver).value();
    if (!execution.isModelKnown) return device->prepareModelFromCache({}, {}, {}, {}).value();
    return prepareOn(*device, addition(execution.model)).value();
}

// ---- the modes

inline Seen seenBy(const ExecutionResult<Executed>& executed) {
    if (executed.has_value()) return {ErrorStatus::NONE, executed->first, executed->second, {}};
    const ExecutionError failure = executed.error();
    return {failure.code, failure.outputShapes, {}, failure.message};
}
inline Seen seenBy(const GeneralResult<ExecutedFenced>& executed) {
    if (!executed.has_value()) return {executed.error().code, {}, {}, executed.error().message};
    const auto info = executed->second();
    if (!info.has_value()) return {info.error().code, {}, {}, info.error().message};
    EXPECT_EQ(info->first, info->second);
    return {ErrorStatus::NONE, {}, info->first, {}};
}
template <class T>
Seen failed(const GeneralResult<T>& made) {
    return {made.error().code, {}, {}, made.error().message};
}

inline Seen execute(const IPreparedModel& model, Kind kind, const Request& request,
                    const ExecutionCase& execution) {
    const MeasureTiming measure = execution.measure;
    if (kind == Kind::EXECUTE || kind == Kind::ASYNCHRONOUS) {
        return seenBy(model.execute(request, measure, {}, {}, {}, {}));
    }
    if (kind == Kind::FENCED) {
        return seenBy(model.executeFenced(request, {}, measure, {}, {}, {}, {}, {}));
    }
    GeneralResult<SharedExecution> made = error();
    if (kind == Kind::BURST || kind == Kind::BURST_REUSABLE) {
        const auto burst = model.configureExecutionBurst();
        if (!burst.has_value()) return failed(burst);
        if (kind == Kind::BURST) {
            return seenBy((*burst)->execute(request, measure, {}, {}, {}, {}));
        }
        made = (*burst)->createReusableExecution(request, measure, {}, {}, {});
    } else {
        made = model.createReusableExecution(request, measure, {}, {}, {});
    }
    if (!made.has_value()) return failed(made);
    if (kind == Kind::REUSABLE_FENCED) return seenBy((*made)->computeFenced({}, {}, {}));
    return seenBy((*made)->compute({}));
}

// The same with arguments behind pointers: outputs are copied back only after a success, for a
// fenced execution at its launch, which may still fail afterwards.
inline Seen executeMoved(const IPreparedModel& model, Kind kind, const ExecutionCase& execution) {
    Sum sum;
    sum.z = {-1, -1, -1, -1};
    Request request = sum.request(execution.inputs);
    request.outputs[0].dimensions = execution.outputs;
    Seen seen = execute(model, kind, request, execution);
    const bool isWritten =
            seen.code == ErrorStatus::NONE || seen.message.starts_with("getExecutionInfo");
    EXPECT_THAT(sum.z, isWritten ? testing::ElementsAre(11, 22, 33, 44)
                                 : testing::ElementsAre(-1, -1, -1, -1));
    return seen;
}

inline std::vector<ExecutionMode> wrapperModes() {
    using enum HalVersion;
    using enum Kind;
    std::vector<ExecutionMode> all;
    const auto add = [&](HalVersion version, Kind kind, const std::string& judged, auto see) {
        static constexpr const char* kNames[] = {
                "execute", "executeAsynchronously", "reusable", "fenced", "fencedReusable",
                "burst",   "burstReusable"};
        const auto* name = kNames[static_cast<size_t>(kind)];
        all.push_back({std::string(toString(version)) + " " + name, version, kind, judged, see});
    };
    const auto hidl = [&](HalVersion version, Kind kind, bool isSynchronous,
                          const std::string& call) {
        add(version, kind, call, [=](const Behavior& behavior, const ExecutionCase& execution) {
            const auto driver = sp<fake::PreparedModel>::make(version);
            misbehave(*driver, call, behavior);
            const auto model = wrapped(driver, version, isSynchronous, execution);
            // The driver's end of a burst computes nothing.
            if (call == "IBurst::execute")
                return execute(*model, kind, execution.request(), execution);
            return executeMoved(*model, kind, execution);
        });
        if (kind == REUSABLE && !isSynchronous) all.back().name += "Asynchronously";
    };
    for (const HalVersion version : {V1_0, V1_1, V1_2, V1_3}) {
        const bool isSynchronous = version >= V1_2;
        const std::string ending = version < V1_2 ? "" : version == V1_2 ? "_1_2" : "_1_3";
        const std::string atOnce =
                version == V1_3 ? "executeSynchronously_1_3" : "executeSynchronously";
        for (const Kind kind : {ASYNCHRONOUS, REUSABLE})
            hidl(version, kind, false, "execute" + ending);
        if (isSynchronous) {
            for (const Kind kind : {EXECUTE, REUSABLE}) hidl(version, kind, true, atOnce);
        }
        for (const Kind kind : {BURST, BURST_REUSABLE}) {
            hidl(version, kind, isSynchronous, isSynchronous ? "IBurst::execute" : "execute");
        }
        for (const Kind kind : {FENCED, REUSABLE_FENCED}) {
            hidl(version, kind, isSynchronous, "executeFenced");
        }
    }
    for (const HalVersion version : {AIDL1, AIDL2, AIDL3, AIDL4}) {
        const std::string ending = version == AIDL4 ? "WithConfig" : "";
        const bool hasReusable = version == AIDL4;
        const std::pair<Kind, std::string> kCalls[] = {
                {EXECUTE, "executeSynchronously" + ending},
                {REUSABLE,
                 hasReusable ? "IExecution::executeSynchronously" : "executeSynchronously"},
                {FENCED, "executeFenced" + ending},
                {REUSABLE_FENCED, hasReusable ? "IExecution::executeFenced" : "executeFenced"},
                {BURST, "IBurst::executeSynchronously" + ending},
                {BURST_REUSABLE, "IBurst::executeSynchronously" + ending},
        };
        for (const auto& [kind, call] : kCalls) {
            add(version, kind, call,
                [=, kind = kind, call = call](const Behavior& behavior,
                                              const ExecutionCase& execution) {
                    // The driver forwards to a device that prepares, and creates bursts and
                    // executions.
                    const auto driver = ndk::SharedRefBase::make<fake_aidl::Device>(
                            std::make_shared<const fakes::FakeDevice>(scriptOf({})), version);
                    misbehave(*driver->notes, call, behavior);
                    return execute(*wrapped(driver, execution), kind, execution.request(),
                                   execution);
                });
        }
    }
    return all;
}

}  // namespace nn::execution_modes
