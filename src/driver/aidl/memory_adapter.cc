// The adapters of memory that clients name by tokens: buffers, and memory that bursts cache.
#include "driver/aidl/adapter.h"
#include "driver/memory/burst_slots.h"
#include "types/memory_file.h"

namespace nn::hal::adapter {

// ---- buffers

ScopedAStatus AidlBufferAdapter::copyTo(const aidl_hal::Memory& dst) {
    return returnResult(*mContext, "copyTo", [&]() -> Status {
        const auto memory = convert(dst);
        if (!memory.ok()) return blameClient(memory.status());
        return mBuffer->copyTo(*memory);
    });
}

ScopedAStatus AidlBufferAdapter::copyFrom(const aidl_hal::Memory& src,
                                          const std::vector<int32_t>& dimensions) {
    return returnResult(*mContext, "copyFrom", [&]() -> Status {
        const auto memory = convert(src);
        if (!memory.ok()) return blameClient(memory.status());
        const auto desc = convert(aidl_hal::BufferDesc{.dimensions = dimensions});
        if (!desc.ok()) return blameClient(desc.status());
        return mBuffer->copyFrom(*memory, desc->dimensions);
    });
}

// ---- bursts

namespace {

constexpr int64_t kNotKept = -1;

Status checkToken(int64_t token) {
    if (token >= kNotKept) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "the token of a memory is " << token << ", allowed -1 or more";
}

Status checkTokens(const std::vector<int64_t>& tokens, size_t pools) {
    if (tokens.size() != pools) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << tokens.size() << " tokens, allowed " << pools << ", one for each pool";
    }
    for (const int64_t token : tokens) NNAPI_RETURN_IF_ERROR(checkToken(token));
    return {};
}

}  // namespace

// The first memory under a token counts, but the request was validated with its own, which may have
// been larger: validate again.
Status AidlBurstAdapter::keep(const std::vector<int64_t>& tokens, Request& request) {
    bool isOther = false;
    for (size_t i = 0; i < tokens.size(); ++i) {
        auto* memory = std::get_if<SharedMemory>(&request.pools[i]);
        if (tokens[i] == kNotKept || memory == nullptr) continue;
        {
            const std::lock_guard lock(mMutex);
            if (const auto known = mKept.find(tokens[i]); known != mKept.end()) {
                isOther = isOther || size(known->second.memory) != size(*memory);
                *memory = known->second.memory;
                continue;
            }
            if (mKept.size() >= driver::kMaxKeptMemories) continue;
        }
        Kept kept{.memory = keepingMapping(*memory), .hold = mBurst->cacheMemory(*memory)};
        const std::lock_guard lock(mMutex);
        // Another thread may have added memories.
        if (mKept.size() >= driver::kMaxKeptMemories && !mKept.contains(tokens[i])) continue;
        const auto& first = mKept.try_emplace(tokens[i], std::move(kept)).first->second.memory;
        isOther = isOther || size(first) != size(*memory);
        *memory = first;
    }
    return isOther ? validate(request).status() : Status();
}

ScopedAStatus AidlBurstAdapter::execute(std::string_view call, const aidl_hal::Request& request,
                                        const std::vector<int64_t>& tokens,
                                        const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
                                        aidl_hal::ExecutionResult* result) {
    const auto executed = contain([&]() -> ExecutionResult<Executed> {
        NNAPI_RETURN_IF_ERROR(checkTokens(tokens, request.pools.size()));
        auto canonical = convert(request);
        if (!canonical.ok()) return blameClient(canonical.status());
        auto execution = readExecution(config, deadlineNs);
        if (!execution.has_value()) return blameClient(execution.status());
        const Status isKept = keep(tokens, *canonical);
        if (!isKept.ok()) return blameClient(isKept);
        execution->request = std::make_shared<const Request>(*std::move(canonical));
        return doOn(*mBurst, mContext->log, call, *execution);
    });
    return returnExecution(*mContext, call, executed, result);
}

ScopedAStatus AidlBurstAdapter::executeSynchronously(const aidl_hal::Request& request,
                                                     const std::vector<int64_t>& tokens,
                                                     bool measureTiming, int64_t deadlineNs,
                                                     int64_t loopTimeoutDurationNs,
                                                     aidl_hal::ExecutionResult* result) {
    return execute("IBurst::executeSynchronously", request, tokens,
                   configOf(measureTiming, loopTimeoutDurationNs), deadlineNs, result);
}

ScopedAStatus AidlBurstAdapter::executeSynchronouslyWithConfig(
        const aidl_hal::Request& request, const std::vector<int64_t>& tokens,
        const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
        aidl_hal::ExecutionResult* result) {
    if (!hasConfigs()) return unknownMethod();
    return execute("IBurst::executeSynchronouslyWithConfig", request, tokens, config, deadlineNs,
                   result);
}

ScopedAStatus AidlBurstAdapter::releaseMemoryResource(int64_t token) {
    return returnResult(*mContext, "releaseMemoryResource", [&]() -> Status {
        NNAPI_RETURN_IF_ERROR(checkToken(token));
        Kept released;  // destroyed after the lock is released
        const std::lock_guard lock(mMutex);
        if (const auto known = mKept.find(token); known != mKept.end()) {
            released = std::move(known->second);
            mKept.erase(known);
        }
        return {};
    });
}

}  // namespace nn::hal::adapter
