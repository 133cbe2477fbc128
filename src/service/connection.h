// The client's end of a connection. State belongs to the event loop; other threads refer to its
// objects by number and make blocking calls.
#pragma once

#include <capnp/rpc-twoparty.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/fences/fences.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/service/client.h"
#include "service/address.h"
#include "service/event_loop.h"
#include "service/fences.h"
#include "service/guarded_stream.h"
#include "service/sent_contents.h"
#include "service/tls.h"
#include "service/wire.h"

namespace nn::service {

// A descriptor that travels: a duplicate, since one that is not open would break the connection.
class DescriptorServer final : public rpc::Descriptor::Server {
   public:
    explicit DescriptorServer(int fd) : mFd(duplicate(fd)) {}
    kj::Maybe<int> getFd() override {
        if (!mFd.ok()) return nullptr;
        return mFd.get();
    }

   private:
    UniqueFd mFd;
};

class Connection;

// A capability that the server has given. Gone with the last copy.
class Held {
   public:
    Held(std::shared_ptr<const Connection> connection, uint64_t id)
        : mParts(std::make_shared<const Parts>(std::move(connection), id)) {}
    uint64_t id() const { return mParts->id; }
    const Connection& connection() const { return *mParts->connection; }
    const std::shared_ptr<const Connection>& shared() const { return mParts->connection; }

   private:
    struct Parts {
        Parts(std::shared_ptr<const Connection> c, uint64_t i) : connection(std::move(c)), id(i) {}
        Parts(const Parts&) = delete;
        Parts& operator=(const Parts&) = delete;
        ~Parts();
        std::shared_ptr<const Connection> connection;
        uint64_t id;
    };
    std::shared_ptr<const Parts> mParts;
};

class Connection : public std::enable_shared_from_this<Connection> {
   public:
    class State;

    static GeneralResult<std::shared_ptr<const Connection>> open(const Address& address,
                                                                 const ClientOptions& options);
    Connection(std::unique_ptr<Loop> loop, const ClientOptions& options, bool isRemote)
        : mLoop(std::move(loop)), mOptions(options), mIsRemote(isRemote) {}

    const ClientOptions& options() const { return mOptions; }

    // False in a process that was forked since: all calls are DEAD_OBJECT there.
    bool isOfThisProcess() const { return mLoop->isOfThisProcess(); }

    // Descriptors cannot reach the server.
    bool isRemote() const { return mIsRemote; }
    SentContents& sent() const { return mSent; }

    // Asks on the loop, and waits for the answer: until the deadline and a little longer, without
    // one for the ceiling. What the engine throws becomes a failure.
    template <class R>
    R call(std::string_view what, const OptionalTimePoint& deadline,
           std::function<kj::Promise<R>(State&)> ask) const;
    // The two halves of it: what is asked for before is asked first.
    template <class R>
    struct PendingReply {
        std::string what{};
        std::shared_ptr<const hal::utils::TransferValue<R>> answer{};
    };
    template <class R>
    PendingReply<R> ask(std::string_view what, const OptionalTimePoint& deadline,
                        std::function<kj::Promise<R>(State&)> ask) const;
    template <class R>
    R wait(const PendingReply<R>& asked, const OptionalTimePoint& deadline) const;

    // A fence that is signalled when the server's is, after `before` has succeeded on the loop; it
    // gets how the server's has ended.
    Result<SyncFence> fenceOf(const Held& fenced,
                              std::function<kj::Promise<Status>(State&, Status)> before) const;

    // Does something on the loop, for which nobody waits.
    void post(std::function<void(State&)> task) const;

    // Tells on the loop that the connection has ended, and why, until the hold is gone.
    std::shared_ptr<const void> onEnd(std::function<void(const Status&)> listener) const;

    // As long as there is one of these, the server must show signs of life.
    std::shared_ptr<const void> waiting() const;

   private:
    struct Opening;

    std::shared_ptr<const void> whileHeld(std::function<void(State&)> last) const;

    std::unique_ptr<Loop> mLoop;
    ClientOptions mOptions;
    bool mIsRemote;
    mutable SentContents mSent{};
    State* mState = nullptr;  // lives as long as the loop
    mutable std::atomic<uint64_t> mLastListener{0};
};

class Connection::State final : private kj::TaskSet::ErrorHandler {
   public:
    // By a Unix socket, and by a stream that carries no descriptors.
    State(kj::AsyncIoContext& io, UniqueFd socket, const ClientOptions& options);
    State(kj::AsyncIoContext& io, kj::Own<WatchedStream> stream, int socket,
          const ClientOptions& options);
    ~State() noexcept(false);

    // ---- for those who ask
    rpc::Service::Client service() { return mService; }
    template <class I>
    typename I::Client held(uint64_t id) {
        const auto at = mHeld.find(id);
        KJ_REQUIRE(at != mHeld.end(), "the capability is gone");
        return at->second.castAs<I>();
    }
    uint64_t hold(capnp::Capability::Client capability) {
        mHeld.emplace(++mLastId, kj::mv(capability));
        return mLastId;
    }
    void release(uint64_t id) { mHeld.erase(id); }

