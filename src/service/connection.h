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
#include "driver/memory/kept_pools.h"
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

// Sends a descriptor as a duplicate, since a closed one would break the connection.
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

// A reference to an object of the server. The server releases the object after the last copy.
class RemoteObject {
   public:
    RemoteObject(std::shared_ptr<const Connection> connection, uint64_t id)
        : mParts(std::make_shared<const Parts>(std::move(connection), id)) {}
    uint64_t id() const { return mParts->id; }
    const Connection& connection() const { return *mParts->connection; }
    const std::shared_ptr<const Connection>& sharedConnection() const { return mParts->connection; }

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
    Connection(std::unique_ptr<EventLoop> loop, const ClientOptions& options, bool isRemote)
        : mLoop(std::move(loop)), mOptions(options), mIsRemote(isRemote) {}

    const ClientOptions& options() const { return mOptions; }

    // False in a process forked since; there, all calls fail with DEAD_OBJECT.
    bool isOfThisProcess() const { return mLoop->isOfThisProcess(); }

    // True if descriptors cannot reach the server.
    bool isRemote() const { return mIsRemote; }
    SentContents& sent() const { return mSent; }
    driver::KeptPools& pools() const { return mPools; }
    std::atomic<size_t>& modelsWithQueues() const { return mModelsWithQueues; }

    // Sends a call on the loop and waits for the reply: until shortly after the deadline, or
    // without one until the ceiling. Exceptions of Cap'n Proto become failures.
    template <class R>
    R call(std::string_view what, const OptionalTimePoint& deadline,
           std::function<kj::Promise<R>(State&)> request) const;
    // The two halves of call(). Calls are sent in the order of send().
    template <class R>
    struct PendingReply {
        std::string what{};
        std::shared_ptr<const hal::utils::TransferValue<R>> reply{};
    };
    template <class R>
    PendingReply<R> send(std::string_view what, const OptionalTimePoint& deadline,
                         std::function<kj::Promise<R>(State&)> request) const;
    template <class R>
    R wait(const PendingReply<R>& pending, const OptionalTimePoint& deadline) const;

    // A fence that is signaled after the server's, once `before` has succeeded on the loop;
    // `before` gets the result of the server's fence.
    Result<SyncFence> fenceOf(const RemoteObject& fenced,
                              std::function<kj::Promise<Status>(State&, Status)> before) const;

    // Runs a task on the loop without waiting for it.
    void post(std::function<void(State&)> task) const;

    // Registers a listener, called on the loop when the connection ends, until the returned object
    // is released.
    std::shared_ptr<const void> onEnd(std::function<void(const Status&)> listener) const;

    // While such an object exists, a server that stops replying to pings is given up.
    std::shared_ptr<const void> waiting() const;

   private:
    struct Opening;

    std::shared_ptr<const void> onRelease(std::function<void(State&)> last) const;

    std::unique_ptr<EventLoop> mLoop;
    ClientOptions mOptions;
    bool mIsRemote;
    mutable SentContents mSent{};
    mutable driver::KeptPools mPools{};
    mutable std::atomic<size_t> mModelsWithQueues{0};
    State* mState = nullptr;  // owned by the loop
    mutable std::atomic<uint64_t> mLastListener{0};
};

class Connection::State final : private kj::TaskSet::ErrorHandler {
   public:
    // Over a Unix socket, and over a stream without descriptors.
    State(kj::AsyncIoContext& io, UniqueFd socket, const ClientOptions& options);
    State(kj::AsyncIoContext& io, kj::Own<WatchedStream> stream, int socket,
          const ClientOptions& options);
    ~State() noexcept(false);

    // ---- for callers
    rpc::Service::Client service() { return mService; }
    template <class I>
    typename I::Client capability(uint64_t id) {
        const auto at = mCapabilities.find(id);
        if (at == mCapabilities.end()) {
            kj::throwFatalException(KJ_EXCEPTION(FAILED, "the capability is gone"));
        }
        return at->second.castAs<I>();
    }
    uint64_t retain(capnp::Capability::Client capability) {
        mCapabilities.emplace(++mLastId, kj::mv(capability));
        return mLastId;
    }
    void release(uint64_t id) { mCapabilities.erase(id); }

    // The server's counterpart of a client memory, created on first use.
    rpc::Memory::Client share(const SharedMemory& memory);

    // A fence for the server to wait for, if descriptors reach it.
    rpc::Descriptor::Client descriptorOf(const SyncFence& fence);
    // Fences for the server to wait for by a call, which ends with `then`.
    rpc::Descriptor::Client serveFences(std::vector<SyncFence> fences,
                                        std::function<kj::Promise<Status>()> then);

