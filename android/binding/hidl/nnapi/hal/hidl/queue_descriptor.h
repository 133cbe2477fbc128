// nnapi/hal/hidl/queue_descriptor.h -- Descriptor of a message queue, as libhidl has it; see
// nnapi/hal/hidl.h.
#pragma once

#include <hidl/MQDescriptor.h>

#include "nnapi/hal/hidl.h"

namespace nn::hidl {

using ::android::hardware::GrantorDescriptor;
using ::android::hardware::kSynchronizedReadWrite;
using ::android::hardware::MQDescriptor;
using ::android::hardware::MQDescriptorSync;
using ::android::hardware::MQFlavor;

}  // namespace nn::hidl
