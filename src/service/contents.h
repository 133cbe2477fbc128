// Which bytes of a client's memories a server has, where descriptors do not reach it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "nnapi/types.h"
#include "service/pieces.h"
#include "types/process_mutex.h"

namespace nn::service {

// Thread-safe.
class SentContents {
   public:
    // True where the server has these bytes. The second: some bytes, for memory that nobody can
    // change.
    bool has(const SharedMemory& memory, Range range, const cache::Digest& digest) const;
    bool hasAny(const SharedMemory& memory, Range range) const;

    void put(const SharedMemory& memory, Range range, const cache::Digest& digest);

    // What the server has there is not known any more.
    void drop(const SharedMemory& memory, Range range);

   private:
    struct Piece {
        uint64_t length = 0;
        cache::Digest digest{};
    };
    // Pieces that do not overlap, by their offsets.
    struct Sent {
        std::weak_ptr<const Memory> owner{};
        std::map<uint64_t, Piece> pieces{};
    };
    const Piece* findUnderLock(const SharedMemory& memory, Range range) const;
    static void drop(Sent& sent, Range range);

    mutable ProcessMutex mMutex{};
    std::unordered_map<const Memory*, Sent> mSent{};
    size_t mSweepAt = 64;
};

}  // namespace nn::service
