#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "device_test/cases/device_parts.h"
#include "device_test/cases/faulty_parts.h"

namespace nn::testing {
namespace {

using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;
using namespace parts;
using enum DeviceFault;

// Changes the byte at this offset of an argument, if there is one.
void touch(const Request& request, const std::vector<Request::Argument>& arguments,
           uint64_t offset) {
    if (arguments.empty()) return;
    const Request::Argument& argument = arguments.front();
    constexpr uint8_t kBit = 0x40;
    if (const SharedMemory pool = poolOf(request, argument)) {
        uint8_t byte = 0;
        const uint64_t place = argument.location.offset + offset;
        if (!readMemory(pool, place, {&byte, 1}).ok()) return;
        byte ^= kBit;
        (void)writeMemory(pool, place, {&byte, 1});
    } else if (uint8_t* pointer = pointerOf(argument);
               pointer != nullptr && offset < argument.location.length) {
        pointer[offset] ^= kBit;
    }
}

// Flips the last byte of the first float32 element.
void makeWrong(const Request& request) {
    if (request.outputs.empty()) return;
    const uint32_t length = request.outputs.front().location.length;
    touch(request, request.outputs, std::min(3u, length == 0 ? 0 : length - 1));
}

// ---- bursts

class FaultyBurst final : public ForwardingBurst {
   public:
    FaultyBurst(SharedBurst good, DeviceFaults faults)
        : ForwardingBurst(std::move(good)), mFaults(std::move(faults)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        NNAPI_RETURN_IF_ERROR(hangWhile(mFaults, HANGS_IN_BURST));
        return inner()->execute(request, measure, deadline, loop, hints, prefixes);
    }

   private:
    const DeviceFaults mFaults;
};

// ---- executions

class FaultyExecution final : public ForwardingExecution {
   public:
    FaultyExecution(SharedExecution good, Request request, DeviceFaults faults)
        : ForwardingExecution(std::move(good)),
          mRequest(std::move(request)),
          mFaults(std::move(faults)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        auto computed = inner()->compute(deadline);
        if (!computed.has_value()) return computed;
        const std::lock_guard lock(mMutex);
        const bool isFirst = mKept.empty();
        if (isFirst) mKept = readOutputs(mRequest);
        if (!isFirst && mFaults.isOn(KEEPS_FIRST_INPUTS)) writeOutputs(mRequest, mKept);
        if (!isFirst && mFaults.isOn(WRONG_VALUES_THE_SECOND_TIME)) makeWrong(mRequest);
        return computed;
    }

   private:
    const Request mRequest;
    const DeviceFaults mFaults;
    mutable std::mutex mMutex{};
    mutable std::vector<std::vector<uint8_t>> mKept{};
};

// ---- prepared models

class FaultyPreparedModel final : public PreparedModelPart {
   public:
    FaultyPreparedModel(SharedPreparedModel good, DeviceFaults faults)
        : PreparedModelPart(std::move(good)), mFaults(std::move(faults)) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        if (on(NULL_BURST)) return SharedBurst();
        NNAPI_ASSIGN_OR_RETURN(good, PreparedModelPart::configureExecutionBurst());
        return SharedBurst(std::make_shared<const FaultyBurst>(std::move(good), mFaults));
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(start());
        if (on(ABORTS_IN_EXECUTE)) endBy(SIGABRT);
        if (on(SEGFAULTS_IN_EXECUTE)) endBy(SIGSEGV);
        if (on(EXITS_IN_EXECUTE)) _exit(3);
        NNAPI_RETURN_IF_ERROR(hangWhile(mFaults, HANGS_IN_EXECUTE));
        if (on(THROWS)) throw std::runtime_error("out of luck");
        if (on(MISSES_AMPLE_DEADLINES) && call.deadline) {
            return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << "late";
        }
        const bool isMixed = isAnotherThread() && on(MIXES_UP_THREADS);
        auto done = PreparedModelPart::executeCall(call);
        if (!done.has_value()) return afterFailure(call.request, done.error());
        if (on(WRONG_VALUES) || isMixed) makeWrong(call.request);
        return afterSuccess(call.request, call.measure, *std::move(done));
    }

