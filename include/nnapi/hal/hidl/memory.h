// nnapi/hal/hidl/memory.h -- Maps a hidl_memory.
//
//   nn::hidl::sp<nn::hidl::IMemory> memory = nn::hidl::mapMemory(pool);
//   if (memory == nullptr) return nn::V1_0::ErrorStatus::INVALID_ARGUMENT;
//   auto* bytes = static_cast<uint8_t*>(static_cast<void*>(memory->getPointer()));
//
// update() and commit(), which bracket accesses, do nothing: all mappings share the bytes. As with
// nnapi/memory.h, accessing a mapping faults if the owner shortens the file later. Link
// nnapi::convert. Source: android.hidl.memory@1.0.
#pragma once

#include <cstdint>

#include "nnapi/hal/hidl/base.h"

namespace nn::hidl {

class IMemory : public IBase {
   public:
    NNAPI_HIDL_INTERFACE(IMemory, IBase, "android.hidl.memory@1.0::IMemory")

    virtual Return<void> update() = 0;
    virtual Return<void> updateRange(uint64_t start, uint64_t length) = 0;
    virtual Return<void> read() = 0;
    virtual Return<void> readRange(uint64_t start, uint64_t length) = 0;
    virtual Return<void> commit() = 0;

    // Also for read-only memory, which faults on writing.
    virtual Return<void*> getPointer() = 0;
    virtual Return<uint64_t> getSize() = 0;
};

// Null if the memory cannot be mapped.
sp<IMemory> mapMemory(const hidl_memory& memory);

}  // namespace nn::hidl
