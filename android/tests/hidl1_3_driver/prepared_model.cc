#define LOG_TAG "sample-npu@1.3-prepared-model"

#include "prepared_model.h"

#include <android-base/logging.h>

#include <algorithm>
#include <map>
#include <thread>

#include "Tracing.h"
#include "ValidateHal.h"
#include "callbacks.h"

namespace sample::npu {

using namespace android::nn;
using namespace android::nn::hal;
using android::sp;

namespace {

using PoolTag = Request::MemoryPool::hidl_discriminator;

constexpr Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

TimePoint now() { return std::chrono::steady_clock::now(); }

uint64_t microseconds(TimePoint start, TimePoint end) {
    return static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(end - start).count());
}

Limits limitsOf(const OptionalTimePoint& deadline, const OptionalTimeoutDuration& loopTimeout) {
    Limits limits = {.deadline = makeDeadline(deadline), .loopTimeout = {}};
    if (loopTimeout.getDiscriminator() ==
        OptionalTimeoutDuration::hidl_discriminator::nanoseconds) {
        limits.loopTimeout = loopTimeout.nanoseconds();
    }
    return limits;
}

// Waits for a fence until the deadline.
ErrorStatus waitFor(const hidl_handle& fence, const std::optional<Deadline>& deadline) {
    int timeoutMs = -1;
    if (deadline) {
        const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - now()).count();
        timeoutMs = static_cast<int>(std::clamp<int64_t>(left, 0, INT32_MAX));
    }
    switch (syncWait(fence.getNativeHandle()->data[0], timeoutMs)) {
        case FenceState::SIGNALED:
            return ErrorStatus::NONE;
        case FenceState::ACTIVE:
            return ErrorStatus::MISSED_DEADLINE_TRANSIENT;
        case FenceState::ERROR:
        case FenceState::UNKNOWN:
            break;
    }
    LOG(ERROR) << "a fence has failed";
    return ErrorStatus::GENERAL_FAILURE;
}

bool isFence(const hidl_handle& handle) {
    const native_handle_t* native = handle.getNativeHandle();
    return native != nullptr && native->numFds == 1 && native->numInts == 0;
}

class FencedCallback : public IFencedExecutionCallback {
   public:
    FencedCallback(ErrorStatus status, Timing sinceLaunch, Timing sinceFences)
        : mStatus(status), mSinceLaunch(sinceLaunch), mSinceFences(sinceFences) {}

    Return<void> getExecutionInfo(getExecutionInfo_cb cb) override {
        cb(mStatus, mSinceLaunch, mSinceFences);
        return Void();
    }

   private:
    const ErrorStatus mStatus;
    const Timing mSinceLaunch;
    const Timing mSinceFences;
};

// Keeps the memories of a burst mapped.
class BurstExecutor : public ExecutionBurstServer::IBurstExecutorWithCache {
   public:
    explicit BurstExecutor(const sp<PreparedModel>& preparedModel)
        : mPreparedModel(preparedModel) {}

    bool isCacheEntryPresent(int32_t slot) const override { return mMemories.count(slot) != 0; }

    // A memory that cannot be mapped also has an entry: its executions fail.
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        mMemories[slot] = RunTimePoolInfo::createFromHidlMemory(memory);
    }

    void removeCacheEntry(int32_t slot) override { mMemories.erase(slot); }

    std::tuple<V1_0::ErrorStatus, hidl_vec<OutputShape>, Timing> execute(
            const V1_0::Request& request, const std::vector<int32_t>& slots,
            MeasureTiming measure) override {
        NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "BurstExecutor::execute");
        const TimePoint start = now();
        V1_0::Request whole = request;
        std::vector<RunTimePoolInfo> pools;
        whole.pools.resize(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) {
            const std::optional<RunTimePoolInfo>& pool = mMemories[slots[i]];
            if (!pool) return {V1_0::ErrorStatus::GENERAL_FAILURE, {}, kNoTiming};
            pools.push_back(*pool);
            whole.pools[i] = pool->getHidlMemory();
        }
        const Request newest = convertToV1_3(whole);
        if (!validateRequest(newest, *mPreparedModel->getModel())) {
            return {V1_0::ErrorStatus::INVALID_ARGUMENT, {}, kNoTiming};
        }
        const Executed executed =
                mPreparedModel->computeMapped(newest, pools, measure, Limits(), start);
        return {convertToV1_0(executed.status), executed.shapes, executed.timing};
    }

   private:
    const sp<PreparedModel> mPreparedModel;
    std::map<int32_t, std::optional<RunTimePoolInfo>> mMemories;
};

}  // namespace

PreparedModel::PreparedModel(const Model& model, std::shared_ptr<DeviceState> state)
    : mModel(model), mState(std::move(state)) {
    mState->add(this);
}

PreparedModel::~PreparedModel() { mState->remove(this); }

bool PreparedModel::initialize() {
    return setRunTimePoolInfosFromHidlMemories(&mPools, mModel.pools);
}

