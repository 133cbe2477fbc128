// The cost of a device in another process, for an addition of 4 floats: through the queues of a
// prepared model, compared with a bare echo of the same size over a socket and the RPC engine of
// calls, and through the polled queues of a burst, compared with a bare call of the interpreter.
//
//   taskset -c 0,1 build/release/bin/nnapi_bench --benchmark_filter=Service
#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>
#include <kj/io.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "baseline.h"
#include "driver/models.h"
#include "echo.capnp.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "runtime/devices/pointer_staging.h"

namespace nn {
namespace {

// The size of the execution's parameters in its message.
constexpr size_t kSameSize = 320;

class EchoServer final : public bench_echo::Echo::Server {
   protected:
    kj::Promise<void> echo(EchoContext context) override {
        context.getResults().setBytes(context.getParams().getBytes());
        return kj::READY_NOW;
    }
};

// An end of a connection like those of the service: it can transfer descriptors.
struct End {
    kj::Own<kj::AsyncCapabilityStream> stream;
    capnp::TwoPartyVatNetwork network;

    End(kj::AsyncIoContext& io, int socket, capnp::rpc::twoparty::Side side)
        : stream(io.lowLevelProvider->wrapUnixSocketFd(kj::AutoCloseFd(socket), 0)),
          network(*stream, 200u, side) {}
};

// An echo server on a thread of its own; its client is the calling thread.
class Echo {
   public:
    Echo() {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
        mServer = std::thread([socket = ends[1]] {
            auto io = kj::setupAsyncIo();
            End end(io, socket, capnp::rpc::twoparty::Side::SERVER);
            auto rpc = capnp::makeRpcServer(end.network, kj::heap<EchoServer>());
            end.network.onDisconnect().wait(io.waitScope);
        });
        mEnd = std::make_unique<End>(mIo, ends[0], capnp::rpc::twoparty::Side::CLIENT);
        mRpc = std::make_unique<Rpc>(capnp::makeRpcClient(mEnd->network));
        capnp::MallocMessageBuilder message;
        auto server = message.getRoot<capnp::rpc::twoparty::VatId>();
        server.setSide(capnp::rpc::twoparty::Side::SERVER);
        mClient = mRpc->bootstrap(server).castAs<bench_echo::Echo>();
    }
    ~Echo() {
        mClient = nullptr;
        mRpc = nullptr;
        mEnd = nullptr;
        if (mServer.joinable()) mServer.join();
    }
    bool operator()() {
        auto request = mClient.echoRequest();
        request.initBytes(kSameSize);
        return request.send().wait(mIo.waitScope).getBytes().size() == kSameSize;
    }

   private:
    using Rpc = capnp::RpcSystem<capnp::rpc::twoparty::VatId>;
    kj::AsyncIoContext mIo = kj::setupAsyncIo();
    std::thread mServer{};
    std::unique_ptr<End> mEnd{};
    std::unique_ptr<Rpc> mRpc{};
    bench_echo::Echo::Client mClient = nullptr;
};

// A server of the reference device in this process, and its client.
class Served {
   public:
    explicit Served(std::chrono::microseconds pollingTimeWindow = {}) {
        char name[] = "/tmp/nnapi-bench-XXXXXX";
        mFolder = mkdtemp(name);
        const std::string address = "unix:" + mFolder + "/socket";
        mServer = service::serve({referenceDevice()}, address,
                                 {.burstPollingTimeWindow = pollingTimeWindow})
                          .value();
        mDevice = service::connect(address, {.burstPollingTimeWindow = pollingTimeWindow}).value();
    }
    ~Served() {
        mDevice = nullptr;
        mServer = nullptr;
        std::filesystem::remove_all(mFolder);
    }
    const SharedDevice& device() const { return mDevice; }
    SharedPreparedModel prepared() const { return prepareOn(*mDevice, addition()).value(); }

   private:
    std::string mFolder{};
    std::unique_ptr<service::Server> mServer{};
    SharedDevice mDevice{};
};

void ServiceExecute(benchmark::State& state) {
    const Request request = pooled();
    const Served served;
    const SharedPreparedModel model = served.prepared();
    Echo echo;
    besides(state, echo,
            [&] { return model->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(ServiceExecute)->UseManualTime();

void ServiceReusable(benchmark::State& state) {
    const Request request = pooled();
    const Served served;
    const SharedExecution execution =
            served.prepared()
                    ->createReusableExecution(request, MeasureTiming::NO, {}, {}, {})
                    .value();
    Echo echo;
    besides(state, echo, [&] { return execution->compute({}).has_value(); });
}
BENCHMARK(ServiceReusable)->UseManualTime();

// Through queues that both ends poll, compared with a bare call.
void ServiceBurst(benchmark::State& state) {
    const Request request = pooled();
    const PreparedModel bare = prepare(addition()).value();
    const Served served(std::chrono::seconds(1));
    const SharedBurst burst = served.prepared()->configureExecutionBurst().value();
    besides(state, bareCall(bare, request),
            [&] { return burst->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value(); });
}
BENCHMARK(ServiceBurst)->UseManualTime();

// With arguments behind pointers, compared with arguments in memory.
void besidesInMemory(benchmark::State& state, const auto& executeOn) {
    const Request request = pooled();
    Sum sum;
    const Request pointers = sum.request();
    besides(
            state, [&] { return executeOn(request).has_value(); },
            [&] { return executeOn(pointers).has_value(); });
}

void ServicePointers(benchmark::State& state) {
    const Served served;
    const SharedPreparedModel model = served.prepared();
    besidesInMemory(state, [&](const Request& request) {
        return model->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    });
}
BENCHMARK(ServicePointers)->UseManualTime();

// Like the C API.
void ServiceBurstPointers(benchmark::State& state) {
    const Served served(std::chrono::seconds(1));
    const SharedPreparedModel model =
            prepareOn(*runtime::takingPointers(served.device()), addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    besidesInMemory(state, [&](const Request& request) {
        return burst->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    });
}
BENCHMARK(ServiceBurstPointers)->UseManualTime();

void ServiceBurstReusablePointers(benchmark::State& state) {
    const Served served(std::chrono::seconds(1));
    const SharedPreparedModel model =
            prepareOn(*runtime::takingPointers(served.device()), addition()).value();
    const SharedBurst burst = model->configureExecutionBurst().value();
    Sum sum;
    const auto executionOf = [&](const Request& request) {
        return burst->createReusableExecution(request, MeasureTiming::NO, {}, {}, {}).value();
    };
    const SharedExecution inMemory = executionOf(pooled()), pointers = executionOf(sum.request());
    besides(
            state, [&] { return inMemory->compute({}).has_value(); },
            [&] { return pointers->compute({}).has_value(); });
}
BENCHMARK(ServiceBurstReusablePointers)->UseManualTime();

}  // namespace
}  // namespace nn
