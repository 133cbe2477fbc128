// Parses service addresses and opens Unix sockets; tcp.h opens those of TCP.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "nnapi/driver/result.h"

namespace nn::service {

inline constexpr std::string_view kUnixScheme = "unix:";

struct Address {
    std::string path{};    // of a Unix socket; empty: TCP
    std::string host{};    // a name or a number, without brackets
    uint16_t port = 0;     // 0: of a server, any that is free
    std::string device{};  // empty: the only one

    bool isTcp() const { return path.empty(); }
    // Without the device, for messages.
    std::string text() const;
};

// INVALID_ARGUMENT for what is not an address.
Result<Address> parseAddress(std::string_view text);

// A connected Unix socket, which does not block. DEVICE_UNAVAILABLE where nobody listens until
// then, or somebody of another user.
Result<UniqueFd> connectTo(const Address& address, TimePoint until);

// A listening Unix socket, which does not block, whose file has mode 0600.
Result<UniqueFd> listenAt(const Address& address);

// True where the process at the other end is of this user, or of root.
bool isOfThisUser(int socket);

}  // namespace nn::service
