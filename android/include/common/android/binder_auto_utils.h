// android/binder_auto_utils.h -- ScopedAStatus, ScopedFileDescriptor, SpAIBinder,
// ScopedAIBinder_DeathRecipient.
#pragma once

#include <ostream>

#include "android/binder_status.h"
#include "nnapi/hal/aidl/ndk.h"

namespace ndk {

inline std::ostream& operator<<(std::ostream& out, const ScopedAStatus& status) {
    return out << status.getDescription();
}

}  // namespace ndk
