// A relay between a TCP client and server that counts the bytes and can interrupt the traffic.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// A port of this machine.
inline sockaddr_in loopback(uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
}

class Relay {
   public:
    // Forwards to a port of this machine.
    explicit Relay(uint16_t port) : mPort(port) {
        mListening = UniqueFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in at = loopback(0);
        socklen_t size = sizeof at;
        (void)bind(mListening.get(), reinterpret_cast<sockaddr*>(&at), size);
        (void)listen(mListening.get(), 16);
        (void)getsockname(mListening.get(), reinterpret_cast<sockaddr*>(&at), &size);
        mOwnPort = ntohs(at.sin_port);
        mThread = std::thread([this] { run(); });
    }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    ~Relay() {
        mIsEnding = true;
        mThread.join();
    }

    std::string address() const { return "127.0.0.1:" + std::to_string(mOwnPort); }
    uint64_t toServer() const { return mToServer; }
    uint64_t toClient() const { return mToClient; }

    // Stops forwarding without closing the connections.
    void freeze() { mIsFrozen = true; }

    // Closes all connections.
    void cut() { mIsCut = true; }

   private:
    struct Pair {
        UniqueFd client, server;
    };

    void run() {
        std::vector<Pair> pairs;
        while (!mIsEnding) {
            if (mIsCut) pairs.clear();
            if (mIsFrozen) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                continue;
            }
            std::vector<pollfd> polls{{.fd = mListening.get(), .events = POLLIN, .revents = 0}};
            for (const Pair& pair : pairs) {
                polls.push_back({.fd = pair.client.get(), .events = POLLIN, .revents = 0});
                polls.push_back({.fd = pair.server.get(), .events = POLLIN, .revents = 0});
            }
            poll(polls.data(), polls.size(), 10);
            if (mIsFrozen) continue;
            if (polls[0].revents != 0) {
                pairs.push_back(connected());
                continue;
            }
            for (size_t i = pairs.size(); i-- > 0;) {
                const bool isOpen = forward(polls[1 + 2 * i], pairs[i].server.get(), mToServer) &&
                                    forward(polls[2 + 2 * i], pairs[i].client.get(), mToClient);
                if (!isOpen) pairs.erase(pairs.begin() + static_cast<ptrdiff_t>(i));
            }
        }
    }

    Pair connected() const {
        Pair pair{UniqueFd(accept(mListening.get(), nullptr, nullptr)),
                  UniqueFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))};
        const sockaddr_in to = loopback(mPort);
        (void)connect(pair.server.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
        return pair;
    }

    static bool forward(const pollfd& from, int to, std::atomic<uint64_t>& sum) {
        if (from.revents == 0) return true;
        std::array<char, 65536> bytes;
        const ssize_t size = recv(from.fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (size <= 0) return false;
        sum += static_cast<uint64_t>(size);
        for (ssize_t done = 0; done < size;) {
            const ssize_t sent =
                    send(to, bytes.data() + done, static_cast<size_t>(size - done), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            done += sent;
        }
        return true;
    }

    uint16_t mPort;
    uint16_t mOwnPort = 0;
    UniqueFd mListening{};
    std::atomic<uint64_t> mToServer = 0;
    std::atomic<uint64_t> mToClient = 0;
    std::atomic<bool> mIsFrozen = false;
    std::atomic<bool> mIsCut = false;
    std::atomic<bool> mIsEnding = false;
    std::thread mThread{};
};

}  // namespace nn
