// The memories that a burst client has sent, by slot (HIDL) or token (AIDL).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// The maximum number of memories that a driver's end keeps for a burst client; each uses a
// descriptor of its process. Further ones are used without being kept.
inline constexpr size_t kMaxKeptMemories = 256;

// Slots count from 0; the most recently freed one is reused first. Thread-safe.
class BurstSlots : public std::enable_shared_from_this<BurstSlots> {
   public:
    using Hold = IBurst::OptionalCacheHold;

    // Notifies the driver that a slot is free. To be set before the first memory.
    using Release = std::function<Status(int32_t slot)>;
    void setRelease(Release release);

    // Assigns a slot to a memory, for as long as a copy of the hold exists.
    std::pair<int32_t, Hold> cacheMemory(const SharedMemory& memory);
    GeneralResult<std::pair<int32_t, Hold>> tryToCache(const SharedMemory& memory);

    // The slot that a memory already has, or -1.
    std::pair<int32_t, Hold> find(const SharedMemory& memory) const;

    // INVALID_ARGUMENT for a slot without a memory.
    GeneralResult<SharedMemory> getMemory(int32_t slot) const;

   private:
    struct Entry {
        SharedMemory memory{};
        std::weak_ptr<const IBurst::CacheHold> hold{};
    };

    std::pair<int32_t, Hold> findLocked(const SharedMemory& memory) const;
    void free(int32_t slot);
    Status freeInDriver(int32_t slot) const;

    mutable std::mutex mMutex{};
    Release mRelease{};
    std::vector<Entry> mEntries{};
    std::vector<int32_t> mFree{};  // its capacity suffices for all slots
    std::unordered_map<const Memory*, int32_t> mSlots{};
};

}  // namespace nn::driver
