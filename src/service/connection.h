// The client's end of a connection. What belongs to the engine lives on its loop, in State; other
// threads name it by numbers, and ask by calls that they wait for.
#pragma once

#include <capnp/rpc-twoparty.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/common/fences.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/service/client.h"
#include "service/address.h"
#include "service/loop.h"
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
    Connection(std::unique_ptr<Loop> loop, const ClientOptions& options)
        : mLoop(std::move(loop)), mOptions(options) {}

    const ClientOptions& options() const { return mOptions; }

    // Asks on the loop, and waits for the answer: until the deadline and a little longer, without
    // one for the ceiling. What the engine throws becomes a failure.
    template <class R>
    R call(std::string_view what, const OptionalTimePoint& deadline,
           std::function<kj::Promise<R>(State&)> ask) const;

    // A fence that is signalled when the server's is, after `before` has run on the loop.
    Result<SyncFence> fenceOf(const Held& fenced, std::function<void()> before) const;

    // Does something on the loop, for which nobody waits.
    void post(std::function<void(State&)> task) const;

   private:
    std::unique_ptr<Loop> mLoop;
    ClientOptions mOptions;
    State* mState = nullptr;  // lives as long as the loop
};

class Connection::State final : private kj::TaskSet::ErrorHandler {
   public:
    State(kj::AsyncIoContext& io, UniqueFd socket, const ClientOptions& options);
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

    // The server's memory for one of ours, which is sent where it is not known yet.
    rpc::Memory::Client share(const SharedMemory& memory);

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

   private:
    struct Sent {
        std::weak_ptr<const Memory> owner;
        rpc::Memory::Client memory;
    };

    void taskFailed(kj::Exception&&) override {}
    Status whyFailed(const kj::Exception& exception, std::string_view what) const;
    void end(Status why);
    kj::Promise<void> sweep();
    kj::Promise<void> beat();

    kj::Timer& mTimer;
    ClientOptions mOptions;
    int mSocket;
    kj::Own<kj::AsyncCapabilityStream> mStream;
    kj::Own<capnp::TwoPartyVatNetwork> mNetwork;
    kj::Maybe<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> mRpc;
    rpc::Service::Client mService;
    Status mGone{};
    std::unordered_map<uint64_t, capnp::Capability::Client> mHeld{};
    uint64_t mLastId = 0;
    std::unordered_map<const Memory*, Sent> mMemories{};
    bool mIsSweeping = false;
    size_t mWaiting = 0;
    bool mIsBeating = false;
    bool mIsAsked = false;  // a ping is on its way
    int mSilent = 0;        // beats without an answer
    kj::Canceler mCanceler{};
    kj::TaskSet mTasks;
};

template <class R>
R Connection::call(std::string_view what, const OptionalTimePoint& deadline,
                   std::function<kj::Promise<R>(State&)> ask) const {
    auto answer = std::make_shared<const hal::utils::TransferValue<R>>();
    const bool isBounded = deadline && *deadline != TimePoint::max();
    post([what = std::string(what), isBounded, ask = std::move(ask), answer](State& state) {
        state.run<R>(what, isBounded, ask, answer);
    });
    const hal::utils::Patience patience(
            isBounded ? driver::after(std::max(*deadline, TimePoint()), mOptions.grace)
                      : std::nullopt,
            mOptions.ceiling);
    std::optional<R> got = answer->take(patience.end());
    if (got) return *std::move(got);
    answer->close();
    return patience.exceeded(what);
}

}  // namespace nn::service
