#include "cli/open_device.h"

#include <fmt/format.h>

#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "types/printable.h"

namespace nn::cli {
namespace {

constexpr std::string_view kReference = "nnapi-reference";

DeviceOpener otherDevices = nullptr;

GeneralResult<SharedDevice> throughHal(const SharedDevice& device, const std::string& version) {
    const std::string name = fmt::format("{}@{}", kReference, version);
    auto driver = hal::adapter::adapt(device);
    if (!driver.has_value()) return driver.status();
    switch (parseHalVersion(version).value_or(HalVersion::AIDL1)) {
        case HalVersion::V1_0:
            return V1_0::utils::Device::create(name, *driver);
        case HalVersion::V1_1:
            return V1_1::utils::Device::create(name, *driver);
        case HalVersion::V1_2:
            return V1_2::utils::Device::create(name, *driver);
        case HalVersion::V1_3:
            return V1_3::utils::Device::create(name, *driver);
        case HalVersion::AIDL1:
        case HalVersion::AIDL2:
        case HalVersion::AIDL3:
        case HalVersion::AIDL4:
            break;
    }
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "the version of " << printable(name) << " is not one of 1.0, 1.1, 1.2 and 1.3";
}

}  // namespace

void setOtherDevices(DeviceOpener opener) { otherDevices = opener; }

GeneralResult<SharedDevice> openDevice(const std::string& spec) {
    if (spec == kReference) return referenceDevice();
    const std::string prefix = fmt::format("{}@", kReference);
    if (spec.starts_with(prefix)) return throughHal(referenceDevice(), spec.substr(prefix.size()));
    if (otherDevices != nullptr) return otherDevices(spec);
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "there is no device " << printable(spec)
           << ", allowed nnapi-reference and nnapi-reference@1.0 to nnapi-reference@1.3";
}

}  // namespace nn::cli
