// A proxy between a client and a server that corrupts one message of either.
#pragma once

#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Modifies a one-segment message in its buffer: capabilities are indexes into a table, which a copy
// would have to translate.
class MessageInPlace final : public capnp::MessageBuilder {
   public:
    explicit MessageInPlace(kj::ArrayPtr<SegmentInit> segment) : MessageBuilder(segment) {}
    kj::ArrayPtr<capnp::word> allocateSegment(unsigned) override {
        ADD_FAILURE() << "a message that is changed grows too much";
        return mMore;
    }

   private:
    kj::Array<capnp::word> mMore = kj::heapArray<capnp::word>(4096);
};

// A message in its wire format.
struct WireMessage {
    std::vector<uint64_t> words{};  // including the segment table
    std::vector<UniqueFd> descriptors{};

    bool isOneSegment() const { return (words[0] & 0xffffffff) == 0; }
    void change(const std::function<void(capnp::rpc::Message::Builder)>& edit) {
        ASSERT_TRUE(isOneSegment());
        const size_t used = words.size() - 1;
        words.resize(words.size() + 64);
        capnp::MessageBuilder::SegmentInit segment{
                .space = {reinterpret_cast<capnp::word*>(words.data() + 1), used + 64},
                .wordsUsed = used};
        MessageInPlace message(kj::arrayPtr(&segment, 1));
        edit(message.getRoot<capnp::rpc::Message>());
        words[0] = uint64_t{words.size() - 1} << 32;
    }
    // Returns whether this is the kind of message that a spoiler waits for: a call or a return.
    bool isOf(bool isReply) const {
        capnp::FlatArrayMessageReader reader(wordsOf());
        const auto message = reader.getRoot<capnp::rpc::Message>();
        return isReply ? message.isReturn() : message.isCall();
    }

   private:
    kj::ArrayPtr<const capnp::word> wordsOf() const {
        return {reinterpret_cast<const capnp::word*>(words.data()), words.size()};
    }
};

// How to forward a frame: how many copies to send, and whether to close the connection afterwards.
struct Fate {
    int copies = 1;
    bool isCut = false;
};
using Spoiler = std::function<Fate(WireMessage&)>;

