// android/hidl/allocator/1.0/IAllocator.h -- IAllocator, which allocates shared memory.
//
//   sp<IAllocator> allocator = IAllocator::getService("ashmem");
//   allocator->allocate(size, [&](bool success, const hidl_memory& memory) { ... });
//
// The one service is "ashmem", in this process.
#pragma once

#include <functional>
#include <string>

#include "android/hidl/base/1.0/IBase.h"
#include "hidl/HidlSupport.h"

namespace android::hidl::allocator::V1_0 {

class IAllocator : public ::nn::hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IAllocator, ::nn::hidl::IBase, "android.hidl.allocator@1.0::IAllocator")

    using allocate_cb =
            std::function<void(bool success, const ::android::hardware::hidl_memory& memory)>;
    using batchAllocate_cb = std::function<void(
            bool success,
            const ::android::hardware::hidl_vec<::android::hardware::hidl_memory>& memories)>;

    virtual ::android::hardware::Return<void> allocate(uint64_t size, allocate_cb callback) = 0;
    virtual ::android::hardware::Return<void> batchAllocate(uint64_t size, uint64_t count,
                                                            batchAllocate_cb callback) = 0;

    // Null for other names.
    static sp<IAllocator> getService(const std::string& name = "default", bool getStub = false);
    static sp<IAllocator> tryGetService(const std::string& name = "default", bool getStub = false) {
        return getService(name, getStub);
    }
};

}  // namespace android::hidl::allocator::V1_0
