// nnapi/hal/hidl/return.h -- The results of calls, as libhidl has them; see nnapi/hal/hidl.h.
//
// The status of a failed call must be checked, and it has no value: libhidl ends the program
// otherwise.
#pragma once

#include <hidl/Status.h>

namespace nn::hidl {

using ::android::BAD_VALUE;
using ::android::DEAD_OBJECT;
using ::android::FAILED_TRANSACTION;
using ::android::NO_ERROR;
using ::android::NO_MEMORY;
using ::android::OK;
using ::android::status_t;
using ::android::TIMED_OUT;
using ::android::UNKNOWN_ERROR;
using ::android::hardware::Return;
using ::android::hardware::Status;
using ::android::hardware::Void;

}  // namespace nn::hidl