    GeneralResult<ExecutedFenced> launchCall(const ExecutionCall& call,
                                             const std::vector<SyncFence>& waitFor,
                                             const OptionalDuration& afterFences) const override {
        NNAPI_RETURN_IF_ERROR(start());
        NNAPI_RETURN_IF_ERROR(hangWhile(mFaults, HANGS_IN_FENCED));
        if (on(FENCED_WITH_UNKNOWN_SHAPES)) {
            return ExecutedFenced{SyncFence(), [] { return FencedTimings(); }};
        }
        const std::vector<SyncFence> none;
        auto launched = PreparedModelPart::launchCall(
                call, on(DOES_NOT_WAIT_FOR_FENCES) ? none : waitFor, afterFences);
        if (!launched.has_value()) return launched;
        if (on(WRONG_VALUES)) {
            constexpr auto kMaxWait = std::chrono::seconds(10);
            (void)launched->first.syncWait(kMaxWait);  // the output is complete by then
            makeWrong(call.request);
        }
        if (on(FENCE_IN_ERROR) || on(FENCE_NEVER_SIGNALLED)) {
            int ends[2];
            if (pipe(ends) != 0) return error() << "no pipe";
            launched->first = SyncFence::create(UniqueFd(ends[0]));
            // An end that stays open is never signaled.
            if (on(FENCE_IN_ERROR)) close(ends[1]);
        }
        if (on(NO_CALLBACK)) launched->second = nullptr;
        if (on(CALLBACK_FAILS)) {
            launched->second = []() -> GeneralResult<FencedTimings> {
                return error() << "nobody knows";
            };
        }
        return launched;
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        if (on(NULL_EXECUTION)) return SharedExecution();
        NNAPI_ASSIGN_OR_RETURN(good, PreparedModelPart::makeExecution(call));
        return SharedExecution(
                std::make_shared<const FaultyExecution>(std::move(good), call.request, mFaults));
    }

   private:
    bool on(DeviceFault fault) const { return mFaults.isOn(fault); }

    Status start() const {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        if (!on(DIES_IN_EXECUTE)) return {};
        return error(ErrorStatus::DEAD_OBJECT) << "the driver is gone";
    }

    // True if the previous execution ran on another thread, and this is not the very first thread.
    bool isAnotherThread() const {
        const std::lock_guard lock(mMutex);
        const std::thread::id own = std::this_thread::get_id();
        if (mFirst == std::thread::id()) mFirst = own;
        const std::thread::id before = std::exchange(mLast, own);
        return before != std::thread::id() && before != own && own != mFirst;
    }

    ExecutionResult<Executed> afterSuccess(const Request& request, MeasureTiming measure,
                                           Executed done) const {
        auto& [shapes, timing] = done;
        if (on(WRONG_DIMENSIONS)) {
            if (shapes.empty()) shapes = {{.dimensions = {2, 2}, .isSufficient = true}};
            for (OutputShape& shape : shapes) shape.dimensions.push_back(2);
        }
        if (on(TOO_MANY_SHAPES)) {
            shapes.resize(request.outputs.size() + 1, {.dimensions = {2}, .isSufficient = true});
        }
        if (on(NO_SHAPES)) shapes.clear();
        if (on(INSUFFICIENT_SHAPES)) {
            for (OutputShape& shape : shapes) shape.isSufficient = false;
        }
        if (on(TIME_NOBODY_ASKED_FOR)) timing.timeInDriver = Duration(1);
        if (on(LONGER_ON_THE_DEVICE) && measure == MeasureTiming::YES) {
            timing = {Duration(2), Duration(1)};
        }
        if (on(NEGATIVE_TIME) && measure == MeasureTiming::YES) timing = {{}, Duration(-1)};
        if (on(WRITES_INPUTS)) touch(request, request.inputs, 0);
        if (on(WRITES_BEHIND_OUTPUTS) && !request.outputs.empty()) {
            touch(request, request.outputs, request.outputs.front().location.length);
        }
        return done;
    }

    ExecutionResult<Executed> afterFailure(const Request& request, ExecutionError why) const {
        const bool isInsufficient = why.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        const bool isMissed = why.code == ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
                              why.code == ErrorStatus::MISSED_DEADLINE_PERSISTENT;
        if (on(ACCEPTS_ANY_REQUEST) && why.code == ErrorStatus::INVALID_ARGUMENT) {
            return Executed{};
        }
        if (on(ENDS_LOOPS_WITH_SUCCESS) && isMissed) return Executed{};
        if (on(SHAPES_WITH_FAILURES) && !isInsufficient) {
            why.outputShapes.resize(request.outputs.size());
        }
        if (on(LIES_ABOUT_SUFFICIENCY) && isInsufficient) {
            for (OutputShape& shape : why.outputShapes) shape.isSufficient = true;
        }
        return why;
    }

    const DeviceFaults mFaults;
    mutable std::mutex mMutex{};
    mutable std::thread::id mFirst{}, mLast{};
};

}  // namespace

SharedPreparedModel faultyPreparedModel(SharedPreparedModel good, const DeviceFaults& faults) {
    return std::make_shared<const FaultyPreparedModel>(std::move(good), faults);
}

}  // namespace nn::testing
