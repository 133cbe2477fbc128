#include "driver/hidl/burst_memory.h"

#include "driver/hidl/transport.h"
#include "nnapi/convert.h"
#include "nnapi/driver/burst.h"
#include "types/no_throw.h"

namespace nn::driver {

void BurstMemory::setBurstContext(nn::hidl::sp<V1_2::IBurstContext> context) {
    const std::lock_guard lock(mMutex);
    mContext = std::move(context);
}

std::pair<int32_t, BurstMemory::Hold> BurstMemory::cacheMemory(const SharedMemory& memory) {
    const std::lock_guard lock(mMutex);
    if (const auto known = mSlots.find(memory.get()); known != mSlots.end()) {
        const Entry& entry = mEntries[static_cast<size_t>(known->second)];
        // A hold that is just going cannot be kept any more, and its slot is still to be freed.
        Hold hold = entry.hold.lock();
        if (hold != nullptr && entry.memory.get() == memory.get()) return {known->second, hold};
    }
    if (mFree.empty()) {
        mFree.reserve(mEntries.size() + 1);
        mEntries.emplace_back();
        mFree.push_back(static_cast<int32_t>(mEntries.size() - 1));
    }
    const int32_t slot = mFree.back();
    mSlots[memory.get()] = slot;
    Hold hold = std::make_shared<const IBurst::CacheHold>([weak = weak_from_this(), slot] {
        if (const auto cache = weak.lock(); cache != nullptr) cache->free(slot);
    });
    mFree.pop_back();
    mEntries[static_cast<size_t>(slot)] = {.memory = memory, .hold = hold};
    return {slot, std::move(hold)};
}

GeneralResult<std::pair<int32_t, BurstMemory::Hold>> BurstMemory::tryToCache(
        const SharedMemory& memory) NNAPI_TRY {
    return cacheMemory(memory);
}
NNAPI_CATCH

GeneralResult<SharedMemory> BurstMemory::getMemory(int32_t slot) const {
    const std::lock_guard lock(mMutex);
    const auto i = static_cast<size_t>(slot);
    if (slot < 0 || i >= mEntries.size() || mEntries[i].memory.get() == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "slot " << slot << " has no memory";
    }
    return mEntries[i].memory;
}

void BurstMemory::free(int32_t slot) {
    SharedMemory memory;  // given up without the lock
    {
        const std::lock_guard lock(mMutex);
        memory.swap(mEntries[static_cast<size_t>(slot)].memory);
        const auto entered = mSlots.find(memory.get());
        if (entered != mSlots.end() && entered->second == slot) mSlots.erase(entered);
    }
    // A driver that does not know that the slot is free could take its next memory for this one.
    if (!tellContext(slot).ok()) return;
    const std::lock_guard lock(mMutex);
    mFree.push_back(slot);
}

Status BurstMemory::tellContext(int32_t slot) const NNAPI_TRY {
    nn::hidl::sp<V1_2::IBurstContext> context;
    {
        const std::lock_guard lock(mMutex);
        context = mContext;
    }
    if (context == nullptr) return error() << "the burst has no context";
    const auto told = context->freeMemory(slot);
    if (!told.isOk()) return error() << "freeMemory: " << told.description();
    return {};
}
NNAPI_CATCH

namespace {

// Memories as the driver takes them. Sending one needs a file descriptor, so there is a limit.
GeneralResult<nn::hidl::hidl_vec<nn::hidl::hidl_memory>> memoriesOf(
        const BurstMemory& cache, const nn::hidl::hidl_vec<int32_t>& slots) NNAPI_TRY {
    if (slots.size() > V1_2::utils::kExecutionBurstChannelLength) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << slots.size() << " slots, allowed " << V1_2::utils::kExecutionBurstChannelLength;
    }
    nn::hidl::hidl_vec<nn::hidl::hidl_memory> memories;
    for (const int32_t slot : slots) {
        NNAPI_ASSIGN_OR_RETURN(memory, cache.getMemory(slot));
        NNAPI_ASSIGN_OR_RETURN(converted, V1_2::utils::unvalidatedConvert(memory));
        memories.push_back(std::move(converted));
    }
    return memories;
}
NNAPI_CATCH

}  // namespace

nn::hidl::Return<void> BurstCallback::getMemories(const nn::hidl::hidl_vec<int32_t>& slots,
                                                  getMemories_cb callback) {
    const auto cache = mMemory.lock();
    if (cache == nullptr) {
        callback(V1_0::ErrorStatus::GENERAL_FAILURE, {});
        return nn::hidl::Void();
    }
    const auto memories = memoriesOf(*cache, slots);
    if (memories.ok()) {
        callback(V1_0::ErrorStatus::NONE, *memories);
    } else {
        callback(hidl::halCodeOf(errorStatus(memories.status())), {});
    }
    return nn::hidl::Void();
}

}  // namespace nn::driver
