// What all devices that wrap a driver have in common, whatever its family.
#pragma once

#include "nnapi/driver/wrap.h"

namespace nn::driver {

class WrapsDriver {
   public:
    virtual ~WrapsDriver() = default;
    virtual WrappedDriver wrappedDriver() const = 0;
};

}  // namespace nn::driver
