// The memories that a client's end of a burst has sent, by slots: what HIDL calls so, and the
// tokens of AIDL.
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

// The most memories that a driver's end keeps for the client of a burst: each takes a descriptor of
// its process. Those beyond are used without being kept.
inline constexpr size_t kMaxKeptMemories = 256;

// Slots count from 0, and the one that was freed last is taken first. Thread-safe.
class BurstSlots : public std::enable_shared_from_this<BurstSlots> {
   public:
    using Hold = IBurst::OptionalCacheHold;

    // Tells the driver that a slot is free; before the first memory.
    using Release = std::function<Status(int32_t slot)>;
    void setRelease(Release release);

    // The slot of a memory, which it keeps as long as there is a copy of the hold.
    std::pair<int32_t, Hold> cacheMemory(const SharedMemory& memory);
    GeneralResult<std::pair<int32_t, Hold>> tryToCache(const SharedMemory& memory);

    // The slot that a memory has already; -1 without one.
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
    Status tellDriver(int32_t slot) const;

    mutable std::mutex mMutex{};
    Release mRelease{};
    std::vector<Entry> mEntries{};
    std::vector<int32_t> mFree{};  // with room for all slots
    std::unordered_map<const Memory*, int32_t> mSlots{};
};

}  // namespace nn::driver
