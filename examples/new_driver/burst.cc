#include "burst.h"

namespace npu_driver {

nn::IBurst::OptionalCacheHold Burst::cacheMemory(const nn::SharedMemory& memory) const {
    const std::lock_guard lock(mMutex);
    std::weak_ptr<const CacheHold>& known = mMemories[memory];
    if (auto hold = known.lock(); hold != nullptr) return hold;
    // FILL IN: map the memory into the accelerator.
    auto hold = std::make_shared<const CacheHold>([burst = weak_from_this(), memory] {
        if (const auto alive = burst.lock(); alive != nullptr) alive->release(memory);
    });
    known = hold;
    return hold;
}

void Burst::release(const nn::SharedMemory& memory) const {
    const std::lock_guard lock(mMutex);
    const auto known = mMemories.find(memory);
    if (known == mMemories.end() || !known->second.expired()) return;  // cached again meanwhile
    // FILL IN: unmap the memory.
    mMemories.erase(known);
}

}  // namespace npu_driver
