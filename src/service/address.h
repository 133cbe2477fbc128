// Addresses, and the sockets that belong to them.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/driver/result.h"

namespace nn::service {

inline constexpr std::string_view kUnixScheme = "unix:";

struct Address {
    std::string path{};    // of a socket
    std::string device{};  // empty: the only one
};

// INVALID_ARGUMENT for what is not an address.
Result<Address> parseAddress(std::string_view text);

// A connected socket, which does not block. DEVICE_UNAVAILABLE where nobody listens until then, or
// somebody of another user.
Result<UniqueFd> connectTo(const Address& address, TimePoint until);

// A listening socket, which does not block, whose file has mode 0600.
Result<UniqueFd> listenAt(const Address& address);

// True where the process at the other end is of this user, or of root.
bool isOfThisUser(int socket);

}  // namespace nn::service
