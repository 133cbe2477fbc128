// State that a device shares with its prepared models and buffers.
#ifndef SAMPLE_NPU_HAL_1_3_DEVICE_STATE_H
#define SAMPLE_NPU_HAL_1_3_DEVICE_STATE_H

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "BufferTracker.h"
#include "HalInterfaces.h"

namespace sample::npu {

class DeviceState {
   public:
    const std::shared_ptr<android::nn::BufferTracker>& buffers() const { return mBuffers; }

    // Dimensions of the values of the device's buffers, by token.
    void setDimensions(uint32_t token, const std::vector<uint32_t>& dimensions) {
        std::lock_guard<std::mutex> guard(mMutex);
        mDimensions[token] = dimensions;
    }
    void eraseDimensions(uint32_t token) {
        std::lock_guard<std::mutex> guard(mMutex);
        mDimensions.erase(token);
    }
    std::vector<uint32_t> dimensionsOf(uint32_t token) const {
        std::lock_guard<std::mutex> guard(mMutex);
        const auto found = mDimensions.find(token);
        return found == mDimensions.end() ? std::vector<uint32_t>() : found->second;
    }

    // The prepared models of this device that are alive.
    void add(const android::nn::hal::IPreparedModel* preparedModel) {
        std::lock_guard<std::mutex> guard(mMutex);
        mPreparedModels.insert(preparedModel);
    }
    void remove(const android::nn::hal::IPreparedModel* preparedModel) {
        std::lock_guard<std::mutex> guard(mMutex);
        mPreparedModels.erase(preparedModel);
    }
    bool has(const android::nn::hal::IPreparedModel* preparedModel) const {
        std::lock_guard<std::mutex> guard(mMutex);
        return mPreparedModels.count(preparedModel) != 0;
    }

   private:
    const std::shared_ptr<android::nn::BufferTracker> mBuffers =
            android::nn::BufferTracker::create();
    mutable std::mutex mMutex;
    std::map<uint32_t, std::vector<uint32_t>> mDimensions;
    std::set<const android::nn::hal::IPreparedModel*> mPreparedModels;
};

}  // namespace sample::npu

#endif  // SAMPLE_NPU_HAL_1_3_DEVICE_STATE_H
