#include "cli/open_device.h"

#include "cli/vlog.h"
#include "nnapi/driver/registry.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#endif

namespace nn::cli {
namespace {

DeviceOpener otherDevices = nullptr;

DeviceRegistry makeRegistry() {
    RegistryOptions options{.reference = {.fencedThreads = 2, .log = programLog()},
                            .log = programLog()};
#ifdef NNAPI_HAS_SERVICE
    options.schemes["unix:"] = [](const std::string& spec) { return service::connect(spec); };
#endif
    DeviceRegistry registry(std::move(options));
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack", [] { return xnnpackDevice(); });
#endif
    return registry;
}

}  // namespace

void setOtherDevices(DeviceOpener opener) { otherDevices = opener; }

const DeviceRegistry& registry() {
    static const DeviceRegistry made = makeRegistry();
    return made;
}

GeneralResult<SharedDevice> openDevice(const std::string& spec) {
    auto device = registry().open(spec);
    if (device.has_value() || otherDevices == nullptr) return device;
    return otherDevices(spec);
}

GeneralResult<std::vector<SharedDevice>> openDevices(const std::string& spec) {
#ifdef NNAPI_HAS_SERVICE
    if (service::isAddress(spec) && spec.find_first_of("#@") == std::string::npos) {
        return service::connectAll(spec);
    }
#endif
    NNAPI_ASSIGN_OR_RETURN(device, openDevice(spec));
    return std::vector<SharedDevice>{std::move(device)};
}

std::vector<SharedDevice> registeredDevices(std::vector<Status>& refused) {
    return registry().devices(&refused);
}

}  // namespace nn::cli
