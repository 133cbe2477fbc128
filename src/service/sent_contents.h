// Records which bytes of a client's memories a remote server already has.
//
// The record describes the server's state once everything queued on the connection has arrived.
// The record of a memory stays locked while its bytes are read, compared, recorded and queued, so
// that bytes read later arrive later, and the record is that of the last.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/process_mutex.h"
#include "nnapi/types.h"
#include "service/chunks.h"

namespace nn::service {

// Thread-safe.
class SentContents {
    struct Sent;

   public:
    // Exclusive access to the record of one memory.
    class LockedRecord {
       public:
        // has(): the server has these very bytes. hasAny(): it has bytes for the range, which is
        // enough for immutable memory.
        bool has(Range range, const cache::Digest& digest) const;
        bool hasAny(Range range) const;

        // While locked, call drop() before sending bytes, since sending may fail, and put() after
        // it.
        void put(Range range, const cache::Digest& digest);
        void drop(Range range);

       private:
        friend SentContents;
        explicit LockedRecord(std::shared_ptr<Sent> sent);
        std::shared_ptr<Sent> mSent;
        std::unique_lock<ProcessMutex> mLock;
    };
    LockedRecord lock(const SharedMemory& memory);

    // Forgets which contents the server has in this range.
    void drop(const SharedMemory& memory, Range range);

   private:
    struct Chunk {
        uint64_t length = 0;
        cache::Digest digest{};
    };
    // Chunks by offset; they do not overlap.
    struct Sent {
        ProcessMutex mutex{};
        std::weak_ptr<const Memory> owner{};
        std::map<uint64_t, Chunk> chunks{};

        const Chunk* find(Range range) const;
        void drop(Range range);
    };

    ProcessMutex mMutex{};
    std::unordered_map<const Memory*, std::shared_ptr<Sent>> mSent{};
    size_t mSweepAt = 64;
};

}  // namespace nn::service
