// A device that a profile describes, so that it can report why it does not support an operation.
#pragma once

#include "nnapi/device_profile.h"

namespace nn {

class ISupportReasons {
   public:
    virtual ~ISupportReasons() = default;

    // As supportedOperations() of nnapi/device_profile.h.
    virtual Result<DeviceSupport> supportOf(const Model& model) const = 0;
};

}  // namespace nn
