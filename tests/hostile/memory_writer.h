// A peer that writes to shared memory from a process of its own, while this one uses it.
#pragma once

#include <atomic>
#include <span>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::hostile {

// Flips every byte of a memory until it rests: each holds now what it should, now something else.
class Peer {
   public:
    Peer();
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    static constexpr size_t kSize = size_t{1} << 26;

    // The memory that it writes to, sealed against shortening like the library's own memory.
    const SharedMemory& memory() const { return mMemory; }

    // Flips these bytes, from the first on, and none after them. At most kSize.
    void flip(std::span<const uint8_t> bytes);

    // Writes nothing until the next flip, and leaves its processor to others.
    void rest();

    // How often it has written all of them.
    uint64_t rounds() const;

   private:
    struct Shared;
    [[noreturn]] void write() const;

    SharedMemory mMemory;
    uint8_t* mTarget = nullptr;  // the memory, as the peer sees it
    Shared* mShared = nullptr;   // with the other process
    int mProcess = -1;
    size_t mFlips = 0;
};

// The parts of a model that lie where the peer can write.
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
