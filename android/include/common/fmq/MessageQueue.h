// fmq/MessageQueue.h -- MessageQueue, a queue in shared memory.
//
//   MessageQueue<FmqRequestDatum, kSynchronizedReadWrite> queue(1024, true);
#pragma once

#include "fmq/EventFlag.h"

namespace android::hardware {

using ::nn::hidl::MessageQueue;

}  // namespace android::hardware
