// Devices over TCP: authentication, and the data that is transferred.
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/certificates.h"
#include "service/pooled_request.h"
#include "service/tcp.h"
#include "service/tcp_relay.h"
#include "vectors.h"

namespace nn::tcp_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;

service::ClientOptions clientOptions(const std::string& certificate = "client") {
    service::ClientOptions options{.connectTimeout = 60s, .heartbeat = 60s};
    options.credentials = Certificates::get().of(certificate);
    return options;
}

constexpr service::ClientOptions kPlain{
        .connectTimeout = 60s, .heartbeat = 60s, .insecurePlainTcp = true};

class Tcp : public testing::Test {
   protected:
    // Listens on any free port of this machine.
    void serve(service::ServeOptions options = {}, const std::string& certificate = "server") {
        options.credentials = Certificates::get().of(certificate);
        serveAs(options);
    }
    void serveAs(const service::ServeOptions& options) {
        auto made = service::serve({referenceDevice({.fencedThreads = 2})}, "127.0.0.1:0", options);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
    }
    uint16_t port() const {
        const std::string address = server->address();
        return static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    }
    SharedDevice connect() {
        auto device = service::connect(server->address(), clientOptions());
        EXPECT_TRUE(device.has_value()) << device.error().message;
        return device.has_value() ? *device : nullptr;
    }
    // A model of a new server, over a connection of its own.
    SharedPreparedModel servedModel(const Model& model = addition()) {
        serve();
        return prepareOn(*connect(), model).value();
    }
    bool becomes(const service::ServerLoad& load) const {
        for (int i = 0; i < 1000 && server->load() != load; ++i) std::this_thread::sleep_for(10ms);
        return server->load() == load;
    }

    std::unique_ptr<service::Server> server{};
};

TEST(TcpAddress, HasAHostAndAPort) {
    for (const char* text : {"npu:8000", "10.0.0.7:1", "[::1]:65535", "a-b.c_d:80#npu", "unix:x"}) {
        EXPECT_TRUE(service::isAddress(text)) << text;
    }
    for (const char* text :
         {"npu", "npu:", "npu:x", ":80", "[1]:80", "::1:80", "a b:80", "./x:80", "npu:123456",
          "nnapi-reference", "[::1]", "[::1:80", "[::!]:80", "npu:8/0"}) {
        EXPECT_FALSE(service::isAddress(text)) << text;
    }
    EXPECT_TRUE(service::isAddress(std::string(253, 'a') + ":80"));
    EXPECT_FALSE(service::isAddress(std::string(254, 'a') + ":80"));
    EXPECT_THAT(
            service::connect("npu:70000"),
            Refuses(INVALID_ARGUMENT, "the port of \"npu:70000\" is 70000, allowed at most 65535"));
    EXPECT_THAT(service::connect("npu"),
                Refuses(INVALID_ARGUMENT,
                        "npu is not an address, allowed unix:PATH and HOST:PORT, with #DEVICE "
                        "behind it for one of several"));
}

