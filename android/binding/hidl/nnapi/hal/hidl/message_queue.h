// nnapi/hal/hidl/message_queue.h -- MessageQueue of libfmq; see nnapi/hal/hidl.h.
//
// Elements are transferred as bytes: a union may have a tag that no member has, and its destructor
// then ends the program. A process that reads a queue of another process therefore has to trust it.
#pragma once

#include <fmq/EventFlag.h>
#include <fmq/MessageQueue.h>

#include "nnapi/hal/hidl/queue_descriptor.h"
#include "nnapi/hal/hidl/return.h"

namespace nn::hidl {

using ::android::hardware::EventFlag;
using ::android::hardware::MessageQueue;

// Those of libfmq are members of each queue.
enum EventFlagBits : uint32_t { FMQ_NOT_EMPTY = 1 << 0, FMQ_NOT_FULL = 1 << 1 };

}  // namespace nn::hidl
