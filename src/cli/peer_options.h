// Options for servers on other machines: addresses and credentials.
#pragma once

#include <optional>
#include <string>

#include "nnapi/driver/result.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/credentials.h"
#endif

namespace nn::cli {

// Of all commands that open devices: files in the form PEM.
struct PeerChoices {
    std::string certificate{};
    std::string key{};
    std::string authorities{};
    std::string serverName{};
    bool insecurePlainTcp = false;
};

// Those of the command, for every device that is opened from then on.
void setPeerChoices(PeerChoices choices);
const PeerChoices& peerChoices();

#ifdef NNAPI_HAS_SERVICE
// What their files say; nothing where there are none. INVALID_ARGUMENT where one of the three is
// missing.
GeneralResult<std::optional<service::Credentials>> credentialsOf(const PeerChoices& choices);
#endif

}  // namespace nn::cli
