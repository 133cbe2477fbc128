#define LOG_TAG "lanes-session"

#include "Session.h"

#include <AidlHalUtils.h>
#include <LegacyUtils.h>
#include <Tracing.h>
#include <aidl/android/hardware/neuralnetworks/BnFencedExecutionCallback.h>
#include <android-base/logging.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/Validation.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/Utils.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>
#include <variant>

namespace vendor::lanes {

using nn::Clock;
using nn::ErrorStatus;
using nn::Request;
using nn::RunTimePoolInfo;
using nn::TimePoint;

namespace {

constexpr size_t kMostMappedMemories = 64;

int64_t nanosecondsFrom(TimePoint start, TimePoint end) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
}

aidl_hal::Timing timingOf(bool isMeasured, nn::Duration onDevice, TimePoint start, TimePoint end) {
    if (!isMeasured) return {.timeOnDeviceNs = -1, .timeInDriverNs = -1};
    return {.timeOnDeviceNs = onDevice.count(), .timeInDriverNs = nanosecondsFrom(start, end)};
}

// Returns the times of a fenced execution that has ended.
class FencedExecutionCallback : public aidl_hal::BnFencedExecutionCallback {
   public:
    FencedExecutionCallback(aidl_hal::Timing launched, aidl_hal::Timing fenced)
        : kLaunched(launched), kFenced(fenced) {}

    ndk::ScopedAStatus getExecutionInfo(aidl_hal::Timing* timingLaunched,
                                        aidl_hal::Timing* timingFenced,
                                        aidl_hal::ErrorStatus* status) override {
        *timingLaunched = kLaunched;
        *timingFenced = kFenced;
        *status = aidl_hal::ErrorStatus::NONE;
        return ndk::ScopedAStatus::ok();
    }

   private:
    const aidl_hal::Timing kLaunched;
    const aidl_hal::Timing kFenced;
};

nn::GeneralResult<void> checkDuration(int64_t durationNs, const char* what) {
    if (durationNs >= -1) return {};
    return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "the " << what << " is " << durationNs;
}

// Waits for all fences, until the deadline.
nn::GeneralResult<void> waitForFences(const std::vector<ndk::ScopedFileDescriptor>& fences,
                                      const nn::OptionalTimePoint& deadline) {
    for (const auto& fence : fences) {
        int timeout = -1;
        if (deadline.has_value()) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(
                    std::max<nn::Duration>(*deadline - Clock::now(), nn::Duration::zero()));
            timeout = static_cast<int>(std::min<int64_t>(left.count(), INT32_MAX));
        }
        switch (nn::syncWait(fence.get(), timeout)) {
            case nn::FenceState::SIGNALED:
                break;
            case nn::FenceState::ACTIVE:
                return NN_ERROR(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
                       << "a fence was not signaled in time";
            case nn::FenceState::ERROR:
            case nn::FenceState::UNKNOWN:
                return NN_ERROR() << "a fence has failed";
        }
    }
    return {};
}

nn::GeneralResult<nn::OptionalTimePoint> checkArguments(const CallArguments& arguments) {
    NN_TRY(checkDuration(arguments.loopTimeoutDurationNs, "time limit of loops"));
    return deadlineOf(arguments.deadlineNs);
}

nn::GeneralResult<RunTimePoolInfo> mapMemory(const nn::SharedMemory& memory) {
    auto pool = RunTimePoolInfo::createFromMemory(memory);
    if (!pool.has_value()) return NN_ERROR() << "a memory cannot be mapped";
    return *std::move(pool);
}

nn::GeneralResult<void> check(ErrorStatus status, const char* what) {
    if (status == ErrorStatus::NONE) return {};
    return NN_ERROR(status) << what << ": " << status;
}

// A buffer that is written by an execution is used for nothing else by it, whichever pools name it.
nn::GeneralResult<void> checkWrittenBuffers(
        const Request& request,
        const std::vector<std::shared_ptr<nn::AidlManagedBuffer>>& buffers) {
    std::map<const nn::AidlManagedBuffer*, int> uses;
    std::set<const nn::AidlManagedBuffer*> written;
    const auto add = [&](const std::vector<Request::Argument>& arguments, bool areOutputs) {
        for (const Request::Argument& argument : arguments) {
            if (argument.lifetime != Request::Argument::LifeTime::POOL) continue;
            const auto* buffer = buffers[argument.location.poolIndex].get();
            if (buffer == nullptr) continue;
            ++uses[buffer];
            if (areOutputs) written.insert(buffer);
        }
    };
    add(request.inputs, /*areOutputs=*/false);
    add(request.outputs, /*areOutputs=*/true);
    for (const auto* buffer : written) {
        if (uses[buffer] == 1) continue;
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a written buffer is used twice";
    }
    return {};
}

void copyBytes(const RunTimePoolInfo& from, const RunTimePoolInfo& to) {
    CHECK_EQ(from.getSize(), to.getSize());
    std::copy(from.getBuffer(), from.getBuffer() + from.getSize(), to.getBuffer());
    to.flush();
}

}  // namespace

