// Records which bytes of a client's memories a server already has, where descriptors do not reach
// it.
//
// What is recorded is what the server has once all that was handed to the connection has arrived.
// Reading a memory, comparing, recording and handing over are one turn, of which a memory has one
// at a time: bytes that were read later arrive later, and the record is that of the last.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "nnapi/types.h"
#include "service/chunks.h"
#include "types/process_mutex.h"

namespace nn::service {

// Thread-safe.
class SentContents {
    struct Sent;

   public:
    // What the server has of one memory, while nobody else reads or sends that memory.
    class Turn {
       public:
        // True where it has these bytes. The second: some bytes, for memory that nobody can change.
        bool has(Range range, const cache::Digest& digest) const;
        bool hasAny(Range range) const;

        // Whoever calls this has handed the bytes to the connection in this turn. The second: is
        // about to, and it may fail.
        void put(Range range, const cache::Digest& digest);
        void drop(Range range);

       private:
        friend SentContents;
        explicit Turn(std::shared_ptr<Sent> sent);
        std::shared_ptr<Sent> mSent;
        std::unique_lock<ProcessMutex> mLock;
    };
    Turn turn(const SharedMemory& memory);

    // What the server has there is not known any more.
    void drop(const SharedMemory& memory, Range range);

   private:
    struct Piece {
        uint64_t length = 0;
        cache::Digest digest{};
    };
    // Pieces that do not overlap, by their offsets.
    struct Sent {
        ProcessMutex mutex{};
        std::weak_ptr<const Memory> owner{};
        std::map<uint64_t, Piece> pieces{};

        const Piece* find(Range range) const;
        void drop(Range range);
    };

    ProcessMutex mMutex{};
    std::unordered_map<const Memory*, std::shared_ptr<Sent>> mSent{};
    size_t mSweepAt = 64;
};

}  // namespace nn::service