    // The server's memory for one of ours, which is made where it is not known yet.
    rpc::Memory::Client share(const SharedMemory& memory);

    // A fence that the server is to wait for, where descriptors reach it.
    rpc::Descriptor::Client descriptorOf(const SyncFence& fence);
    // Fences that it is to wait for by a call, which ends when `then` has.
    rpc::Descriptor::Client callFor(std::vector<SyncFence> fences,
                                    std::function<kj::Promise<Status>()> then);

    // ---- for the connection
    template <class R>
    void run(const std::string& what, bool isBounded,
             const std::function<kj::Promise<R>(State&)>& ask,
             const std::shared_ptr<const hal::utils::TransferValue<R>>& answer) {
        if (!mGone.ok()) {
            answer->put(R(mGone));
            return;
        }
        auto asked = untilEnd(kj::evalNow([&] { return ask(*this); }));
        add(kj::mv(asked).then([answer](R&& value) { answer->put(std::move(value)); },
                               [this, answer, what](kj::Exception&& exception) {
                                   answer->put(R(whyFailed(exception, what)));
                               }),
            !isBounded);
    }
    // Fails with the connection at the latest.
    template <class T>
    kj::Promise<T> untilEnd(kj::Promise<T> promise) {
        if (!mGone.ok()) return KJ_EXCEPTION(DISCONNECTED, "the connection has ended");
        return mCanceler.wrap(kj::mv(promise));
    }
    // isWaiting: the server must show signs of life meanwhile.
    void add(kj::Promise<void> promise, bool isWaiting);
    void beginWaiting();
    void endWaiting() { --mWaiting; }
    // At once where the connection has ended.
    void listen(uint64_t id, std::function<void(const Status&)> listener);
    void unlisten(uint64_t id) { mListeners.erase(id); }

   private:
    struct Sent {
        std::weak_ptr<const Memory> owner;
        rpc::Memory::Client memory;
    };

    void begin();
    void taskFailed(kj::Exception&&) override {}
    bool showsLife();
    rpc::Memory::Client shareDescriptors(const Memory& memory);
    rpc::Memory::Client shareContents(const Memory& memory);
    Status whyFailed(const kj::Exception& exception, std::string_view what);
    bool isBrokenBy(const kj::Exception& exception) const;
    void end(Status why);
    kj::Promise<void> sweep();
    kj::Promise<void> beat();

    kj::Timer& mTimer;
    kj::UnixEventPort& mPort;
    ClientOptions mOptions;
    int mSocket;
    // One of them.
    kj::Own<kj::AsyncCapabilityStream> mLocal{};
    kj::Own<WatchedStream> mRemote{};
    kj::Own<GuardedStream> mStream;
    kj::Own<capnp::TwoPartyVatNetwork> mNetwork;
    kj::Maybe<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> mRpc;
    rpc::Service::Client mService;
    Status mGone{};
    bool mIsBroken = false;  // it has ended because the server has broken the protocol
    std::unordered_map<uint64_t, capnp::Capability::Client> mHeld{};
    uint64_t mLastId = 0;
    std::unordered_map<uint64_t, std::function<void(const Status&)>> mListeners{};
    std::unordered_map<const Memory*, Sent> mMemories{};
    bool mIsSweeping = false;
    size_t mWaiting = 0;
    bool mIsBeating = false;
    bool mIsAsked = false;  // a ping is on its way
    int mSilent = 0;        // beats without an answer
    uint64_t mMoved = 0;    // bytes at the last beat
    kj::Canceler mCanceler{};
    kj::TaskSet mTasks;
};

template <class R>
R Connection::call(std::string_view what, const OptionalTimePoint& deadline,
                   std::function<kj::Promise<R>(State&)> ask) const {
    return wait(this->ask<R>(what, deadline, std::move(ask)), deadline);
}

inline bool isBounded(const OptionalTimePoint& deadline) {
    return deadline && *deadline != TimePoint::max();
}

template <class R>
Connection::PendingReply<R> Connection::ask(std::string_view what,
                                            const OptionalTimePoint& deadline,
                                            std::function<kj::Promise<R>(State&)> ask) const {
    const PendingReply<R> asked{std::string(what),
                                std::make_shared<const hal::utils::TransferValue<R>>()};
    if (!isOfThisProcess()) {
        asked.answer->put(R(Status(error(ErrorStatus::DEAD_OBJECT)
                                   << what << ": the connection stays with the parent process")));
        return asked;
    }
    post([asked, isBounded = isBounded(deadline), ask = std::move(ask)](State& state) {
        state.run<R>(asked.what, isBounded, ask, asked.answer);
    });
    return asked;
}

template <class R>
R Connection::wait(const PendingReply<R>& asked, const OptionalTimePoint& deadline) const {
    const hal::utils::WaitPolicy patience(
            isBounded(deadline) ? driver::after(std::max(*deadline, TimePoint()), mOptions.grace)
                                : std::nullopt,
            mOptions.ceiling);
    std::optional<R> got = asked.answer->take(patience.end());
    if (got) return *std::move(got);
    asked.answer->close();
    return patience.exceeded(asked.what);
}

}  // namespace nn::service