ndk::ScopedAStatus toAStatus(ErrorStatus status, const std::string& message) {
    if (status == ErrorStatus::NONE) return ndk::ScopedAStatus::ok();
    VLOG(nn::DRIVER) << status << ": " << message;
    const auto code = aidl_hal::utils::convert(status);
    return ndk::ScopedAStatus::fromServiceSpecificErrorWithMessage(
            static_cast<int32_t>(code.value_or(aidl_hal::ErrorStatus::GENERAL_FAILURE)),
            message.c_str());
}

nn::GeneralResult<nn::OptionalTimePoint> deadlineOf(int64_t deadlineNs) {
    NN_TRY(checkDuration(deadlineNs, "deadline"));
    if (deadlineNs == -1) return nn::OptionalTimePoint();
    const TimePoint deadline{nn::Duration(deadlineNs)};
    if (nn::hasDeadlinePassed(deadline)) {
        return NN_ERROR(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << "the deadline has passed";
    }
    return nn::OptionalTimePoint(deadline);
}

std::optional<RunTimePoolInfo> MappedMemories::find(int64_t token) const {
    const std::lock_guard lock(mMutex);
    const auto found = mPools.find(token);
    if (found == mPools.end()) return std::nullopt;
    return found->second;
}

void MappedMemories::keep(int64_t token, const RunTimePoolInfo& pool) {
    const std::lock_guard lock(mMutex);
    if (mPools.size() < kMostMappedMemories) mPools.emplace(token, pool);
}

void MappedMemories::release(int64_t token) {
    const std::lock_guard lock(mMutex);
    mPools.erase(token);
}

nn::GeneralResult<std::shared_ptr<const Session>> Session::create(
        std::shared_ptr<const Program> program,
        std::shared_ptr<nn::AidlBufferTracker> bufferTracker) {
    aidl_hal::Model halModel = NN_TRY(aidl_hal::utils::convert(program->model()));
    return std::make_shared<const Session>(std::move(program), std::move(halModel),
                                           std::move(bufferTracker));
}

nn::GeneralResult<Request> Session::checkRequest(const aidl_hal::Request& request,
                                                 bool allowUnspecifiedOutput) const {
    Request canonical = NN_TRY(nn::convert(request));
    NN_TRY(nn::validateRequestForModel(canonical, model(), allowUnspecifiedOutput));
    return canonical;
}

nn::GeneralResult<Session::Pools> Session::mapPools(const Request& request,
                                                    const aidl_hal::IPreparedModel* self,
                                                    MappedMemories* memories,
                                                    const std::vector<int64_t>* tokens) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INPUTS_AND_OUTPUTS, "Session::mapPools");
    Pools pools;
    for (uint32_t i = 0; i < request.pools.size(); ++i) {
        const int64_t identifier = tokens == nullptr ? -1 : (*tokens)[i];
        if (const auto* memory = std::get_if<nn::SharedMemory>(&request.pools[i])) {
            auto kept = identifier == -1 ? std::nullopt : memories->find(identifier);
            if (!kept.has_value()) {
                kept = NN_TRY(mapMemory(*memory));
                if (identifier != -1) memories->keep(identifier, *kept);
            }
            pools.mapped.push_back(*std::move(kept));
            pools.buffers.push_back(nullptr);
        } else if (const auto* token = std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
            auto buffer = kBufferTracker->get(static_cast<uint32_t>(*token));
            if (buffer == nullptr) {
                return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
                       << "there is no buffer with the token " << static_cast<uint32_t>(*token);
            }
            NN_TRY(check(buffer->validateRequest(i, request, self), "a buffer does not fit"));
            pools.mapped.push_back(buffer->createRunTimePoolInfo());
            pools.buffers.push_back(std::move(buffer));
        } else {
            return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a pool is neither memory nor token";
        }
    }
    NN_TRY(checkWrittenBuffers(request, pools.buffers));
    return pools;
}

