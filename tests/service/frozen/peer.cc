// A client or a server of the first version of the service:
//
//   client PATH   executes on the server at this Unix socket; exits with 0 if the results are
//   right,
//                 otherwise prints the error
//   server PATH   serves the reference device to one client with a subset of the methods; prints
//   "+"
//                 when it has executed
#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <iostream>

#include "interpreter/builder.h"
#include "nnapi/driver/reference.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "service_frozen.capnp.h"

namespace nn::frozen {
namespace {

namespace rpc = service::rpc;

constexpr auto kFlags = kj::LowLevelAsyncIoProvider::TAKE_OWNERSHIP;

Model addition() {
    Model model;
    Graph main(model);
    const auto x = main.input(OperandType::TENSOR_FLOAT32, {4});
    const auto y = main.input(OperandType::TENSOR_FLOAT32, {4});
    main.add(OperationType::ADD, {x, y, main.scalar(0)},
             {main.output(OperandType::TENSOR_FLOAT32, {4})});
    model.main = main.graph;
    return model;
}

int socketAt(const char* path, bool listens) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path, sizeof at.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* address = reinterpret_cast<const sockaddr*>(&at);
    KJ_SYSCALL(listens ? bind(fd, address, sizeof at) : connect(fd, address, sizeof at));
    if (listens) {
        KJ_SYSCALL(listen(fd, 1));
    }
    return fd;
}

class DescriptorServer final : public rpc::Descriptor::Server {
   public:
    explicit DescriptorServer(int fd) : mFd(fd) {}
    kj::Maybe<int> getFd() override { return mFd; }

   private:
    int mFd;
};

// ---- client

void executeAt(const char* path) {
    auto io = kj::setupAsyncIo();
    auto stream = io.lowLevelProvider->wrapUnixSocketFd(socketAt(path, false), kFlags);
    capnp::TwoPartyVatNetwork network(*stream, 1, capnp::rpc::twoparty::Side::CLIENT);
    auto system = capnp::makeRpcClient(network);
    capnp::MallocMessageBuilder message;
    auto peer = message.getRoot<capnp::rpc::twoparty::VatId>();
    peer.setSide(capnp::rpc::twoparty::Side::SERVER);
    auto service = system.bootstrap(peer).castAs<rpc::Service>();
    service.pingRequest().send().wait(io.waitScope);

    auto devices = service.devicesRequest().send().wait(io.waitScope);
    KJ_REQUIRE(devices.getDevices().size() == 1);
    KJ_REQUIRE(devices.getDevices()[0].getInfo().getName() == "nnapi-reference");
    auto device = devices.getDevices()[0].getDevice();

    const SharedMemory pool = *createSharedMemory(48);
    const float values[] = {1, 2, 3, 4, 10, 20, 30, 40};
    KJ_REQUIRE(writeMemory(pool, 0, {reinterpret_cast<const uint8_t*>(values), 32}).ok());
    auto share = service.shareRequest();
    share.getMemory().setSize(48);
    share.getMemory().initDescriptors(1).set(
            0, kj::heap<DescriptorServer>(std::get<Memory::Ashmem>(pool->handle).fd.get()));
    auto memory = share.send().getMemory();

    auto prepare = device.prepareModelRequest();
    const std::string bytes = *serializeModel(addition(), Format::BINARY);
    prepare.getModel().setMessage({reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()});
    prepare.setPreference(1);
    prepare.setPriority(1);
    auto prepared = prepare.send().wait(io.waitScope);
    KJ_REQUIRE(prepared.getFailure().getCode() == 0, prepared.getFailure().getMessage());

    auto execute = prepared.getPreparedModel().executeRequest();
    auto request = execute.getExecute().getRequest();
    auto inputs = request.initInputs(2);
    auto outputs = request.initOutputs(1);
    for (unsigned i = 0; i < 3; ++i) {
        auto argument = i < 2 ? inputs[i] : outputs[0];
        argument.setOffset(16 * i);
        argument.setLength(16);
    }
    request.initPools(1)[0].setMemory(memory);
    auto executed = execute.send().wait(io.waitScope).getExecuted();
    KJ_REQUIRE(executed.getFailure().getCode() == 0, executed.getFailure().getMessage());
    float z[4] = {};
    KJ_REQUIRE(readMemory(pool, 32, {reinterpret_cast<uint8_t*>(z), 16}).ok());
    KJ_REQUIRE(z[0] == 11 && z[1] == 22 && z[2] == 33 && z[3] == 44);
}

// ---- server

using Memories = capnp::CapabilityServerSet<rpc::Memory>;

struct MemoryServer final : rpc::Memory::Server {
    explicit MemoryServer(SharedMemory m) : memory(std::move(m)) {}
    SharedMemory memory;
};

class PreparedModelServer final : public rpc::PreparedModel::Server {
   public:
    PreparedModelServer(Memories& memories, SharedPreparedModel model)
        : mMemories(memories), mModel(std::move(model)) {}