    // ---- for the connection
    template <class R>
    void run(const std::string& what, bool isBounded,
             const std::function<kj::Promise<R>(State&)>& request,
             const std::shared_ptr<const hal::utils::TransferValue<R>>& reply) {
        if (!mEndStatus.ok()) {
            reply->put(R(mEndStatus));
            return;
        }
        auto pending = failAtEnd(kj::evalNow([&] { return request(*this); }));
        add(kj::mv(pending).then([reply](R&& value) { reply->put(std::move(value)); },
                                 [this, reply, what](kj::Exception&& exception) {
                                     reply->put(R(whyFailed(exception, what)));
                                 }),
            !isBounded);
    }
    // Fails when the connection ends, at the latest.
    template <class T>
    kj::Promise<T> failAtEnd(kj::Promise<T> promise) {
        if (!mEndStatus.ok()) return KJ_EXCEPTION(DISCONNECTED, "the connection has ended");
        return mCanceler.wrap(kj::mv(promise));
    }
    // isWaiting: the server must reply to pings meanwhile.
    void add(kj::Promise<void> promise, bool isWaiting);
    void beginWaiting();
    void endWaiting() { --mWaiting; }
    // Calls the listener at once if the connection has ended.
    void listen(uint64_t id, std::function<void(const Status&)> listener);
    void unlisten(uint64_t id) { mListeners.erase(id); }

   private:
    struct Sent {
        std::weak_ptr<const Memory> owner;
        rpc::Memory::Client memory;
    };

    void begin();
    void taskFailed(kj::Exception&&) override {}
    bool isAlive();
    rpc::Memory::Client shareDescriptors(const Memory& memory);
    rpc::Memory::Client shareContents(const Memory& memory);
    Status whyFailed(const kj::Exception& exception, std::string_view what);
    bool isProtocolError(const kj::Exception& exception) const;
    void end(Status why);
    void releaseMemories();
    kj::Promise<void> sweep();
    kj::Promise<void> beat();

    kj::Timer& mTimer;
    kj::UnixEventPort& mPort;
    ClientOptions mOptions;
    int mSocket;
    // Exactly one of them is set.
    kj::Own<kj::AsyncCapabilityStream> mLocal{};
    kj::Own<WatchedStream> mRemote{};
    kj::Own<GuardedStream> mStream;
    kj::Own<capnp::TwoPartyVatNetwork> mNetwork;
    kj::Maybe<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> mRpc;
    rpc::Service::Client mService;
    Status mEndStatus{};
    bool mIsBroken = false;  // ended because the server broke the protocol
    std::unordered_map<uint64_t, capnp::Capability::Client> mCapabilities{};
    uint64_t mLastId = 0;
    std::unordered_map<uint64_t, std::function<void(const Status&)>> mListeners{};
    std::unordered_map<const Memory*, Sent> mMemories{};
    bool mIsSweeping = false;
    size_t mWaiting = 0;
    bool mIsBeating = false;
    bool mIsPingPending = false;         // a ping is in flight
    int mMissedBeats = 0;                // heartbeats without a reply
    uint64_t mLastBytesTransferred = 0;  // bytes transferred by the last heartbeat
    kj::Canceler mCanceler{};
    kj::TaskSet mTasks;
};

template <class R>
R Connection::call(std::string_view what, const OptionalTimePoint& deadline,
                   std::function<kj::Promise<R>(State&)> request) const {
    return wait(send<R>(what, deadline, std::move(request)), deadline);
}

inline bool isBounded(const OptionalTimePoint& deadline) {
    return deadline && *deadline != TimePoint::max();
}

template <class R>
Connection::PendingReply<R> Connection::send(std::string_view what,
                                             const OptionalTimePoint& deadline,
                                             std::function<kj::Promise<R>(State&)> request) const {
    PendingReply<R> pending{std::string(what),
                            std::make_shared<const hal::utils::TransferValue<R>>()};
    if (!isOfThisProcess()) {
        pending.reply->put(R(Status(error(ErrorStatus::DEAD_OBJECT)
                                    << what << ": the connection stays with the parent process")));
        return pending;
    }
    post([pending, isBounded = isBounded(deadline), request = std::move(request)](State& state) {
        state.run<R>(pending.what, isBounded, request, pending.reply);
    });
    return pending;
}

template <class R>
R Connection::wait(const PendingReply<R>& pending, const OptionalTimePoint& deadline) const {
    const hal::utils::WaitPolicy patience(
            isBounded(deadline) ? driver::after(std::max(*deadline, TimePoint()), mOptions.grace)
                                : std::nullopt,
            mOptions.ceiling);
    std::optional<R> got = pending.reply->take(patience.end());
    if (got) return *std::move(got);
    pending.reply->close();
    return patience.exceeded(pending.what);
}

}  // namespace nn::service
