// How a server treats clients that violate the rules for contents.
#include <capnp/ez-rpc.h>

#include "driver/cache/digest.h"
#include "driver/models.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/service.capnp.h"
#include "nnapi/service/server.h"
#include "service/sent_contents.h"

namespace nn::contents_test {
namespace {

using testing::HasSubstr;
using enum ErrorStatus;

constexpr uint64_t kSize = 4096;

// A chunk that is partly resent is not the chunk that the server has stored.
TEST(SentContents, ForgetsPartlyResentChunks) {
    service::SentContents sent;
    const SharedMemory memory = createSharedMemory(64).value();
    auto record = sent.lock(memory);
    for (const uint64_t offset : {0, 16, 32, 48}) record.put({offset, 16}, {});
    record.drop({31, 2});
    EXPECT_TRUE(record.hasAny({0, 16}));
    EXPECT_FALSE(record.hasAny({16, 16}));
    EXPECT_FALSE(record.hasAny({32, 16}));
    EXPECT_TRUE(record.hasAny({48, 16}));
}

// One client that sends protocol messages directly.
class Contents : public testing::Test {
   protected:
    Contents() {
        service::ServeOptions options{.bytesPerClient = 1 << 20, .insecurePlainTcp = true};
        mServer = service::serve({referenceDevice()}, "127.0.0.1:0", options).value();
        mClient = std::make_unique<capnp::EzRpcClient>(mServer->address().c_str());
    }
    service::rpc::Service::Client service() { return mClient->getMain<service::rpc::Service>(); }
    kj::WaitScope& scope() { return mClient->getWaitScope(); }

    service::rpc::Contents::Client make(uint64_t size, bool isCacheFile = false,
                                        service::rpc::MemoryInfo::Kind kind = {}) {
        auto request = service().makeContentsRequest();
        request.initMemory().setSize(size);
        request.getMemory().setKind(kind);
        request.setIsCacheFile(isCacheFile);
        return request.send().wait(scope()).getContents();
    }

    struct Sent {
        uint64_t offset = 0;
        std::vector<uint8_t> bytes{};
        bool isDigestWrong = false;
    };
    std::string write(service::rpc::Contents::Client to, const std::vector<Sent>& pieces) {
        auto request = to.writeRequest();
        auto list = request.initPieces(static_cast<unsigned>(pieces.size()));
        for (unsigned i = 0; i < list.size(); ++i) {
            auto digest = cache::sha256(pieces[i].bytes).value();
            if (pieces[i].isDigestWrong) digest[31] ^= 1;
            list[i].setOffset(pieces[i].offset);
            list[i].setBytes({pieces[i].bytes.data(), pieces[i].bytes.size()});
            list[i].setDigest({digest.data(), digest.size()});
        }
        return request.send().wait(scope()).getFailure().getMessage();
    }
    std::string read(service::rpc::Contents::Client from, uint64_t offset, uint64_t length,
                     unsigned times = 1) {
        auto request = from.readRequest();
        auto list = request.initRanges(times);
        for (auto range : list) {
            range.setOffset(offset);
            range.setLength(length);
        }
        return request.send().wait(scope()).getFailure().getMessage();
    }
    // The error that a device call with this memory returns.
    std::string use(service::rpc::Memory::Client memory) {
        auto devices = service().devicesRequest().send().wait(scope());
        auto request = devices.getDevices()[0].getDevice().supportedOperationsRequest();
        const std::string message = *serializeModel(addition(), Format::BINARY);
        request.initModel().setMessage(
                {reinterpret_cast<const kj::byte*>(message.data()), message.size()});
        request.getModel().initPools(1)[0].setMemory(kj::mv(memory));
        return request.send().wait(scope()).getFailure().getMessage();
    }

