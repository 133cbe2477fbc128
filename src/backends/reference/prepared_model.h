// The prepared model of the reference device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/fences/fence_watch.h"
#include "driver/memory/call_objects.h"
#include "driver/threads/thread_pool.h"
#include "nnapi/driver/device_buffers.h"
#include "nnapi/driver/reference.h"

namespace nn::driver {

// State shared by the prepared models of one device.
struct ReferenceParts {
    explicit ReferenceParts(const ReferenceDeviceOptions& options)
        : name(options.name),
          log(options.log),
          trace(options.trace),
          stop(options.prepare.until.isCancelled),
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

class ReferencePreparedModel final : public CallPreparedModel,
                                     public std::enable_shared_from_this<ReferencePreparedModel> {
   public:
    ReferencePreparedModel(const PreparedModel& prepared, Priority priority,
                           std::shared_ptr<ReferenceParts> parts);

    // The prepared model itself, or that inside a resilient one; null for prepared models of other
    // devices.
    static std::shared_ptr<const ReferencePreparedModel> of(
            const SharedPreparedModel& any, const std::shared_ptr<ReferenceParts>& parts);

    const Model& model() const { return mPrepared.model(); }

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override;
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override;
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override;
    GeneralResult<SharedBurst> configureExecutionBurst() const override;
    std::any getUnderlyingResource() const override { return weak_from_this(); }

   private:
    struct Fenced;

    Result<BufferUse> useOf(const Request& request, bool allowUnspecifiedOutput = true) const;
    ExecutionResult<Executed> run(const Request& request, const ExecuteOptions& options) const;
    ExecutionResult<Executed> run(const BufferUse& use, const ExecuteOptions& options) const;
    GeneralResult<FencedTimings> compute(const Fenced& fenced) const;
    void runFenced(const std::shared_ptr<Fenced>& fenced) const;

    PreparedModel mPrepared;
    Priority mPriority;
    std::shared_ptr<ReferenceParts> mParts;
    bool mHasOpenOutputs;
};

}  // namespace nn::driver
