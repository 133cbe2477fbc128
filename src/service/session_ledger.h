// Counts the resources that one client of a server holds. Tokens are returned when the object that
// they represent is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "nnapi/result.h"

namespace nn::service {

struct Amounts {
    size_t objects = 0;      // capabilities that the client has
    uint64_t bytes = 0;      // of memories, constants, and buffers of devices
    size_t descriptors = 0;  // of the server's process
    size_t threads = 0;      // of bursts with queues
    uint64_t messages = 0;   // bytes of received messages in use
    bool operator==(const Amounts&) const = default;
};

// Totals of all clients of a server. Thread-safe.
class ServerLedger {
   public:
    // `limits` apply to each client, except that of descriptors, which applies to all together. A
    // client gets at most half of the descriptors that the other clients leave, so that some are
    // always left for the next one.
    explicit ServerLedger(const Amounts& limits) : mLimits(limits) {}

    Amounts held() const;

   private:
    friend class SessionLedger;
    const Amounts mLimits;
    mutable std::mutex mMutex{};
    Amounts mHeld{};
};

// Thread-safe.
class SessionLedger : public std::enable_shared_from_this<SessionLedger> {
   public:
    explicit SessionLedger(std::shared_ptr<ServerLedger> server) : mServer(std::move(server)) {}

    // Returns the amounts on destruction.
    class Tokens {
       public:
        Tokens() = default;
        Tokens(Tokens&& other) noexcept
            : mLedger(std::move(other.mLedger)), mAmounts(other.mAmounts) {}
        ~Tokens();

       private:
        friend class SessionLedger;
        Tokens(std::shared_ptr<SessionLedger> ledger, const Amounts& amounts)
            : mLedger(std::move(ledger)), mAmounts(amounts) {}
        std::shared_ptr<SessionLedger> mLedger{};
        Amounts mAmounts{};
    };

    // RESOURCE_EXHAUSTED_TRANSIENT if the client would exceed its limit.
    Result<Tokens> take(const Amounts& amounts);

    // Counts what exists already, even beyond the limit, such as a message that has arrived.
    Tokens note(const Amounts& amounts);

    Amounts held() const;

   private:
    Status checkUnderLock(const Amounts& amounts) const;
    Tokens noteUnderLock(const Amounts& amounts);

    const std::shared_ptr<ServerLedger> mServer;
    Amounts mHeld{};  // guarded by the server's mutex
};
using Tokens = SessionLedger::Tokens;

// The same object, which also owns the attachment.
template <class T, class Attachment>
std::shared_ptr<T> withAttachment(std::shared_ptr<T> object, Attachment attachment) {
    struct Attached {
        Attachment attachment;
        std::shared_ptr<T> object;  // destroyed first
    };
    T* const raw = object.get();
    return {std::shared_ptr<Attached>(new Attached{std::move(attachment), std::move(object)}), raw};
}

}  // namespace nn::service
