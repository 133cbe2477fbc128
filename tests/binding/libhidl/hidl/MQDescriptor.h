// The descriptor of a message queue: its memory and the layout of its parts.
#pragma once

#include <hidl/HidlSupport.h>

#include <cstdint>
#include <vector>

namespace android::hardware {

struct GrantorDescriptor {
    uint32_t flags;
    uint32_t fdIndex;
    uint32_t offset;
    uint64_t extent;
};

enum MQFlavor : uint32_t { kSynchronizedReadWrite = 0x01, kUnsynchronizedWrite = 0x02 };

template <class T, MQFlavor flavor>
class alignas(8) MQDescriptor {
   public:
    // Read counter, write counter, elements, event flag.
    enum GrantorType : int { READPTRPOS = 0, WRITEPTRPOS, DATAPTRPOS, EVFLAGWORDPOS };

    MQDescriptor() = default;
    // Takes ownership of the handle.
    MQDescriptor(const std::vector<GrantorDescriptor>& grantors, native_handle_t* handle,
                 size_t size)
        : mGrantors(grantors), mHandle(handle), mQuantum(static_cast<uint32_t>(size)) {}
    MQDescriptor(const MQDescriptor& other) { *this = other; }
    MQDescriptor& operator=(const MQDescriptor& other) {
        if (this == &other) return *this;
        release();
        mGrantors = other.mGrantors;
        mHandle = native_handle_clone(other.mHandle);
        mQuantum = other.mQuantum;
        mFlags = other.mFlags;
        return *this;
    }
    ~MQDescriptor() { release(); }

    size_t getSize() const { return mGrantors[DATAPTRPOS].extent; }
    size_t getQuantum() const { return mQuantum; }
    uint32_t getFlags() const { return mFlags; }
    bool isHandleValid() const { return mHandle != nullptr; }
    size_t countGrantors() const { return mGrantors.size(); }
    const hidl_vec<GrantorDescriptor>& grantors() const { return mGrantors; }
    const native_handle_t* handle() const { return mHandle; }

   private:
    void release() {
        native_handle_close(mHandle);
        native_handle_delete(mHandle);
        mHandle = nullptr;
    }

    hidl_vec<GrantorDescriptor> mGrantors;
    details::hidl_pointer<native_handle_t> mHandle;
    uint32_t mQuantum = 0;
    uint32_t mFlags = flavor;
};

template <class T>
using MQDescriptorSync = MQDescriptor<T, kSynchronizedReadWrite>;

}  // namespace android::hardware
