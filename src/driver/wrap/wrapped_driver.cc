#include "driver/wrap/wrapped_driver.h"

#include "nnapi/driver/forwarding.h"

namespace nn {

WrappedDriver wrappedDriver(const SharedDevice& device) {
    for (const IDevice* each = device.get(); each != nullptr;) {
        if (const auto* wrapper = dynamic_cast<const driver::WrapsDriver*>(each)) {
            return wrapper->wrappedDriver();
        }
        const auto* forwarding = dynamic_cast<const Forwarding<IDevice>*>(each);
        each = forwarding == nullptr ? nullptr : forwarding->inner().get();
    }
    return {};
}

}  // namespace nn
