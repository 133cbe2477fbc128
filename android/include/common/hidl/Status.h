// hidl/Status.h -- Return and Status, the results of HIDL calls.
#pragma once

#include <ostream>

#include "hidl/HidlSupport.h"
#include "nnapi/hal/hidl/return.h"

namespace nn::hidl {

inline std::ostream& operator<<(std::ostream& out, const Status& status) {
    return out << status.description();
}

}  // namespace nn::hidl

namespace android::hardware {

using ::nn::hidl::Return;
using ::nn::hidl::Status;
using ::nn::hidl::Void;

}  // namespace android::hardware
