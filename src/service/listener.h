// Accepts connections at the sockets of a server and admits clients. Lives on the server's event
// loop.
//
// A new connection is a greeting until it has proved to be a client: over TLS by a certificate,
// elsewhere by a whole first message. Greetings are limited separately from clients, and both are
// limited per peer. When there are too many, the oldest is dropped, so that silent connections
// cannot keep clients out.
#pragma once

#include <kj/async-io.h>
#include <kj/async-unix.h>

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "nnapi/service/server.h"
#include "service/tls.h"

namespace nn::service {

class Listener final : private kj::TaskSet::ErrorHandler {
   public:
    // Serves the client of a stream until it is gone: `local` over a Unix socket, `remote` if
    // descriptors cannot reach it.
    struct Serve {
        std::function<kj::Promise<void>(kj::Own<kj::AsyncCapabilityStream>)> local;
        std::function<kj::Promise<void>(kj::Own<kj::AsyncIoStream>)> remote;
    };

    // tls: null for a Unix socket.
    Listener(kj::AsyncIoContext& io, std::vector<UniqueFd> sockets, std::optional<Tls> tls,
             const ServeOptions& options, Serve serve);

   private:
    // The identity that limits per peer count by: the address family, with the IPv4 address, the
    // first half of the IPv6 address, or the process id.
    using Peer = std::pair<int, uint64_t>;
    struct WatchedSocket;
    struct Greeting {
        Peer peer{};
        int socket = -1;  // of the connection
        kj::Promise<void> steps;
    };
    using Greetings = std::map<uint64_t, Greeting>;  // by age

    void taskFailed(kj::Exception&& exception) override;
    kj::Promise<void> accept(WatchedSocket& watched);
    void admit(UniqueFd socket);
    kj::Promise<void> awaitFirstMessage(WatchedSocket& connection);
    void greet(const Peer& peer, int socket, kj::Promise<void> steps);
    void makeRoomFor(const Peer& peer);
    // Drops the oldest greeting of this peer; without one, of the peer that has most. False if
    // there is none.
    bool dropGreeting(const Peer* peer);
    void forget(Greetings::iterator greeting);

    void enterPlain(const Peer& peer, UniqueFd socket);
    // The limit of clients for a peer that has `held` already.
    size_t clientLimit(size_t held) const;
    template <class Stream>
    void enter(const Peer& peer, kj::Own<Stream> stream,
               const std::function<kj::Promise<void>(kj::Own<Stream>)>& serve);

    kj::UnixEventPort& mPort;
    kj::LowLevelAsyncIoProvider& mIo;
    kj::Timer& mTimer;
    ServeOptions mOptions;
    Serve mServe;
    std::optional<Tls> mTls;
    std::map<Peer, size_t> mClientsOf{};
    size_t mClients = 0;
    std::map<Peer, size_t> mGreetingsOf{};
    uint64_t mLastGreeting = 0;
    Greetings mGreetings{};
    kj::TaskSet mTasks;
};

}  // namespace nn::service
