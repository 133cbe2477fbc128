// Checks messages on arrival: all lists are within their bounds before Cap'n Proto reads a message,
// and a client over its limits is not read from.
#pragma once

#include <capnp/serialize-async.h>
#include <kj/async-io.h>
#include <kj/timer.h>

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "service/message_bounds.h"
#include "service/session_ledger.h"

namespace nn::service {

// Lives on the loop. A message that breaks a bound ends the connection, with an Abort that contains
// the reason.
class GuardedStream final : public capnp::MessageStream {
   public:
    // Limits of a client's pending calls, waits and replies. Calls count from arrival to reply;
    // replies count until the client releases them.
    struct Bounds {
        size_t calls = 0;
        size_t waits = 0;  // calls waiting for a fence
        size_t replies = 0;
        uint64_t messageBytes = 0;  // of messages that have arrived and are in use
        uint64_t unsentBytes = 0;   // of replies that the client has not read
        // How long a client may read none of its replies before it is disconnected.
        kj::Duration patience = 10 * kj::SECONDS;
    };
    // The server's view of its client.
    struct Client {
        std::shared_ptr<SessionLedger> ledger;
        Bounds bounds;
        kj::Timer& timer;
        // Bytes of queued outgoing messages.
        std::function<size_t()> unsent;
        // Disconnects the peer shortly, whether or not it reads the last message.
        std::function<void(const std::string& why)> cutOff;
    };

    GuardedStream(kj::Own<capnp::MessageStream> stream, kj::AsyncIoStream& bytes)
        : mStream(kj::mv(stream)), mBytes(bytes) {}
    void guard(Client client) { mClient = std::make_unique<Client>(std::move(client)); }

    // True if the peer closed its end: a read reached it, or a write failed.
    bool isPeerGone() const { return mIsPeerGone; }

    kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> tryReadMessage(
            kj::ArrayPtr<kj::AutoCloseFd> fdSpace, capnp::ReaderOptions options,
            kj::ArrayPtr<capnp::word> scratchSpace) override;
    kj::Promise<void> writeMessage(
            kj::ArrayPtr<const int> fds,
            kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) override;
    kj::Promise<void> writeMessages(
            kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) override;
    kj::Maybe<int> getSendBufferSize() override { return mStream->getSendBufferSize(); }
    kj::Promise<void> end() override { return mStream->end(); }

   private:
    using Segments = kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>;
    using Message = capnp::MessageReaderAndFds;

    bool hasRoom() const;
    kj::Promise<void> waitForRoom(kj::TimePoint giveUp, size_t unsent);
    void check(capnp::MessageReader& message, size_t descriptors);
    void admit(Message& message);
    void countCall(uint32_t id, bool isWait);
    void noteSent(Segments segments);
    [[noreturn]] void refuse(const std::string& why) const;
    // Starts a read or a write, and notes if it fails since the peer is gone. It may fail at once.
    template <class Start>
    auto noteEnd(Start start) {
        auto done = kj::evalNow(start);
        using Done = decltype(done);
        return done.catch_([this](kj::Exception&& exception) -> Done {
            if (exception.getType() == kj::Exception::Type::DISCONNECTED) mIsPeerGone = true;
            return kj::mv(exception);
        });
    }

    kj::Own<capnp::MessageStream> mStream;
    kj::AsyncIoStream& mBytes;
    std::unique_ptr<Client> mClient{};
    // By question id: the results that our own questions expect, and the open questions of the
    // peer.
    std::vector<std::pair<uint32_t, const StructBounds*>> mQuestions{};
    std::vector<uint32_t> mCalls{};  // few, so a vector is fast enough
    std::unordered_set<uint32_t> mWaits{};
    size_t mReplies = 0;
    bool mIsPeerGone = false;
};

}  // namespace nn::service
