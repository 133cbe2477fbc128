#include "cli/open_device.h"

#include "cli/output.h"
#include "cli/peer_options.h"
#include "cli/vlog.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "nnapi/testing/faulty_device.h"
#include "nnapi/testing/faulty_driver.h"
#include "types/status_message.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#endif

namespace nn::cli {
namespace {

constexpr size_t kFencedThreads = 2;

// "faulty:FAULTS:DEVICE": the device with faults.
GeneralResult<SharedDevice> openFaulty(std::string_view spec) {
    spec.remove_prefix(testing::kFaultyScheme.size());
    const size_t colon = spec.find(':');
    NNAPI_ASSIGN_OR_RETURN(faults, testing::DeviceFaults::parse(spec.substr(0, colon)));
    const std::string behind(colon == std::string_view::npos ? "" : spec.substr(colon + 1));
    GeneralResult<SharedDevice> good = behind.empty() || behind == kReferenceDeviceName
                                               ? referenceDevice({.name = "faulty",
                                                                  .fencedThreads = kFencedThreads,
                                                                  .log = programLog()})
                                               : openDevice(behind);
    if (!good.has_value()) return good;
    auto device = testing::faultyDevice(*good, faults);
    if (!device.has_value()) return device;
    using enum testing::DeviceFault;
    if (!faults.isOn(NOTIFIES_TWICE) && !faults.isOn(NOTIFIES_NEVER) &&
        !faults.isOn(NOTIFIES_NULL)) {
        return device;
    }
    NNAPI_ASSIGN_OR_RETURN(driver, hal::adapter::adapt(*device));
    return V1_3::utils::Device::create((*device)->getName(),
                                       testing::faultyDriver(std::move(driver), faults));
}

#ifdef NNAPI_HAS_SERVICE
GeneralResult<service::ClientOptions> clientOptions() {
    NNAPI_ASSIGN_OR_RETURN(credentials, credentialsOf(peerChoices()));
    service::ClientOptions options;
    options.credentials = std::move(credentials);
    options.insecurePlainTcp = peerChoices().insecurePlainTcp;
    options.heartbeat = std::chrono::milliseconds(peerChoices().heartbeat);
    return options;
}
#endif

DeviceRegistry makeRegistry() {
    RegistryOptions made{.reference = {.fencedThreads = kFencedThreads, .log = programLog()},
                         .log = programLog()};
    made.schemes[std::string(testing::kFaultyScheme)] = openFaulty;
#ifdef NNAPI_HAS_SERVICE
    service::openAddresses(made, clientOptions);
#endif
    DeviceRegistry registry(std::move(made));
    registerSampleDevices(registry, kFencedThreads, programLog());
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack", [] { return xnnpackDevice(); });
#endif
    return registry;
}

const DeviceRegistry& registry() {
    static const DeviceRegistry made = makeRegistry();
    return made;
}

}  // namespace

GeneralResult<SharedDevice> openDevice(const std::string& spec) { return registry().open(spec); }

SharedDevice openDeviceOrComplain(const std::string& spec) {
    GeneralResult<SharedDevice> opened = openDevice(spec);
    if (opened.has_value()) return *std::move(opened);
    Output::complain(messageOf(opened.status()));
    return nullptr;
}

GeneralResult<std::vector<SharedDevice>> openDevices(const std::string& spec) {
    return registry().openAll(spec);
}

std::vector<SharedDevice> registeredDevices(std::vector<Status>& refused) {
    return registry().devices(&refused);
}

}  // namespace nn::cli
