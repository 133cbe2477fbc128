// The callback by which a HIDL burst server requests memories from its client.
#pragma once

#include <memory>
#include <utility>

#include "driver/memory/burst_slots.h"
#include "nnapi/hal/v1_2_interfaces.h"

namespace nn::driver {

// The callback that returns the memories of slots to a driver. GENERAL_FAILURE once the client's
// end is gone.
class BurstCallback final : public V1_2::IBurstCallback {
   public:
    explicit BurstCallback(std::weak_ptr<const BurstSlots> memory) : mMemory(std::move(memory)) {}
    hidl::Return<void> getMemories(const hidl::hidl_vec<int32_t>& slots,
                                   getMemories_cb callback) override;

   private:
    std::weak_ptr<const BurstSlots> mMemory;
};

}  // namespace nn::driver
