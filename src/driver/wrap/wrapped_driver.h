// The common part of all devices that wrap a driver of any family.
#pragma once

#include "nnapi/driver/wrap.h"

namespace nn::driver {

class WrapsDriver {
   public:
    virtual ~WrapsDriver() = default;
    virtual WrappedDriver wrappedDriver() const = 0;
};

}  // namespace nn::driver
