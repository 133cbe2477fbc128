// nnapi/hal/hidl/queue_descriptor.h -- how a message queue travels to another process.
//
//   preparedModel->configureExecutionBurst(callback, *requests.getDesc(), *results.getDesc(), ...);
//
// The memory of the queue, and where its parts lie in it. MessageQueue (message_queue.h) makes and
// reads descriptors, and trusts none.
#pragma once

#include <cstdint>
#include <utility>

#include "nnapi/hal/hidl.h"

namespace nn::hidl {

// One reader and one writer, who wait for each other; the only kind there is here.
enum MQFlavor : uint32_t { kSynchronizedReadWrite = 0x01 };

struct GrantorDescriptor {
    uint32_t flags = 0;
    uint32_t fdIndex = 0;
    uint32_t offset = 0;  // bytes
    uint64_t extent = 0;  // bytes
    bool operator==(const GrantorDescriptor&) const = default;
};

template <class T, MQFlavor flavor>
class MQDescriptor {
   public:
    MQDescriptor() = default;
    MQDescriptor(hidl_vec<GrantorDescriptor> grantors, hidl_handle handle, uint32_t quantum,
                 uint32_t flags = flavor)
        : mGrantors(std::move(grantors)),
          mHandle(std::move(handle)),
          mQuantum(quantum),
          mFlags(flags) {}

    // The counters of what was read and written, the elements, and the word of the event flag where
    // there is one.
    const hidl_vec<GrantorDescriptor>& grantors() const { return mGrantors; }
    size_t countGrantors() const { return mGrantors.size(); }
    const native_handle_t* handle() const { return mHandle.getNativeHandle(); }
    bool isHandleValid() const { return handle() != nullptr; }
    // Bytes of an element, and of all.
    uint32_t getQuantum() const { return mQuantum; }
    uint64_t getSize() const { return mGrantors.size() > 2 ? mGrantors[2].extent : 0; }
    uint32_t getFlags() const { return mFlags; }

   private:
    hidl_vec<GrantorDescriptor> mGrantors{};
    hidl_handle mHandle{};
    uint32_t mQuantum = 0;
    uint32_t mFlags = flavor;
};

template <class T>
using MQDescriptorSync = MQDescriptor<T, kSynchronizedReadWrite>;

}  // namespace nn::hidl