namespace {

// Whether a buffer is an output and another pool of the request refers to it, too.
bool isOutputTwice(const Request& request, uint32_t pool) {
    const auto isSame = [&](const Request::MemoryPool& other) {
        return other.getDiscriminator() == PoolTag::token &&
               other.token() == request.pools[pool].token();
    };
    return std::count_if(request.pools.begin(), request.pools.end(), isSame) > 1 &&
           std::any_of(request.outputs.begin(), request.outputs.end(),
                       [&](const RequestArgument& output) {
                           return !output.hasNoValue &&
                                  isSame(request.pools[output.location.poolIndex]);
                       });
}

}  // namespace

ErrorStatus PreparedModel::mapPools(Request* request, std::vector<RunTimePoolInfo>* pools,
                                    Buffers* buffers) const {
    if (!setRunTimePoolInfosFromMemoryPools(pools, request->pools)) {
        return ErrorStatus::GENERAL_FAILURE;
    }
    buffers->resize(request->pools.size());
    for (uint32_t i = 0; i < request->pools.size(); ++i) {
        if (request->pools[i].getDiscriminator() != PoolTag::token) continue;
        const uint32_t token = request->pools[i].token();
        const auto buffer = mState->buffers()->get(token);
        if (buffer == nullptr) {
            LOG(ERROR) << "no buffer has token " << token;
            return ErrorStatus::INVALID_ARGUMENT;
        }
        const ErrorStatus status = buffer->validateRequest(i, *request, this);
        if (status != ErrorStatus::NONE) return status;
        if (isOutputTwice(*request, i)) return ErrorStatus::INVALID_ARGUMENT;
        (*pools)[i] = buffer->createRunTimePoolInfo();
        (*buffers)[i] = buffer;
        for (RequestArgument& input : request->inputs) {
            if (input.hasNoValue || input.location.poolIndex != i) continue;
            const auto combined = combineDimensions(input.dimensions, mState->dimensionsOf(token));
            if (!combined) return ErrorStatus::INVALID_ARGUMENT;
            input.dimensions = *combined;
        }
    }
    return ErrorStatus::NONE;
}

Executed PreparedModel::computeMapped(const Request& request,
                                      const std::vector<RunTimePoolInfo>& pools,
                                      MeasureTiming measure, const Limits& limits,
                                      TimePoint driverStart) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "PreparedModel::computeMapped");
    Executed executed;
    if (hasDeadlinePassed(limits.deadline)) {
        executed.status = ErrorStatus::MISSED_DEADLINE_PERSISTENT;
        return executed;
    }
    const TimePoint deviceStart = now();
    CpuExecutor executor;
    if (limits.loopTimeout) executor.setLoopTimeout(*limits.loopTimeout);
    if (limits.deadline) executor.setDeadline(*limits.deadline);
    const int code = executor.run(mModel, request, mPools, pools);
    VLOG(CPUEXE) << "CpuExecutor::run returns " << code;
    executed.status = convertResultCodeToErrorStatus(code);
    executed.shapes = executor.getOutputShapes();
    const TimePoint deviceEnd = now();
    for (const RunTimePoolInfo& pool : pools) pool.flush();
    if (measure == MeasureTiming::YES && executed.status == ErrorStatus::NONE) {
        executed.timing = {.timeOnDevice = microseconds(deviceStart, deviceEnd),
                           .timeInDriver = microseconds(driverStart, now())};
    }
    return executed;
}

Executed PreparedModel::compute(const Request& request, MeasureTiming measure,
                                const Limits& limits) const {
    const TimePoint driverStart = now();
    Request known = request;
    std::vector<RunTimePoolInfo> pools;
    Buffers buffers;
    Executed executed;
    executed.status = mapPools(&known, &pools, &buffers);
    if (executed.status != ErrorStatus::NONE) return executed;
    executed = computeMapped(known, pools, measure, limits, driverStart);

    bool isTooSmall = false;
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        const RequestArgument& output = request.outputs[i];
        if (output.hasNoValue || buffers[output.location.poolIndex] == nullptr) continue;
        const auto& buffer = buffers[output.location.poolIndex];
        const bool isWritten = executed.status == ErrorStatus::NONE;
        if (isWritten && i < executed.shapes.size()) {
            buffer->updateDimensions(executed.shapes[i].dimensions);
        }
        buffer->setInitialized(isWritten);
        isTooSmall = isTooSmall || (executed.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE &&
                                    !executed.shapes[i].isSufficient);
    }
    // A client cannot enlarge device memory.
    if (isTooSmall) return {};
    return executed;
}

template <class Callback>
ErrorStatus PreparedModel::launch(const Request& request, MeasureTiming measure,
                                  const Limits& limits, const sp<Callback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "PreparedModel::launch");
    if (callback == nullptr) {
        LOG(ERROR) << "an execution has no callback";
        return ErrorStatus::INVALID_ARGUMENT;
    }
    Executed refused;
    if (!validateRequest(request, mModel)) {
        refused.status = ErrorStatus::INVALID_ARGUMENT;
    } else if (hasDeadlinePassed(limits.deadline)) {
        refused.status = ErrorStatus::MISSED_DEADLINE_PERSISTENT;
    } else {
        // The thread keeps the prepared model: the client may release it.
        std::thread([self = sp<PreparedModel>(this), request, measure, limits, callback] {
            notify(callback, self->compute(request, measure, limits));
        }).detach();
        return ErrorStatus::NONE;
    }
    notify(callback, refused);
    return refused.status;
}

