// hidl/MQDescriptor.h -- descriptors of message queues.
#pragma once

#include "hidl/HidlSupport.h"
#include "nnapi/hal/hidl/queue_descriptor.h"

namespace android::hardware {

using ::nn::hidl::GrantorDescriptor;
using ::nn::hidl::kSynchronizedReadWrite;
using ::nn::hidl::MQDescriptor;
using ::nn::hidl::MQDescriptorSync;
using ::nn::hidl::MQFlavor;

}  // namespace android::hardware
