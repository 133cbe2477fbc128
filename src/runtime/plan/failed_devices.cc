#include "runtime/plan/failed_devices.h"

#include <absl/strings/cord.h>

#include <utility>

namespace nn::runtime {
namespace {

constexpr char kDevices[] = "nnapi/devices";

}  // namespace

Status failureOf(std::string_view devices, Status failure) {
    if (!failure.GetPayload(kDevices))
        failure.SetPayload(kDevices, absl::Cord(absl::string_view(devices.data(), devices.size())));
    return failure;
}

std::string devicesOf(const Status& failure) {
    const auto devices = failure.GetPayload(kDevices);
    return devices ? std::string(*devices) : std::string();
}

}  // namespace nn::runtime
