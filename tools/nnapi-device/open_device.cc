#include "tools/nnapi-device/open_device.h"

#include "base/status_message.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "tools/nnapi-device/peer_options.h"
#include "tools/nnapi/output.h"
#include "tools/nnapi/vlog.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#endif

namespace nn::cli {
namespace {

constexpr size_t kFencedThreads = 2;

GeneralResult<SharedDevice> openBehindFaults(const std::string& spec) {
    if (spec != kReferenceDeviceName) return openDevice(spec);
    return referenceDevice(
            {.name = "faulty", .fencedThreads = kFencedThreads, .log = programLog()});
}

#ifdef NNAPI_HAS_SERVICE
GeneralResult<service::ClientOptions> clientOptions() {
    NNAPI_ASSIGN_OR_RETURN(credentials, credentialsOf(peerChoices()));
    service::ClientOptions options;
    options.credentials = std::move(credentials);
    options.insecurePlainTcp = peerChoices().insecurePlainTcp;
    service::setHeartbeat(options, std::chrono::milliseconds(peerChoices().heartbeat));
    return options;
}
#endif

DeviceRegistry makeRegistry() {
    RegistryOptions made{.reference = {.fencedThreads = kFencedThreads, .log = programLog()},
                         .log = programLog()};
    made.schemes[std::string(testing::kFaultyScheme)] = [](std::string_view spec) {
        return testing::openFaulty(spec, openBehindFaults);
    };
#ifdef NNAPI_HAS_SERVICE
    service::openAddresses(made, clientOptions);
#endif
    DeviceRegistry registry(std::move(made));
    registerSampleDevices(registry, kFencedThreads, programLog());
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack",
                                  [] { return xnnpackDevice({.log = programLog()}); });
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
