// utils/RefBase.h -- RefBase, the base of objects that are counted, and wp, a weak pointer to one.
#pragma once

#include "utils/StrongPointer.h"

namespace android {

using ::nn::hidl::RefBase;
using ::nn::hidl::wp;

}  // namespace android
