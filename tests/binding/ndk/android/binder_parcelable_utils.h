#pragma once

#include <android/binder_ibinder.h>

#include <cstdint>

namespace ndk {

enum parcelable_stability_t : int32_t { STABILITY_LOCAL, STABILITY_VINTF };

}  // namespace ndk
