// Connects to servers.
#include <thread>
#include <utility>

#include "base/no_throw.h"
#include "base/printable.h"
#include "service/remote.h"
#include "service/tls.h"

namespace nn::service {
namespace {

// A device that a server offers.
struct OfferedDevice {
    DeviceInfo info;
    RemoteObject object;
};

GeneralResult<std::vector<SharedDevice>> open(const Address& address,
                                              const ClientOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(connection, Connection::open(address, options));
    auto found = connection->call<GeneralResult<std::vector<OfferedDevice>>>(
            "connect", makeDeadline(options.connectTimeout),
            [connection](Connection::State& state) {
                return state.service().devicesRequest().send().then(
                        [&state,
                         connection](auto&& reply) -> GeneralResult<std::vector<OfferedDevice>> {
                            std::vector<OfferedDevice> devices;
                            for (const auto device : reply.getDevices()) {
                                NNAPI_ASSIGN_OR_RETURN(info, deviceInfoOf(device.getInfo()));
                                devices.push_back({std::move(info),
                                                   RemoteObject(connection,
                                                                state.retain(device.getDevice()))});
                            }
                            return devices;
                        });
            });
    if (!found.has_value()) {
        // A server that rejects a client closes the connection.
        const std::string why = found.error().message;
        return error(ErrorStatus::DEVICE_UNAVAILABLE)
               << address.text() << ": " << (address.isTcp() ? whyRefused(why) : why);
    }
    std::vector<SharedDevice> devices;
    for (OfferedDevice& offered : *found) {
        if (!address.device.empty() && offered.info.name != address.device) continue;
        devices.push_back(remoteDevice(std::move(offered.object), std::move(offered.info)));
    }
    if (devices.empty() && !address.device.empty()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << address.text() << " has no device " << printable(address.device);
    }
    return devices;
}

}  // namespace

GeneralResult<std::vector<SharedDevice>> connectAll(std::string_view address,
                                                    const ClientOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(parsed, parseAddress(address));
    return open(parsed, options);
}
NNAPI_CATCH

void setHeartbeat(ClientOptions& options, Duration heartbeat) {
    options.heartbeat = heartbeat;
    if (heartbeat == Duration::zero()) options.ceiling = Duration::max();
}

GeneralResult<SharedDevice> connect(std::string_view address,
                                    const ClientOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(parsed, parseAddress(address));
    NNAPI_ASSIGN_OR_RETURN(devices, open(parsed, options));
    if (devices.size() == 1) return devices[0];
    std::string names;
    for (const SharedDevice& device : devices) {
        names += (names.empty() ? "" : ", ") + printable(device->getName());
    }
    return error(ErrorStatus::INVALID_ARGUMENT)
           << parsed.text() << " has " << devices.size()
           << " devices, say which with #NAME; it has " << names;
}
NNAPI_CATCH

hal::utils::ResilientDevice::Factory reconnecting(std::string address, ClientOptions options,
                                                  Duration wait) {
    return [address = std::move(address), options = std::move(options),
            wait](bool blocking) -> GeneralResult<SharedDevice> {
        const TimePoint until = makeDeadline(wait);
        while (true) {
            auto device = connect(address, options);
            const bool isFinal =
                    device.has_value() || device.error().code != ErrorStatus::DEVICE_UNAVAILABLE;
            if (isFinal || !blocking || Clock::now() >= until) return device;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    };
}

void openAddresses(RegistryOptions& registry, ClientOptions options) {
    openAddresses(registry, [options = std::move(options)]() -> GeneralResult<ClientOptions> {
        return options;
    });
}

void openAddresses(RegistryOptions& registry,
                   std::function<GeneralResult<ClientOptions>()> options) {
    registry.addresses = {
            .areThese = isAddress,
            .open = [options](const std::string& spec) -> GeneralResult<SharedDevice> {
                NNAPI_ASSIGN_OR_RETURN(made, options());
                return connect(spec, made);
            },
            .openAll = [options = std::move(options)](const std::string& spec)
                    -> GeneralResult<std::vector<SharedDevice>> {
                NNAPI_ASSIGN_OR_RETURN(made, options());
                return connectAll(spec, made);
            }};
}

}  // namespace nn::service
