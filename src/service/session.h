// One client of a server: its objects, its limits, and how its calls reach drivers. Lives on the
// server's event loop unless noted otherwise.
#pragma once

#include <capnp/capability.h>
#include <kj/async-unix.h>
#include <kj/timer.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/no_throw.h"
#include "driver/threads/cancellation.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/service/server.h"
#include "service/call_scheduler.h"
#include "service/model_arguments.h"
#include "service/session_ledger.h"
#include "service/wire.h"

namespace nn::service {

// The state that all sessions of a server share. Thread-safe.
struct ServerState {
    std::vector<SharedDevice> devices;
    ServeOptions options;
    std::shared_ptr<CallScheduler> scheduler;
    std::shared_ptr<ServerLedger> ledger;
    kj::UnixEventPort* port = nullptr;  // of the loop
    kj::Timer* timer = nullptr;         // of the loop
    bool isReturningMemory = false;     // on the loop
    std::atomic<size_t> clients = 0;
    std::atomic<size_t> calls = 0;  // driver calls that are running
};

// When a driver call for a client must end. Thread-safe.
struct CallBounds {
    std::shared_ptr<const std::atomic<bool>> isClientGone{};
    Duration ceiling{};

    // Runs a call that starts now; the call can query when it must end.
    template <class Call>
    auto run(Call&& call) const {
        const driver::CancellationScope scope(isClientGone, makeDeadline(ceiling));
        return call();
    }
    // The sooner of the client's deadline and the server's. The latter applies only to devices that
    // support deadlines.
    OptionalTimePoint deadline(const OptionalTimePoint& proposed, const IDevice& device) const;
};

class MemoryServer;
class PreparedModelServer;
class BufferServer;

// A promise of a value or a failure.
template <class T>
using Promised = kj::Promise<GeneralResult<T>>;

// A prepared model and its known arguments.
struct KnownModel {
    SharedPreparedModel model{};
    std::shared_ptr<const ModelArguments> arguments{};  // null if it came from a cache
};

// A memory of a request. Keeps the buffer that a token names, so that the token is not reused.
struct NamedPool {
    Request::MemoryPool pool{};
    SharedBuffer named{};
};

class Session : public std::enable_shared_from_this<Session> {
   public:
    // isRemote: descriptors cannot reach the client.
    explicit Session(std::shared_ptr<ServerState> state, bool isRemote = false)
        : mServerState(std::move(state)),
          mIsRemote(isRemote),
          mLedger(std::make_shared<SessionLedger>(mServerState->ledger)) {}

    ServerState& serverState() const { return *mServerState; }
    const std::shared_ptr<ServerState>& sharedServerState() const { return mServerState; }
    const ServeOptions& options() const { return mServerState->options; }
    const std::shared_ptr<SessionLedger>& ledger() const { return mLedger; }

    // The client is gone: cancels its running calls, discards its waiting ones, and fails its
    // fences.
    void end();

    CallBounds bounds() const { return {mIsEnded, options().callCeiling}; }

    // Calls a driver on another thread. R is a result; exceptions become failures. The call must
    // own all that it reads, since the client's message lives on the loop.
    template <class R>
    kj::Promise<R> work(std::function<R()> call) {
        if (mCalls >= options().callsPerClient) {
            return R(Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                            << "this client has " << mCalls << " calls at one time, allowed "
                            << options().callsPerClient));
        }
        auto done = kj::newPromiseAndCrossThreadFulfiller<void>();
        using Fulfiller = kj::Own<kj::CrossThreadPromiseFulfiller<void>>;
        auto fulfiller = std::make_shared<Fulfiller>(kj::mv(done.fulfiller));
        // ThreadSanitizer understands how std::promise synchronizes threads, but not kj's.
        auto promise = std::make_shared<std::promise<R>>();
        auto result = promise->get_future();
        mServerState->scheduler->run(mQueue, [call = std::move(call), promise, fulfiller,
                                              state = mServerState, bounds = bounds()]() mutable {
            ++state->calls;
            try {
                promise->set_value(bounds.run(call));
            } catch (...) {
                promise->set_value(R(statusOfException()));
            }
            call = nullptr;  // release its captures before the caller can see the result
            --state->calls;
            (*fulfiller)->fulfill();
        });
        ++mCalls;
        return done.promise.then([result = std::move(result)]() mutable { return result.get(); })
                .attach(kj::defer([self = shared_from_this()] { --self->mCalls; }));
    }

    // Releases a driver's object on another thread.
    void release(std::shared_ptr<const void> object) const;

