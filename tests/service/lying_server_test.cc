// Servers over TCP that speak the protocol and return impossible results: each such result fails
// only its own call, with a message that describes the error.
#include <capnp/ez-rpc.h>
#include <kj/async.h>

#include <functional>
#include <future>
#include <thread>

#include "driver/cache/digest.h"
#include "nnapi/service.capnp.h"
#include "nnapi/service/client.h"
#include "service/pooled_request.h"

namespace nn::lying_server_test {
namespace {

using namespace std::chrono_literals;
using namespace service::rpc;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;

// The results of a server; by default it is a device that supports every model and computes zeros.
struct Lies {
    std::function<void(DeviceInfo::Builder)> info = [](DeviceInfo::Builder) {};
    // The pieces of an output, as the server returns them.
    std::function<void(Contents::ReadResults::Builder, uint64_t offset, uint64_t length)> pieces{};
    bool hasObjects = true;
};

void writePiece(Piece::Builder piece, uint64_t offset, const std::vector<uint8_t>& bytes) {
    const auto digest = cache::sha256(bytes).value();
    piece.setOffset(offset);
    piece.setBytes({bytes.data(), bytes.size()});
    piece.setDigest({digest.data(), digest.size()});
}

class LyingContents final : public Contents::Server {
   public:
    explicit LyingContents(const Lies& lies) : mLies(lies) {}

   protected:
    kj::Promise<void> write(WriteContext) override { return kj::READY_NOW; }
    kj::Promise<void> read(ReadContext context) override {
        const auto range = context.getParams().getRanges()[0];
        mLies.pieces(context.getResults(), range.getOffset(), range.getLength());
        return kj::READY_NOW;
    }

   private:
    const Lies& mLies;
};

// Returns success without a value.
class EmptyModel final : public service::rpc::PreparedModel::Server {
   protected:
    kj::Promise<void> execute(ExecuteContext) override { return kj::READY_NOW; }
    kj::Promise<void> executeFenced(ExecuteFencedContext) override { return kj::READY_NOW; }
    kj::Promise<void> createReusableExecution(CreateReusableExecutionContext) override {
        return kj::READY_NOW;
    }
    kj::Promise<void> configureExecutionBurst(ConfigureExecutionBurstContext) override {
        return kj::READY_NOW;
    }
};

class LyingDevice final : public Device::Server {
   public:
    explicit LyingDevice(const Lies& lies) : mLies(lies) {}

   protected:
    kj::Promise<void> prepareModel(PrepareModelContext context) override {
        if (mLies.hasObjects) context.getResults().setPreparedModel(kj::heap<EmptyModel>());
        return kj::READY_NOW;
    }
    kj::Promise<void> prepareModelFromCache(PrepareModelFromCacheContext) override {
        return kj::READY_NOW;
    }
    kj::Promise<void> allocate(AllocateContext) override { return kj::READY_NOW; }

   private:
    const Lies& mLies;
};

class LyingService final : public Service::Server {
   public:
    explicit LyingService(const Lies& lies) : mLies(lies) {}

   protected:
    kj::Promise<void> devices(DevicesContext context) override {
        auto device = context.getResults().initDevices(1)[0];
        device.setDevice(kj::heap<LyingDevice>(mLies));
        auto info = device.initInfo();
        info.setName("liar");
        info.setVersionString("1");
        info.setFeatureLevel(8);
        mLies.info(info);
        return kj::READY_NOW;
    }
    kj::Promise<void> makeContents(MakeContentsContext context) override {
        context.getResults().setContents(kj::heap<LyingContents>(mLies));
        return kj::READY_NOW;
    }
    kj::Promise<void> ping(PingContext) override { return kj::READY_NOW; }

   private:
    const Lies& mLies;
};

// Runs in a thread of its own.
class LyingServer {
   public:
    explicit LyingServer(const Lies& lies) {
        std::promise<unsigned> port;
        auto known = port.get_future();
        std::promise<kj::Own<kj::CrossThreadPromiseFulfiller<void>>> ending;
        auto end = ending.get_future();
        mThread = std::thread([&lies, &port, &ending] {
            capnp::EzRpcServer server(kj::heap<LyingService>(lies), "127.0.0.1");
            auto stopped = kj::newPromiseAndCrossThreadFulfiller<void>();
            port.set_value(server.getPort().wait(server.getWaitScope()));
            ending.set_value(kj::mv(stopped.fulfiller));
            stopped.promise.wait(server.getWaitScope());
        });
        address = "127.0.0.1:" + std::to_string(known.get());
        mEnd = end.get();
    }
    LyingServer(const LyingServer&) = delete;
    LyingServer& operator=(const LyingServer&) = delete;
    ~LyingServer() {
        mEnd->fulfill();
        mThread.join();
    }
    GeneralResult<SharedDevice> connect() const {
        return service::connect(address, {.connectTimeout = 60s,
                                          .heartbeat = 60s,
                                          .ceiling = 60s,
                                          .insecurePlainTcp = true});
    }
    std::string address{};

