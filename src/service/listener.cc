#include "service/listener.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "nnapi/driver/vlog.h"
#include "service/address.h"
#include "service/loop.h"
#include "service/tcp.h"

namespace nn::service {

struct Listener::Door {
    Door(kj::UnixEventPort& port, UniqueFd fd)
        : socket(std::move(fd)),
          observer(port, socket.get(), kj::UnixEventPort::FdObserver::OBSERVE_READ) {}
    UniqueFd socket;
    kj::UnixEventPort::FdObserver observer;
};

Listener::Listener(kj::AsyncIoContext& io, std::vector<UniqueFd> sockets, std::optional<Tls> tls,
                   const ServeOptions& options, Serve serve)
    : mIo(*io.lowLevelProvider),
      mTimer(io.provider->getTimer()),
      mOptions(options),
      mServe(std::move(serve)),
      mTls(std::move(tls)),
      mTasks(*this) {
    for (UniqueFd& socket : sockets) {
        auto door = kj::heap<Door>(io.unixEventPort, std::move(socket));
        auto& open = *door;
        mTasks.add(accept(open).attach(kj::mv(door)));
    }
}

void Listener::taskFailed(kj::Exception&& exception) {
    NNAPI_VLOG(mOptions.log, MANAGER) << "service: " << messageOf(failureOf(exception, "a client"));
}

kj::Promise<void> Listener::accept(Door& door) {
    while (true) {
        const int fd = accept4(door.socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            admit(UniqueFd(fd));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return door.observer.whenBecomesReadable().then([this, &door] { return accept(door); });
        } else if (errno != EINTR && errno != ECONNABORTED) {
            // No descriptors, say; there may be some later.
            return mTimer.afterDelay(100 * kj::MILLISECONDS).then([this, &door] {
                return accept(door);
            });
        }
    }
}

void Listener::admit(UniqueFd socket) {
    constexpr auto kFlags = kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                            kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK;
    if (mTls) {
        setUpTcp(socket.get());
        return greet(mIo.wrapSocketFd(kj::AutoCloseFd(socket.release()), kFlags));
    }
    if (!isOfThisUser(socket.get())) {
        NNAPI_VLOG(mOptions.log, MANAGER) << "service: refused a client of another user";
        return;
    }
    enter(mIo.wrapUnixSocketFd(kj::AutoCloseFd(socket.release()), kFlags), mServe.local);
}

void Listener::greet(kj::Own<kj::AsyncIoStream> stream) {
    const SharedLog& log = mOptions.log;
    if (mGreeted >= mOptions.clients) {
        NNAPI_VLOG(log, MANAGER) << "service: refused a client, " << mGreeted
                                 << " others have not said yet who they are";
        return;
    }
    ++mGreeted;
    auto greeted = mTimer.timeoutAfter(10 * kj::SECONDS, mTls->asServer(kj::mv(stream), mTimer));
    mTasks.add(greeted.then(
                              [this](kj::Own<kj::AsyncIoStream>&& safe) {
                                  enter(kj::mv(safe), mServe.remote);
                              },
                              [log](kj::Exception&& exception) {
                                  NNAPI_VLOG(log, MANAGER)
                                          << "service: refused a client: "
                                          << whyRefused(messageOf(failureOf(exception, "TLS")));
                              })
                       .attach(kj::defer([this] { --mGreeted; })));
}

template <class Stream>
void Listener::enter(kj::Own<Stream> stream,
                     const std::function<kj::Promise<void>(kj::Own<Stream>)>& serve) {
    if (mClients >= mOptions.clients) {
        NNAPI_VLOG(mOptions.log, MANAGER)
                << "service: refused a client, there are " << mOptions.clients << " already";
        return;
    }
    ++mClients;
    mTasks.add(serve(kj::mv(stream)).attach(kj::defer([this] { --mClients; })));
}

}  // namespace nn::service