    kj::Promise<void> execute(ExecuteContext context) override {
        auto from = context.getParams().getExecute().getRequest();
        auto found = mMemories.getLocalServer(
                **mNamed.insert(mNamed.end(), kj::heap(from.getPools()[0].getMemory())));
        return found.then([this, context](kj::Maybe<rpc::Memory::Server&> server) mutable {
            const auto asked = context.getParams().getExecute().getRequest();
            Request request{.inputs = arguments(asked.getInputs()),
                            .outputs = arguments(asked.getOutputs()),
                            .pools = {}};
            request.pools.emplace_back(
                    kj::downcast<MemoryServer>(KJ_ASSERT_NONNULL(server)).memory);
            const auto executed = mModel->execute(request, MeasureTiming::NO, {}, {}, {}, {});
            auto results = context.getResults().initExecuted();
            if (!executed.has_value()) {
                results.getFailure().setCode(static_cast<int32_t>(executed.error().code));
            }
        });
    }

   private:
    static std::vector<Request::Argument> arguments(
            capnp::List<rpc::Request::Argument>::Reader from) {
        std::vector<Request::Argument> all;
        for (const auto argument : from) {
            all.push_back(
                    {.location = {.offset = argument.getOffset(), .length = argument.getLength()}});
        }
        return all;
    }
    Memories& mMemories;
    SharedPreparedModel mModel;
    std::vector<kj::Own<rpc::Memory::Client>> mNamed{};
};

class DeviceServer final : public rpc::Device::Server {
   public:
    DeviceServer(Memories& memories, SharedDevice device)
        : mMemories(memories), mDevice(std::move(device)) {}

    kj::Promise<void> prepareModel(PrepareModelContext context) override {
        const auto bytes = context.getParams().getModel().getMessage();
        const auto model = parseModel({reinterpret_cast<const char*>(bytes.begin()), bytes.size()},
                                      Format::BINARY);
        auto prepared = mDevice->prepareModel(std::get<Model>(*model), ExecutionPreference::DEFAULT,
                                              Priority::DEFAULT, {}, {}, {}, {}, {}, {});
        context.getResults().setPreparedModel(kj::heap<PreparedModelServer>(mMemories, *prepared));
        return kj::READY_NOW;
    }

   private:
    Memories& mMemories;
    SharedDevice mDevice;
};

class ServiceServer final : public rpc::Service::Server {
   public:
    kj::Promise<void> devices(DevicesContext context) override {
        auto device = context.getResults().initDevices(1)[0];
        device.getInfo().setName(mDevice->getName());
        device.getInfo().setVersionString(mDevice->getVersionString());
        device.getInfo().setFeatureLevel(4);
        device.getInfo().setType(static_cast<int32_t>(mDevice->getType()));
        device.setDevice(kj::heap<DeviceServer>(mMemories, mDevice));
        return kj::READY_NOW;
    }
    kj::Promise<void> share(ShareContext context) override {
        auto named = kj::heap(context.getParams().getMemory().getDescriptors()[0]);
        auto fd = named->getFd();
        return fd
                .then([this, context](kj::Maybe<int> number) mutable {
                    Memory::Ashmem ashmem{.fd = duplicate(KJ_ASSERT_NONNULL(number)),
                                          .size = context.getParams().getMemory().getSize()};
                    context.getResults().setMemory(mMemories.add(kj::heap<MemoryServer>(
                            std::make_shared<const Memory>(Memory{std::move(ashmem)}))));
                })
                .attach(kj::mv(named));
    }
    kj::Promise<void> ping(PingContext) override { return kj::READY_NOW; }

   private:
    Memories mMemories{};
    SharedDevice mDevice = referenceDevice();
};

void serveAt(const char* path) {
    auto io = kj::setupAsyncIo();
    const int listening = socketAt(path, true);
    (void)!write(STDOUT_FILENO, "+", 1);
    int client = -1;
    KJ_SYSCALL(client = accept(listening, nullptr, nullptr));
    auto stream = io.lowLevelProvider->wrapUnixSocketFd(client, kFlags);
    capnp::TwoPartyVatNetwork network(*stream, 16, capnp::rpc::twoparty::Side::SERVER);
    auto system = capnp::makeRpcServer(network, kj::heap<ServiceServer>());
    network.onDisconnect().wait(io.waitScope);
}

}  // namespace
}  // namespace nn::frozen

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    try {
        std::strcmp(argv[1], "client") == 0 ? nn::frozen::executeAt(argv[2])
                                            : nn::frozen::serveAt(argv[2]);
    } catch (const kj::Exception& exception) {
        std::cerr << exception.getDescription().cStr() << "\n";
        return 1;
    }
    return 0;
}
