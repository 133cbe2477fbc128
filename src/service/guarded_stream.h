// Checks the messages of a connection on arrival: before Cap'n Proto reads a message, all its lists
// are within their bounds, and a client beyond its limits is not read from.
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

// Lives on the loop. A message that breaks a bound ends the connection, and says why to the peer.
class GuardedStream final : public capnp::MessageStream {
   public:
    // What a client may have under way. Calls count from their arrival to their answer, whatever
    // they wait for; answers until the client says that it has no use for them any more.
    struct Bounds {
        size_t calls = 0;
        size_t waits = 0;  // calls that wait for a fence
        size_t answers = 0;
        uint64_t messageBytes = 0;  // that have arrived and are in use
        uint64_t unsentBytes = 0;   // of answers that the client has not taken
        // Who takes none of its answers so long is cut off.
        kj::Duration patience = 10 * kj::SECONDS;
    };
    // Of a server, which sees what its client holds.
    struct Client {
        std::shared_ptr<SessionLedger> ledger;
        Bounds bounds;
        kj::Timer& timer;
        // Bytes of messages that wait to be sent.
        std::function<size_t()> unsent;
        // Has the peer gone for good, soon, whether or not it reads what it was told last.
        std::function<void(const std::string& why)> cutOff;
    };

    GuardedStream(kj::Own<capnp::MessageStream> stream, kj::AsyncIoStream& bytes)
        : mStream(kj::mv(stream)), mBytes(bytes) {}
    void guard(Client client) { mClient = std::make_unique<Client>(std::move(client)); }

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
    kj::Promise<void> untilRoom(kj::TimePoint giveUp, size_t unsent);
    void check(capnp::MessageReader& message, size_t descriptors);
    void admit(Message& message);
    void countCall(uint32_t id, bool isWait);
    void noteSent(Segments segments);
    [[noreturn]] void refuse(const std::string& why) const;

    kj::Own<capnp::MessageStream> mStream;
    kj::AsyncIoStream& mBytes;
    std::unique_ptr<Client> mClient{};
    // By the numbers of questions: what our own are answered with, and those of the peer.
    std::vector<std::pair<uint32_t, const StructBounds*>> mQuestions{};
    std::vector<uint32_t> mCalls{};  // few
    std::unordered_set<uint32_t> mWaits{};
    size_t mAnswers = 0;
};

}  // namespace nn::service
