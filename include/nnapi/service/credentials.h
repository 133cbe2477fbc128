// nnapi/service/credentials.h -- TLS certificates of clients and servers.
//
//   auto credentials = nn::service::readCredentials({"npu.pem", "npu.key", "boards_ca.pem"});
//   if (!credentials.has_value()) return credentials.status();
//   auto server = nn::service::serve({device}, "0.0.0.0:8000", {.credentials = *credentials});
//
// Both sides present a certificate and reject a peer whose certificate is not signed by one of
// their authorities or has expired; a client also requires that it names the host. Every peer whose
// certificate an authority has signed gets access: use a private authority, not a public one.
#pragma once

#include <string>

#include "nnapi/driver/result.h"

namespace nn::service {

// Certificates and keys as PEM text.
struct Credentials {
    std::string certificate{};  // own certificate, followed by intermediate ones
    std::string key{};          // of the first certificate; not encrypted
    std::string authorities{};  // certificates of the authorities that sign peers

    // Clients only: the name in the server's certificate; empty: the host of the address.
    std::string serverName{};
};

// Paths of PEM files.
struct CredentialFiles {
    std::string certificate{};  // see Credentials
    std::string key{};          // likewise
    std::string authorities{};  // likewise

    // True if no path is set, as where TCP is not used.
    bool empty() const { return certificate.empty() && key.empty() && authorities.empty(); }

    bool operator==(const CredentialFiles&) const = default;
};

// Reads the files. INVALID_ARGUMENT for a file that is missing, unreadable or larger than 1 MiB.
GeneralResult<Credentials> readCredentials(const CredentialFiles& files);

}  // namespace nn::service