nn::ExecutionResult<Session::Ran> Session::run(const Request& request, const Pools& pools,
                                               const nn::OptionalTimePoint& deadline) const {
    const TimePoint start = Clock::now();
    auto shapes = kProgram->run(request, pools.mapped, deadline);
    const nn::Duration timeOnDevice = Clock::now() - start;

    const auto bufferOf = [&](size_t output) -> nn::AidlManagedBuffer* {
        const Request::Argument& argument = request.outputs[output];
        if (argument.lifetime != Request::Argument::LifeTime::POOL) return nullptr;
        return pools.buffers[argument.location.poolIndex].get();
    };
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        nn::AidlManagedBuffer* buffer = bufferOf(i);
        if (buffer == nullptr) continue;
        const bool isWritten =
                shapes.has_value() && buffer->updateDimensions(shapes.value()[i].dimensions);
        buffer->setInitialized(isWritten);
        if (shapes.has_value() && !isWritten) {
            return NN_ERROR() << "the output " << i << " has not the dimensions of its buffer";
        }
        if (!shapes.has_value() && shapes.error().code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE &&
            !shapes.error().outputShapes[i].isSufficient) {
            return NN_ERROR() << "the output " << i << " does not fit its buffer";
        }
    }
    return Ran{.outputShapes = NN_TRY(std::move(shapes)), .timeOnDevice = timeOnDevice};
}

