#include "service/address.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "types/printable.h"

namespace nn::service {
namespace {

Status unavailable(const Address& address, int why) {
    return error(ErrorStatus::DEVICE_UNAVAILABLE)
           << kUnixScheme << printable(address.path) << ": " << std::strerror(why);
}

sockaddr_un socketAddress(const Address& address) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, address.path.data(), address.path.size());
    return to;
}

Result<UniqueFd> newSocket(const Address& address) {
    UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.ok()) return unavailable(address, errno);
    return fd;
}

int tryToConnect(int fd, const Address& address) {
    const sockaddr_un to = socketAddress(address);
    return connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ? 0 : errno;
}

}  // namespace

Result<Address> parseAddress(std::string_view text) {
    if (!text.starts_with(kUnixScheme)) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << printable(text) << " is not an address, allowed unix:PATH and "
                      << "unix:PATH#DEVICE");
    }
    const std::string_view rest = text.substr(kUnixScheme.size());
    const size_t hash = rest.find('#');
    Address address{.path = std::string(rest.substr(0, hash)), .device = {}};
    if (hash != std::string_view::npos) address.device = rest.substr(hash + 1);
    constexpr size_t kMost = sizeof(sockaddr_un::sun_path) - 1;
    if (address.path.empty() || address.path.size() > kMost ||
        address.path.find('\0') != std::string::npos) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "the path of " << printable(text) << " has " << address.path.size()
                      << " bytes, allowed 1.." << kMost << ", none of them 0");
    }
    return address;
}

Result<UniqueFd> connectTo(const Address& address, TimePoint until) {
    NNAPI_ASSIGN_OR_RETURN(fd, newSocket(address));
    int why = tryToConnect(fd.get(), address);
    // EAGAIN: the server is busy with others.
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
    // The file gets the mode of the socket, so that it never has another one.
    if (fchmod(fd.get(), 0600) != 0) return unavailable(address, errno);
    const auto tryToBind = [&] {
        return bind(fd.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 ? 0 : errno;
    };
    int why = tryToBind();
    if (why == EADDRINUSE) {
        // Of a server that is gone, or of one that is there.
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
