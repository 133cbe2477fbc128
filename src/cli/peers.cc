#include "cli/peers.h"

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
    if (!choices.hasCredentials()) return std::optional<service::Credentials>();
    if (choices.certificate.empty() || choices.key.empty() || choices.authorities.empty()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "--tls-cert, --tls-key and --tls-ca go together: "
               << (choices.certificate.empty() ? "--tls-cert"
                   : choices.key.empty()       ? "--tls-key"
                                               : "--tls-ca")
               << " is missing";
    }
    NNAPI_ASSIGN_OR_RETURN(credentials,
                           service::readCredentials({.certificate = choices.certificate,
                                                     .key = choices.key,
                                                     .authorities = choices.authorities}));
    credentials.serverName = choices.serverName;
    return std::optional<service::Credentials>(std::move(credentials));
}
#endif

}  // namespace nn::cli
