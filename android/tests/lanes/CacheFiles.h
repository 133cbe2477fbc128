// CacheFiles: programs in the client's files, one for the graph and one for the constants.
#pragma once

#include <android-base/unique_fd.h>
#include <nnapi/Result.h>
#include <nnapi/Types.h>

#include <cstdint>
#include <vector>

namespace vendor::lanes {

namespace nn = ::android::nn;

constexpr int kNumModelCacheFiles = 1;
constexpr int kNumDataCacheFiles = 1;

// The location of a program, and the client's name for it.
struct CacheFiles {
    ::android::base::borrowed_fd model;
    ::android::base::borrowed_fd data;
    const std::vector<uint8_t>& token;
};

// Empties the files, then writes a model without pools; the files are empty if that fails.
nn::GeneralResult<void> saveModel(const nn::Model& model, const CacheFiles& files);

// GENERAL_FAILURE unless the files were saved with the token.
nn::GeneralResult<nn::Model> loadModel(const CacheFiles& files);

}  // namespace vendor::lanes
