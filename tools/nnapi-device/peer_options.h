// Options for servers on other machines: addresses and credentials.
#pragma once

#include <optional>

#include "nnapi/driver/result.h"
#include "tools/nnapi/options.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/credentials.h"
#endif

namespace nn::cli {

// Those of the command, for every device that is opened from then on.
void setPeerChoices(PeerChoices choices);
const PeerChoices& peerChoices();

#ifdef NNAPI_HAS_SERVICE
// What their files say; nothing where there are none. INVALID_ARGUMENT where one of the three is
// missing.
GeneralResult<std::optional<service::Credentials>> credentialsOf(const PeerChoices& choices);
#endif

}  // namespace nn::cli
