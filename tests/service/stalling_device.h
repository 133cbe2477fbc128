// A device that reports when it reaches a phase, and stops there forever.
#pragma once

#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/memory/call_objects.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"

namespace nn {

// The phases of rule death.server.
enum class Phase {
    NONE,
    SUPPORTED,
    PREPARE,
    CACHE,
    EXECUTE,
    COMPUTE,
    LAUNCHED,
    BURST,
    ALLOCATE,
    COPY
};

inline constexpr std::array<std::string_view, 10> kPhaseNames = {
        "none",    "supported", "prepare", "cache",    "execute",
        "compute", "launched",  "burst",   "allocate", "copy"};

inline Phase phaseOf(std::string_view name) {
    for (size_t i = 0; i < kPhaseNames.size(); ++i) {
        if (kPhaseNames[i] == name) return static_cast<Phase>(i);
    }
    return Phase::NONE;
}

// All other calls go to the reference device.
class StallingDevice final : public driver::ForwardingCallDevice {
   public:
    StallingDevice(Phase phase, int reportFd)
        : ForwardingCallDevice(referenceDevice()), mStop{phase, reportFd} {}

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        mStop.at(Phase::SUPPORTED);
        return ForwardingDevice::getSupportedOperations(model);
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs) const override {
        mStop.at(Phase::ALLOCATE);
        return ForwardingDevice::allocate(desc, preparedModels, inputs, outputs);
    }

   protected:
    GeneralResult<SharedPreparedModel> prepare(const driver::PreparationCall& call) const override {
        mStop.at(call.modelCache.empty() ? Phase::PREPARE : Phase::CACHE);
        return call.on(*inner());
    }
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const PreparedModel>(mStop, std::move(made));
    }
    SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const override {
        return innerOf<PreparedModel>(std::move(given));
    }
    SharedBuffer wrapBuffer(SharedBuffer made) const override {
        return std::make_shared<const Buffer>(mStop, std::move(made));
    }

   private:
    struct Stop {
        Phase phase;
        int reportFd;
        void at(Phase reached) const {
            if (phase != reached) return;
            (void)!write(reportFd, "!", 1);
            while (true) pause();
        }
    };

    struct Buffer final : ForwardingBuffer {
        Buffer(Stop s, SharedBuffer real) : ForwardingBuffer(std::move(real)), stop(s) {}
        GeneralResult<void> copyTo(const SharedMemory& dst) const override {
            stop.at(Phase::COPY);
            return ForwardingBuffer::copyTo(dst);
        }
        GeneralResult<void> copyFrom(const SharedMemory& src,
                                     const Dimensions& dimensions) const override {
            stop.at(Phase::COPY);
            return ForwardingBuffer::copyFrom(src, dimensions);
        }
        Stop stop;
    };

    struct Burst final : driver::ForwardingCallBurst {
        Burst(Stop s, SharedBurst real) : ForwardingCallBurst(std::move(real)), stop(s) {}
        ExecutionResult<Executed> executeCall(const driver::ExecutionCall& call) const override {
            stop.at(Phase::BURST);
            return ForwardingCallBurst::executeCall(call);
        }
        Stop stop;
    };

    struct Execution final : ForwardingExecution {
        Execution(Stop s, SharedExecution real) : ForwardingExecution(std::move(real)), stop(s) {}
        ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
            stop.at(Phase::COMPUTE);
            return ForwardingExecution::compute(deadline);
        }
        Stop stop;
    };

    struct PreparedModel final : driver::ForwardingCallPreparedModel {
        PreparedModel(Stop s, SharedPreparedModel real)
            : ForwardingCallPreparedModel(std::move(real)), stop(s) {}
        ExecutionResult<Executed> executeCall(const driver::ExecutionCall& call) const override {
            stop.at(Phase::EXECUTE);
            return ForwardingCallPreparedModel::executeCall(call);
        }
        // Launches an execution whose fence is never signaled.
        GeneralResult<ExecutedFenced> launchCall(const driver::ExecutionCall& call,
                                                 const std::vector<SyncFence>& waitFor,
                                                 const OptionalDuration& after) const override {
            if (stop.phase != Phase::LAUNCHED) {
                return ForwardingCallPreparedModel::launchCall(call, waitFor, after);
            }
            int ends[2];
            if (pipe(ends) != 0) return error() << "no pipe";
            return ExecutedFenced{SyncFence::create(UniqueFd(ends[0])), {}};
        }
        SharedExecution wrapExecution(SharedExecution made) const override {
            return std::make_shared<const Execution>(stop, std::move(made));
        }
        SharedBurst wrapBurst(SharedBurst made) const override {
            return std::make_shared<const Burst>(stop, std::move(made));
        }
        Stop stop;
    };

    Stop mStop;
};

}  // namespace nn
