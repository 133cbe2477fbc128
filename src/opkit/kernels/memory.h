// Memory that kernels read, write and work in: how much it may be, and that it is aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "opkit/rules/bytes.h"

namespace nn {

// An execution needs more than Limits::peakBytes.
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

// Memory of the library's own, which begins at a multiple of kBufferAlignment.
class AlignedMemory {
   public:
    AlignedMemory() = default;

    // Uninitialised, also for 0 bytes. Throws std::bad_alloc.
    explicit AlignedMemory(uint64_t bytes);

    ops::MutableBytes at(uint64_t offset) const { return ops::MutableBytes(mData.get() + offset); }
    explicit operator bool() const { return mData != nullptr; }
    void reset() { mData.reset(); }

   private:
    // A part of what new gave, which begins there after a few bytes; or all of it, aligned.
    struct Delete {
        static constexpr uint8_t kAligned = UINT8_MAX;
        uint8_t shift;

        Delete() : shift(kAligned) {}
        explicit Delete(uint8_t bytes) : shift(bytes) {}
        void operator()(uint8_t* data) const {
            if (shift == kAligned) {
                ::operator delete(data, std::align_val_t(kBufferAlignment));
            } else {
                ::operator delete(data - shift);
            }
        }
    };
    std::unique_ptr<uint8_t[], Delete> mData;
};

}  // namespace nn
