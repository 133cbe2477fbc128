// Peers that spoil what they send: each message of a whole session, in both directions, with bytes
// that are changed, left out or doubled, and connections that end anywhere. Whatever comes of a
// call, both ends stay usable.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "driver/models.h"
#include "nnapi/memory.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/server_process.h"

namespace nn::service_peer_test {
namespace {

using namespace std::chrono_literals;

sockaddr_un socketAt(const std::string& path) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, path.size());
    return at;
}

enum class Spoils { NOTHING, BYTES, WORDS, CUTS, DOUBLES, LEAVES_OUT };

struct Spoiling {
    bool toServer = false;
    Spoils how = Spoils::NOTHING;
    uint32_t seed = 0;
};

// Stands between one client and the server, and hands on descriptors too.
class Proxy {
   public:
    Proxy(const std::string& path, const std::string& server, const Spoiling& spoiling)
        : mListener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
          mSpoiling(spoiling),
          mRandom(spoiling.seed) {
        const sockaddr_un at = socketAt(path);
        (void)unlink(path.c_str());
        EXPECT_EQ(bind(mListener.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
        EXPECT_EQ(listen(mListener.get(), 1), 0);
        mThread = std::thread([this, server] { run(server); });
    }
    Proxy(const Proxy&) = delete;
    Proxy& operator=(const Proxy&) = delete;
    ~Proxy() {
        (void)shutdown(mListener.get(), SHUT_RDWR);
        mThread.join();
    }

   private:
    void run(const std::string& server) {
        const UniqueFd client(accept4(mListener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!client.ok()) return;
        const UniqueFd other(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_un at = socketAt(server);
        if (connect(other.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return;
        while (true) {
            pollfd both[] = {{client.get(), POLLIN, 0}, {other.get(), POLLIN, 0}};
            if (poll(both, 2, 20000) <= 0) return;
            if (both[0].revents != 0 && !handOn(client.get(), other.get(), mSpoiling.toServer)) {
                return;
            }
            if (both[1].revents != 0 && !handOn(other.get(), client.get(), !mSpoiling.toServer)) {
                return;
            }
        }
    }

    bool handOn(int from, int to, bool spoils) {
        std::vector<char> bytes(65536);
        iovec piece{.iov_base = bytes.data(), .iov_len = bytes.size()};
        alignas(cmsghdr) char control[CMSG_SPACE(64 * sizeof(int))];
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        const ssize_t got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
        if (got <= 0) return false;
        std::vector<UniqueFd> passed;
        for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
            const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < count; ++i) {
                int fd = -1;
                std::copy_n(CMSG_DATA(c) + i * sizeof fd, sizeof fd, reinterpret_cast<char*>(&fd));
                passed.emplace_back(fd);
            }
        }
        bytes.resize(static_cast<size_t>(got));
        // Not each time, so that a session comes to all of its calls.
        if (spoils && mRandom() % 4 == 0 && !spoil(bytes)) return false;
        if (bytes.empty()) return true;
        piece = {.iov_base = bytes.data(), .iov_len = bytes.size()};
        if (passed.empty()) {
            message.msg_control = nullptr;
            message.msg_controllen = 0;
        }
        return sendmsg(to, &message, MSG_NOSIGNAL) > 0;
    }

    bool spoil(std::vector<char>& bytes) {
        const auto anywhere = [&] { return mRandom() % bytes.size(); };
        switch (mSpoiling.how) {
            case Spoils::NOTHING:
                break;
            case Spoils::BYTES:
                for (int i = 0; i < 3; ++i) bytes[anywhere()] = static_cast<char>(mRandom());
                break;
            case Spoils::WORDS: {
                const size_t word = anywhere() / 8 * 8;
                const int64_t value = static_cast<int64_t>(mRandom() % 5) - 2;
                for (size_t i = word; i < std::min(word + 8, bytes.size()); ++i) {
                    bytes[i] = static_cast<char>(value >> (8 * (i - word)));
                }
                break;
            }
            case Spoils::CUTS:
                bytes.resize(anywhere());
                return mRandom() % 2 == 0;
            case Spoils::DOUBLES:
                bytes.insert(bytes.end(), bytes.begin(), bytes.end());
                break;
            case Spoils::LEAVES_OUT:
                bytes.clear();
                break;
        }
        return true;
    }

    UniqueFd mListener;
    Spoiling mSpoiling;
    std::mt19937 mRandom;
    std::thread mThread{};
};

// All calls of a session. How the last of them ended.
ErrorStatus session(const std::string& address) {
    constexpr auto kNo = MeasureTiming::NO;
    const auto device = service::connect(
            address, {.connectTimeout = 300ms, .heartbeat = 300ms, .ceiling = 300ms});
    if (!device.has_value()) return device.error().code;
    (void)(*device)->getSupportedOperations(addition());
    const auto model = prepareOn(**device, addition());
    if (!model.has_value()) return model.error().code;
    Sum sum;
    const auto burst = (*model)->configureExecutionBurst();
    if (burst.has_value()) (void)(*burst)->execute(sum.request(), kNo, {}, {}, {}, {});
    const auto buffer = (*device)->allocate({}, {*model}, {{0, 0, 1.0f}}, {});
    if (buffer.has_value()) (void)(*buffer)->copyTo(*createSharedMemory(16));
    const auto fenced = (*model)->executeFenced(sum.request(), {}, kNo, {}, {}, {}, {}, {});
    if (fenced.has_value()) {
        EXPECT_NE(fenced->first.syncWait(5s), SyncFence::FenceState::ACTIVE);
        (void)fenced->second();
    }
    return (*model)->execute(sum.request(), kNo, {}, {}, {}, {}).error().code;
}

// Rule 135.
TEST(ServicePeers, SpoiltMessagesHarmNobodyElse) {
    const Folder folder;
    const std::string path = folder / "server";
    const auto server =
            service::serve({referenceDevice({.fencedThreads = 1})}, "unix:" + path).value();
    const auto careful =
            service::connect("unix:" + path, {.connectTimeout = 60s, .heartbeat = 60s});
    ASSERT_TRUE(careful.has_value());
    std::map<ErrorStatus, int> codes;
    const auto run = [&](const Spoiling& spoiling) {
        const Proxy proxy(folder / "proxy", path, spoiling);
        ++codes[session("unix:" + (folder / "proxy"))];
    };
    run({});
    EXPECT_EQ(codes[ErrorStatus::NONE], 1) << "the proxy itself";
    for (uint32_t seed = 0; seed < 10; ++seed) {
        for (const Spoils how :
             {Spoils::BYTES, Spoils::WORDS, Spoils::CUTS, Spoils::DOUBLES, Spoils::LEAVES_OUT}) {
            for (const bool toServer : {false, true}) run({toServer, how, seed});
        }
    }
    // They were spoilt, not refused beforehand, and some came through.
    EXPECT_GT(codes.size(), 2u);
    EXPECT_LT(codes[ErrorStatus::NONE], 95);
    EXPECT_TRUE((*careful)->wait().has_value());
    for (int i = 0; i < 1000 && server->load().clients > 1; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(server->load(), (service::ServerLoad{.clients = 1}));
}

}  // namespace
}  // namespace nn::service_peer_test