class SpoilingProxy {
   public:
    // Accepts one client at `path` and connects it to the server at `server`.
    SpoilingProxy(const std::string& path, const std::string& server) {
        mListener = UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_un at = addressOf(path);
        if (bind(mListener.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
            listen(mListener.get(), 1) != 0) {
            return;
        }
        mServer = UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_un to = addressOf(server);
        if (::connect(mServer.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
            return;
        mThread = std::thread([this] {
            mClient = UniqueFd(accept4(mListener.get(), nullptr, nullptr, SOCK_CLOEXEC));
            if (!mClient.ok()) return;
            std::thread replies([this] { pump(mServer.get(), mClient.get(), true); });
            pump(mClient.get(), mServer.get(), false);
            replies.join();
        });
    }
    ~SpoilingProxy() {
        (void)shutdown(mListener.get(), SHUT_RDWR);
        if (mThread.joinable()) mThread.join();
    }
    SpoilingProxy(const SpoilingProxy&) = delete;
    SpoilingProxy& operator=(const SpoilingProxy&) = delete;

    // Corrupts the client's next call or the server's next return. Called on another thread.
    void spoilNext(bool isReply, Spoiler spoiler) {
        auto& slot = isReply ? mReply : mCall;
        slot.spoiler = std::move(spoiler);
        slot.isArmed.store(true, std::memory_order_release);
    }
    // The descriptors of files of this size that the client has sent.
    std::vector<int> sentOf(off_t size) {
        const std::lock_guard lock(mMutex);
        std::vector<int> found;
        for (const UniqueFd& fd : mSent) {
            struct stat file {};
            if (fstat(fd.get(), &file) == 0 && file.st_size == size) found.push_back(fd.get());
        }
        return found;
    }
    bool hasSpoilt(bool isReply) const { return !(isReply ? mReply : mCall).isArmed; }

   private:
    struct Slot {
        Spoiler spoiler{};
        std::atomic<bool> isArmed{false};
    };

    static sockaddr_un addressOf(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        return address;
    }

    static bool readAll(int socket, void* to, size_t size, std::vector<UniqueFd>& descriptors) {
        auto* bytes = static_cast<char*>(to);
        while (size > 0) {
            alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 253)];
            iovec part{.iov_base = bytes, .iov_len = size};
            msghdr message{};
            message.msg_iov = &part;
            message.msg_iovlen = 1;
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
            if (got <= 0) return false;
            for (auto* each = CMSG_FIRSTHDR(&message); each != nullptr;
                 each = CMSG_NXTHDR(&message, each)) {
                const size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
                for (size_t i = 0; i < count; ++i) {
                    int fd = -1;
                    std::memcpy(&fd, CMSG_DATA(each) + i * sizeof fd, sizeof fd);
                    descriptors.emplace_back(fd);
                }
            }
            bytes += got;
            size -= static_cast<size_t>(got);
        }
        return true;
    }

    static std::optional<WireMessage> readFrame(int socket) {
        WireMessage frame;
        frame.words.resize(1);
        auto table = [&] { return reinterpret_cast<const uint32_t*>(frame.words.data()); };
        if (!readAll(socket, frame.words.data(), 8, frame.descriptors)) return {};
        const size_t segments = table()[0] + size_t{1};
        frame.words.resize(segments / 2 + 1);
        const size_t rest = (frame.words.size() - 1) * 8;
        if (!readAll(socket, frame.words.data() + 1, rest, frame.descriptors)) return {};
        size_t body = 0;
        for (size_t i = 0; i < segments; ++i) body += table()[i + 1];
        const size_t header = frame.words.size();
        frame.words.resize(header + body);
        if (!readAll(socket, frame.words.data() + header, body * 8, frame.descriptors)) return {};
        return frame;
    }

    static bool writeFrame(int socket, const WireMessage& frame) {
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 253)] = {};
        const auto* bytes = reinterpret_cast<const char*>(frame.words.data());
        size_t size = frame.words.size() * 8;
        for (bool isFirst = true; size > 0; isFirst = false) {
            iovec part{.iov_base = const_cast<char*>(bytes), .iov_len = size};
            msghdr message{};
            message.msg_iov = &part;
            message.msg_iovlen = 1;
            if (isFirst && !frame.descriptors.empty()) {
                std::vector<int> fds;
                for (const UniqueFd& fd : frame.descriptors) fds.push_back(fd.get());
                message.msg_control = control;
                message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
                auto* header = CMSG_FIRSTHDR(&message);
                header->cmsg_level = SOL_SOCKET;
                header->cmsg_type = SCM_RIGHTS;
                header->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
                std::memcpy(CMSG_DATA(header), fds.data(), fds.size() * sizeof(int));
            }
            const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes += sent;
            size -= static_cast<size_t>(sent);
        }
        return true;
    }

    void pump(int from, int to, bool isReply) {
        Slot& slot = isReply ? mReply : mCall;
        while (auto frame = readFrame(from)) {
            if (!isReply) {
                const std::lock_guard lock(mMutex);
                for (const UniqueFd& fd : frame->descriptors) mSent.push_back(duplicate(fd.get()));
            }
            Fate fate;
            if (slot.isArmed.load(std::memory_order_acquire) && frame->isOf(isReply)) {
                fate = slot.spoiler(*frame);
                slot.isArmed = false;
            }
            bool isSent = true;
            for (int i = 0; i < fate.copies && isSent; ++i) isSent = writeFrame(to, *frame);
            if (!isSent || fate.isCut) break;
        }
        (void)shutdown(from, SHUT_RDWR);
        (void)shutdown(to, SHUT_RDWR);
    }

    UniqueFd mListener{}, mServer{}, mClient{};
    Slot mCall{}, mReply{};
    std::mutex mMutex{};
    std::vector<UniqueFd> mSent{};
    std::thread mThread{};
};

}  // namespace nn