    std::unique_ptr<service::Server> mServer{};
    std::unique_ptr<capnp::EzRpcClient> mClient{};
};

TEST_F(Contents, TakeWhatFits) {
    auto memory = make(kSize);
    EXPECT_EQ(write(memory, {{0, {1, 2, 3}}, {kSize - 2, {4, 5}}}), "");
    EXPECT_EQ(use(memory), "");
    EXPECT_EQ(read(memory, 0, kSize), "");
}

TEST_F(Contents, RejectChunksOutOfRange) {
    struct Row {
        std::vector<Sent> pieces;
        const char* why;
    };
    const Row kRows[] = {
            {{{kSize - 2, {1, 2, 3}}}, "3 bytes at 4094 are written to a memory of 4096"},
            {{{UINT64_MAX, {1, 2}}},
             "2 bytes at 18446744073709551615 are written to a memory of 4096"},
            {{{0, {1, 2}, true}}, "the bytes at 0 are not those of their digest"},
            {std::vector<Sent>(1024, {0, std::vector<uint8_t>(1025)}),
             "a message has 1049600 bytes, allowed at most 1048576"},
    };
    for (const Row& row : kRows) {
        auto memory = make(kSize);
        EXPECT_EQ(write(memory, row.pieces), row.why);
        // Memory whose contents did not arrive cannot be used.
        EXPECT_EQ(use(memory), row.why);
        EXPECT_EQ(read(memory, 0, 1), row.why);
        EXPECT_EQ(write(memory, {{0, {1}}}), row.why);
    }
}

TEST_F(Contents, AreReadInPieces) {
    auto memory = make(kSize);
    EXPECT_EQ(read(memory, 0, kSize + 1), "4097 bytes at 0 cannot be read: the file is shorter");
    EXPECT_THAT(read(memory, UINT64_MAX, 1), HasSubstr("is too large"));
    EXPECT_EQ(read(memory, 0, UINT64_MAX),
              "a message has 18446744073709551615 bytes, allowed at most 1048576");
    EXPECT_EQ(read(memory, 0, kSize, 257), "a message has 1052672 bytes, allowed at most 1048576");
    EXPECT_EQ(use(memory), "");
}

// Lists are checked before the method that receives them begins.
TEST_F(Contents, BeyondTheSchemaEndTheConnection) {
    const auto endOf = [&](const auto& call) -> std::string {
        try {
            call(make(kSize));
            return "";
        } catch (const kj::Exception& exception) {
            mClient = std::make_unique<capnp::EzRpcClient>(mServer->address().c_str());
            return exception.getDescription().cStr();
        }
    };
    using Memory = service::rpc::Contents::Client;
    EXPECT_THAT(endOf([&](Memory memory) { write(memory, std::vector<Sent>(1025)); }),
                HasSubstr("the list 'pieces' has 1025 elements, allowed at most 1024"));
    EXPECT_THAT(endOf([&](Memory memory) {
                    write(memory, {{0, std::vector<uint8_t>((1 << 20) + 1)}});
                }),
                HasSubstr("the list 'bytes' has 1048577 elements, allowed at most 1048576"));
    EXPECT_THAT(endOf([&](Memory memory) { read(memory, 0, 0, 1025); }),
                HasSubstr("the list 'ranges' has 1025 elements, allowed at most 1024"));
    EXPECT_EQ(use(make(kSize)), "");
}

TEST_F(Contents, AreBounded) {
    EXPECT_EQ(use(make((1 << 20) + 1)),
              "this client holds 0 bytes and asks for 1048577 more, allowed 1048576");
    EXPECT_THAT(use(make(UINT64_MAX)), HasSubstr("allowed 1048576"));
    EXPECT_NE(use(make(0)), "");
    EXPECT_EQ(use(make(kSize, false, service::rpc::MemoryInfo::Kind::HARDWARE_BUFFER)),
              "contents of a memory that is neither ashmem nor a file do not travel");
    EXPECT_EQ(use(make(kSize, false, service::rpc::MemoryInfo::Kind(77))),
              "contents of a memory that is neither ashmem nor a file do not travel");
}

// Descriptors cannot arrive over TCP, whatever a message claims.
TEST_F(Contents, AreNotDescriptors) {
    auto request = service().shareRequest();
    auto info = request.initMemory();
    info.setSize(16);
    info.initDescriptors(1);
    EXPECT_EQ(use(request.send().wait(scope()).getMemory()), "a descriptor is missing");
}

TEST_F(Contents, OfCachesAreOfFiles) {
    const auto prepare = [&](service::rpc::Contents::Client file) {
        auto devices = service().devicesRequest().send().wait(scope());
        auto request = devices.getDevices()[0].getDevice().prepareModelFromCacheRequest();
        request.initCache().initModelContents(1).set(0, kj::mv(file));
        return std::string(request.send().wait(scope()).getFailure().getMessage());
    };
    EXPECT_EQ(prepare(make(kSize)), "a memory is not a file of a cache");
    EXPECT_THAT(prepare(make(kSize, true)), HasSubstr("cache"));
    EXPECT_THAT(prepare(make((1 << 20) + 1, true)), HasSubstr("allowed 1048576"));
    auto file = make(10, true);
    EXPECT_EQ(write(file, {{8, {1, 2, 3}}}), "3 bytes at 8 are written to a memory of 10");
}

}  // namespace
}  // namespace nn::contents_test
