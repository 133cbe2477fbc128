// fmq/EventFlag.h -- EventFlag, bits in shared memory that threads wait for.
#pragma once

#include "hidl/MQDescriptor.h"
#include "nnapi/hal/hidl/message_queue.h"

namespace android::hardware {

using ::nn::hidl::EventFlag;

}  // namespace android::hardware
