// Whose bytes a kernel is given. The type of an address says that what lies there stays as it is
// while an operation executes, so that a kernel uses what it has checked, and that what it writes
// lies over nothing else:
//
//   value.data = memory.at(offset);               // AlignedMemory: allocated here
//   value.data = sealed.at(offset);               // SealedMemory: nobody can write to it any more
//   value.data = Bytes::of(model.operandValues, offset);
//   value.data = Bytes::entrusted(pointer);       // of a caller in this process
//
// Nothing makes one of a mapping that somebody else may write to: what lies in such memory is
// copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nnapi/types.h"

namespace nn {
class AlignedMemory;
class SealedMemory;
}  // namespace nn

namespace nn {

// Enough for every element type and for vector instructions.
inline constexpr size_t kBufferAlignment = 64;

}  // namespace nn

namespace nn::ops {

// Where a kernel writes: memory of the library, of which it has a part for itself.
class MutableBytes {
   public:
    constexpr MutableBytes() = default;
    constexpr MutableBytes(std::nullptr_t) {}

    constexpr uint8_t* get() const { return mData; }
    constexpr operator uint8_t*() const { return mData; }

   private:
    friend class nn::AlignedMemory;
    constexpr explicit MutableBytes(uint8_t* data) : mData(data) {}
    uint8_t* mData = nullptr;
};

// What a kernel reads.
class Bytes {
   public:
    constexpr Bytes() = default;
    constexpr Bytes(std::nullptr_t) {}
    constexpr Bytes(MutableBytes bytes) : mData(bytes.get()) {}

    // Of a model that outlives what is made of it, and that nobody changes.
    static Bytes of(const Model::OperandValues& values, uint64_t offset) {
        return Bytes(values.data() + offset);
    }

    // Of a caller, who promises that nobody writes to them until the call returns. Memory that a
    // peer can map is none of these.
    static constexpr Bytes entrusted(const uint8_t* data) { return Bytes(data); }

    constexpr const uint8_t* get() const { return mData; }
    constexpr operator const uint8_t*() const { return mData; }

   private:
    friend class nn::SealedMemory;
    constexpr explicit Bytes(const uint8_t* data) : mData(data) {}
    const uint8_t* mData = nullptr;
};

}  // namespace nn::ops