    // ---- Resolve capabilities of the client. Fail with INVALID_ARGUMENT if one belongs to another
    // connection or has the wrong type.
    Promised<SharedMemory> memory(rpc::Memory::Client capability);
    Promised<std::vector<KnownModel>> preparedModels(capnp::List<rpc::PreparedModel>::Reader from);
    Promised<std::vector<SharedMemory>> pools(capnp::List<rpc::Pool>::Reader from);
    Promised<std::vector<SharedHandle>> handles(capnp::List<rpc::Descriptor>::Reader from);
    Promised<std::vector<SyncFence>> fences(capnp::List<rpc::Descriptor>::Reader from);
    Promised<std::vector<SharedHandle>> cacheFiles(capnp::List<rpc::Contents>::Reader from);
    // Pools of requests for prepared models of this device.
    Promised<std::vector<NamedPool>> pools(const IDevice* device,
                                           capnp::List<rpc::Request::Pool>::Reader from);

    // ---- transfer of objects to the client
    rpc::Memory::Client give(kj::Own<MemoryServer> server);
    rpc::PreparedModel::Client give(kj::Own<PreparedModelServer> server);
    rpc::Buffer::Client give(kj::Own<BufferServer> server);

    // This client's live buffers, by token.
    std::multimap<std::pair<const IDevice*, Request::MemoryDomainToken>, const BufferServer*>
            buffersByToken{};

   private:
    Promised<SharedHandle> handle(rpc::Descriptor::Client capability);
    Promised<SyncFence> fence(rpc::Descriptor::Client capability);
    // A local fence that is signaled when the promise is fulfilled. It fails if the promise fails,
    // if the client is gone, and after the server's time limit. `descriptors`: those that the
    // promise holds, which count against the client's limit.
    Result<SyncFence> fenceAfter(kj::Promise<void> signaled, size_t descriptors);

    // Fences report their own failures.
    struct IgnoreFailures final : kj::TaskSet::ErrorHandler {
        void taskFailed(kj::Exception&&) override {}
    };

    std::shared_ptr<ServerState> mServerState;
    bool mIsRemote;
    std::shared_ptr<SessionLedger> mLedger;
    std::shared_ptr<std::atomic<bool>> mIsEnded = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<CallScheduler::Queue> mQueue = std::make_shared<CallScheduler::Queue>();
    size_t mCalls = 0;
    capnp::CapabilityServerSet<rpc::Memory> mMemories{};
    capnp::CapabilityServerSet<rpc::PreparedModel> mPreparedModels{};
    capnp::CapabilityServerSet<rpc::Buffer> mBuffers{};
    IgnoreFailures mIgnoreFailures{};
    // Wait for fences of the client; null once the client is gone.
    kj::Own<kj::TaskSet> mWaiting = kj::heap<kj::TaskSet>(mIgnoreFailures);
};
using SharedSession = std::shared_ptr<Session>;

// ---- objects that clients pass as arguments
class MemoryServer : public virtual rpc::Memory::Server {
   public:
    // The memory owns its own tokens; these are the capability's.
    MemoryServer(GeneralResult<SharedMemory> memory, Tokens capability)
        : mMemory(std::move(memory)), mCapability(std::move(capability)) {}
    virtual ~MemoryServer() noexcept(false) {}
    const GeneralResult<SharedMemory>& memory() const { return mMemory; }

   protected:
    GeneralResult<SharedMemory> mMemory;

   private:
    Tokens mCapability;
};

class BufferServer final : public rpc::Buffer::Server {
   public:
    BufferServer(SharedSession session, const IDevice* device, SharedBuffer buffer);
    ~BufferServer() noexcept(false);
    const SharedBuffer& buffer() const { return mBuffer; }
    const IDevice* device() const { return mDevice; }

   protected:
    kj::Promise<void> copyTo(CopyToContext context) override;
    kj::Promise<void> copyFrom(CopyFromContext context) override;

   private:
    SharedSession mSession;
    const IDevice* mDevice;
    SharedBuffer mBuffer;
};

class PreparedModelServer final : public rpc::PreparedModel::Server {
   public:
    PreparedModelServer(SharedSession session, SharedDevice device, KnownModel known)
        : mSession(std::move(session)), mDevice(std::move(device)), mKnown(std::move(known)) {}
    ~PreparedModelServer() noexcept(false) { mSession->release(std::move(mKnown.model)); }
    const KnownModel& known() const { return mKnown; }

   protected:
    kj::Promise<void> execute(ExecuteContext context) override;
    kj::Promise<void> executeFenced(ExecuteFencedContext context) override;
    kj::Promise<void> createReusableExecution(CreateReusableExecutionContext context) override;
    kj::Promise<void> configureExecutionBurst(ConfigureExecutionBurstContext context) override;
    kj::Promise<void> openQueues(OpenQueuesContext context) override;

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    KnownModel mKnown;
};

// Tokens for one more capability of a memory. Throws if the client has too many: a capability that
// reports the reason would be one more.
Tokens capabilityTokens(Session& session);

// The bootstrap capability of a connection.
rpc::Service::Client serviceFor(const SharedSession& session);

}  // namespace nn::service
