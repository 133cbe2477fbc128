// A peer process that writes to shared memory while this process uses it.
#pragma once

#include <atomic>
#include <span>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::hostile {

// Flips every byte of a memory until it rests, so that each alternates between its intended value
// and another.
class Peer {
   public:
    Peer();
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    static constexpr size_t kSize = size_t{1} << 26;

    // The memory that it writes to, sealed against shortening like the library's own memory.
    const SharedMemory& memory() const { return mMemory; }

    // Starts to flip the first bytes of the memory, which should hold these. At most kSize bytes.
    void flip(std::span<const uint8_t> bytes);

    // Stops writing and yields the processor until the next flip.
    void rest();

    // The number of times that it has written all of the bytes.
    uint64_t rounds() const;

   private:
    struct Shared;
    [[noreturn]] void write() const;

    SharedMemory mMemory;
    uint8_t* mTarget = nullptr;  // the peer's mapping of the memory
    Shared* mShared = nullptr;   // shared with the other process
    int mProcess = -1;
    size_t mFlips = 0;
};

// The parts of a model that lie in the peer's memory.
enum class Exposed { ARGUMENTS, AND_TENSORS, AND_SCALARS };
inline constexpr Exposed kExposed[] = {Exposed::ARGUMENTS, Exposed::AND_TENSORS,
                                       Exposed::AND_SCALARS};

struct Outcomes {
    size_t computed = 0;
    size_t refused = 0;
};

// Prepares and executes a model whose values lie in the memory of a peer. Whatever the peer writes,
// each step returns.
void useWithPeer(Peer& peer, const Model& model, std::span<const Tensor> inputs, Exposed exposed,
                 Outcomes& outcomes);

}  // namespace nn::hostile
