#include "service/address.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>

#include "base/printable.h"
#include "base/standard_streams.h"
#include "nnapi/service/client.h"

namespace nn::service {
namespace {

Status unavailable(const Address& address, int why) {
    return error(ErrorStatus::DEVICE_UNAVAILABLE) << address.text() << ": " << std::strerror(why);
}

constexpr size_t kMaxPathLength = sizeof(sockaddr_un::sun_path) - 1;

// Its path is not longer than that.
sockaddr_un socketAddress(const Address& address) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, address.path.data(), address.path.size());
    return to;
}

Result<UniqueFd> newSocket(const Address& address) {
    if (address.path.size() > kMaxPathLength) return unavailable(address, ENAMETOOLONG);
    UniqueFd fd =
            aboveStandardStreams(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.ok()) return unavailable(address, errno);
    return fd;
}

int tryToConnect(int fd, const Address& address) {
    const sockaddr_un to = socketAddress(address);
    return connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ? 0 : errno;
}

struct HostAndPort {
    std::string_view host;
    std::string_view port;
};

bool consistsOf(std::string_view text, std::string_view more, bool (*isOne)(unsigned char)) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return isOne(static_cast<unsigned char>(c)) || more.find(c) != std::string_view::npos;
    });
}

// HOST:PORT and [NUMBER]:PORT. Empty for everything else, so that device names are not parsed as
// hosts.
std::optional<HostAndPort> splitTcp(std::string_view text) {
    const auto isLetterOrDigit = [](unsigned char c) {
        return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
    };
    const auto isDigit = [](unsigned char c) { return c >= '0' && c <= '9'; };
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return {};
    HostAndPort split{text.substr(0, colon), text.substr(colon + 1)};
    if (split.port.empty() || split.port.size() > 5 || !consistsOf(split.port, "", isDigit)) {
        return {};
    }
    if (split.host.starts_with('[') && split.host.ends_with(']')) {
        split.host = split.host.substr(1, split.host.size() - 2);
        if (split.host.find(':') == std::string_view::npos) return {};
        if (!consistsOf(split.host, ":.%", isLetterOrDigit)) return {};
        return split;
    }
    constexpr size_t kMaxHostNameLength = 253;
    if (split.host.empty() || split.host.size() > kMaxHostNameLength) return {};
    if (!consistsOf(split.host, "._-", isLetterOrDigit)) return {};
    return split;
}

}  // namespace

std::string Address::text() const {
    if (!isTcp()) return std::string(kUnixScheme) + printable(path);
    const bool isNumber6 = host.find(':') != std::string::npos;
    return (isNumber6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool isAddress(std::string_view text) {
    return text.starts_with(kUnixScheme) || splitTcp(text.substr(0, text.find('#'))).has_value();
}

Result<Address> parseAddress(std::string_view text) {
    const size_t hash = text.find('#');
    Address address;
    if (hash != std::string_view::npos) address.device = text.substr(hash + 1);
    const std::string_view place = text.substr(0, hash);
    if (place.starts_with(kUnixScheme)) {
        address.path = place.substr(kUnixScheme.size());
        if (address.path.empty() || address.path.size() > kMaxPathLength ||
            address.path.find('\0') != std::string::npos) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "the path of " << printable(text) << " has " << address.path.size()
                          << " bytes, allowed 1.." << kMaxPathLength << ", none of them 0");
        }
        return address;
    }
    const auto split = splitTcp(place);
    if (!split) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << printable(text) << " is not an address, allowed unix:PATH and HOST:PORT, "
                      << "with #DEVICE behind it for one of several");
    }
    unsigned port = 0;
    for (const char digit : split->port) port = port * 10 + static_cast<unsigned>(digit - '0');
    if (port > UINT16_MAX) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "the port of " << printable(text) << " is " << port
                      << ", allowed at most 65535");
    }
    address.host = split->host;
    address.port = static_cast<uint16_t>(port);
    return address;
}

Result<UniqueFd> connectTo(const Address& address, TimePoint until) {
    NNAPI_ASSIGN_OR_RETURN(fd, newSocket(address));
    int why = tryToConnect(fd.get(), address);
    // EAGAIN: the server's backlog is full.
    while (why == EAGAIN && Clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        why = tryToConnect(fd.get(), address);
    }
    if (why != 0) return unavailable(address, why);
    if (!isOfThisUser(fd.get())) return unavailable(address, EPERM);
    return fd;
}

Result<UniqueFd> listenAt(const Address& address) {
    NNAPI_ASSIGN_OR_RETURN(fd, newSocket(address));
    const sockaddr_un at = socketAddress(address);
    // The file inherits the mode of the socket, so it never has a wider one.
    if (fchmod(fd.get(), 0600) != 0) return unavailable(address, errno);
    const auto tryToBind = [&] {
        return bind(fd.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 ? 0 : errno;
    };
    int why = tryToBind();
    if (why == EADDRINUSE) {
        // Tells a stale socket file from one of a running server.
        NNAPI_ASSIGN_OR_RETURN(probe, newSocket(address));
        struct stat file {};
        const bool isSocket = lstat(address.path.c_str(), &file) == 0 && S_ISSOCK(file.st_mode);
        if (isSocket && tryToConnect(probe.get(), address) == ECONNREFUSED) {
            (void)unlink(address.path.c_str());
            why = tryToBind();
        }
    }
    if (why != 0) return unavailable(address, why);
    if (listen(fd.get(), 64) != 0) return unavailable(address, errno);
    return fd;
}

bool isOfThisUser(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

}  // namespace nn::service
