#include "runtime/extras/extras.h"

#include "nnapi/driver/plugin.h"
#include "runtime/extras/record.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#endif

namespace nn::runtime {
namespace {

#ifdef NNAPI_HAS_SERVICE
GeneralResult<service::ClientOptions> clientOptionsOf(const ConfiguredDevice& configured) {
    service::ClientOptions options{.insecurePlainTcp = configured.insecurePlainTcp};
    if (configured.heartbeat.has_value()) service::setHeartbeat(options, *configured.heartbeat);
    if (!configured.credentials.empty()) {
        NNAPI_ASSIGN_OR_RETURN(credentials, service::readCredentials(configured.credentials));
        credentials.serverName = configured.serverName;
        options.credentials = std::move(credentials);
    }
    return options;
}
#endif

void openAddresses([[maybe_unused]] RegistryOptions& registry,
                   [[maybe_unused]] const ConfiguredDevice& configured) {
#ifdef NNAPI_HAS_SERVICE
    service::openAddresses(registry, [configured] { return clientOptionsOf(configured); });
#endif
}

std::shared_ptr<const IRecorder> makeRecorder(const std::filesystem::path& folder,
                                              uint64_t executions, const SharedLog& log) {
    return std::make_shared<const Recorder>(folder, executions, log);
}

constexpr Extras kExtras = {.fingerprint = plugin::kFingerprint,
                            .openAddresses = openAddresses,
                            .makeRecorder = makeRecorder};

}  // namespace

// The extras are linked here, so nothing has to be loaded.
Result<const Extras*> extras() { return &kExtras; }

}  // namespace nn::runtime

extern "C" __attribute__((visibility("default"))) const nn::runtime::Extras*
nnapi_runtime_extras() {
    return &nn::runtime::kExtras;
}
