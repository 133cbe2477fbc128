// The name and the size of a queue's descriptor; types.hal has no queues.
#pragma once

#include <cstdint>

namespace android::hardware {

enum MQFlavor : uint32_t { kSynchronizedReadWrite = 1, kUnsynchronizedWrite = 2 };

template <class T, MQFlavor flavor>
struct alignas(8) MQDescriptor {
    uint8_t bytes[32];
};

}  // namespace android::hardware
