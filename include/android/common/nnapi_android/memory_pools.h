// nnapi_android/memory_pools.h -- RunTimePoolInfo: a mapped memory pool of a model or a request.
//
//   std::vector<RunTimePoolInfo> pools;
//   if (!setRunTimePoolInfosFromHidlMemories(&pools, request.pools)) return GENERAL_FAILURE;
//   const uint8_t* bytes = pools[location.poolIndex].getBuffer() + location.offset;
//
// Copies share the mapping, which ends with the last of them. Thread-safe. As with nnapi/memory.h,
// accessing a mapping faults if the memory's owner shortens it later.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace android::nn {

class RunTimePoolInfo {
   public:
    // One that is not mapped.
    RunTimePoolInfo();
    // As in Android 9: `fail` becomes true where the memory cannot be mapped.
    RunTimePoolInfo(const ::nn::hidl::hidl_memory& hidlMemory, bool* fail);
    // As in Android 8: false where the memory cannot be mapped.
    bool set(const ::nn::hidl::hidl_memory& hidlMemory);

    // Empty where the memory cannot be mapped.
    static std::optional<RunTimePoolInfo> createFromHidlMemory(
            const ::nn::hidl::hidl_memory& hidlMemory);
    static std::optional<RunTimePoolInfo> createFromMemory(const ::nn::SharedMemory& memory);
    // Memory of the caller, which outlives all copies. A size of 0 is an unknown one.
    static RunTimePoolInfo createFromExistingBuffer(uint8_t* buffer, uint32_t size = 0);

    uint8_t* getBuffer() const;
    uint32_t getSize() const;
    // Writes a file's bytes back; nothing to do for anonymous memory.
    bool flush() const;
    // The name of flush() in Android 9.
    bool update() const { return flush(); }

    // The source of the pool; empty for another kind.
    const ::nn::hidl::hidl_memory& getHidlMemory() const;
    const ::nn::SharedMemory& getMemory() const;

    uint8_t* buffer = nullptr;  // getBuffer(), as Android 8 has it

   private:
    struct Impl;
    explicit RunTimePoolInfo(std::shared_ptr<const Impl> impl);

    std::shared_ptr<const Impl> mImpl;
};

// Maps all pools. False, without pools, where one cannot be mapped. A pool that is a token stays
// unmapped: the driver puts the memory of its buffer there.
bool setRunTimePoolInfosFromHidlMemories(
        std::vector<RunTimePoolInfo>* poolInfos,
        const ::nn::hidl::hidl_vec<::nn::hidl::hidl_memory>& pools);
bool setRunTimePoolInfosFromMemoryPools(
        std::vector<RunTimePoolInfo>* poolInfos,
        const ::nn::hidl::hidl_vec<::nn::V1_3::Request::MemoryPool>& pools);
bool setRunTimePoolInfosFromMemoryPools(std::vector<RunTimePoolInfo>* poolInfos,
                                        const std::vector<::nn::Request::MemoryPool>& pools);
bool setRunTimePoolInfosFromCanonicalMemories(std::vector<RunTimePoolInfo>* poolInfos,
                                              const std::vector<::nn::SharedMemory>& pools);

}  // namespace android::nn
