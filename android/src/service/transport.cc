#include "android-base/logging.h"
#include "android/src/services.h"
#include "nnapi/service/client.h"
#include "nnapi/service/runtime_folder.h"
#include "nnapi/service/server.h"

namespace nn::hal::services {
namespace {

GeneralResult<std::shared_ptr<void>> serve(std::vector<SharedDevice> devices, std::string address,
                                           size_t threads) {
    if (address.empty()) {
        NNAPI_ASSIGN_OR_RETURN(own, service::addressInRuntimeFolder(devices.front()->getName()));
        address = std::move(own);
    }
    NNAPI_ASSIGN_OR_RETURN(server,
                           service::serve(std::move(devices), address, {.threads = threads}));
    LOG(INFO) << "devices are served at " << server->address();
    return std::shared_ptr<void>(std::move(server));
}

SharedDevice findService(std::string_view name) {
    const auto address = service::addressInRuntimeFolder(name);
    if (!address.has_value()) return nullptr;
    const auto device = service::connect(*address);
    return device.has_value() ? *device : nullptr;
}

std::vector<std::string> namesOfServices() {
    std::vector<std::string> names;
    for (const std::string& address : service::runningServices()) {
        names.push_back(address.substr(address.rfind('/') + 1));
    }
    return names;
}

}  // namespace
}  // namespace nn::hal::services

extern "C" const nn::hal::services::Transport* nnapi_android_transport() {
    using namespace nn::hal::services;
    static constexpr Transport kTransport = {.serve = serve,
                                             .find = findService,
                                             .isRunning = nn::service::isServiceRunning,
                                             .names = namesOfServices};
    return &kTransport;
}
