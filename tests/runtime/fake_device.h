// A scriptable device: the reference device under another name.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/hooked_device.h"
#include "nnapi/driver/reference.h"

namespace nn {

struct FakeOptions {
    std::string name = "npu";
    Version featureLevel = kNewestVersion;
    DeviceType type = DeviceType::ACCELERATOR;
    std::vector<Extension> extensions{};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> cacheFiles{0, 0};
    // Null: everything that the reference device supports.
    std::function<bool(const Operation&)> supports{};
    // Replace the results of calls; if they succeed, the calls are executed.
    std::function<Status()> onWait{};
    std::function<Status()> onPrepare{};
    std::function<ExecutionResult<Executed>(ExecutionResult<Executed>)> onExecuted{};
    std::function<Status()> onExecute{};
    std::function<GeneralResult<ExecutedFenced>(GeneralResult<ExecutedFenced>)> onLaunched{};
    std::function<GeneralResult<SharedBuffer>(GeneralResult<SharedBuffer>)> onAllocated{};
    // Receives the configuration that the driver receives.
    std::function<void(const PrepareModelConfig&)> onConfig{};
    bool hasBursts = true;
    bool hasMemory = true;
    bool takesPointers = true;
    Timing timing{};
};

inline Status checkPointers(const FakeOptions& options, const Request& request) {
    const bool isPointer = !request.inputs.empty() &&
                           request.inputs[0].lifetime == Request::Argument::LifeTime::POINTER;
    if (options.takesPointers || !isPointer) return {};
    return error(ErrorStatus::INVALID_ARGUMENT) << "this device takes no pointers";
}

inline fakes::Hooks hooksOf(const std::shared_ptr<const FakeOptions>& options) {
    return {.type = options->type,
            .extensions = options->extensions,
            .cacheFiles = options->cacheFiles,
            .wait = [=](const IDevice&) -> GeneralResult<void> {
                return options->onWait ? options->onWait() : Status();
            },
            .support = fakes::supporting([=](const Operation& operation) {
                return !options->supports || options->supports(operation);
            }),
            .prepare = [=](const fakes::Preparation& preparation,
                           const IDevice& inner) -> fakes::Prepared {
                if (options->onConfig) options->onConfig(preparation.config());
                if (options->onPrepare) NNAPI_RETURN_IF_ERROR(options->onPrepare());
                return inner.prepareModel(preparation.model, preparation.preference,
                                          preparation.priority, preparation.deadline, {}, {},
                                          preparation.token, {}, {});
            },
            .load = [](const auto&, const auto&) -> fakes::Prepared {
                return error() << "the cache is empty";
            },
            .allocate = [=](const fakes::Allocation& allocation,
                            const IDevice& inner) -> GeneralResult<SharedBuffer> {
                if (!options->hasMemory) return error() << "there is no memory";
                auto made = allocation.on(inner);
                return options->onAllocated ? options->onAllocated(std::move(made)) : made;
            },
            .execute = [=](const fakes::ExecutionCall& call,
                           const IPreparedModel& inner) -> ExecutionResult<Executed> {
                NNAPI_RETURN_IF_ERROR(checkPointers(*options, call.request));
                if (options->onExecute) NNAPI_RETURN_IF_ERROR(options->onExecute());
                auto executed = call.on(inner);
                if (executed.has_value() && call.measure == MeasureTiming::YES) {
                    executed = Executed{executed->first, options->timing};
                }
                return options->onExecuted ? options->onExecuted(std::move(executed)) : executed;
            },
            .launch = [=](const fakes::ExecutionCall& call, const auto& waitFor,
                          const auto& afterFences, const IPreparedModel& inner) -> fakes::Launched {
                NNAPI_RETURN_IF_ERROR(checkPointers(*options, call.request));
                if (options->onExecute) NNAPI_RETURN_IF_ERROR(options->onExecute());
                auto launched = call.fencedOn(inner, waitFor, afterFences);
                return options->onLaunched ? options->onLaunched(std::move(launched)) : launched;
            },
            .burst = [=](SharedBurst made) -> GeneralResult<SharedBurst> {
                if (!options->hasBursts) return error() << "there are no bursts";
                return made;
            }};
}

inline SharedDevice fakeDevice(const FakeOptions& options = {}) {
    return fakes::hooked(referenceDevice({.name = options.name,
                                          .versionString = "1.0",
                                          .featureLevel = options.featureLevel,
                                          .capabilities = options.capabilities,
                                          .fencedThreads = 2}),
                         hooksOf(std::make_shared<const FakeOptions>(options)));
}

}  // namespace nn
