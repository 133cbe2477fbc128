#include "driver/hidl/burst_callback.h"

#include "base/no_throw.h"
#include "driver/hidl/transport.h"
#include "nnapi/convert.h"
#include "nnapi/driver/burst.h"

namespace nn::driver {
namespace {

// The memories that the driver requests. Each needs a file descriptor to send, so there is a limit.
GeneralResult<nn::hidl::hidl_vec<nn::hidl::hidl_memory>> memoriesOf(
        const BurstSlots& cache, const nn::hidl::hidl_vec<int32_t>& slots) NNAPI_TRY {
    if (slots.size() > V1_2::utils::kExecutionBurstChannelLength) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << slots.size() << " slots, allowed " << V1_2::utils::kExecutionBurstChannelLength;
    }
    nn::hidl::hidl_vec<nn::hidl::hidl_memory> memories(slots.size());
    for (size_t i = 0; i < slots.size(); ++i) {
        NNAPI_ASSIGN_OR_RETURN(memory, cache.getMemory(slots[i]));
        NNAPI_ASSIGN_OR_RETURN(converted, V1_2::utils::unvalidatedConvert(memory));
        memories[i] = std::move(converted);
    }
    return memories;
}
NNAPI_CATCH

}  // namespace

nn::hidl::Return<void> BurstCallback::getMemories(const nn::hidl::hidl_vec<int32_t>& slots,
                                                  getMemories_cb callback) {
    const auto cache = mMemory.lock();
    if (cache == nullptr) {
        callback(V1_0::ErrorStatus::GENERAL_FAILURE, {});
        return nn::hidl::Void();
    }
    const auto memories = memoriesOf(*cache, slots);
    if (memories.ok()) {
        callback(V1_0::ErrorStatus::NONE, *memories);
    } else {
        callback(hidl_calls::halCodeOf(errorStatus(memories.status())), {});
    }
    return nn::hidl::Void();
}

}  // namespace nn::driver
