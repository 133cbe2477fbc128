#include "cli/open_device.h"

#include "cli/vlog.h"
#include "nnapi/driver/registry.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::cli {
namespace {

DeviceOpener otherDevices = nullptr;

DeviceRegistry makeRegistry() {
    DeviceRegistry registry(
            {.reference = {.fencedThreads = 2, .log = programLog()}, .log = programLog()});
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack", [] { return xnnpackDevice(); });
#endif
    return registry;
}

}  // namespace

void setOtherDevices(DeviceOpener opener) { otherDevices = opener; }

GeneralResult<SharedDevice> openDevice(const std::string& spec) {
    static const DeviceRegistry registry = makeRegistry();
    auto device = registry.open(spec);
    if (device.has_value() || otherDevices == nullptr) return device;
    return otherDevices(spec);
}

}  // namespace nn::cli
