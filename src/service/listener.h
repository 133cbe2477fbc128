// Accepts connections at the sockets of a server and admits clients. Lives on the server's event
// loop.
//
// A connection is a greeting until it has shown what a client must: over TLS a certificate,
// elsewhere a whole first message. Greetings are bounded apart from clients, and both for each
// peer; where their places are taken, an older greeting goes, so that nobody is kept out by who is
// silent.
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
    // Serve the client of a stream until it is gone; the second where descriptors do not reach it.
    struct Serve {
        std::function<kj::Promise<void>(kj::Own<kj::AsyncCapabilityStream>)> local;
        std::function<kj::Promise<void>(kj::Own<kj::AsyncIoStream>)> remote;
    };

    // tls: null for a Unix socket.
    Listener(kj::AsyncIoContext& io, std::vector<UniqueFd> sockets, std::optional<Tls> tls,
             const ServeOptions& options, Serve serve);

   private:
    // What connections of one peer have in common: its family, and its address, of IPv6 the first
    // half, or its process.
    using Peer = std::pair<int, uint64_t>;
    struct Door;
    struct Greeting {
        Peer peer{};
        int socket = -1;  // of the steps
        kj::Promise<void> steps;
    };
    using Greetings = std::map<uint64_t, Greeting>;  // the oldest first

    void taskFailed(kj::Exception&& exception) override;
    kj::Promise<void> accept(Door& door);
    void admit(UniqueFd socket);
    kj::Promise<void> showFirstMessage(Door& connection);
    void greet(const Peer& peer, int socket, kj::Promise<void> steps);
    void makeRoomFor(const Peer& peer);
    // The oldest of this peer, without one of the peer that has most. False where there is none.
    bool dropGreeting(const Peer* peer);
    void forget(Greetings::iterator greeting);

    void enterPlain(const Peer& peer, UniqueFd socket);
    // Clients that a peer may have which has so many.
    size_t mostOf(size_t held) const;
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
