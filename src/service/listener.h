// Takes connections at the sockets of a server, and lets in clients. Lives on the server's loop.
#pragma once

#include <kj/async-io.h>
#include <kj/async-unix.h>

#include <functional>
#include <optional>
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
    struct Door;

    void taskFailed(kj::Exception&& exception) override;
    kj::Promise<void> accept(Door& door);
    void admit(UniqueFd socket);
    // Who does not show what it must within some time is turned away, and takes no place meanwhile.
    void greet(kj::Own<kj::AsyncIoStream> stream);
    template <class Stream>
    void enter(kj::Own<Stream> stream,
               const std::function<kj::Promise<void>(kj::Own<Stream>)>& serve);

    kj::LowLevelAsyncIoProvider& mIo;
    kj::Timer& mTimer;
    ServeOptions mOptions;
    Serve mServe;
    std::optional<Tls> mTls;
    size_t mGreeted = 0;
    size_t mClients = 0;
    kj::TaskSet mTasks;
};

}  // namespace nn::service