Return<V1_0::ErrorStatus> PreparedModel::execute(const V1_0::Request& request,
                                                 const sp<V1_0::IExecutionCallback>& callback) {
    return convertToV1_0(launch(convertToV1_3(request), MeasureTiming::NO, Limits(), callback));
}

Return<V1_0::ErrorStatus> PreparedModel::execute_1_2(const V1_0::Request& request,
                                                     MeasureTiming measure,
                                                     const sp<V1_2::IExecutionCallback>& callback) {
    return convertToV1_0(launch(convertToV1_3(request), measure, Limits(), callback));
}

Return<ErrorStatus> PreparedModel::execute_1_3(const Request& request, MeasureTiming measure,
                                               const OptionalTimePoint& deadline,
                                               const OptionalTimeoutDuration& loopTimeoutDuration,
                                               const sp<IExecutionCallback>& callback) {
    return launch(request, measure, limitsOf(deadline, loopTimeoutDuration), callback);
}

Return<void> PreparedModel::executeSynchronously(const V1_0::Request& request,
                                                 MeasureTiming measure,
                                                 executeSynchronously_cb cb) {
    const Request newest = convertToV1_3(request);
    if (!validateRequest(newest, mModel)) {
        cb(V1_0::ErrorStatus::INVALID_ARGUMENT, {}, kNoTiming);
        return Void();
    }
    const Executed executed = compute(newest, measure, Limits());
    cb(convertToV1_0(executed.status), executed.shapes, executed.timing);
    return Void();
}

Return<void> PreparedModel::executeSynchronously_1_3(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration, executeSynchronously_1_3_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION,
                 "PreparedModel::executeSynchronously_1_3");
    if (!validateRequest(request, mModel)) {
        cb(ErrorStatus::INVALID_ARGUMENT, {}, kNoTiming);
        return Void();
    }
    const Executed executed = compute(request, measure, limitsOf(deadline, loopTimeoutDuration));
    cb(executed.status, executed.shapes, executed.timing);
    return Void();
}

Return<void> PreparedModel::executeFenced(const Request& request,
                                          const hidl_vec<hidl_handle>& waitForAll,
                                          MeasureTiming measure, const OptionalTimePoint& deadline,
                                          const OptionalTimeoutDuration& loopTimeoutDuration,
                                          const OptionalTimeoutDuration& duration,
                                          executeFenced_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "PreparedModel::executeFenced");
    const TimePoint launched = now();
    const auto refuse = [&cb](ErrorStatus status) {
        cb(status, hidl_handle(nullptr), nullptr);
        return Void();
    };
    if (!validateRequest(request, mModel, /*allowUnspecifiedOutput=*/false) ||
        !std::all_of(waitForAll.begin(), waitForAll.end(), isFence)) {
        return refuse(ErrorStatus::INVALID_ARGUMENT);
    }
    Limits limits = limitsOf(deadline, loopTimeoutDuration);
    if (hasDeadlinePassed(limits.deadline)) {
        return refuse(ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    }
    for (const hidl_handle& fence : waitForAll) {
        const ErrorStatus status = waitFor(fence, limits.deadline);
        if (status != ErrorStatus::NONE) return refuse(status);
    }
    const TimePoint signaled = now();
    if (duration.getDiscriminator() == OptionalTimeoutDuration::hidl_discriminator::nanoseconds) {
        const Deadline end = makeDeadline(duration.nanoseconds());
        limits.deadline = limits.deadline ? std::min(*limits.deadline, end) : end;
    }
    const Executed executed = compute(request, measure, limits);
    if (executed.status != ErrorStatus::NONE) return refuse(executed.status);
    Timing sinceLaunch = executed.timing, sinceFences = executed.timing;
    if (measure == MeasureTiming::YES) {
        sinceLaunch.timeInDriver = microseconds(launched, now());
        sinceFences.timeInDriver = microseconds(signaled, now());
    }
    const sp<FencedCallback> info = new FencedCallback(executed.status, sinceLaunch, sinceFences);
    cb(ErrorStatus::NONE, hidl_handle(nullptr), info);
    return Void();
}

Return<void> PreparedModel::configureExecutionBurst(const sp<V1_2::IBurstCallback>& callback,
                                                    const FmqRequestDescriptor& requestChannel,
                                                    const FmqResultDescriptor& resultChannel,
                                                    configureExecutionBurst_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION,
                 "PreparedModel::configureExecutionBurst");
    const sp<V1_2::IBurstContext> context =
            ExecutionBurstServer::create(callback, requestChannel, resultChannel,
                                         std::make_shared<BurstExecutor>(sp<PreparedModel>(this)));
    if (context == nullptr) {
        cb(V1_0::ErrorStatus::GENERAL_FAILURE, nullptr);
    } else {
        cb(V1_0::ErrorStatus::NONE, context);
    }
    return Void();
}

}  // namespace sample::npu
