// A device that stops in one phase, tells that it has, and goes on when it is asked to; or for
// ever.
#pragma once

#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/forwarding_device.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/reference.h"

namespace nn {

// The phases of rule 134.
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

// The rest is the reference device's.
class FaultDevice final : public ForwardingDevice {
   public:
    FaultDevice(Phase phase, int told) : ForwardingDevice(referenceDevice()), mStop{phase, told} {}

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        mStop.at(Phase::SUPPORTED);
        return ForwardingDevice::getSupportedOperations(model);
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        mStop.at(modelCache.empty() ? Phase::PREPARE : Phase::CACHE);
        auto real = ForwardingDevice::prepareModel(model, preference, priority, deadline,
                                                   modelCache, dataCache, token, hints, prefixes);
        if (!real.has_value()) return real;
        return SharedPreparedModel(std::make_shared<const PreparedModel>(mStop, *real));
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs) const override {
        mStop.at(Phase::ALLOCATE);
        std::vector<SharedPreparedModel> real;
        for (const auto& model : preparedModels) {
            real.push_back(dynamic_cast<const PreparedModel&>(*model).real);
        }
        auto buffer = ForwardingDevice::allocate(desc, real, inputs, outputs);
        if (!buffer.has_value()) return buffer;
        return SharedBuffer(std::make_shared<const Buffer>(mStop, *buffer));
    }

   private:
    struct Stop {
        Phase phase;
        int told;
        void at(Phase reached) const {
            if (phase != reached) return;
            (void)!write(told, "!", 1);
            while (true) pause();
        }
    };

    struct Buffer final : IBuffer {
        Buffer(Stop s, SharedBuffer r) : stop(s), real(std::move(r)) {}
        Request::MemoryDomainToken getToken() const override { return real->getToken(); }
        GeneralResult<void> copyTo(const SharedMemory& dst) const override {
            stop.at(Phase::COPY);
            return real->copyTo(dst);
        }
        GeneralResult<void> copyFrom(const SharedMemory& src,
                                     const Dimensions& dimensions) const override {
            stop.at(Phase::COPY);
            return real->copyFrom(src, dimensions);
        }
        Stop stop;
        SharedBuffer real;
    };

    struct Burst final : IBurst {
        Burst(Stop s, SharedBurst r) : stop(s), real(std::move(r)) {}
        OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
            return real->cacheMemory(memory);
        }
        ExecutionResult<Executed> execute(
                const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
                const OptionalDuration& loopTimeout, const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
            stop.at(Phase::BURST);
            return real->execute(request, measure, deadline, loopTimeout, hints, prefixes);
        }
        GeneralResult<SharedExecution> createReusableExecution(
                const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
                const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
            return real->createReusableExecution(request, measure, loopTimeout, hints, prefixes);
        }
        Stop stop;
        SharedBurst real;
    };

    struct Execution final : IExecution {
        Execution(Stop s, SharedExecution r) : stop(s), real(std::move(r)) {}
        ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
            stop.at(Phase::COMPUTE);
            return real->compute(deadline);
        }
        GeneralResult<ExecutedFenced> computeFenced(const std::vector<SyncFence>& waitFor,
                                                    const OptionalTimePoint& deadline,
                                                    const OptionalDuration& after) const override {
            return real->computeFenced(waitFor, deadline, after);
        }
        Stop stop;
        SharedExecution real;
    };

    struct PreparedModel final : IPreparedModel {
        PreparedModel(Stop s, SharedPreparedModel r) : stop(s), real(std::move(r)) {}
        ExecutionResult<Executed> execute(
                const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
                const OptionalDuration& loopTimeout, const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
            stop.at(Phase::EXECUTE);
            return real->execute(request, measure, deadline, loopTimeout, hints, prefixes);
        }
        // Launched, with a fence that nobody signals.
        GeneralResult<ExecutedFenced> executeFenced(
                const Request& request, const std::vector<SyncFence>& waitFor,
                MeasureTiming measure, const OptionalTimePoint& deadline,
                const OptionalDuration& loopTimeout, const OptionalDuration& after,
                const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
            if (stop.phase != Phase::LAUNCHED) {
                return real->executeFenced(request, waitFor, measure, deadline, loopTimeout, after,
                                           hints, prefixes);
            }
            int ends[2];
            if (pipe(ends) != 0) return error() << "no pipe";
            return ExecutedFenced{SyncFence::create(UniqueFd(ends[0])), {}};
        }
        GeneralResult<SharedExecution> createReusableExecution(
                const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
                const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
            auto made =
                    real->createReusableExecution(request, measure, loopTimeout, hints, prefixes);
            if (!made.has_value()) return made;
            return SharedExecution(std::make_shared<const Execution>(stop, *made));
        }
        GeneralResult<SharedBurst> configureExecutionBurst() const override {
            auto made = real->configureExecutionBurst();
            if (!made.has_value()) return made;
            return SharedBurst(std::make_shared<const Burst>(stop, *made));
        }
        std::any getUnderlyingResource() const override { return {}; }
        Stop stop;
        SharedPreparedModel real;
    };

    Stop mStop;
};

}  // namespace nn