// The kernel's byte counts of a connection include unread bytes.
TEST(TcpSockets, CountTheirBytes) {
    service::Address address{.host = "127.0.0.1"};
    const auto listening = service::listenAtTcp(address);
    ASSERT_TRUE(listening.has_value()) << listening.error().message;
    ASSERT_EQ(listening->size(), 1u);
    const sockaddr_in at = loopback(address.port);
    const UniqueFd client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(connect(client.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    const UniqueFd server(accept4(listening->front().get(), nullptr, nullptr, SOCK_CLOEXEC));
    ASSERT_TRUE(server.ok());
    EXPECT_EQ(service::bytesReceived(server.get()), 0u);
    ASSERT_EQ(send(client.get(), "hello", 5, 0), 5);
    const auto becomes = [](const auto& bytes, uint64_t count) {
        for (int i = 0; i < 1000 && bytes() < count; ++i) std::this_thread::sleep_for(10ms);
        return bytes() >= count;
    };
    EXPECT_TRUE(becomes([&] { return service::bytesReceived(server.get()); }, 5));
    EXPECT_EQ(service::bytesReceived(server.get()), 5u);
    EXPECT_TRUE(becomes([&] { return service::bytesTransferred(client.get()); }, 5));
    EXPECT_EQ(service::bytesReceived(client.get()), 0u);
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const UniqueFd a(ends[0]), b(ends[1]);
    ASSERT_EQ(send(a.get(), "hello", 5, 0), 5);
    EXPECT_EQ(service::bytesTransferred(a.get()), 0u);
    EXPECT_EQ(service::bytesReceived(b.get()), 0u);
}

TEST_F(Tcp, RejectsClientsWithoutCredentials) {
    const auto refusal = [](const auto& result) { return result.error().message; };
    const std::string why =
            "127.0.0.1:8000 is reached over TCP, which requires credentials (tls-cert, tls-key and "
            "tls-ca of a command or a configuration file) or, in a network where everyone may "
            "read, change and use everything, insecure-plain-tcp";
    EXPECT_EQ(refusal(service::serve({referenceDevice()}, "127.0.0.1:8000")), why);
    EXPECT_EQ(refusal(service::connect("127.0.0.1:8000")), why);
    const auto refusalOf = [&](const service::ServeOptions& options) {
        return refusal(service::serve({referenceDevice()}, "127.0.0.1:0", options));
    };
    service::ServeOptions both{.insecurePlainTcp = true};
    both.credentials = Certificates::get().of("server");
    EXPECT_THAT(refusalOf(both),
                HasSubstr("there are credentials, which plain TCP does not look at"));
    EXPECT_EQ(refusal(service::readCredentials({"/none", "/none", "/none"})),
              "/none: No such file or directory");
    service::ServeOptions mixed{};
    mixed.credentials = Certificates::get().of("server");
    mixed.credentials->key = Certificates::get().of("client").key;
    EXPECT_THAT(refusalOf(mixed),
                HasSubstr("the key is not that of the certificate, or is encrypted"));
    mixed.credentials->key = "no key";
    EXPECT_THAT(refusalOf(mixed), HasSubstr("the key cannot be used"));
    mixed.credentials->certificate = "no certificate";
    mixed.credentials->key = Certificates::get().of("client").key;
    EXPECT_THAT(refusalOf(mixed), HasSubstr("the certificate cannot be used"));
    mixed.credentials = Certificates::get().of("server");
    mixed.credentials->authorities = "";
    EXPECT_EQ(refusalOf(mixed),
              "there is no authority, whom nobody's certificate can be signed by");
}

// Credentials with missing files.
TEST(TcpCredentials, GoTogether) {
    const auto refusal = [](const service::CredentialFiles& files) {
        return service::readCredentials(files).error().message;
    };
    const std::string all = "tls-cert, tls-key and tls-ca go together: ";
    EXPECT_EQ(refusal({}), all + "tls-cert is missing");
    EXPECT_EQ(refusal({.certificate = "c"}), all + "tls-key is missing");
    EXPECT_EQ(refusal({.certificate = "c", .key = "k"}), all + "tls-ca is missing");
}

// Addresses that a server cannot listen on, and listening on IPv6.
TEST(TcpAddress, IsThatOfThisMachine) {
    const auto serveAt = [](const std::string& address) {
        return service::serve({referenceDevice()}, address, {.insecurePlainTcp = true});
    };
    const service::ClientOptions options{.connectTimeout = 20s, .insecurePlainTcp = true};
    EXPECT_THAT(serveAt("192.0.2.1:0"),
                Refuses(DEVICE_UNAVAILABLE, "192.0.2.1:0: Cannot assign requested address"));
    EXPECT_EQ(serveAt("a..b:1").error().code, DEVICE_UNAVAILABLE);
    EXPECT_EQ(service::connect("a..b:1", options).error().code, DEVICE_UNAVAILABLE);
    const auto first = serveAt("127.0.0.1:0");
    ASSERT_TRUE(first.has_value()) << first.error().message;
    EXPECT_THAT(serveAt((*first)->address()),
                Refuses(DEVICE_UNAVAILABLE, (*first)->address() + ": Address already in use"));
    const auto sixth = serveAt("[::1]:0");
    if (!sixth.has_value()) GTEST_SKIP() << "no IPv6 here: " << sixth.error().message;
    EXPECT_THAT((*sixth)->address(), testing::StartsWith("[::1]:"));
    const auto device = service::connect((*sixth)->address(), options);
    ASSERT_TRUE(device.has_value()) << device.error().message;
    EXPECT_TRUE((*device)->wait().has_value());
}

struct CertificateRow {
    const char* server;
    const char* client;       // empty: plain TCP
    const char* authorities;  // of the client
    const char* serverName;
    const char* refusal;  // empty: the connection succeeds
};

constexpr const char* kNotNamed =
        "the server's certificate does not name this host as a subject alternative name: connect "
        "by a name that it has there, give that name with tls-name, or sign a certificate with "
        "subjectAltName=DNS:NAME or IP:ADDRESS; a common name does not count";

// Both sides verify the certificate of the peer.
TEST_F(Tcp, AcceptsMutuallyTrustedPeers) {
    const CertificateRow rows[] = {
            {"server", "client", "ca", "", ""},
            {"server", "server", "ca", "localhost", ""},
            {"elsewhere", "client", "ca", "elsewhere", ""},
            {"elsewhere", "client", "ca", "", kNotNamed},
            {"addressed", "client", "ca", "", ""},
            {"addressed", "client", "ca", "127.0.0.2", kNotNamed},
            {"addressed", "client", "ca", "::1", ""},
            {"addressed", "client", "ca", "localhost", kNotNamed},
            {"digits", "client", "ca", "", kNotNamed},
            // The host name must be in the subject alternative name; other fields do not count.
            {"127.0.0.1", "client", "ca", "", kNotNamed},
            {"nameless", "client", "ca", "nameless", kNotNamed},
            {"emailed", "client", "ca", "emailed", kNotNamed},
            {"wildcard", "client", "ca", "npu.boards.example", ""},
            {"wildcard", "client", "ca", "npu1.test.example", kNotNamed},
            {"server", "client", "other", "",
             "the server's certificate is not signed by an authority of tls-ca: use the "
             "authority that has signed it"},
            {"stranger", "client", "ca", "",
             "the server's certificate is not signed by an authority of tls-ca: use the "
             "authority that has signed it"},
            {"expired", "client", "ca", "", "the server's certificate has expired: renew it"},
            {"server", "stranger", "ca", "",
             "the server does not know the authority that has signed this client's certificate: "
             "use a certificate of an authority that its tls-ca has"},
            {"server", "expired", "ca", "", "this client's certificate has expired: renew it"},
            {"server", "", "ca", "",
             "it has ended the connection: it may ask for certificates, or have too many clients"},
    };
    for (const CertificateRow& row : rows) {
        SCOPED_TRACE(std::string(row.server) + " " + row.client + " " + row.authorities);
        serve({}, row.server);
        service::ClientOptions options{.connectTimeout = 20s};
        options.insecurePlainTcp = *row.client == '\0';
        if (!options.insecurePlainTcp) {
            options.credentials = Certificates::get().of(row.client, row.authorities);
            options.credentials->serverName = row.serverName;
        }
        const auto device = service::connect(server->address(), options);
        if (*row.refusal == '\0') {
            EXPECT_TRUE(device.has_value()) << device.error().message;
        } else {
            ASSERT_FALSE(device.has_value());
            EXPECT_EQ(device.error().code, DEVICE_UNAVAILABLE);
            EXPECT_THAT(device.error().message, StartsWith(server->address() + ": "));
            EXPECT_THAT(device.error().message, EndsWith(row.refusal));
            EXPECT_TRUE(becomes({}));
        }
    }
}

// A key is rejected if other users can read or write it. A path that is not a regular file may
// block.
TEST(TcpCredentials, RejectKeysAccessibleToOtherUsers) {
    const Certificates& all = Certificates::get();
    const TemporaryFolder folder;
    const auto readWith = [&](const std::string& key) {
        return service::readCredentials({.certificate = all.path("client.pem"),
                                         .key = key,
                                         .authorities = all.path("ca.pem")});
    };
    const std::string key = folder / "key";
    std::filesystem::copy_file(all.path("client.key"), key);
    for (const mode_t mode : {0600u, 0400u, 0640u, 0604u, 0620u}) {
        ASSERT_EQ(chmod(key.c_str(), mode), 0);
        const auto read = readWith(key);
        const std::string refusal = fmt::format(
                "{} can be read or written by others than its owner (mode {:04o}): "
                "allow its owner alone, chmod 600",
                key, mode);
        EXPECT_EQ(read.has_value() ? "" : read.error().message, (mode & 077) == 0 ? "" : refusal);
    }
    ASSERT_EQ(chmod(key.c_str(), 0600), 0);
    if (chown(key.c_str(), 4321, 4321) == 0) {  // as root can if its user namespace has such a user
        EXPECT_THAT(readWith(key),
                    Refuses(INVALID_ARGUMENT,
                            key + " belongs to user 4321, allowed user 0, who this is, and root"));
    }
    // The checks follow symbolic links; certificates may be readable by everybody.
    const std::string link = folder / "link";
    std::filesystem::create_symlink(all.path("client.key"), link);
    EXPECT_TRUE(readWith(link).has_value());
    const std::string fifo = folder / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_THAT(readWith(fifo), Refuses(INVALID_ARGUMENT, fifo + " is not a regular file"));
    EXPECT_THAT(readWith("/dev/zero"),
                Refuses(INVALID_ARGUMENT, "/dev/zero is not a regular file"));
    EXPECT_THAT(service::readCredentials({.certificate = fifo, .key = link, .authorities = fifo}),
                Refuses(INVALID_ARGUMENT, fifo + " is not a regular file"));
    const std::string longOne = folder / "long";
    std::ofstream(longOne) << std::string((1 << 20) + 1, 'x');
    ASSERT_EQ(chmod(longOne.c_str(), 0600), 0);
    EXPECT_THAT(readWith(longOne),
                Refuses(INVALID_ARGUMENT, longOne + " is longer than 1048576 bytes"));
    std::filesystem::resize_file(longOne, 1 << 20);
    EXPECT_THAT(readWith(longOne),
                testing::Not(Refuses(INVALID_ARGUMENT, longOne + " is longer than 1048576 bytes")));
}

// A TLS client without a certificate; the client library cannot be configured so.
TEST_F(Tcp, RefusesClientsWithoutACertificate) {
    serve();
    // With TLS 1.3, OpenSSL completes the handshake before the server rejects it; TLS 1.2 reports
    // the rejection.
    const auto path = [](const char* name) { return Certificates::get().path(name); };
    const std::string command = "openssl s_client -tls1_2 -verify_return_error -connect " +
                                server->address() + " -CAfile " + path("ca.pem");
    const std::string quietly = " </dev/null >/dev/null 2>&1";
    const std::string shown = " -cert " + path("client.pem") + " -key " + path("client.key");
    EXPECT_EQ(std::system((command + shown + quietly).c_str()), 0);
    EXPECT_NE(std::system((command + quietly).c_str()), 0);
    EXPECT_TRUE(becomes({}));
}

TEST_F(Tcp, IsPlainOnlyIfRequested) {
    serveAs({.insecurePlainTcp = true});
    service::ClientOptions options{.connectTimeout = 20s, .insecurePlainTcp = true};
    const auto device = service::connect(server->address(), options);
    ASSERT_TRUE(device.has_value()) << device.error().message;
    EXPECT_TRUE((*device)->getSupportedOperations(addition()).has_value());
    // A TLS client cannot connect to a plain server.
    const auto refused = service::connect(server->address(), clientOptions());
    EXPECT_EQ(refused.error().code, DEVICE_UNAVAILABLE);
}

// A silent peer does not count as a client and does not keep others out.
TEST_F(Tcp, DoesNotCountSilentPeersAsClients) {
    serve({.clients = 1});
    UniqueFd raw(socket(AF_INET, SOCK_STREAM, 0));
    const sockaddr_in to = loopback(port());
    ASSERT_EQ(::connect(raw.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(server->load().clients, 0u);
    raw = UniqueFd();
    std::this_thread::sleep_for(50ms);
    EXPECT_NE(connect(), nullptr);
}

// Rule registry.processes.
TEST_F(Tcp, OffersEachFlavorOfDeviceUnderItsName) {
    EXPECT_EQ(service::ServeOptions{}.threads, 4u);
    for (ReferenceDeviceOptions& options : sampleDevices()) {
        service::ServeOptions serveOptions;
        serveOptions.credentials = Certificates::get().of("server");
        const auto served = service::serve({referenceDevice(options)}, "127.0.0.1:0", serveOptions);
        ASSERT_TRUE(served.has_value()) << served.error().message;
        const auto device =
                service::connect((*served)->address() + "#" + options.name, clientOptions());
        ASSERT_TRUE(device.has_value()) << device.error().message;
        EXPECT_EQ((*device)->getName(), options.name);
        const SharedDevice real = referenceDevice(options);
        EXPECT_EQ((*device)->getSupportedOperations(addition()).value(),
                  real->getSupportedOperations(addition()).value());
    }
}

// The registry accepts addresses, with any version of the HAL.
TEST_F(Tcp, RegistriesOpenAddresses) {
    serve();
    RegistryOptions options;
    service::openAddresses(options, clientOptions());
    const DeviceRegistry registry(std::move(options));
    const auto device = registry.open(server->address());
    ASSERT_TRUE(device.has_value()) << device.error().message;
    EXPECT_EQ((*device)->getName(), kReferenceDeviceName);
    const auto older = registry.open(server->address() + "#nnapi-reference@1.2");
    ASSERT_TRUE(older.has_value()) << older.error().message;
    EXPECT_EQ((*older)->getFeatureLevel(), kVersionFeatureLevel3);
    Sum sum;
    const auto model = prepareOn(**older, addition()).value();
    EXPECT_TRUE(model->execute(sum.request(), kNo, {}, {}, {}, {}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    EXPECT_THAT(DeviceRegistry().open(server->address()).error().message,
                HasSubstr("there is no device"));
}

// The server signals fences of the client's machine on messages; they fail when their client
// disconnects.
TEST_F(Tcp, WaitsForFencesOfTheClient) {
    const SharedPreparedModel model = servedModel();
    const Pooled pooled;
    const auto launch = [&](const SyncFence& fence) {
        auto launched = model->executeFenced(pooled.request, {fence}, kNo, {}, {}, {}, {}, {});
        EXPECT_TRUE(launched.has_value()) << launched.error().message;
        return *std::move(launched);
    };
    Fence signaled;
    const auto first = launch(signaled.get());
    EXPECT_EQ(first.first.syncWait(50ms), SyncFence::FenceState::ACTIVE);
    signaled.signal();
    EXPECT_EQ(first.first.syncWait(20s), SyncFence::FenceState::SIGNALED);
    EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));

    auto failing = std::make_unique<Fence>();
    const auto second = launch(failing->get());
    failing = nullptr;
    // The pipe of the fence signals an error once every copy of its write end is closed.
    EXPECT_EQ(second.first.syncWait(20s), SyncFence::FenceState::ERROR);
    EXPECT_EQ(second.second().error().code, GENERAL_FAILURE);
}

// The server receives the inputs as they are when all fences are signaled. With inputs in pools,
// the launch returns earlier.
TEST_F(Tcp, InputsAreThoseOfTheFences) {
    const SharedPreparedModel model = servedModel();
    const Pooled pooled;
    const auto execution = model->createReusableExecution(pooled.request, kNo, {}, {}, {}).value();
    for (const float x : {5.f, 7.f}) {
        const Fence first, second;
        const std::vector<SyncFence> fences = {first.get(), SyncFence(), second.get()};
        const auto launched =
                x > 5 ? execution->computeFenced(fences, {}, {})
                      : model->executeFenced(pooled.request, fences, kNo, {}, {}, {}, {}, {});
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        second.signal();
        EXPECT_EQ(launched->first.syncWait(kSoon), SyncFence::FenceState::ACTIVE);
        pooled.setInputs({x, x, x, x, 10, 20, 30, 40});
        first.signal();
        EXPECT_EQ(launched->first.syncWait(20s), SyncFence::FenceState::SIGNALED);
        EXPECT_TRUE(launched->second().has_value());
        EXPECT_THAT(pooled.result(), ElementsAre(x + 10, x + 20, x + 30, x + 40));
    }
    Sum sum;
    const Fence fence;
    const auto launched = launchedBefore(
            [&] {
                overwrite(sum.x, 9);
                fence.signal();
            },
            [&] {
                return model->executeFenced(sum.request(), {fence.get()}, kNo, {}, {}, {}, {}, {});
            });
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    EXPECT_EQ(launched->first.syncWait(20s), SyncFence::FenceState::SIGNALED);
    EXPECT_TRUE(launched->second().has_value());
    EXPECT_THAT(sum.z, ElementsAre(19, 29, 39, 49));
}

// The fences of a chain are signaled once the outputs are back on the client, where the chain
// continues.
TEST_F(Tcp, ChainsThroughPools) {
    const SharedPreparedModel model = servedModel();
    const Pooled pooled;
    Request back = pooled.request;
    std::swap(back.inputs[0], back.outputs[0]);
    const Fence start;
    SyncFence last = start.get();
    for (int i = 0; i < 4; ++i) {
        const auto launched = model->executeFenced(i % 2 == 0 ? pooled.request : back, {last}, kNo,
                                                   {}, {}, {}, {}, {});
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        last = launched->first;
    }
    start.signal();
    EXPECT_EQ(last.syncWait(20s), SyncFence::FenceState::SIGNALED);
    EXPECT_THAT(pooled.result(), ElementsAre(31, 62, 93, 124));
}

// Bytes of a pool that no argument covers remain unchanged on both sides.
TEST_F(Tcp, WritesOnlyTheOutputs) {
    const SharedPreparedModel model = servedModel(addition(0));
    Pooled pooled;
    for (auto& input : pooled.request.inputs) input.dimensions = {4};
    pooled.pool = *createSharedMemory(100);
    pooled.setInputs({1, 2, 3, 4, 10, 20, 30, 40});
    const std::vector<uint8_t> before(68, 0xa5);
    EXPECT_TRUE(writeMemory(pooled.pool, 32, before).ok());
    pooled.request.pools = {pooled.pool};
    pooled.request.outputs[0].location = {.offset = 40,
                                          .length = 40};  // with unused bytes behind it
    const auto executed = model->execute(pooled.request, kNo, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    std::vector<uint8_t> after(68);
    EXPECT_TRUE(readMemory(pooled.pool, 32, after).ok());
    for (size_t i = 0; i < after.size(); ++i) {
        const bool isOutput = i >= 8 && i < 24;
        EXPECT_TRUE(isOutput || after[i] == 0xa5) << i;
    }
}

SharedHandle emptyFile() {
    char name[] = "/tmp/nnapi-cache-XXXXXX";
    auto file = std::make_shared<const Handle>(mkstemp(name));
    unlink(name);
    return file;
}

// A range of a file can serve as memory.
TEST_F(Tcp, FilesTravelFromTheirOffset) {
    const SharedPreparedModel model = servedModel();
    const SharedHandle file = emptyFile();
    ASSERT_EQ(ftruncate(file->get(), 8192), 0);
    Pooled pooled;
    pooled.pool = *createSharedMemory(48, PROT_READ | PROT_WRITE, file->get(), 4096);
    pooled.setInputs({1, 2, 3, 4, 10, 20, 30, 40});
    pooled.request.pools = {pooled.pool};
    const auto executed = model->execute(pooled.request, kNo, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
    // Bytes that the device must not write remain unchanged.
    pooled.request.pools = {*createSharedMemory(48, PROT_READ, file->get(), 4096)};
    EXPECT_FALSE(model->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    // Only the execution whose file is shorter than its memory fails.
    ASSERT_EQ(ftruncate(file->get(), 10), 0);
    pooled.request.pools = {pooled.pool};
    EXPECT_FALSE(model->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    const Pooled good;
    EXPECT_TRUE(model->execute(good.request, kNo, {}, {}, {}, {}).has_value());
}

off_t sizeOf(const SharedHandle& file) { return lseek(file->get(), 0, SEEK_END); }

TEST_F(Tcp, CacheFilesTravel) {
    serve();
    const SharedDevice device = connect();
    const std::vector<SharedHandle> models{emptyFile()};
    const std::vector<SharedHandle> data{emptyFile()};
    const CacheToken token{1, 2, 3};
    const auto prepare = [&](const std::vector<SharedHandle>& modelFiles) {
        return device->prepareModel(addition(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {},
                                    modelFiles, data, token, {}, {});
    };
    EXPECT_TRUE(prepare(models).has_value());
    EXPECT_GT(sizeOf(models[0]), 0);
    const auto loaded = device->prepareModelFromCache({}, models, data, token);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    Sum sum;
    EXPECT_TRUE((*loaded)->execute(sum.request(), kNo, {}, {}, {}, {}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    // Only the model remains; it may keep all bytes of its files.
    EXPECT_TRUE(becomes({.clients = 1,
                         .objects = 1,
                         .bytes = static_cast<uint64_t>(sizeOf(models[0]) + sizeOf(data[0]))}));

    // A changed cache file is rejected as by a local device, and a file that is not a regular one
    // does no harm.
    const char byte = 'x';
    EXPECT_EQ(pwrite(models[0]->get(), &byte, 1, 60), 1);
    EXPECT_EQ(device->prepareModelFromCache({}, models, data, token).error().code, GENERAL_FAILURE);
    EXPECT_TRUE(prepare({std::make_shared<const Handle>()}).has_value());
    // Longer than the client allows.
    auto options = clientOptions();
    options.cacheFileBytes = 10;
    const auto strict = service::connect(server->address(), options);
    EXPECT_EQ((*strict)->prepareModelFromCache({}, models, data, token).error().code,
              RESOURCE_EXHAUSTED_PERSISTENT);
}

TEST_F(Tcp, HardwareBuffersStayWhereTheyAre) {
    const SharedPreparedModel model = servedModel();
    Pooled pooled;
    pooled.request.pools = {SharedMemory(std::make_shared<const Memory>(
            Memory{Memory::HardwareBuffer{.handle = {}, .size = 48, .isBlob = true}}))};
    EXPECT_THAT(model->execute(pooled.request, kNo, {}, {}, {}, {}),
                Refuses(INVALID_ARGUMENT,
                        "a hardware buffer belongs to its machine, and does not travel to another: "
                        "copy it to shared memory"));
    pooled.request.pools = {SharedMemory(std::make_shared<const Memory>(
            Memory{Memory::Unknown{.handle = {}, .size = 48, .name = "other"}}))};
    EXPECT_EQ(model->execute(pooled.request, kNo, {}, {}, {}, {}).error().code, INVALID_ARGUMENT);
}

uint64_t sizeOf(const SharedMemory& memory) {
    return std::visit([](const auto& kind) -> uint64_t { return kind.size; }, memory->handle);
}

// Weights are sent once, however often their model is queried, prepared and executed.
TEST_F(Tcp, WeightsCrossOnce) {
    std::optional<TestCase> found;
    forEachVector({NNAPI_SOURCE_DIR "/examples/models/mobilenet_224_gender_quant8.jsonl.gz"},
                  [&](const TestCase& testCase) { found = testCase; });
    ASSERT_TRUE(found.has_value());
    const Model& model = found->model;
    uint64_t weights = 0;
    for (const SharedMemory& pool : model.pools) weights += sizeOf(pool);
    ASSERT_GT(weights, 200'000u);

    serveAs({.insecurePlainTcp = true});
    const Relay relay(port());
    const auto device = service::connect(relay.address(), kPlain);
    ASSERT_TRUE(device.has_value()) << device.error().message;
    EXPECT_TRUE((*device)->getSupportedOperations(model).has_value());
    const uint64_t once = relay.toServer();
    EXPECT_GT(once, weights);
    EXPECT_LT(once, weights + weights / 4);
    const auto first = prepareOn(**device, model);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    const auto prepared = prepareOn(**device, model);
    const uint64_t thrice = relay.toServer();
    EXPECT_LT(thrice - once, weights / 4);

    // An execution sends its input and receives its output.
    const auto size = static_cast<uint32_t>(found->inputs[0].data.size());
    const auto outputSize = static_cast<uint32_t>(found->outputs[0].value.data.size());
    const SharedMemory pool = *createSharedMemory(size + outputSize);
    EXPECT_TRUE(writeMemory(pool, 0, found->inputs[0].data).ok());
    const Request request{.inputs = {{.location = {.length = size}}},
                          .outputs = {{.location = {.offset = size, .length = outputSize}}},
                          .pools = {pool}};
    for (int i = 0; i < 3; ++i) {
        const auto executed = (*prepared)->execute(request, kNo, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
    }
    // The unchanged input was sent once.
    EXPECT_GT(relay.toServer() - thrice, size);
    EXPECT_LT(relay.toServer() - thrice, size + 20000);
    EXPECT_LT(relay.toClient(), 100'000u);
}

// Only changed bytes are sent again.
TEST_F(Tcp, ChangedBytesAreSentAgain) {
    Model model = addition(1 << 20);
    serveAs({.insecurePlainTcp = true});
    const Relay relay(port());
    const auto device = service::connect(relay.address(), kPlain);
    const auto prepared = prepareOn(**device, model);
    constexpr uint32_t kBytes = 4 << 20;
    const SharedMemory pool = *createSharedMemory(3 * kBytes);
    const Request request{.inputs = {{.location = {.length = kBytes}},
                                     {.location = {.offset = kBytes, .length = kBytes}}},
                          .outputs = {{.location = {.offset = 2 * kBytes, .length = kBytes}}},
                          .pools = {pool}};
    const auto bytesOf = [&](const auto& change) {
        change();
        const uint64_t before = relay.toServer();
        EXPECT_TRUE((*prepared)->execute(request, kNo, {}, {}, {}, {}).has_value());
        return relay.toServer() - before;
    };
    const auto nothing = [] {};
    EXPECT_GT(bytesOf(nothing), 2 * kBytes);
    EXPECT_LT(bytesOf(nothing), 10000u);
    const float value = 5;
    const auto change = [&] {
        EXPECT_TRUE(writeMemory(pool, kBytes + 400,
                                {reinterpret_cast<const uint8_t*>(&value), sizeof value})
                            .ok());
    };
    const uint64_t changed = bytesOf(change);
    EXPECT_GT(changed, 200'000u);
    EXPECT_LT(changed, 300'000u);
    float result = 0;
    EXPECT_TRUE(readMemory(pool, 2 * kBytes + 400, {reinterpret_cast<uint8_t*>(&result), 4}).ok());
    EXPECT_EQ(result, 5);
    // An output becomes the next input; its bytes, which the client has received, are sent back.
    Request next = request;
    next.inputs[0].location.offset = 2 * kBytes;
    next.outputs[0].location.offset = 0;
    EXPECT_TRUE((*prepared)->execute(next, kNo, {}, {}, {}, {}).has_value());
    EXPECT_TRUE(readMemory(pool, 400, {reinterpret_cast<uint8_t*>(&result), 4}).ok());
    EXPECT_EQ(result, 10);
}

TEST_F(Tcp, LimitsWhatAClientHolds) {
    serve({.bytesPerClient = 1000});
    const SharedDevice device = connect();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    Pooled pooled;
    pooled.request.pools = {*createSharedMemory(1000000)};
    const auto refused = model->execute(pooled.request, kNo, {}, {}, {}, {});
    EXPECT_EQ(refused.error().code, RESOURCE_EXHAUSTED_TRANSIENT);
    EXPECT_THAT(refused.error().message, HasSubstr("asks for 1000000 more, allowed 1000"));
    const Pooled small;
    EXPECT_TRUE(model->execute(small.request, kNo, {}, {}, {}, {}).has_value());
}

// Other threads execute on a pool while it changes: an execution that begins after a change uses
// the new bytes, whatever the other threads have read earlier and sent since.
TEST_F(Tcp, ExecutionsHaveTheBytesThatThePoolHoldsWhenTheyBegin) {
    constexpr uint32_t kFloats = 1 << 15;  // both inputs fill one message
    constexpr uint32_t kBytes = kFloats * sizeof(float);
    serveAs({.insecurePlainTcp = true});
    const auto device = service::connect(server->address(), kPlain).value();
    const SharedPreparedModel model = prepareOn(*device, addition(kFloats)).value();
    const SharedMemory inputs = *createSharedMemory(size_t{2} * kBytes);
    const auto requestTo = [&](const SharedMemory& output) {
        return Request{.inputs = {{.location = {.length = kBytes}},
                                  {.location = {.offset = kBytes, .length = kBytes}}},
                       .outputs = {{.location = {.poolIndex = 1, .length = kBytes}}},
                       .pools = {inputs, output}};
    };
    std::atomic<bool> isOver = false;
    std::vector<std::thread> others;
    for (int t = 0; t < 3; ++t) {
        others.emplace_back([&] {
            const Request request = requestTo(*createSharedMemory(kBytes));
            while (!isOver) {
                EXPECT_TRUE(model->execute(request, kNo, {}, {}, {}, {}).has_value());
            }
        });
    }
    const SharedMemory output = *createSharedMemory(kBytes);
    int wrong = 0;
    for (int round = 0; round < 1000; ++round) {
        const std::vector<float> values(size_t{2} * kFloats, static_cast<float>(1 + round % 2));
        const std::span bytes(reinterpret_cast<const uint8_t*>(values.data()), size_t{2} * kBytes);
        EXPECT_TRUE(writeMemory(inputs, 0, bytes).ok());
        EXPECT_TRUE(model->execute(requestTo(output), kNo, {}, {}, {}, {}).has_value());
        std::vector<float> sums(kFloats);
        EXPECT_TRUE(readMemory(output, 0, {reinterpret_cast<uint8_t*>(sums.data()), kBytes}).ok());
        wrong += sums == std::vector<float>(kFloats, 2 * values[0]) ? 0 : 1;
    }
    isOver = true;
    for (std::thread& other : others) other.join();
    EXPECT_EQ(wrong, 0);
}

// No side is notified when a network is cut; the heartbeat detects it.
TEST_F(Tcp, NetworksThatAreCutAreDeadObjects) {
    serve();
    Relay relay(port());
    auto options = clientOptions();
    options.heartbeat = 500ms;
    const auto device = service::connect(relay.address(), options);
    ASSERT_TRUE(device.has_value()) << device.error().message;
    const SharedPreparedModel model = prepareOn(**device, addition()).value();
    Fence never;
    const auto fenced =
            model->executeFenced(Pooled().request, {never.get()}, kNo, {}, {}, {}, {}, {});
    ASSERT_TRUE(fenced.has_value()) << fenced.error().message;
    relay.freeze();
    const TimePoint start = Clock::now();
    EXPECT_EQ((*device)->getSupportedOperations(addition()).error().code, DEAD_OBJECT);
    EXPECT_LT(Clock::now() - start, 3s);
    EXPECT_EQ(fenced->first.syncWait(1s), SyncFence::FenceState::ERROR);
}

// The connection ends while bytes are transferred, to the server and back.
TEST_F(Tcp, ConnectionsThatEndWhileBytesTravelAreDeadObjects) {
    constexpr uint32_t kBytes = 64 << 20;
    for (const bool isBack : {false, true}) {
        SCOPED_TRACE(isBack);
        serveAs({.insecurePlainTcp = true});
        Relay relay(port());
        auto device = service::connect(relay.address(), kPlain).value();
        auto model = prepareOn(*device, addition(kBytes / 4)).value();
        const SharedMemory pool = *createSharedMemory(size_t{2} * kBytes);
        const Request request{
                .inputs = {{.location = {.length = kBytes}}, {.location = {.length = kBytes}}},
                .outputs = {{.location = {.offset = kBytes, .length = kBytes}}},
                .pools = {pool}};
        auto code = std::async(std::launch::async, [&] {
            return model->execute(request, kNo, {}, {}, {}, {}).error().code;
        });
        while ((isBack ? relay.toClient() : relay.toServer()) < (4 << 20)) {
            std::this_thread::sleep_for(1ms);
        }
        relay.cut();
        const TimePoint start = Clock::now();
        EXPECT_EQ(code.get(), DEAD_OBJECT);
        EXPECT_LT(Clock::now() - start, 1s);
        model = nullptr;
        device = nullptr;
        EXPECT_TRUE(becomes({}));
    }
}

}  // namespace
}  // namespace nn::tcp_test
