#include "tools/nnapi-device/open_device.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/printable.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "nnapi/io.h"
#include "tools/nnapi-device/peer_options.h"
#include "tools/nnapi/input_files.h"
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

// The reference device with the operations that a description supports.
GeneralResult<SharedDevice> openDescription(const std::string& file) {
    NNAPI_ASSIGN_OR_RETURN(description, readDevice(file));
    NNAPI_RETURN_IF_ERROR(within(printable(file) + ": ", nn::validate(description)));
    const Version level = description.version;
    std::string name = description.name.empty() ? std::filesystem::path(file).stem().string()
                                                : description.name;
    return referenceDevice({.name = std::move(name),
                            .featureLevel = level,
                            .overlay = std::move(description),
                            .fencedThreads = kFencedThreads,
                            .log = programLog()});
}

// Adds the files of descriptions to the addresses.
void openDescriptions(RegistryOptions& options) {
    RegistryOptions::Addresses& own = options.addresses;
    own.areThese = [others = own.areThese](std::string_view spec) {
        return isDeviceFile(spec) || (others && others(spec));
    };
    own.open = [others = own.open](const std::string& spec) {
        return isDeviceFile(spec) ? openDescription(spec) : others(spec);
    };
    own.openAll = [others = own.openAll, open = own.open](
                          const std::string& spec) -> GeneralResult<std::vector<SharedDevice>> {
        if (others && !isDeviceFile(spec)) return others(spec);
        NNAPI_ASSIGN_OR_RETURN(device, open(spec));
        return std::vector<SharedDevice>{std::move(device)};
    };
}

DeviceRegistry makeRegistry() {
    RegistryOptions made{.reference = {.fencedThreads = kFencedThreads, .log = programLog()},
                         .log = programLog()};
    made.schemes[std::string(testing::kFaultyScheme)] = [](std::string_view spec) {
        return testing::openFaulty(spec, openBehindFaults);
    };
#ifdef NNAPI_HAS_SERVICE
    service::openAddresses(made, clientOptions);
#endif
    openDescriptions(made);
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
    Output::complain(opened.status());
    return nullptr;
}

Status openForLibrary(const std::string& spec) {
    if (spec.starts_with(testing::kFaultyScheme)) {
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("device {}: programs cannot use it, only the commands of nnapi",
                            printable(spec)));
    }
    if (isDeviceFile(spec) || isDeviceFile(spec.substr(0, spec.rfind('@')))) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("device {}: programs cannot use a description, only the "
                                     "commands of nnapi",
                                     printable(spec)));
    }
    DeviceRegistry own;
    std::vector<Status> refused;
    if (hasPluginPath(spec) && spec.find_first_of("@:", spec.rfind('/')) == std::string::npos) {
        NNAPI_RETURN_IF_ERROR(own.registerPlugin(spec).status());
        (void)own.devices(&refused);
        return refused.empty() ? Status() : refused.front();
    }
    NNAPI_ASSIGN_OR_RETURN(devices, openDevices(spec));
    for (SharedDevice& device : devices) {
        NNAPI_RETURN_IF_ERROR(own.registerDevice(std::move(device)).status());
    }
    return {};
}

GeneralResult<std::vector<SharedDevice>> openDevices(const std::string& spec) {
    return registry().openAll(spec);
}

std::vector<SharedDevice> registeredDevices(std::vector<Status>& refused) {
    return registry().devices(&refused);
}

}  // namespace nn::cli
