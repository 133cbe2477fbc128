#include "service/listener.h"

#include <kj/debug.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "nnapi/driver/vlog.h"
#include "service/address.h"
#include "service/event_loop.h"
#include "service/tcp.h"

namespace nn::service {
namespace {

constexpr kj::Duration kGreetingTime = 10 * kj::SECONDS;

// Connections accepted in a row before the loop handles other events.
constexpr int kAcceptedAtOnce = 16;

// The first message is a Bootstrap, which has some 40 bytes.
constexpr size_t kMaxFirstMessageBytes = 4096;

constexpr auto kReady = kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                        kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK;

// True if a whole message has arrived; it is not consumed. Fails if it is too long or the peer is
// gone.
Result<bool> hasFirstMessage(int socket) {
    std::array<uint32_t, kMaxFirstMessageBytes / sizeof(uint32_t)> words{};  // in host byte order
    const ssize_t got = recv(socket, words.data(), sizeof words, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    if (got <= 0) return Status(error(ErrorStatus::DEAD_OBJECT) << "it is gone");
    // A message starts with the number of segments less one and the length of each in 8-byte words.
    const size_t known = static_cast<size_t>(got) / sizeof(uint32_t);
    constexpr uint64_t kWord = sizeof(uint64_t);
    const uint64_t segments = known == 0 ? 1 : uint64_t{words[0]} + 1;
    uint64_t size = (segments / 2 + 1) * kWord;
    for (size_t i = 1; i <= segments && i < known && size <= kMaxFirstMessageBytes; ++i) {
        size += words[i] * kWord;
    }
    if (size > kMaxFirstMessageBytes) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "its first message has at least " << size << " bytes, allowed "
                      << kMaxFirstMessageBytes);
    }
    if (known > segments && static_cast<uint64_t>(got) >= size) return true;
    pollfd end{.fd = socket, .events = POLLRDHUP, .revents = 0};
    if (poll(&end, 1, 0) == 0) return false;
    return Status(error(ErrorStatus::DEAD_OBJECT) << "it is gone in its first message");
}

// True if anything has arrived from the peer, read or not.
bool hasSentAnything(int socket) {
    int waiting = 0;
    return bytesReceived(socket) > 0 || (ioctl(socket, FIONREAD, &waiting) == 0 && waiting > 0);
}

// The peer that a connection counts for.
std::pair<int, uint64_t> peerOf(int socket) {
    sockaddr_storage at{};
    socklen_t size = sizeof at;
    if (getpeername(socket, reinterpret_cast<sockaddr*>(&at), &size) != 0) return {};
    uint64_t address = 0;
    if (at.ss_family == AF_INET) {
        address = reinterpret_cast<sockaddr_in&>(at).sin_addr.s_addr;
    } else if (at.ss_family == AF_INET6) {
        std::memcpy(&address, &reinterpret_cast<sockaddr_in6&>(at).sin6_addr, sizeof address);
    } else {
        ucred process{};
        socklen_t length = sizeof process;
        (void)getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &process, &length);
        address = static_cast<uint64_t>(process.pid);
    }
    return {at.ss_family, address};
}

}  // namespace

// A socket that is observed but not read. A kj stream may take it over once the observer is gone.
struct Listener::WatchedSocket {
    WatchedSocket(kj::UnixEventPort& port, UniqueFd fd)
        : socket(std::move(fd)),
          observer(kj::heap<Observer>(port, socket.get(), Observer::OBSERVE_READ)) {}
    using Observer = kj::UnixEventPort::FdObserver;
    UniqueFd socket;
    kj::Own<Observer> observer;
};

Listener::Listener(kj::AsyncIoContext& io, std::vector<UniqueFd> sockets, std::optional<Tls> tls,
                   const ServeOptions& options, Serve serve)
    : mPort(io.unixEventPort),
      mIo(*io.lowLevelProvider),
      mTimer(io.provider->getTimer()),
      mOptions(options),
      mServe(std::move(serve)),
      mTls(std::move(tls)),
      mTasks(*this) {
    for (UniqueFd& socket : sockets) {
        auto watched = kj::heap<WatchedSocket>(mPort, std::move(socket));
        auto& open = *watched;
        mTasks.add(accept(open).attach(kj::mv(watched)));
    }
}

void Listener::taskFailed(kj::Exception&& exception) {
    NNAPI_VLOG(mOptions.log, MANAGER) << "service: " << messageOf(failureOf(exception, "a client"));
}

