#include "tools/nnapi-device/peer_options.h"

#include <utility>

namespace nn::cli {
namespace {

PeerChoices& chosen() {
    static PeerChoices choices;
    return choices;
}

}  // namespace

void setPeerChoices(PeerChoices choices) { chosen() = std::move(choices); }

const PeerChoices& peerChoices() { return chosen(); }

#ifdef NNAPI_HAS_SERVICE
GeneralResult<std::optional<service::Credentials>> credentialsOf(const PeerChoices& choices) {
    const service::CredentialFiles files{.certificate = choices.certificate,
                                         .key = choices.key,
                                         .authorities = choices.authorities};
    if (files.empty()) return std::optional<service::Credentials>();
    NNAPI_ASSIGN_OR_RETURN(credentials, service::readCredentials(files));
    credentials.serverName = choices.serverName;
    return std::optional<service::Credentials>(std::move(credentials));
}
#endif

}  // namespace nn::cli
