#include "service/tcp.h"

#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "base/standard_streams.h"

namespace nn::service {
namespace {

struct FreeAddresses {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Result<Addresses> resolve(const Address& address) {
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(address.port);
    const int why = getaddrinfo(address.host.c_str(), port.c_str(), &wanted, &found);
    if (why == 0) return Addresses(found);
    return Status(error(ErrorStatus::DEVICE_UNAVAILABLE)
                  << address.text() << ": " << gai_strerror(why));
}

void setPort(addrinfo& at, uint16_t port) {
    if (at.ai_family == AF_INET6) {
        reinterpret_cast<sockaddr_in6*>(at.ai_addr)->sin6_port = htons(port);
    } else if (at.ai_family == AF_INET) {
        reinterpret_cast<sockaddr_in*>(at.ai_addr)->sin_port = htons(port);
    }
}

uint16_t portOf(int socket) {
    sockaddr_storage at{};
    socklen_t size = sizeof at;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size) != 0) return 0;
    return ntohs(at.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(at).sin6_port
                                          : reinterpret_cast<sockaddr_in&>(at).sin_port);
}

void set(int socket, int level, int option, int value) {
    (void)setsockopt(socket, level, option, &value, sizeof value);
}

// Zeroed for other kinds of sockets.
tcp_info infoOf(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
    return info;
}

// Invalid on failure; errno has the reason.
UniqueFd listenAt(const addrinfo& at) {
    UniqueFd fd = aboveStandardStreams(
            socket(at.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.ok()) return fd;
    set(fd.get(), SOL_SOCKET, SO_REUSEADDR, 1);
    if (at.ai_family == AF_INET6) set(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1);
    if (bind(fd.get(), at.ai_addr, at.ai_addrlen) != 0 || listen(fd.get(), 64) != 0) {
        return UniqueFd();
    }
    return fd;
}

}  // namespace

Result<std::vector<UniqueFd>> listenAtTcp(Address& address) {
    NNAPI_ASSIGN_OR_RETURN(found, resolve(address));
    std::vector<UniqueFd> sockets;
    int why = EADDRNOTAVAIL;
    for (addrinfo* at = found.get(); at != nullptr; at = at->ai_next) {
        if (at->ai_family != AF_INET && at->ai_family != AF_INET6) continue;
        setPort(*at, address.port);
        UniqueFd fd = listenAt(*at);
        if (!fd.ok()) {
            why = errno;
            // Names may resolve to IPv6 addresses on a machine without IPv6.
            if (why == EADDRNOTAVAIL || why == EAFNOSUPPORT) continue;
            sockets.clear();
            break;
        }
        if (address.port == 0) address.port = portOf(fd.get());
        sockets.push_back(std::move(fd));
    }
    if (!sockets.empty()) return sockets;
    return Status(error(ErrorStatus::DEVICE_UNAVAILABLE)
                  << address.text() << ": " << std::strerror(why));
}

kj::Promise<kj::Own<kj::AsyncIoStream>> connectToTcp(kj::AsyncIoContext& io,
                                                     const Address& address) {
    const std::string text = address.text();
    return io.provider->getNetwork()
            .parseAddress(kj::StringPtr(text.c_str(), text.size()), address.port)
            .then([](kj::Own<kj::NetworkAddress>&& found) {
                auto connected = found->connect();
                return connected.attach(kj::mv(found));
            })
            .then([](kj::Own<kj::AsyncIoStream>&& stream) {
                KJ_IF_MAYBE (fd, stream->getFd()) {
                    setUpTcp(*fd);
                }
                return kj::mv(stream);
            });
}

void setUpTcp(int socket) {
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 10);
    set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    set(socket, IPPROTO_TCP, TCP_KEEPCNT, 4);
    set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 30000);
}

uint64_t bytesTransferred(int socket) {
    const tcp_info info = infoOf(socket);
    return info.tcpi_bytes_acked + info.tcpi_bytes_received;
}

uint64_t bytesReceived(int socket) { return infoOf(socket).tcpi_bytes_received; }

}  // namespace nn::service
