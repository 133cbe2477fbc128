// Clients with credentials can connect while crowds of other peers occupy the server.
#include <arpa/inet.h>
#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "driver/models.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "sanitized.h"
#include "service/certificates.h"

namespace nn::listener_test {
namespace {

using namespace std::chrono_literals;
using enum ErrorStatus;

// The first message of a well-behaved client.
std::string bootstrap() {
    capnp::MallocMessageBuilder message;
    message.initRoot<capnp::rpc::Message>().initBootstrap().setQuestionId(0);
    const auto words = capnp::messageToFlatArray(message);
    const auto bytes = words.asBytes();
    return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
}

// The first message padded to this many bytes.
std::string bootstrapOf(size_t bytes) {
    std::string message = bootstrap();
    message.resize(bytes);
    const auto words = static_cast<uint32_t>(bytes / 8 - 1);  // of the single segment
    std::memcpy(message.data() + 4, &words, sizeof words);
    return message;
}

// Connections that send one fixed string, or nothing, and reconnect when they are closed.
class Crowd {
   public:
    enum class Where { THREAD, PROCESS };
    // from: a source address of this machine; unused for Unix sockets.
    Crowd(const std::string& address, size_t size, std::string says, const char* from = "127.0.0.1",
          Where where = Where::THREAD)
        : mSays(std::move(says)), mSockets(size) {
        if (address.starts_with("unix:")) {
            auto& to = reinterpret_cast<sockaddr_un&>(mTo);
            to.sun_family = AF_UNIX;
            address.copy(to.sun_path, sizeof to.sun_path - 1, 5);
            mToSize = sizeof to;
        } else {
            auto& to = reinterpret_cast<sockaddr_in&>(mTo);
            to.sin_family = mFrom.sin_family = AF_INET;
            to.sin_port =
                    htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
            to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            inet_pton(AF_INET, from, &mFrom.sin_addr);
            mToSize = sizeof to;
        }
        if (where == Where::THREAD) {
            mThread = std::thread([this] { run(); });
        } else {
            mProcess = fork();
            if (mProcess == 0) run();
        }
        std::this_thread::sleep_for(200ms);
    }
    ~Crowd() {
        mIsEnding = true;
        if (mThread.joinable()) mThread.join();
        if (mProcess <= 0) return;
        kill(mProcess, SIGKILL);
        waitpid(mProcess, nullptr, 0);
    }

   private:
    // Must not allocate memory: the process may be a fork of a multithreaded one.
    void run() {
        while (!mIsEnding) {
            for (UniqueFd& one : mSockets) {
                char byte = 0;
                const ssize_t got = one.ok() ? recv(one.get(), &byte, 1, MSG_DONTWAIT) : ssize_t{0};
                if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))) continue;
                one = UniqueFd(
                        socket(mTo.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
                if (mTo.ss_family == AF_INET) {
                    (void)bind(one.get(), reinterpret_cast<const sockaddr*>(&mFrom), sizeof mFrom);
                }
                (void)connect(one.get(), reinterpret_cast<const sockaddr*>(&mTo), mToSize);
                if (!mSays.empty()) (void)send(one.get(), mSays.data(), mSays.size(), MSG_NOSIGNAL);
            }
            // Sanitizers make a connection of TLS many times slower for the server, not for the
            // crowd.
            std::this_thread::sleep_for(kIsSanitized ? 50ms : 5ms);
        }
    }

    std::string mSays;
    std::vector<UniqueFd> mSockets;
    sockaddr_storage mTo{};
    sockaddr_in mFrom{};
    socklen_t mToSize = 0;
    std::atomic<bool> mIsEnding = false;
    std::thread mThread{};
    pid_t mProcess = 0;
};

class Crowded : public testing::Test {
   protected:
    void serve(const std::string& at, service::ServeOptions options = {}) {
        auto made = service::serve({referenceDevice()}, at, options);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
    }
    void serveTls(service::ServeOptions options = {}) {
        options.credentials = Certificates::get().of("server");
        mIsTls = true;
        serve("127.0.0.1:0", options);
    }
    service::ClientOptions clientOptions() const {
        service::ClientOptions options{.connectTimeout = 20s, .heartbeat = 60s};
        if (mIsTls) options.credentials = Certificates::get().of("client");
        options.insecurePlainTcp = !mIsTls && !server->address().starts_with("unix:");
        return options;
    }
    // The server replies to each of several clients, and to half of them in less than 5 s. A silent
    // connection is closed after 10 s, so these clients did not wait for that, even on a busy
    // machine.
    void expectServed() const {
        std::vector<Duration> times;
        for (int i = 0; i < 5; ++i) {
            const TimePoint start = Clock::now();
            const auto device = service::connect(server->address(), clientOptions());
            ASSERT_TRUE(device.has_value()) << i << ": " << device.error().message;
            EXPECT_TRUE((*device)->getSupportedOperations(addition()).has_value());
            times.push_back(Clock::now() - start);
        }
        std::sort(times.begin(), times.end());
        EXPECT_LT(times[2], 5s);
    }

