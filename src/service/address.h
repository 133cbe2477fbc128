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
    uint16_t port = 0;     // 0: a server uses any free port
    std::string device{};  // empty: the server's only device

    bool isTcp() const { return path.empty(); }
    // Without the device, for messages.
    std::string text() const;
};

// INVALID_ARGUMENT if the text is not an address.
Result<Address> parseAddress(std::string_view text);

// A connected, non-blocking Unix socket. DEVICE_UNAVAILABLE if no server listens before `until`, or
// if the server belongs to another user.
Result<UniqueFd> connectTo(const Address& address, TimePoint until);

// A listening, non-blocking Unix socket, whose file has mode 0600.
Result<UniqueFd> listenAt(const Address& address);

// True if the process at the other end runs as this user or as root.
bool isOfThisUser(int socket);

}  // namespace nn::service
