// hidlmemory/HidlMemory.h -- HidlMemory, a hidl_memory that is counted.
//
//   sp<HidlMemory> memory = HidlMemory::getInstance(hidlMemory);
#pragma once

#include <utility>

#include "hidl/HidlSupport.h"

namespace android::hardware {

class HidlMemory : public hidl_memory, public virtual RefBase {
   public:
    static sp<HidlMemory> getInstance(const hidl_memory& memory) { return new HidlMemory(memory); }
    static sp<HidlMemory> getInstance(hidl_memory&& memory) {
        return new HidlMemory(std::move(memory));
    }
    // Takes the descriptor over.
    static sp<HidlMemory> getInstance(const hidl_string& name, int fd, uint64_t size) {
        native_handle_t* const native = native_handle_create(1, 0);
        native->data[0] = fd;
        hidl_handle handle;
        handle.setTo(native, /*shouldOwn=*/true);
        return new HidlMemory(hidl_memory(name, std::move(handle), size));
    }

   private:
    explicit HidlMemory(hidl_memory memory) : hidl_memory(std::move(memory)) {}
};

}  // namespace android::hardware
