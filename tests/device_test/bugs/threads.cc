// Calls that meet.
#include <atomic>
#include <mutex>
#include <thread>

#include "device_test/bugs/parts.h"

namespace nn::bugs {
namespace threads {
namespace {

// Where results stand before they are copied to the client.
class Scratch {
   public:
    void pass(const Request& request) {
        std::vector<std::vector<uint8_t>> values = readOutputs(request);
        {
            const std::lock_guard lock(mMutex);
            mValues = std::move(values);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        {
            const std::lock_guard lock(mMutex);
            values = mValues;
        }
        writeOutputs(request, values);
    }

   private:
    std::mutex mMutex{};
    std::vector<std::vector<uint8_t>> mValues{};
};

// What all prepared models of a device share.
struct Shared {
    Scratch scratch{};
    std::atomic<int> executions = 0;
};

class ScratchBurst final : public ForwardingBurst {
   public:
    ScratchBurst(SharedBurst inner, std::shared_ptr<Shared> shared)
        : ForwardingBurst(std::move(inner)), mShared(std::move(shared)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeout, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        auto executed = inner()->execute(request, measure, deadline, loopTimeout, hints, prefixes);
        if (executed.has_value()) mShared->scratch.pass(request);
        return executed;
    }

   private:
    std::shared_ptr<Shared> mShared;
};

// Of a prepared model that it does not keep.
class UnownedExecution final : public ForwardingExecution {
   public:
    UnownedExecution(SharedExecution inner, std::weak_ptr<const void> model)
        : ForwardingExecution(std::move(inner)), mModel(std::move(model)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        if (mModel.expired()) return error() << "the prepared model is gone";
        return inner()->compute(deadline);
    }
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutAfterFences) const override {
        if (mModel.expired()) return error() << "the prepared model is gone";
        return inner()->computeFenced(waitFor, deadline, timeoutAfterFences);
    }

   private:
    std::weak_ptr<const void> mModel;
};

class UnownedBurst final : public ForwardingBurst {
   public:
    UnownedBurst(SharedBurst inner, std::weak_ptr<const void> model)
        : ForwardingBurst(std::move(inner)), mModel(std::move(model)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeout, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        if (mModel.expired()) return error() << "the prepared model is gone";
        return inner()->execute(request, measure, deadline, loopTimeout, hints, prefixes);
    }

   private:
    std::weak_ptr<const void> mModel;
};

class ThreadPreparedModel final : public PreparedModelPart {
   public:
    ThreadPreparedModel(SharedPreparedModel inner, Bug bug, std::shared_ptr<Shared> shared)
        : PreparedModelPart(std::move(inner), bug), mShared(std::move(shared)) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        if (has(Bug::release_ends_executions)) {
            auto burst = inner()->configureExecutionBurst();
            if (!burst.has_value()) return burst;
            return SharedBurst(std::make_shared<const UnownedBurst>(*burst, weak_from_this()));
        }
        auto burst = PreparedModelPart::configureExecutionBurst();
        if (!burst.has_value() || !has(Bug::burst_interleaved)) return burst;
        return SharedBurst(std::make_shared<const ScratchBurst>(*burst, mShared));
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        const Counted counted(mShared->executions);
        constexpr int kMaxConcurrent = 4;
        if (has(Bug::busy_when_concurrent) && counted.count > kMaxConcurrent) {
            return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) << "all cores are busy";
        }
        auto executed = call.on(*inner());
        if (!executed.has_value()) return executed;
        if (has(Bug::race_shared_scratch)) mScratch.pass(call.request);
        if (has(Bug::race_two_models)) mShared->scratch.pass(call.request);
        return executed;
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        if (!has(Bug::release_ends_executions)) return PreparedModelPart::makeExecution(call);
        auto made = call.reusableOn(*inner());
        if (!made.has_value()) return made;
        return SharedExecution(std::make_shared<const UnownedExecution>(*made, weak_from_this()));
    }

   private:
    struct Counted {
        explicit Counted(std::atomic<int>& executions)
            : mExecutions(executions), count(++executions) {}
        ~Counted() { --mExecutions; }
        std::atomic<int>& mExecutions;
        int count;
    };

    std::shared_ptr<Shared> mShared;
    mutable Scratch mScratch{};
};

class ThreadPart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        if (!has(Bug::deadlock_concurrent_prepare)) return preparation.on(*inner());
        // Every other preparation takes the locks in the other order.
        const size_t first = mPreparations++ % 2;
        const std::lock_guard one(mMutexes[first]);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::lock_guard other(mMutexes[1 - first]);
        return preparation.on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model*) const override {
        return std::make_shared<const ThreadPreparedModel>(std::move(made), bug(), mShared);
    }

   private:
    std::shared_ptr<Shared> mShared = std::make_shared<Shared>();
    mutable std::atomic<size_t> mPreparations = 0;
    mutable std::mutex mMutexes[2]{};
};

}  // namespace
}  // namespace threads

SharedDevice withThreadBugs(SharedDevice device, Bug bug) {
    if (rowOf(bug).family != "THREADS") return device;
    return std::make_shared<const threads::ThreadPart>(std::move(device), bug);
}

}  // namespace nn::bugs
