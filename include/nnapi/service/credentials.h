// nnapi/service/credentials.h -- what proves over TCP who one is, and whom one believes.
//
//   auto credentials = nn::service::readCredentials({"npu.pem", "npu.key", "boards_ca.pem"});
//   if (!credentials.has_value()) return credentials.status();
//   auto server = nn::service::serve({device}, "0.0.0.0:8000", {.credentials = *credentials});
//
// Both sides show a certificate, and refuse a peer whose certificate is not signed by one of their
// authorities, or has expired; a client also one that does not name the host. Everybody whom an
// authority has signed gets in: use one of your own, not a public one.
#pragma once

#include <string>

#include "nnapi/driver/result.h"

namespace nn::service {

// Text in the form PEM.
struct Credentials {
    std::string certificate{};  // one's own first, then those between it and an authority
    std::string key{};          // of the first certificate; not encrypted
    std::string authorities{};  // who has signed the certificates of peers

    // Of clients: the name that the server's certificate has; empty: the host of the address.
    std::string serverName{};
};

// Paths of files in the form PEM.
struct CredentialFiles {
    std::string certificate{};
    std::string key{};
    std::string authorities{};

    bool empty() const { return certificate.empty() && key.empty() && authorities.empty(); }
};

// INVALID_ARGUMENT for a file that is missing, cannot be read, or is longer than 1 MiB.
GeneralResult<Credentials> readCredentials(const CredentialFiles& files);

}  // namespace nn::service
