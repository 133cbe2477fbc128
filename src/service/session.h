// One client of a server: what it holds, what it may hold, and how its calls reach drivers. Lives
// on the server's loop, but for what says otherwise.
#pragma once

#include <capnp/capability.h>
#include <kj/async-unix.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "driver/common/thread_pool.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/service/server.h"
#include "service/wire.h"
#include "types/no_throw.h"

namespace nn::service {

// What all sessions of a server share. Thread-safe.
struct Shared {
    std::vector<SharedDevice> devices;
    ServeOptions options;
    // Tasks own it: whoever stops the server does not wait for a driver that hangs.
    std::shared_ptr<driver::ThreadPool> threads;
    kj::UnixEventPort* port = nullptr;  // of the loop
    std::atomic<size_t> clients = 0;
    std::atomic<size_t> objects = 0;
    std::atomic<uint64_t> bytes = 0;
    std::atomic<size_t> calls = 0;  // that drivers are in
};

class MemoryServer;
class PreparedModelServer;
class BufferServer;

// Any value that a promise is to answer, or why there is none.
template <class T>
using Promised = kj::Promise<GeneralResult<T>>;

class Session : public std::enable_shared_from_this<Session> {
   public:
    // isRemote: descriptors cannot reach the client.
    explicit Session(std::shared_ptr<Shared> shared, bool isRemote = false)
        : mShared(std::move(shared)), mIsRemote(isRemote) {}

    Shared& shared() const { return *mShared; }
    const std::shared_ptr<Shared>& sharedPointer() const { return mShared; }
    const ServeOptions& options() const { return mShared->options; }

    // A place among the objects of this client, until it is gone.
    class Place {
       public:
        Place() = default;
        Place(std::shared_ptr<Session> session, uint64_t bytes);
        Place(Place&& other) noexcept : mSession(std::move(other.mSession)), mBytes(other.mBytes) {}
        Place& operator=(Place&&) = delete;
        ~Place();

       private:
        std::shared_ptr<Session> mSession{};
        uint64_t mBytes = 0;
    };
    // The client is gone: nobody waits for its fences any more, and what waited holds this session.
    void end() { mWaiting = nullptr; }

    // RESOURCE_EXHAUSTED_TRANSIENT where there is none.
    Result<Place> place(uint64_t bytes = 0);
    // A place among the bursts with queues. Any thread may give it up.
    Result<std::shared_ptr<const void>> queuePlace();

    // Calls a driver on another thread. R is a result; what is thrown becomes one.
    template <class R>
    kj::Promise<R> work(std::function<R()> call, Priority priority = Priority::DEFAULT) {
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
        mShared->threads->run(
                [call = std::move(call), answer, fulfiller, shared = mShared,
                 threads = mShared->threads] {
                    ++shared->calls;
                    try {
                        answer->set_value(call());
                    } catch (...) {
                        answer->set_value(R(statusOfException()));
                    }
                    --shared->calls;
                    (*fulfiller)->fulfill();
                },
                priority);
        ++mCalls;
        return done.promise.then([result = std::move(result)]() mutable { return result.get(); })
                .attach(kj::defer([self = shared_from_this()] { --self->mCalls; }));
    }

    // Lets go of what a driver has given, on another thread.
    void release(std::shared_ptr<const void> object) const;

    // ---- what the client names; INVALID_ARGUMENT for what is not this connection's, or no such
    // object
    Promised<SharedMemory> memory(rpc::Memory::Client capability);
    Promised<SharedPreparedModel> preparedModel(rpc::PreparedModel::Client capability);
    Promised<std::vector<SharedMemory>> pools(capnp::List<rpc::Pool>::Reader from);
    Promised<std::vector<SharedHandle>> handles(capnp::List<rpc::Descriptor>::Reader from);
    Promised<std::vector<SyncFence>> fences(capnp::List<rpc::Descriptor>::Reader from);
    Promised<std::vector<SharedHandle>> cacheFiles(capnp::List<rpc::Contents>::Reader from);
    // Of requests for prepared models of this device.
    Promised<std::vector<Request::MemoryPool>> pools(const IDevice* device,
                                                     capnp::List<rpc::Request::Pool>::Reader from);

    // ---- what it is given
    rpc::Memory::Client give(kj::Own<MemoryServer> server);
    rpc::PreparedModel::Client give(kj::Own<PreparedModelServer> server);
    rpc::Buffer::Client give(kj::Own<BufferServer> server);

    // Tokens of living buffers of this client.
    std::map<std::pair<const IDevice*, Request::MemoryDomainToken>, int> tokens{};

   private:
    // A fence of this side that is signalled when the client's is.
    Promised<SyncFence> fenceOf(rpc::Descriptor::Client capability);

    // A fence that fails tells so by itself.
    struct Ignoring final : kj::TaskSet::ErrorHandler {
        void taskFailed(kj::Exception&&) override {}
    };

    std::shared_ptr<Shared> mShared;
    bool mIsRemote;
    size_t mObjects = 0;
    uint64_t mBytes = 0;
    size_t mCalls = 0;
    std::shared_ptr<std::atomic<size_t>> mQueues = std::make_shared<std::atomic<size_t>>(0);
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
    MemoryServer(GeneralResult<SharedMemory> memory, Session::Place place)
        : mMemory(std::move(memory)), mPlace(std::move(place)) {}
    virtual ~MemoryServer() noexcept(false) {}
    const GeneralResult<SharedMemory>& memory() const { return mMemory; }

   protected:
    GeneralResult<SharedMemory> mMemory;

   private:
    Session::Place mPlace;
};

class BufferServer final : public rpc::Buffer::Server {
   public:
    BufferServer(SharedSession session, const IDevice* device, SharedBuffer buffer,
                 Session::Place place);
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
    Session::Place mPlace;
};

class PreparedModelServer final : public rpc::PreparedModel::Server {
   public:
    PreparedModelServer(SharedSession session, SharedDevice device, SharedPreparedModel model,
                        Session::Place place);
    ~PreparedModelServer() noexcept(false);
    const SharedPreparedModel& model() const { return mModel; }

   protected:
    kj::Promise<void> execute(ExecuteContext context) override;
    kj::Promise<void> executeFenced(ExecuteFencedContext context) override;
    kj::Promise<void> createReusableExecution(CreateReusableExecutionContext context) override;
    kj::Promise<void> configureExecutionBurst(ConfigureExecutionBurstContext context) override;

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    SharedPreparedModel mModel;
    Session::Place mPlace;
};

// What a connection begins with.
rpc::Service::Client serviceFor(const SharedSession& session);

}  // namespace nn::service
