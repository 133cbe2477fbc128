// nnapi/Types.h -- the canonical types and interfaces, as Android 12 and newer name them.
//
// android::nn has all names of nn. Types of Android's tree that differ from ours are defined in the
// headers that Android has them in: Mapping and RequestRelocation in nnapi/SharedMemory.h, roles of
// prepared models in nnapi/Validation.h.
#pragma once

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace android::nn {

using namespace ::nn;

using Dimension = uint32_t;
using OptionalTimeoutDuration = OptionalDuration;

// The padding and alignment that a driver prefers for the memory of requests, in bytes.
struct MemoryPreference {
    uint32_t alignment = kDefaultRequestMemoryAlignment;
    uint32_t padding = kDefaultRequestMemoryPadding;
    bool operator==(const MemoryPreference&) const = default;
};

}  // namespace android::nn