    const TemporaryFolder folder{};
    const std::string unixAddress = "unix:" + (folder / "socket").string();
    std::unique_ptr<service::Server> server{};

   private:
    bool mIsTls = false;
};

TEST_F(Crowded, StrangersKeepNobodyOutOfTls) {
    serveTls();
    const Crowd silent(server->address(), 64, "");
    expectServed();
    const Crowd others(server->address(), 200, "", "127.0.0.2");
    expectServed();
    const Crowd garbage(server->address(), 100, "not TLS", "127.0.0.3");
    expectServed();
}

TEST_F(Crowded, AdmitsClientsToUnixSocketDespiteSilentPeers) {
    serve(unixAddress);
    const Crowd silent(unixAddress, 64, "");
    expectServed();
    const Crowd others(unixAddress, 200, "", "", Crowd::Where::PROCESS);
    expectServed();
    // Connections that begin a message and do not finish it do not block others either.
    const Crowd slow(unixAddress, 200, bootstrap().substr(0, 20), "", Crowd::Where::PROCESS);
    expectServed();
}

TEST_F(Crowded, AdmitsClientsToPlainTcpDespiteSilentPeers) {
    serve("127.0.0.1:0", {.insecurePlainTcp = true});
    const Crowd silent(server->address(), 64, "");
    expectServed();
    const Crowd others(server->address(), 200, "", "127.0.0.2");
    expectServed();
}

// Peers with valid credentials occupy places of clients, but not all of them.
TEST_F(Crowded, AdmitsOtherProcessesToUnixSocket) {
    serve(unixAddress);
    const Crowd clients(unixAddress, 100, bootstrap(), "", Crowd::Where::PROCESS);
    expectServed();
    EXPECT_GT(server->load().clients, 8u);
}

TEST_F(Crowded, AdmitsOtherAddressesToTcp) {
    serve("127.0.0.1:0", {.insecurePlainTcp = true});
    const Crowd clients(server->address(), 100, bootstrap(), "127.0.0.2");
    expectServed();
    EXPECT_GT(server->load().clients, 8u);
}

TEST_F(Crowded, LimitsTheFirstMessage) {
    serve(unixAddress);
    const auto hasClients = [&](size_t count) {
        for (int i = 0; i < 1000 && server->load().clients != count; ++i) {
            std::this_thread::sleep_for(10ms);
        }
        return server->load().clients == count;
    };
    {
        const Crowd longest(unixAddress, 1, bootstrapOf(4096));
        EXPECT_TRUE(hasClients(1));
    }
    EXPECT_TRUE(hasClients(0));
    const Crowd tooLong(unixAddress, 1, bootstrapOf(4104));
    EXPECT_EQ(server->load().clients, 0u);
}

// The connection that has been silent for longest is dropped to admit the next.
TEST_F(Crowded, DropsSilentPeersForNewOnes) {
    serve(unixAddress, {.greetings = 2});
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    unixAddress.copy(at.sun_path, sizeof at.sun_path - 1, 5);
    const auto connectTo = [&] {
        UniqueFd one(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        EXPECT_EQ(connect(one.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
        return one;
    };
    const UniqueFd first = connectTo(), second = connectTo();
    // Half of the 10 s after which the server closes a silent connection.
    pollfd end{.fd = first.get(), .events = POLLIN | POLLRDHUP, .revents = 0};
    EXPECT_EQ(poll(&end, 1, 5000), 1);
    char byte = 0;
    EXPECT_EQ(recv(first.get(), &byte, 1, MSG_DONTWAIT), 0);
    EXPECT_EQ(recv(second.get(), &byte, 1, MSG_DONTWAIT), -1);
}

TEST_F(Crowded, OneAddressHasAShareThatIsAnOption) {
    serve("127.0.0.1:0", {.clientsPerAddress = 2, .insecurePlainTcp = true});
    const auto connect = [&] { return service::connect(server->address(), clientOptions()); };
    const auto first = connect();
    auto second = connect();
    EXPECT_TRUE(first.has_value());
    EXPECT_TRUE(second.has_value());
    EXPECT_EQ(connect().error().code, DEVICE_UNAVAILABLE);
    second = error() << "let go of";
    for (int i = 0; i < 1000 && server->load().clients > 1; ++i) std::this_thread::sleep_for(10ms);
    // The first connection still counts.
    second = connect();
    EXPECT_TRUE(second.has_value());
    EXPECT_EQ(connect().error().code, DEVICE_UNAVAILABLE);
}

}  // namespace
}  // namespace nn::listener_test