ndk::ScopedAStatus Session::execute(const Request& request, const CallArguments& arguments,
                                    const aidl_hal::IPreparedModel* self, MappedMemories* memories,
                                    const std::vector<int64_t>* tokens,
                                    aidl_hal::ExecutionResult* result) const {
    const TimePoint start = Clock::now();
    const auto deadline = checkArguments(arguments);
    if (!deadline.has_value()) return toAStatus(deadline.error());
    const auto pools = mapPools(request, self, memories, tokens);
    if (!pools.has_value()) return toAStatus(pools.error());

    const auto ran = run(request, pools.value(), deadline.value());
    const bool isSufficient =
            ran.has_value() || ran.error().code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    if (!ran.has_value() && isSufficient) return toAStatus(ran.error());

    auto shapes = aidl_hal::utils::convert(ran.has_value() ? ran.value().outputShapes
                                                           : ran.error().outputShapes);
    if (!shapes.has_value()) return toAStatus(shapes.error());
    result->outputSufficientSize = isSufficient;
    result->outputShapes = std::move(shapes).value();
    result->timing = timingOf(arguments.measureTiming && ran.has_value(),
                              ran.has_value() ? ran.value().timeOnDevice : nn::Duration(), start,
                              Clock::now());
    VLOG(nn::EXECUTION) << "executed: " << result->timing.toString();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Session::executeFenced(const Request& request,
                                          const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                          const CallArguments& arguments, int64_t durationNs,
                                          const aidl_hal::IPreparedModel* self,
                                          aidl_hal::FencedExecutionResult* result) const {
    const TimePoint start = Clock::now();
    if (const auto ok = checkDuration(durationNs, "duration"); !ok.has_value()) {
        return toAStatus(ok.error());
    }
    const auto deadline = checkArguments(arguments);
    if (!deadline.has_value()) return toAStatus(deadline.error());
    const auto waited = waitForFences(waitFor, deadline.value());
    if (!waited.has_value()) return toAStatus(waited.error());

    const TimePoint afterFences = Clock::now();
    nn::OptionalTimePoint closest = deadline.value();
    if (const nn::OptionalTimePoint end = nn::makeDeadline(durationNs);
        end.has_value() && (!closest.has_value() || *end < *closest)) {
        closest = end;
    }
    const auto pools = mapPools(request, self, /*memories=*/nullptr, /*tokens=*/nullptr);
    if (!pools.has_value()) return toAStatus(pools.error());
    const auto ran = run(request, pools.value(), closest);
    if (!ran.has_value()) return toAStatus(ran.error());

    const TimePoint end = Clock::now();
    const nn::Duration onDevice = ran.value().timeOnDevice;
    result->callback = ndk::SharedRefBase::make<FencedExecutionCallback>(
            timingOf(arguments.measureTiming, onDevice, start, end),
            timingOf(arguments.measureTiming, onDevice, afterFences, end));
    result->syncFence = ndk::ScopedFileDescriptor();
    return ndk::ScopedAStatus::ok();
}

nn::GeneralResult<void> Buffer::copyFromInternal(const aidl_hal::Memory& src,
                                                 const std::vector<uint32_t>& dimensions) {
    const auto from = NN_TRY(mapMemory(NN_TRY(nn::convert(src))));
    NN_TRY(check(kBuffer->validateCopyFrom(dimensions, from.getSize()), "copyFrom"));
    copyBytes(from, kBuffer->createRunTimePoolInfo());
    if (!kBuffer->updateDimensions(dimensions)) return NN_ERROR() << "the dimensions have changed";
    return {};
}

ndk::ScopedAStatus Buffer::copyFrom(const aidl_hal::Memory& src,
                                    const std::vector<int32_t>& dimensions) {
    const auto unsignedDimensions = nn::toUnsigned(dimensions);
    if (!unsignedDimensions.has_value()) return toAStatus(unsignedDimensions.error());
    const auto copied = copyFromInternal(src, unsignedDimensions.value());
    kBuffer->setInitialized(copied.has_value());
    return copied.has_value() ? ndk::ScopedAStatus::ok() : toAStatus(copied.error());
}

ndk::ScopedAStatus Buffer::copyTo(const aidl_hal::Memory& dst) {
    const auto copied = [&]() -> nn::GeneralResult<void> {
        const auto to = NN_TRY(mapMemory(NN_TRY(nn::convert(dst))));
        NN_TRY(check(kBuffer->validateCopyTo(to.getSize()), "copyTo"));
        copyBytes(kBuffer->createRunTimePoolInfo(), to);
        return {};
    }();
    return copied.has_value() ? ndk::ScopedAStatus::ok() : toAStatus(copied.error());
}

ndk::ScopedAStatus allocateBuffer(
        const std::shared_ptr<nn::AidlBufferTracker>& tracker, const aidl_hal::BufferDesc& desc,
        const std::vector<aidl_hal::IPreparedModelParcel>& parcels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles,
        std::function<const aidl_hal::Model*(const std::shared_ptr<aidl_hal::IPreparedModel>&)>
                getModel,
        aidl_hal::DeviceBuffer* result) {
    std::vector<std::shared_ptr<aidl_hal::IPreparedModel>> preparedModels;
    for (const auto& parcel : parcels) preparedModels.push_back(parcel.preparedModel);
    std::set<nn::AidlHalPreparedModelRole> roles;
    aidl_hal::Operand operand;
    if (!nn::validateMemoryDesc(desc, preparedModels, inputRoles, outputRoles, getModel, &roles,
                                &operand)) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "the roles of a buffer are not legal");
    }
    if (nn::isExtensionOperandType(operand.type) || nn::isNonExtensionScalar(operand.type)) {
        return toAStatus(ErrorStatus::GENERAL_FAILURE, "only tensors are kept in buffers");
    }
    const auto canonical = nn::unvalidatedConvert(operand);
    if (!canonical.has_value()) return toAStatus(canonical.error());
    if (nn::nonExtensionOperandSizeOfDataOverflowsUInt32(canonical->type, canonical->dimensions)) {
        return toAStatus(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, "a buffer is too large");
    }
    const uint32_t size = nn::nonExtensionOperandSizeOfData(*canonical);
    if (size == 0) return toAStatus(ErrorStatus::GENERAL_FAILURE, "the size is not known");
    auto buffer = nn::AidlManagedBuffer::create(size, std::move(roles), *canonical);
    auto token = tracker->add(buffer);
    if (token == nullptr) return toAStatus(ErrorStatus::GENERAL_FAILURE, "out of memory");
    VLOG(nn::MEMORY) << "buffer " << token->get() << ": " << operand.toString();
    result->token = static_cast<int32_t>(token->get());
    result->buffer = ndk::SharedRefBase::make<Buffer>(std::move(buffer), std::move(token));
    return ndk::ScopedAStatus::ok();
}

}  // namespace vendor::lanes
