// Memory that kernels read, write and work in: limited, aligned, and without data of other
// executions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "op_support/rules/bytes.h"

namespace nn {

// Thrown if an execution needs more than Limits::peakBytes.
class CeilingReached : public std::bad_alloc {
   public:
    const char* what() const noexcept override { return "the ceiling of memory is reached"; }
};

// Counts bytes against a ceiling.
class Budget {
   public:
    explicit Budget(uint64_t most) : mLeft(most) {}

    bool has(uint64_t bytes) const { return bytes <= mLeft; }
    void take(uint64_t bytes) {
        if (!has(bytes)) throw CeilingReached();
        mLeft -= bytes;
    }
    void giveBack(uint64_t bytes) { mLeft += bytes; }

   private:
    uint64_t mLeft;
};

// Owned memory, aligned to kBufferAlignment.
class AlignedMemory {
   public:
    // What new memory contains: unspecified bytes only if the caller writes all that it reads.
    enum class Contents : uint8_t { ZEROS, UNSPECIFIED };

    AlignedMemory() = default;

    // Never null, even for 0 bytes. Throws std::bad_alloc.
    explicit AlignedMemory(uint64_t bytes, Contents contents = Contents::ZEROS);

    ops::MutableBytes at(uint64_t offset) const { return ops::MutableBytes(mData.get() + offset); }
    explicit operator bool() const { return mData != nullptr; }

   private:
    // A part of a block, which begins there after a few bytes; or all of it, where new aligned it.
    struct Delete {
        enum class From : uint8_t { NEW, ALIGNED_NEW, CALLOC };
        From from;
        uint8_t shift;

        Delete() : Delete(From::NEW, 0) {}
        Delete(From source, uint8_t bytes) : from(source), shift(bytes) {}
        void operator()(uint8_t* data) const {
            switch (from) {
                case From::NEW:
                    return ::operator delete(data - shift);
                case From::ALIGNED_NEW:
                    return ::operator delete(data, std::align_val_t(kBufferAlignment));
                case From::CALLOC:
                    return std::free(data - shift);
            }
        }
    };
    std::unique_ptr<uint8_t[], Delete> mData;
};

// Fills memory with bytes that depend on a seed and on their position, so that two executions with
// different seeds reveal bytes that a kernel does not write.
void poison(ops::MutableBytes memory, uint64_t bytes, uint8_t seed);

}  // namespace nn
