// nnapi/hal/hidl/refs.h -- Reference-counted objects, as libutils has them; see nnapi/hal/hidl.h.
#pragma once

#include <utils/RefBase.h>
#include <utils/StrongPointer.h>

namespace nn::hidl {

using ::android::RefBase;
using ::android::sp;
using ::android::wp;

}  // namespace nn::hidl
