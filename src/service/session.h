// One client of a server: what it holds, its limits, and how its calls reach drivers. Lives on the
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

#include "driver/threads/cancellation.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/service/server.h"
#include "service/call_scheduler.h"
#include "service/model_arguments.h"
#include "service/session_ledger.h"
#include "service/wire.h"
#include "types/no_throw.h"

namespace nn::service {

// What all sessions of a server share. Thread-safe.
struct Shared {
    std::vector<SharedDevice> devices;
    ServeOptions options;
    std::shared_ptr<CallScheduler> scheduler;
    std::shared_ptr<ServerLedger> ledger;
    kj::UnixEventPort* port = nullptr;  // of the loop
    kj::Timer* timer = nullptr;         // of the loop
    bool isReturningMemory = false;     // on the loop
    std::atomic<size_t> clients = 0;
    std::atomic<size_t> calls = 0;  // that drivers are in
};

// When a driver's call for a client is to end. Thread-safe.
struct CallBounds {
    std::shared_ptr<const std::atomic<bool>> isClientGone{};
    Duration ceiling{};

    // Makes a call that begins now, which may see when it is to end.
    template <class Call>
    auto make(Call&& call) const {
        const driver::CancellationScope scope(isClientGone, makeDeadline(ceiling));
        return call();
    }
    // The client's deadline, or that of the server where it is sooner and the device knows
    // deadlines.
    OptionalTimePoint deadline(const OptionalTimePoint& asked, const IDevice& device) const;
};

class MemoryServer;
class PreparedModelServer;
class BufferServer;

// Any value that a promise is to answer, or why there is none.
template <class T>
using Promised = kj::Promise<GeneralResult<T>>;

// A prepared model, with what is known of its arguments.
struct KnownModel {
    SharedPreparedModel model{};
    std::shared_ptr<const ModelArguments> arguments{};  // null where it came from a cache
};

// A memory of a request. What a token names stays as long as this: nobody else gets the token.
struct NamedPool {
    Request::MemoryPool pool{};
    SharedBuffer named{};
};

class Session : public std::enable_shared_from_this<Session> {
   public:
    // isRemote: descriptors cannot reach the client.
    explicit Session(std::shared_ptr<Shared> shared, bool isRemote = false)
        : mShared(std::move(shared)),
          mIsRemote(isRemote),
          mLedger(std::make_shared<SessionLedger>(mShared->ledger)) {}

    Shared& shared() const { return *mShared; }
    const std::shared_ptr<Shared>& sharedPointer() const { return mShared; }
    const ServeOptions& options() const { return mShared->options; }
    const std::shared_ptr<SessionLedger>& ledger() const { return mLedger; }

    // The client is gone: what runs for it is asked to stop, what waits to run is forgotten, and
    // its fences fail.
    void end();

    CallBounds bounds() const { return {mIsOver, options().callCeiling}; }

    // Calls a driver on another thread. R is a result; what is thrown becomes one. What the call
    // captures must own all that it reads: a message of the client lives on the loop.
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
        // ThreadSanitizer sees how a std::promise crosses threads, and not how the engine's does.
        auto answer = std::make_shared<std::promise<R>>();
        auto result = answer->get_future();
        mShared->scheduler->run(mQueue, [call = std::move(call), answer, fulfiller,
                                         shared = mShared, bounds = bounds()]() mutable {
            ++shared->calls;
            try {
                answer->set_value(bounds.make(call));
            } catch (...) {
                answer->set_value(R(statusOfException()));
            }
            call = nullptr;  // what it held is given back when the answer is seen
            --shared->calls;
            (*fulfiller)->fulfill();
        });
        ++mCalls;
        return done.promise.then([result = std::move(result)]() mutable { return result.get(); })
                .attach(kj::defer([self = shared_from_this()] { --self->mCalls; }));
    }

    // Lets go of what a driver has given, on another thread.
    void release(std::shared_ptr<const void> object) const;

    // ---- what the client names; INVALID_ARGUMENT for what is not this connection's, or no such
    // object
    Promised<SharedMemory> memory(rpc::Memory::Client capability);
    Promised<std::vector<KnownModel>> preparedModels(capnp::List<rpc::PreparedModel>::Reader from);
    Promised<std::vector<SharedMemory>> pools(capnp::List<rpc::Pool>::Reader from);
    Promised<std::vector<SharedHandle>> handles(capnp::List<rpc::Descriptor>::Reader from);
    Promised<std::vector<SyncFence>> fences(capnp::List<rpc::Descriptor>::Reader from);
    Promised<std::vector<SharedHandle>> cacheFiles(capnp::List<rpc::Contents>::Reader from);
    // Of requests for prepared models of this device.
    Promised<std::vector<NamedPool>> pools(const IDevice* device,
                                           capnp::List<rpc::Request::Pool>::Reader from);

    // ---- what it is given
    rpc::Memory::Client give(kj::Own<MemoryServer> server);
    rpc::PreparedModel::Client give(kj::Own<PreparedModelServer> server);
    rpc::Buffer::Client give(kj::Own<BufferServer> server);

    // Living buffers of this client, by their tokens.
    std::multimap<std::pair<const IDevice*, Request::MemoryDomainToken>, const BufferServer*>
            tokens{};

   private:
    Promised<SharedHandle> handle(rpc::Descriptor::Client capability);
    Promised<SyncFence> fence(rpc::Descriptor::Client capability);
    // A fence of this side that is signalled when the promise succeeds; it fails with the promise,
    // with the client, and where that takes longer than the server allows.
    Result<SyncFence> fenceAfter(kj::Promise<void> signalled, size_t descriptors);

    // A fence that fails tells so by itself.
    struct Ignoring final : kj::TaskSet::ErrorHandler {
        void taskFailed(kj::Exception&&) override {}
    };

    std::shared_ptr<Shared> mShared;
    bool mIsRemote;
    std::shared_ptr<SessionLedger> mLedger;
    std::shared_ptr<std::atomic<bool>> mIsOver = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<CallScheduler::Queue> mQueue = std::make_shared<CallScheduler::Queue>();
    size_t mCalls = 0;
    capnp::CapabilityServerSet<rpc::Memory> mMemories{};
    capnp::CapabilityServerSet<rpc::PreparedModel> mPreparedModels{};
    capnp::CapabilityServerSet<rpc::Buffer> mBuffers{};
    Ignoring mIgnoring{};
    kj::Own<kj::TaskSet> mWaiting = kj::heap<kj::TaskSet>(mIgnoring);  // for fences of the client
};
using SharedSession = std::shared_ptr<Session>;

// The objects that others name.
class MemoryServer : public virtual rpc::Memory::Server {
   public:
    // The memory keeps its own tokens; those of the capability are here.
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

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    KnownModel mKnown;
};

// Of one more capability of a memory. Where the client has too many already the call fails as a
// whole: even a capability that says why would be one.
Tokens capabilityTokens(Session& session);

// What a connection begins with.
rpc::Service::Client serviceFor(const SharedSession& session);

}  // namespace nn::service
