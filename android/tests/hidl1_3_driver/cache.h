// Files of the compilation cache: one with the graph, one with the constants.
#ifndef SAMPLE_NPU_HAL_1_3_CACHE_H
#define SAMPLE_NPU_HAL_1_3_CACHE_H

#include <optional>

#include "HalInterfaces.h"

namespace sample::npu {

constexpr uint32_t kNumModelCache = 1;
constexpr uint32_t kNumDataCache = 1;

// Whether there are as many files as the device requires, each with one descriptor.
bool areCacheFiles(const android::hardware::hidl_vec<android::hardware::hidl_handle>& modelCache,
                   const android::hardware::hidl_vec<android::hardware::hidl_handle>& dataCache);

// Writes a model. The files are empty if that fails.
void saveToCache(const android::nn::hal::Model& model,
                 const android::hardware::hidl_handle& modelFile,
                 const android::hardware::hidl_handle& dataFile,
                 const android::nn::hal::CacheToken& token);

// The model that was written with this token; nothing if the files have changed.
std::optional<android::nn::hal::Model> loadFromCache(
        const android::hardware::hidl_handle& modelFile,
        const android::hardware::hidl_handle& dataFile, const android::nn::hal::CacheToken& token);

}  // namespace sample::npu

#endif  // SAMPLE_NPU_HAL_1_3_CACHE_H
