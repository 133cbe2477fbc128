// The memories that a client's end of a burst has sent, by slots.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/v1_2_interfaces.h"

namespace nn::driver {

// Slots count from 0, and the one that was freed last is taken first. Thread-safe.
class BurstMemory : public std::enable_shared_from_this<BurstMemory> {
   public:
    using Hold = IBurst::OptionalCacheHold;

    // Whom to tell that a slot is free; before the first memory.
    void setBurstContext(hidl::sp<V1_2::IBurstContext> context);

    // The slot of a memory, which it keeps as long as there is a copy of the hold.
    std::pair<int32_t, Hold> cacheMemory(const SharedMemory& memory);
    GeneralResult<std::pair<int32_t, Hold>> tryToCache(const SharedMemory& memory);

    // INVALID_ARGUMENT for a slot without a memory.
    GeneralResult<SharedMemory> getMemory(int32_t slot) const;

   private:
    struct Entry {
        SharedMemory memory{};
        std::weak_ptr<const IBurst::CacheHold> hold{};
    };

    void free(int32_t slot);
    Status tellContext(int32_t slot) const;

    mutable std::mutex mMutex{};
    hidl::sp<V1_2::IBurstContext> mContext{};
    std::vector<Entry> mEntries{};
    std::vector<int32_t> mFree{};  // with room for all slots
    std::unordered_map<const Memory*, int32_t> mSlots{};
};

// What the driver asks for the memories of slots. GENERAL_FAILURE once the client's end is gone.
class BurstCallback final : public V1_2::IBurstCallback {
   public:
    explicit BurstCallback(std::weak_ptr<const BurstMemory> memory) : mMemory(std::move(memory)) {}
    hidl::Return<void> getMemories(const hidl::hidl_vec<int32_t>& slots,
                                   getMemories_cb callback) override;

   private:
    std::weak_ptr<const BurstMemory> mMemory;
};

}  // namespace nn::driver
