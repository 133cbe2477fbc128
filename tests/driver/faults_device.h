// faults_device.h -- The canonical device behind the adapter of a driver with fault injection, of
// any family; see faults_driver.h.
#pragma once

#include "driver/adapter_fakes.h"
#include "driver/fake_driver.h"
#include "driver/faults_schedule.h"

namespace nn::driver_faults {

// A fault of the device itself, instead of its normal result.
template <class Outcome>
std::optional<Outcome> deviceFault(FaultSchedule& schedule, uint32_t call,
                                   const OptionalTimePoint& deadline = {}) {
    if (deadline && *deadline <= Clock::now()) {
        return Outcome(makeError(ErrorStatus::MISSED_DEADLINE_PERSISTENT, "too late"));
    }
    if (schedule.fire("DEVICE_THROWS", call)) throw std::runtime_error("the device throws");
    if (schedule.fire("DEVICE_NULL", call)) return Outcome(typename Outcome::value_type{});
    if (!schedule.fire("DEVICE_CODE", call)) return std::nullopt;
    return Outcome(makeError(static_cast<ErrorStatus>(schedule.code()), "the device fails"));
}

class CanonicalBuffer final : public IBuffer {
   public:
    explicit CanonicalBuffer(SharedSchedule schedule) : mWorld(std::move(schedule)) {}
    Request::MemoryDomainToken getToken() const override { return Request::MemoryDomainToken{1}; }
    GeneralResult<void> copyTo(const SharedMemory&) const override { return copy(); }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        return copy();
    }

   private:
    GeneralResult<void> copy() const {
        if (mWorld->fire("DEVICE_THROWS")) throw std::runtime_error("the device throws");
        if (!mWorld->fire("DEVICE_CODE")) return {};
        return makeError(static_cast<ErrorStatus>(mWorld->code()), "the device fails");
    }

    SharedSchedule mWorld;
};

// z = x + y.
inline ExecutionResult<Executed> run(FaultSchedule& schedule,
                                     const driver_adapter_fakes::ExecuteCall& execute,
                                     uint32_t call) {
    if (auto fault = deviceFault<ExecutionResult<Executed>>(schedule, call, execute.deadline);
        fault)
        return *fault;
    const Request& request = execute.request;
    const bool isSlow = schedule.fire("DEVICE_SLOW", call);
    if (!fake::add(request)) return makeError(ErrorStatus::INVALID_ARGUMENT, "no sum");
    if (!isSlow) return Executed{};
    // A device may read its inputs long before it writes its outputs.
    const Request::Argument& output = request.outputs[0];
    const auto& pool = std::get<SharedMemory>(request.pools[output.location.poolIndex]);
    std::vector<uint8_t> sum(output.location.length);
    NNAPI_RETURN_IF_ERROR(readMemory(pool, output.location.offset, sum));
    std::this_thread::sleep_for(FaultSchedule::kSlow);
    NNAPI_RETURN_IF_ERROR(writeMemory(pool, output.location.offset, sum));
    return Executed{};
}

inline SharedDevice makeDevice(const SharedSchedule& schedule) {
    using driver_adapter_fakes::FakePreparedModel;
    const auto inBursts = std::make_shared<driver_adapter_fakes::Script>();
    inBursts->execute = [schedule](const auto& call) { return run(*schedule, call, BURST); };

    const auto script = std::make_shared<driver_adapter_fakes::Script>();
    const std::weak_ptr weak = script;  // it cannot own itself
    script->files = {1, 0};
    script->support = [schedule](const Model&) {
        using Returned = GeneralResult<std::vector<bool>>;
        const auto fault = deviceFault<Returned>(*schedule, SUPPORTED);
        return fault ? *fault : Returned(std::vector<bool>{true});
    };
    script->prepare = [schedule, weak](const auto& call) {
        auto fault = deviceFault<GeneralResult<SharedPreparedModel>>(*schedule, PREPARE | CACHED,
                                                                     call.deadline);
        if (fault) return *fault;
        if (schedule->fire("DEVICE_SLOW", PREPARE | CACHED)) {
            std::this_thread::sleep_for(FaultSchedule::kSlow);
        }
        return GeneralResult<SharedPreparedModel>(
                std::make_shared<const FakePreparedModel>(weak.lock()));
    };
    script->execute = [schedule](const auto& call) {
        return run(*schedule, call, EXECUTE | EXECUTE_SYNC);
    };
    script->fenced = [schedule](const auto& call) -> GeneralResult<ExecutedFenced> {
        if (auto executed = run(*schedule, call, FENCED); !executed.has_value()) {
            return executed.status();
        }
        return ExecutedFenced(SyncFence::createAsSignaled(), [schedule] {
            using Returned = GeneralResult<FencedTimings>;
            const auto fault = deviceFault<Returned>(*schedule, INFO);
            return fault ? *fault : Returned(FencedTimings());
        });
    };
    script->burst = [schedule, inBursts]() -> GeneralResult<SharedBurst> {
        if (auto fault = deviceFault<GeneralResult<SharedBurst>>(*schedule, CONFIGURE); fault) {
            return *fault;
        }
        return V1_0::utils::Burst::create(std::make_shared<const FakePreparedModel>(inBursts));
    };
    script->allocate = [schedule](const auto&, const auto&) {
        auto fault = deviceFault<GeneralResult<SharedBuffer>>(*schedule, ALLOCATE);
        return fault ? *fault
                     : GeneralResult<SharedBuffer>(
                               std::make_shared<const CanonicalBuffer>(schedule));
    };
    return std::make_shared<const driver_adapter_fakes::FakeDevice>(script);
}

// How the adapter of a driver runs its tasks.
inline hal::adapter::AdaptOptions adaptOptions(const SharedSchedule& schedule, bool isThreaded) {
    const auto executor = [schedule, isThreaded](hal::adapter::Task task,
                                                 const OptionalTimePoint&) {
        if (schedule->fire("EXECUTOR_THROWS")) throw std::runtime_error("no threads");
        if (schedule->fire("EXECUTOR_DROPS")) return;
        if (schedule->fire("EXECUTOR_LATE")) return schedule->keep(std::move(task));
        if (schedule->fire("EXECUTOR_TWICE")) task();
        if (!isThreaded) return task();
        schedule->start(std::move(task));
    };
    return {.executor = executor};
}

}  // namespace nn::driver_faults
