// The prepared model of the reference device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/fences/fence_watch.h"
#include "driver/memory/device_buffers.h"
#include "driver/threads/thread_pool.h"
#include "nnapi/driver/reference.h"

namespace nn::driver {

// State shared by the prepared models of one device.
struct ReferenceParts {
    explicit ReferenceParts(const ReferenceDeviceOptions& options)
        : name(options.name),
          log(options.log),
          trace(options.trace),
          stop(options.prepare.until.stop),
          buffers(std::make_shared<DeviceBuffers>(options.prepare.limits.peakBytes)) {
        if (options.fencedThreads > 0) threads.emplace(options.fencedThreads);
    }

    std::string name;
    SharedLog log;
    SharedTrace trace;
    StopFunction stop;
    std::shared_ptr<DeviceBuffers> buffers;
    std::optional<ThreadPool> threads{};  // for fenced executions; none: in the calling thread
    FenceWatch fences{};
};

class ReferencePreparedModel final : public IPreparedModel,
                                     public std::enable_shared_from_this<ReferencePreparedModel> {
   public:
    ReferencePreparedModel(const PreparedModel& prepared, Priority priority,
                           std::shared_ptr<ReferenceParts> parts);

    // This object, or the one that a resilient object stands for; null for those of other devices.
    static std::shared_ptr<const ReferencePreparedModel> of(
            const SharedPreparedModel& any, const std::shared_ptr<ReferenceParts>& parts);

    const Model& model() const { return mPrepared.model(); }

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedBurst> configureExecutionBurst() const override;
    std::any getUnderlyingResource() const override { return weak_from_this(); }

   private:
    struct Fenced;
    using Infos = std::pair<Timing, Timing>;

    // The arguments without the request and the fences.
    struct Arguments {
        MeasureTiming measure = MeasureTiming::NO;
        OptionalTimePoint deadline{};
        OptionalDuration loopTimeout{};
        StopFunction stop{};  // of the caller
    };

    Result<BufferUse> useOf(const Request& request, bool allowUnspecifiedOutput = true) const;
    ExecutionResult<Executed> run(const Request& request, const Arguments& arguments) const;
    ExecutionResult<Executed> run(const BufferUse& use, const Arguments& arguments) const;
    GeneralResult<Infos> compute(const Fenced& fenced) const;
    void runFenced(const std::shared_ptr<Fenced>& fenced) const;

    PreparedModel mPrepared;
    Priority mPriority;
    std::shared_ptr<ReferenceParts> mParts;
    bool mHasOpenOutputs;
};

}  // namespace nn::driver
