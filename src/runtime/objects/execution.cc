#include "runtime/objects/execution.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/objects/operand_types.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {

ApiExecution::ApiExecution(std::shared_ptr<const Compiled> compiled)
    : mCompiled(std::move(compiled)), mArguments(mCompiled) {}

// ---- before the start

ApiStatus ApiExecution::checkPreparing() const {
    return mState == State::PREPARATION ? ApiStatus() : badState("the execution has been started");
}

ApiStatus ApiExecution::setArgument(bool isInput, int32_t index,
                                    const ANeuralNetworksOperandType* type,
                                    const ArgumentPlace& place) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    return mArguments.set(isInput, index, type, place);
}

ApiStatus ApiExecution::setMeasureTiming(bool measure) {
    if (!mCompiled->hasOneExplicitDevice()) {
        return badData("the compilation was not made for one device");
    }
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    mMeasure = measure ? MeasureTiming::YES : MeasureTiming::NO;
    return {};
}

ApiStatus ApiExecution::setTimeout(uint64_t duration) {
    if (!mCompiled->hasOneExplicitDevice()) {
        return badData("the compilation was not made for one device");
    }
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    mTimeout = durationOf(duration);
    return {};
}

ApiStatus ApiExecution::setLoopTimeout(uint64_t duration) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    const auto most = static_cast<uint64_t>(kLoopTimeoutMaximum.count());
    mLoopTimeoutDuration = Duration(static_cast<Duration::rep>(std::min(duration, most)));
    return {};
}

ApiStatus ApiExecution::enablePadding(bool enable) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    return mArguments.enablePadding(enable);
}

ApiStatus ApiExecution::setReusable(bool reusable) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    mIsReusable = reusable;
    return {};
}

ApiStatus ApiExecution::addExtensionAttribute(const std::string& extension, uint16_t code,
                                              const void* data, size_t length) {
    if (!mCompiled->hasOneExplicitDevice()) {
        return badData("the compilation was not made for one device");
    }
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkPreparing());
    return mHints.add(extension, code, data, length);
}

// ---- after it has ended

void ApiExecution::refresh() {
    std::shared_ptr<ApiEvent> fenced;
    {
        const std::lock_guard lock(mMutex);
        if (mState == State::COMPUTATION) fenced = mFenced;
    }
    if (fenced != nullptr) (void)fenced->poll();
}

void ApiExecution::refreshAll() {
    std::shared_ptr<ApiEvent> fenced;
    std::vector<std::shared_ptr<ApiMemory>> memories;
    {
        const std::lock_guard lock(mMutex);
        if (mState == State::COMPUTATION) fenced = mFenced;
        memories = mArguments.describedInputs();
    }
    if (fenced != nullptr) (void)fenced->poll();
    for (const auto& memory : memories) memory->refresh();
}

ApiStatus ApiExecution::end(ExecutionResult<Executed> executed) {
    if (executed.has_value()) {
        return endWith({}, executed->first, {executed->second, executed->second});
    }
    const ExecutionError error = executed.error();
    return endWith(executed.status(), error.outputShapes, {});
}

ApiStatus ApiExecution::endWith(const Status& status, const std::vector<OutputShape>& shapes,
                                const FencedTimings& timings) {
    const std::vector<Request::Argument> none;
    const auto& arguments = mRequest ? mRequest->outputs : none;
    ApiStatus result = status;
    // An execution that never reached a device has no shapes.
    if (mRequest) {
        const Status legal = driver::checkOutputShapes(errorStatus(status), shapes,
                                                       {arguments, &mCompiled->outputs});
        if (!legal.ok()) result = legal;
    }
    const bool hasShapes = result.ok() || result.code == ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
    const std::vector<ApiArgument>& outputs = mArguments.outputs();
    mOutputs.assign(outputs.size(), {});
    for (size_t i = 0; i < outputs.size(); ++i) {
        mOutputs[i].dimensions = outputs[i].dimensions;
        if (hasShapes && i < shapes.size()) {
            mOutputs[i] = {shapes[i].dimensions, shapes[i].isSufficient};
        }
        if (outputs[i].memory != nullptr) {
            outputs[i].memory->setValue(result.ok(), mOutputs[i].dimensions, mStart);
        }
    }
    mTimings = timings;
    mCode = result.code;
    mFenced = nullptr;
    mState = State::COMPLETED;
    if (hasTelemetry()) mUnreported = info();
    return result;
}

