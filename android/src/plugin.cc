// The entry of a shared object that registers its devices, or defines getService: it is opened like
// any other plug-in (nnapi/driver/plugin.h).
#include <algorithm>
#include <array>
#include <utility>

#include "android/src/services.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/wrap.h"

namespace nn::hal::services {
namespace {

using plugin::kMaxDevices;

// As the runtime of ChromeOS asks: for any version, by this name.
hidl::sp<V1_0::IDevice> deviceByGetService() {
    const std::string name = "default";
    if (auto device = V1_3::IDevice::getService(name, true); device != nullptr) return device;
    if (auto device = V1_2::IDevice::getService(name, true); device != nullptr) return device;
    if (auto device = V1_1::IDevice::getService(name, true); device != nullptr) return device;
    return V1_0::IDevice::getService(name, true);
}

std::vector<Service> findServices() {
    std::vector<Service> services = registered();
    if (services.empty()) {
        if (auto device = deviceByGetService(); device != nullptr) {
            services.push_back({"default", std::move(device)});
        }
    }
    if (services.size() > kMaxDevices) services.resize(kMaxDevices);
    return services;
}

const std::vector<Service>& services() {
    static const std::vector<Service> found = findServices();
    return found;
}

// The functions that open each of them.
template <size_t... I>
std::array<plugin::Device, kMaxDevices> devicesOf(std::index_sequence<I...>) {
    std::array<plugin::Device, kMaxDevices> devices = {plugin::Device{
            nullptr, [](GeneralResult<SharedDevice>* device) {
                *device = std::visit(
                        [](const auto& driver) { return wrap(services()[I].name, driver); },
                        services()[I].driver);
            }}...};
    for (size_t i = 0; i < services().size(); ++i) devices[i].name = services()[i].name.c_str();
    return devices;
}

}  // namespace
}  // namespace nn::hal::services

extern "C" __attribute__((visibility("default"))) const nn::plugin::Plugin* nnapi_plugin_v1() {
    using namespace nn;
    static const auto kDevices =
            hal::services::devicesOf(std::make_index_sequence<plugin::kMaxDevices>());
    static const plugin::Plugin kPlugin = {
            .magic = plugin::kMagic,
            .abiVersion = plugin::kAbiVersion,
            .deviceCount = static_cast<uint32_t>(hal::services::services().size()),
            .fingerprint = plugin::kFingerprint,
            .devices = kDevices.data()};
    return &kPlugin;
}
