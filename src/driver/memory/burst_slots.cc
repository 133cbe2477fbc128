#include "driver/memory/burst_slots.h"

#include "base/no_throw.h"

namespace nn::driver {

void BurstSlots::setRelease(Release release) {
    const std::lock_guard lock(mMutex);
    mRelease = std::move(release);
}

std::pair<int32_t, BurstSlots::Hold> BurstSlots::cacheMemory(const SharedMemory& memory) {
    const std::lock_guard lock(mMutex);
    if (auto known = findLocked(memory); known.second != nullptr) return known;
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

std::pair<int32_t, BurstSlots::Hold> BurstSlots::findLocked(const SharedMemory& memory) const {
    const auto known = mSlots.find(memory.get());
    if (known == mSlots.end()) return {-1, nullptr};
    const Entry& entry = mEntries[static_cast<size_t>(known->second)];
    if (entry.memory.get() != memory.get()) return {-1, nullptr};
    // A hold that is being destroyed cannot be kept, and its slot is not free yet.
    Hold hold = entry.hold.lock();
    if (hold == nullptr) return {-1, nullptr};
    return {known->second, std::move(hold)};
}

std::pair<int32_t, BurstSlots::Hold> BurstSlots::find(const SharedMemory& memory) const {
    const std::lock_guard lock(mMutex);
    return findLocked(memory);
}

GeneralResult<std::pair<int32_t, BurstSlots::Hold>> BurstSlots::tryToCache(
        const SharedMemory& memory) NNAPI_TRY {
    return cacheMemory(memory);
}
NNAPI_CATCH

GeneralResult<SharedMemory> BurstSlots::getMemory(int32_t slot) const {
    const std::lock_guard lock(mMutex);
    const auto i = static_cast<size_t>(slot);
    if (slot < 0 || i >= mEntries.size() || mEntries[i].memory.get() == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "slot " << slot << " has no memory";
    }
    return mEntries[i].memory;
}

void BurstSlots::free(int32_t slot) {
    SharedMemory memory;  // given up without the lock
    {
        const std::lock_guard lock(mMutex);
        memory.swap(mEntries[static_cast<size_t>(slot)].memory);
        const auto entered = mSlots.find(memory.get());
        if (entered != mSlots.end() && entered->second == slot) mSlots.erase(entered);
    }
    // A driver that does not know that the slot is free could take its next memory for this one.
    if (!freeInDriver(slot).ok()) return;
    const std::lock_guard lock(mMutex);
    mFree.push_back(slot);
}

Status BurstSlots::freeInDriver(int32_t slot) const NNAPI_TRY {
    Release release;
    {
        const std::lock_guard lock(mMutex);
        release = mRelease;
    }
    if (!release) return error() << "the burst has no driver";
    return release(slot);
}
NNAPI_CATCH

}  // namespace nn::driver