ANeuralNetworksDiagnosticExecutionInfo ApiExecution::info() const {
    ANeuralNetworksDiagnosticExecutionInfo info{{}, mMode, mCode};
    // The end of a fenced execution is unknown here.
    if (mMode != ANNDIAG_EXECUTION_MODE_ASYNC_WITH_DEPS) {
        info.nanoseconds = static_cast<uint64_t>((Clock::now() - mStarted).count());
    }
    const auto set = [](const OptionalDuration& time, uint64_t& nanoseconds) {
        if (time && *time >= Duration::zero()) nanoseconds = static_cast<uint64_t>(time->count());
    };
    if (mMeasure == MeasureTiming::YES && mCode == ANEURALNETWORKS_NO_ERROR) {
        set(mTimings.first.timeInDriver, info.driverNanoseconds);
        set(mTimings.first.timeOnDevice, info.hardwareNanoseconds);
    }
    return info;
}

ApiStatus ApiExecution::checkOutput(int32_t index) const {
    if (mState != State::COMPLETED) return badState("the execution has not completed");
    if (mCode != ANEURALNETWORKS_NO_ERROR && mCode != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) {
        return badState("the execution has failed");
    }
    if (index >= 0 && static_cast<size_t>(index) < mOutputs.size()) return {};
    return badData(fmt::format("there is no output {}, but {}", index, mOutputs.size()));
}

ApiStatus ApiExecution::outputRank(int32_t index, uint32_t* rank) {
    refresh();
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOutput(index));
    const Output& output = mOutputs[static_cast<size_t>(index)];
    *rank = static_cast<uint32_t>(output.dimensions.size());
    if (output.isSufficient) return {};
    return {ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE, "the buffer of the output was too small"};
}

ApiStatus ApiExecution::outputDimensions(int32_t index, uint32_t* dimensions) {
    refresh();
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOutput(index));
    if (!isTensor(mCompiled->model->operand(static_cast<uint32_t>(index), false).type)) {
        return badData("a scalar has no dimensions");
    }
    const Output& output = mOutputs[static_cast<size_t>(index)];
    absl::c_copy(output.dimensions, dimensions);
    if (output.isSufficient) return {};
    return {ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE, "the buffer of the output was too small"};
}

ApiStatus ApiExecution::duration(int32_t code, uint64_t* duration) {
    *duration = std::numeric_limits<uint64_t>::max();
    refresh();
    if (code < ANEURALNETWORKS_DURATION_ON_HARDWARE ||
        code > ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER) {
        return badData(fmt::format("there is no duration {}", code));
    }
    const std::lock_guard lock(mMutex);
    if (mState != State::COMPLETED) return badState("the execution has not completed");
    if (mCode != ANEURALNETWORKS_NO_ERROR) return badState("the execution has failed");
    if (mMeasure == MeasureTiming::NO) return badState("the execution measures no time");
    const bool isFenced = code >= ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE;
    const bool isHardware = code == ANEURALNETWORKS_DURATION_ON_HARDWARE ||
                            code == ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE;
    const Timing& timing = isFenced ? mTimings.second : mTimings.first;
    const OptionalDuration time = isHardware ? timing.timeOnDevice : timing.timeInDriver;
    if (time && *time >= Duration::zero()) *duration = static_cast<uint64_t>(time->count());
    return {};
}

}  // namespace nn::runtime