kj::Promise<void> Listener::accept(WatchedSocket& watched) {
    // Moved, since the promise would keep a reference to anything that is not.
    auto acceptMore = [this, &watched] { return accept(watched); };
    for (int taken = 0; taken < kAcceptedAtOnce;) {
        UniqueFd one(accept4(watched.socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (one.ok()) {
            ++taken;
            try {
                admit(std::move(one));
            } catch (...) {  // such as out of memory: drops this connection and keeps listening
            }
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return watched.observer->whenBecomesReadable().then(kj::mv(acceptMore));
        } else if (errno != EINTR && errno != ECONNABORTED && !dropGreeting(nullptr)) {
            // For example if no descriptor is left; some may become free.
            return mTimer.afterDelay(100 * kj::MILLISECONDS).then(kj::mv(acceptMore));
        }
    }
    return mTimer.afterDelay(0 * kj::SECONDS).then(kj::mv(acceptMore));
}

void Listener::admit(UniqueFd socket) {
    const Peer peer = peerOf(socket.get());
    if (mTls) {
        setUpTcp(socket.get());
    } else if (!isOfThisUser(socket.get())) {
        NNAPI_VLOG(mOptions.log, MANAGER) << "service: refused a client of another user";
        return;
    }
    const int number = socket.get();
    if (mTls && !mTls->isPlain()) {
        auto safe =
                mTls->asServer(mIo.wrapSocketFd(kj::AutoCloseFd(socket.release()), kReady), mTimer);
        return greet(peer, number, safe.then([this, peer](kj::Own<kj::AsyncIoStream>&& stream) {
            enter(peer, kj::mv(stream), mServe.remote);
        }));
    }
    const auto has = hasFirstMessage(number);
    if (has.ok() && *has) return enterPlain(peer, std::move(socket));
    auto connection = kj::heap<WatchedSocket>(mPort, std::move(socket));
    auto& open = *connection;
    greet(peer, number,
          awaitFirstMessage(open).then([this, peer, connection = kj::mv(connection)]() mutable {
              connection->observer = nullptr;
              enterPlain(peer, std::move(connection->socket));
          }));
}

kj::Promise<void> Listener::awaitFirstMessage(WatchedSocket& connection) {
    const auto has = hasFirstMessage(connection.socket.get());
    if (!has.ok()) {
        const std::string why = messageOf(has.status());
        return KJ_EXCEPTION(FAILED, kj::StringPtr(why.c_str(), why.size()));
    }
    if (*has) return kj::READY_NOW;
    return connection.observer->whenBecomesReadable().then(
            [this, &connection] { return awaitFirstMessage(connection); });
}

void Listener::greet(const Peer& peer, int socket, kj::Promise<void> steps) {
    makeRoomFor(peer);
    const uint64_t id = ++mLastGreeting;
    auto ended = mTimer.timeoutAfter(kGreetingTime, kj::mv(steps))
                         .catch_([log = mOptions.log](kj::Exception&& exception) {
                             NNAPI_VLOG(log, MANAGER)
                                     << "service: refused a client: "
                                     << whyRefused(messageOf(failureOf(exception, "greeting")));
                         })
                         // Deferred, since the greeting's promise is still running.
                         .then([this, id] {
                             mTasks.add(kj::evalLater([this, id] { forget(mGreetings.find(id)); }));
                         })
                         .eagerlyEvaluate(nullptr);
    ++mGreetingsOf[peer];
    mGreetings.emplace(id, Greeting{peer, socket, kj::mv(ended)});
}

void Listener::makeRoomFor(const Peer& peer) {
    const auto own = mGreetingsOf.find(peer);
    const size_t share = std::max<size_t>(mOptions.greetings / 2, 1);
    const bool hasShare = own != mGreetingsOf.end() && own->second >= share;
    if (!hasShare && mGreetings.size() < mOptions.greetings) return;
    NNAPI_VLOG(mOptions.log, MANAGER)
            << "service: refused a client that has not said yet who it is, for another";
    dropGreeting(hasShare ? &peer : nullptr);
}

bool Listener::dropGreeting(const Peer* peer) {
    size_t most = 0;
    for (const auto& [each, count] : mGreetingsOf) most = std::max(most, count);
    auto oldest = mGreetings.end();
    for (auto at = mGreetings.begin(); at != mGreetings.end(); ++at) {
        const Peer& each = at->second.peer;
        if (peer == nullptr ? mGreetingsOf.at(each) < most : each != *peer) continue;
        const bool isSilent = !hasSentAnything(at->second.socket);
        if (oldest == mGreetings.end() || isSilent) oldest = at;
        if (isSilent) break;
    }
    if (oldest == mGreetings.end()) return false;
    forget(oldest);
    return true;
}

void Listener::forget(Greetings::iterator greeting) {
    if (greeting == mGreetings.end()) return;
    const auto own = mGreetingsOf.find(greeting->second.peer);
    if (--own->second == 0) mGreetingsOf.erase(own);
    mGreetings.erase(greeting);
}

void Listener::enterPlain(const Peer& peer, UniqueFd socket) {
    kj::AutoCloseFd own(socket.release());
    if (mTls) return enter(peer, mIo.wrapSocketFd(kj::mv(own), kReady), mServe.remote);
    enter(peer, mIo.wrapUnixSocketFd(kj::mv(own), kReady), mServe.local);
}

// With limits per address, an address gets at most half of the places that the others leave, so
// that there is always one for the next address.
size_t Listener::clientLimit(size_t held) const {
    if (mOptions.clientsPerAddress >= mOptions.clients) return mOptions.clients;
    const size_t left = mOptions.clients - (mClients - held);
    return std::min(mOptions.clientsPerAddress, std::max<size_t>(left / 2, 1));
}

template <class Stream>
void Listener::enter(const Peer& peer, kj::Own<Stream> stream,
                     const std::function<kj::Promise<void>(kj::Own<Stream>)>& serve) {
    const auto own = mClientsOf.find(peer);
    const size_t held = own == mClientsOf.end() ? 0 : own->second;
    if (held >= clientLimit(held)) {
        NNAPI_VLOG(mOptions.log, MANAGER)
                << "service: refused a client, its address or process has " << held << " already";
        return;
    }
    if (mClients >= mOptions.clients) {
        NNAPI_VLOG(mOptions.log, MANAGER)
                << "service: refused a client, there are " << mOptions.clients << " already";
        return;
    }
    auto gone = serve(kj::mv(stream));
    ++mClients;
    ++mClientsOf[peer];
    mTasks.add(gone.attach(kj::defer([this, peer] {
        --mClients;
        const auto left = mClientsOf.find(peer);
        if (--left->second == 0) mClientsOf.erase(left);
    })));
}

}  // namespace nn::service
