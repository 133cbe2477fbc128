// utils/RefBase.h -- RefBase and LightRefBase, bases of objects that are counted, and wp, a weak
// pointer to a RefBase.
#pragma once

#include "utils/StrongPointer.h"

namespace android {

using ::nn::hidl::LightRefBase;
using ::nn::hidl::RefBase;
using ::nn::hidl::wp;

}  // namespace android
