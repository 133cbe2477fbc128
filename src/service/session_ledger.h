// Counts what one client of a server holds. Tokens return when the thing itself is gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "nnapi/result.h"

namespace nn::service {

struct Amounts {
    size_t objects = 0;      // capabilities that the client has been given
    uint64_t bytes = 0;      // of memories, constants, and buffers of devices
    size_t descriptors = 0;  // of the process
    size_t threads = 0;      // of bursts with queues
    uint64_t messages = 0;   // bytes of messages that have arrived, and are in use
    bool operator==(const Amounts&) const = default;
};

// What all clients of a server hold. Thread-safe.
class ServerLedger {
   public:
    // `most` is for each client, but for descriptors: those are for all. A client gets no more than
    // half of what the others leave, so that there are always some for the next one.
    explicit ServerLedger(const Amounts& most) : mMost(most) {}

    Amounts held() const;

   private:
    friend class SessionLedger;
    const Amounts mMost;
    mutable std::mutex mMutex{};
    Amounts mHeld{};
};

// Thread-safe.
class SessionLedger : public std::enable_shared_from_this<SessionLedger> {
   public:
    explicit SessionLedger(std::shared_ptr<ServerLedger> server) : mServer(std::move(server)) {}

    // Given back when they go.
    class Tokens {
       public:
        Tokens() = default;
        Tokens(Tokens&& other) noexcept
            : mLedger(std::move(other.mLedger)), mAmounts(other.mAmounts) {}
        Tokens& operator=(Tokens&& other) noexcept {
            std::swap(mLedger, other.mLedger);
            std::swap(mAmounts, other.mAmounts);
            return *this;
        }
        ~Tokens();

       private:
        friend class SessionLedger;
        Tokens(std::shared_ptr<SessionLedger> ledger, const Amounts& amounts)
            : mLedger(std::move(ledger)), mAmounts(amounts) {}
        std::shared_ptr<SessionLedger> mLedger{};
        Amounts mAmounts{};
    };

    // RESOURCE_EXHAUSTED_TRANSIENT where that is more than the client may hold.
    Result<Tokens> take(const Amounts& amounts);

    // What is there already, and is counted even beyond that: a message that has arrived.
    Tokens note(const Amounts& amounts);

    Amounts held() const;

   private:
    Status checkUnderLock(const Amounts& amounts) const;
    Tokens noteUnderLock(const Amounts& amounts);

    const std::shared_ptr<ServerLedger> mServer;
    Amounts mHeld{};  // under the server's lock
};
using Tokens = SessionLedger::Tokens;

// The same object, which keeps something else as long as it is there.
template <class T, class Kept>
std::shared_ptr<T> keeping(std::shared_ptr<T> object, Kept kept) {
    struct Both {
        Kept kept;
        std::shared_ptr<T> object;  // goes first
    };
    T* const raw = object.get();
    return {std::shared_ptr<Both>(new Both{std::move(kept), std::move(object)}), raw};
}

}  // namespace nn::service
