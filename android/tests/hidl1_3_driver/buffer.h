// The client's interface to device memory.
#ifndef SAMPLE_NPU_HAL_1_3_BUFFER_H
#define SAMPLE_NPU_HAL_1_3_BUFFER_H

#include <memory>
#include <utility>

#include "BufferTracker.h"
#include "HalInterfaces.h"
#include "device_state.h"

namespace sample::npu {

class Buffer : public android::nn::hal::IBuffer {
    template <class T>
    using Return = android::hardware::Return<T>;

   public:
    Buffer(std::shared_ptr<DeviceState> state, std::shared_ptr<android::nn::ManagedBuffer> memory,
           std::unique_ptr<android::nn::BufferTracker::Token> token)
        : mState(std::move(state)), mMemory(std::move(memory)), mToken(std::move(token)) {}
    ~Buffer() override { mState->eraseDimensions(mToken->get()); }

    Return<android::nn::hal::ErrorStatus> copyTo(
            const android::hardware::hidl_memory& dst) override;
    Return<android::nn::hal::ErrorStatus> copyFrom(
            const android::hardware::hidl_memory& src,
            const android::hardware::hidl_vec<uint32_t>& dimensions) override;

   private:
    const std::shared_ptr<DeviceState> mState;
    const std::shared_ptr<android::nn::ManagedBuffer> mMemory;
    const std::unique_ptr<android::nn::BufferTracker::Token> mToken;
};

}  // namespace sample::npu

#endif  // SAMPLE_NPU_HAL_1_3_BUFFER_H
