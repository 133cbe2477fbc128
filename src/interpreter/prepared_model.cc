#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include "base/float_environment.h"
#include "base/no_throw.h"
#include "base/per_process.h"
#include "interpreter/arguments.h"
#include "interpreter/errors.h"
#include "interpreter/plan.h"
#include "interpreter/run.h"
#include "nnapi/interpreter.h"

namespace nn {
namespace {

Status tooMuchMemory(const Plan& plan, const std::optional<ExecutionState::At>& at) {
    const std::string rule = ruleOf(&Limits::peakBytes);
    std::string message = fmt::format("the execution needs more memory than the {} bytes allowed",
                                      plan.limits.peakBytes);
    return at ? operationError(plan, at->graph, at->operation, kLimitExceeded, rule,
                               std::move(message))
              : makeError(
                        kLimitExceeded,
                        Diagnostic{.rule = rule, .path = "inputs", .message = std::move(message)});
}

}  // namespace

class PreparedModel::Impl {
   public:
    Impl(std::unique_ptr<const Plan> plan, size_t threads)
        : mPlan(std::move(plan)), mThreads(threads) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    const Plan& plan() const { return *mPlan; }

    // Calls execution(state) with a state that no other execution uses. If memory runs out in a
    // reused state, calls it again with a new one; an execution with visible effects must therefore
    // start with a new state.
    template <class Execution>
    Status withState(const ExecuteOptions& options, Execution execution) const try {
        const DefaultFloatEnvironment environment;
        for (;;) {
            std::unique_ptr<ExecutionState> state =
                    options.observer == nullptr && options.starter == nullptr ? takeState()
                                                                              : newState();
            const bool wasUsed = state->isUsed;
            try {
                Status status = execution(*state);
                keepState(std::move(state));
                return status;
            } catch (const CeilingReached&) {
                // Memory left by earlier executions must not make this one fail.
                if (!wasUsed) return tooMuchMemory(*mPlan, state->at);
            }
        }
    } catch (...) {
        return statusOfException();
    }

   private:
    // States that no execution has. Their threads are those of a process.
    struct IdleStates {
        IdleStates() = default;
        IdleStates(const IdleStates&) = delete;
        IdleStates& operator=(const IdleStates&) = delete;
        ~IdleStates() { delete last.load(); }

        // One execution at a time needs no lock.
        std::atomic<ExecutionState*> last = nullptr;
        std::mutex mutex{};
        std::vector<std::unique_ptr<ExecutionState>> others{};
    };

    std::unique_ptr<ExecutionState> takeState() const {
        IdleStates& idle = *mIdle.get();
        if (auto* const last = idle.last.exchange(nullptr, std::memory_order_acquire))
            return std::unique_ptr<ExecutionState>(last);
        {
            const std::lock_guard lock(idle.mutex);
            if (!idle.others.empty()) {
                std::unique_ptr<ExecutionState> state = std::move(idle.others.back());
                idle.others.pop_back();
                return state;
            }
        }
        return newState();
    }

    std::unique_ptr<ExecutionState> newState() const {
        return std::make_unique<ExecutionState>(*mPlan, mPlan->limits.peakBytes, mThreads);
    }

    void keepState(std::unique_ptr<ExecutionState> state) const {
        state->reset();
        IdleStates& idle = *mIdle.get();
        state.reset(idle.last.exchange(state.release(), std::memory_order_acq_rel));
        if (state == nullptr) return;
        const std::lock_guard lock(idle.mutex);
        idle.others.push_back(std::move(state));
    }

    std::unique_ptr<const Plan> mPlan;
    size_t mThreads;
    PerProcess<IdleStates> mIdle{};
};

Result<PreparedModel> PreparedModel::of(Result<std::unique_ptr<const Plan>> plan,
                                        const PrepareOptions& options) {
    if (!plan.ok()) return plan.status();
    return PreparedModel(std::make_shared<const Impl>(*std::move(plan), options.threads));
}

Result<PreparedModel> prepare(Model model, const PrepareOptions& options) try {
    return PreparedModel::of(makePlan(std::move(model), options), options);
} catch (...) {
    return statusOfException();
}

Result<PreparedModel> prepare(const ValidatedModel& model, const PrepareOptions& options) try {
    return PreparedModel::of(makePlan(model, options), options);
} catch (...) {
    return statusOfException();
}

const ValidatedModel& PreparedModel::checked() const { return mImpl->plan().checked; }

const Model& PreparedModel::model() const { return mImpl->plan().model; }

ExecutionOutcome PreparedModel::execute(const Request& request,
                                        const ExecuteOptions& options) const {
    const bool isMeasured = options.measure == MeasureTiming::YES;
    const auto now = [isMeasured] { return isMeasured ? Clock::now() : TimePoint(); };
    const TimePoint called = now();
    ExecutionOutcome result;
    OptionalDuration timeOnDevice;
    result.status = mImpl->withState(options, [&](ExecutionState& state) -> Status {
        NNAPI_RETURN_IF_ERROR(takeRequest(mImpl->plan(), request, state));
        const TimePoint started = now();
        Run run(mImpl->plan(), state, options);
        NNAPI_RETURN_IF_ERROR(run.main());
        timeOnDevice = now() - started;
        return giveOutputs(
                mImpl->plan(), [&run](size_t i) -> const ops::Value& { return run.output(i); },
                state, options.listShapes, result.outputShapes);
    });
    if (!result.status.ok() &&
        errorStatus(result.status) != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        result.outputShapes.clear();  // memory may have run out while they were listed
    }
    if (result.status.ok() && isMeasured) {
        result.timing = {.timeOnDevice = timeOnDevice, .timeInDriver = now() - called};
    }
    return result;
}

Result<std::vector<Tensor>> PreparedModel::run(std::span<const Tensor> inputs,
                                               const ExecuteOptions& options) const {
    std::vector<Tensor> outputs;
    NNAPI_RETURN_IF_ERROR(mImpl->withState(options, [&](ExecutionState& state) -> Status {
        NNAPI_RETURN_IF_ERROR(takeValues(mImpl->plan(), inputs, state));
        Run run(mImpl->plan(), state, options);
        NNAPI_RETURN_IF_ERROR(run.main());
        outputs = outputValues(mImpl->plan(), run);
        return {};
    }));
    return outputs;
}

}  // namespace nn
