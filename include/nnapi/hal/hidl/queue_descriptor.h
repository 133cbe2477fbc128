// nnapi/hal/hidl/queue_descriptor.h -- Descriptor of a message queue, for another process.
//
//   preparedModel->configureExecutionBurst(callback, *requests.getDesc(), *results.getDesc(), ...);
//
// The memory of the queue and the layout of its parts. MessageQueue (message_queue.h) creates
// descriptors, and validates those that it reads.
#pragma once

#include <cstdint>
#include <utility>

#include "nnapi/hal/hidl.h"

namespace nn::hidl {

// One reader and one writer, which wait for each other; the only supported kind.
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

    // Read counter, write counter, elements and, if present, the event flag word.
    const hidl_vec<GrantorDescriptor>& grantors() const { return mGrantors; }
    size_t countGrantors() const { return mGrantors.size(); }
    const native_handle_t* handle() const { return mHandle.getNativeHandle(); }
    bool isHandleValid() const { return handle() != nullptr; }
    // Size of an element and of all elements, in bytes.
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