   private:
    std::thread mThread{};
    kj::Own<kj::CrossThreadPromiseFulfiller<void>> mEnd{};
};

TEST(LyingServers, ReturnInvalidDeviceProperties) {
    struct Row {
        std::function<void(DeviceInfo::Builder)> info;
        const char* why;
    };
    const Row rows[] = {
            {[](DeviceInfo::Builder info) { info.setName(""); },
             "a device of the server has no name"},
            {[](DeviceInfo::Builder info) { info.setVersionString(""); },
             "the server's device liar has an empty version string"},
            {[](DeviceInfo::Builder info) { info.setType(-1); },
             "the server's device type is -1, allowed 0 to 4"},
            {[](DeviceInfo::Builder info) { info.setType(5); },
             "the server's device type is 5, allowed 0 to 4"},
            {[](DeviceInfo::Builder info) { info.setDataCacheFiles(33); },
             "the server's number of cache files is 33, allowed at most 32"},
            {[](DeviceInfo::Builder info) { info.setFeatureLevel(0); },
             "the server's feature level is 0, allowed 1 and above"},
            {[](DeviceInfo::Builder info) {
                 auto operands = info.initCapabilities().initOperands(2);
                 operands[0].setType(1);
                 operands[1].setType(0);
             },
             "the server's capabilities are not sorted by type"},
    };
    for (const Row& row : rows) {
        const Lies lies{.info = row.info};
        const LyingServer server(lies);
        EXPECT_THAT(server.connect(), Refuses(DEVICE_UNAVAILABLE, server.address + ": " + row.why));
    }
    // A device of a newer feature level is used as the newest level that the client knows.
    const Lies lies{.info = [](DeviceInfo::Builder info) { info.setFeatureLevel(200); }};
    const LyingServer server(lies);
    const auto device = server.connect();
    ASSERT_TRUE(device.has_value()) << device.error().message;
    EXPECT_EQ((*device)->getFeatureLevel().level, kNewestVersion.level);
}

TEST(LyingServers, ReturnSuccessWithoutObject) {
    Lies lies;
    const LyingServer server(lies);
    const auto device = server.connect();
    ASSERT_TRUE(device.has_value()) << device.error().message;
    const SharedPreparedModel model = prepareOn(**device, addition()).value();
    const Pooled pooled;
    const auto refusal = [](const auto& result) { return result.error().message; };
    EXPECT_EQ(refusal(model->executeFenced(pooled.request, {}, kNo, {}, {}, {}, {}, {})),
              "the server reports success without an execution");
    EXPECT_EQ(refusal(model->createReusableExecution(pooled.request, kNo, {}, {}, {})),
              "the server reports success without an execution");
    EXPECT_EQ(refusal(model->configureExecutionBurst()),
              "the server reports success without a burst");
    EXPECT_EQ(refusal((*device)->allocate({}, {model}, {{0, 0, 1.0f}}, {})),
              "the server reports success without a buffer");
    EXPECT_EQ(refusal((*device)->prepareModelFromCache({}, {}, {}, {})),
              "the server reports success without a prepared model");
    lies.hasObjects = false;
    EXPECT_EQ(refusal(prepareOn(**device, addition())),
              "the server reports success without a prepared model");
}

TEST(LyingServers, SendUnrequestedPieces) {
    struct Row {
        std::function<void(Contents::ReadResults::Builder, uint64_t, uint64_t)> pieces;
        std::string why;  // empty: the expected pieces
    };
    const auto bytesOf = [](uint64_t length) { return std::vector<uint8_t>(length); };
    const Row rows[] = {
            {[&](auto results, uint64_t offset, uint64_t length) {
                 writePiece(results.initPieces(1)[0], offset, bytesOf(length));
             },
             ""},
            {[](auto results, uint64_t, uint64_t) { results.initPieces(2); },
             "the server replies with 2 pieces, allowed 1"},
            {[&](auto results, uint64_t offset, uint64_t length) {
                 writePiece(results.initPieces(1)[0], offset, bytesOf(length - 1));
             },
             "the server replies with 15 bytes at 32, allowed 16 at 32"},
            {[&](auto results, uint64_t offset, uint64_t length) {
                 writePiece(results.initPieces(1)[0], offset + 1, bytesOf(length));
             },
             "the server replies with 16 bytes at 33, allowed 16 at 32"},
            {[&](auto results, uint64_t offset, uint64_t length) {
                 writePiece(results.initPieces(1)[0], offset, bytesOf(length));
                 results.getPieces()[0].setDigest({});
             },
             "the server's reply: the bytes at 32 are not those of their digest"},
    };
    for (const Row& row : rows) {
        const Lies lies{.pieces = row.pieces};
        const LyingServer server(lies);
        const auto device = server.connect();
        ASSERT_TRUE(device.has_value()) << device.error().message;
        const SharedPreparedModel model = prepareOn(**device, addition()).value();
        const Pooled pooled;
        EXPECT_EQ(model->execute(pooled.request, kNo, {}, {}, {}, {}).error().message, row.why);
    }
}

}  // namespace
}  // namespace nn::lying_server_test
