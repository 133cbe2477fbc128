// Times and deadlines.
#include "device_test/bugs/parts.h"
#include "nnapi/device_test/faulty_device.h"

namespace nn::bugs {
namespace timing {
namespace {

using std::chrono::seconds;

class TimePreparedModel final : public PreparedModelPart {
   public:
    using PreparedModelPart::PreparedModelPart;

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        auto executed = changed(call).on(*inner());
        if (executed.has_value()) executed->second = changed(executed->second);
        return executed;
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        return PreparedModelPart::makeExecution(changed(call));
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutAfterFences) const override {
        ExecutionCall launched = changed(call);
        OptionalDuration timeout = timeoutAfterFences;
        if (has(Bug::timeout_after_fence_ignored) && timeout) {
            const TimePoint end = makeDeadline(*timeout);
            launched.deadline = launched.deadline ? std::min(*launched.deadline, end) : end;
            timeout.reset();
        }
        auto executed = launched.fencedOn(*inner(), waitFor, timeout);
        if (!executed.has_value()) return executed;
        auto self = std::static_pointer_cast<const TimePreparedModel>(shared_from_this());
        executed->second = [self, info = executed->second]() {
            auto timings = info();
            if (timings.has_value()) {
                timings->first = self->changed(timings->first);
                timings->second = self->changed(timings->second);
            }
            return timings;
        };
        return executed;
    }

   private:
    ExecutionCall changed(const ExecutionCall& call) const {
        ExecutionCall other = call;
        const bool isPast = hasDeadlinePassed(call.deadline);
        if (has(Bug::deadline_ignored) && !isPast) other.deadline.reset();
        if (has(Bug::deadline_past_accepted) && isPast) other.deadline.reset();
        if (has(Bug::loop_timeout_ignored)) other.loopTimeoutDuration = kLoopTimeoutMaximum;
        return other;
    }
    Timing changed(Timing timing) const {
        for (OptionalDuration* time : {&timing.timeOnDevice, &timing.timeInDriver}) {
            if (!*time) continue;
            if (has(Bug::time_too_long)) **time *= 1000;
            if (has(Bug::time_too_short)) **time /= 1000;
            if (has(Bug::time_constant)) *time = seconds(1);
            if (has(Bug::time_since_boot)) *time = Clock::now().time_since_epoch();
        }
        return timing;
    }
};

class TimePart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        Preparation changed = preparation;
        if (has(Bug::deadline_past_accepted) && hasDeadlinePassed(preparation.deadline)) {
            changed.deadline.reset();
        }
        return changed.on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model*) const override {
        return std::make_shared<const TimePreparedModel>(std::move(made), bug());
    }
};

}  // namespace
}  // namespace timing

SharedDevice withTimeBugs(SharedDevice device, Bug bug) {
    using nn::testing::DeviceFault;
    const auto faulty = [&](DeviceFault fault) {
        return nn::testing::faultyDevice(std::move(device), {fault}).value();
    };
    switch (bug) {
        case Bug::time_driver_below_device:
            return faulty(DeviceFault::LONGER_ON_THE_DEVICE);
        case Bug::time_unmeasured:
            return faulty(DeviceFault::TIME_NOBODY_ASKED_FOR);
        case Bug::misses_ample_deadlines:
            return faulty(DeviceFault::MISSES_AMPLE_DEADLINES);
        default:
            if (rowOf(bug).family != "TIME") return device;
            return std::make_shared<const timing::TimePart>(std::move(device), bug);
    }
}

}  // namespace nn::bugs
