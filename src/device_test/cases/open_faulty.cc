#include <string>
#include <utility>

#include "nnapi/device_test/faulty_device.h"
#include "nnapi/device_test/faulty_driver.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/wrap.h"

namespace nn::testing {

GeneralResult<SharedDevice> openFaulty(
        std::string_view spec,
        const std::function<GeneralResult<SharedDevice>(const std::string&)>& open) {
    if (spec.starts_with(kFaultyScheme)) spec.remove_prefix(kFaultyScheme.size());
    const size_t colon = spec.find(':');
    NNAPI_ASSIGN_OR_RETURN(faults, DeviceFaults::parse(spec.substr(0, colon)));
    std::string behind(colon == std::string_view::npos ? "" : spec.substr(colon + 1));
    if (behind.empty()) behind = kReferenceDeviceName;
    if (behind.starts_with(kFaultyScheme)) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "a faulty device is behind a faulty one, allowed one list of faults: faulty:A,B";
    }
    if (open == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "nobody opens devices";
    NNAPI_ASSIGN_OR_RETURN(good, open(behind));
    NNAPI_ASSIGN_OR_RETURN(device, faultyDevice(std::move(good), faults));
    using enum DeviceFault;
    if (!faults.isOn(NOTIFIES_TWICE) && !faults.isOn(NOTIFIES_NEVER) &&
        !faults.isOn(NOTIFIES_NULL)) {
        return device;
    }
    NNAPI_ASSIGN_OR_RETURN(driver, hal::adapter::adapt(device));
    return V1_3::utils::Device::create(device->getName(),
                                       faultyDriver(std::move(driver), std::move(faults)));
}

}  // namespace nn::testing
