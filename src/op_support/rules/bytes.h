// The bytes that a kernel may read or write. The type of an address guarantees that no other code
// changes the bytes while an operation executes, so that a kernel uses the values that it has
// checked, and that outputs overlap no other bytes:
//
//   value.data = memory.at(offset);               // AlignedMemory: allocated here
//   value.data = sealed.at(offset);               // SealedMemory: no process can write to it
//   value.data = Bytes::of(model.operandValues, offset);
//   value.data = Bytes::entrusted(pointer);       // of a caller in this process
//
// It cannot be made from a mapping that another process may write to: such memory is copied.
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

// Bytes that a kernel writes: a part of the library's memory that no other kernel uses.
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

// Bytes that a kernel reads.
class Bytes {
   public:
    constexpr Bytes() = default;
    constexpr Bytes(std::nullptr_t) {}
    constexpr Bytes(MutableBytes bytes) : mData(bytes.get()) {}

    // Bytes of a model that is immutable and outlives the result.
    static Bytes of(const Model::OperandValues& values, uint64_t offset) {
        return Bytes(values.data() + offset);
    }

    // Bytes of a caller that guarantees that they do not change during the call. Memory that a peer
    // can map does not qualify.
    static constexpr Bytes entrusted(const uint8_t* data) { return Bytes(data); }

    constexpr const uint8_t* get() const { return mData; }
    constexpr operator const uint8_t*() const { return mData; }

   private:
    friend class nn::SealedMemory;
    constexpr explicit Bytes(const uint8_t* data) : mData(data) {}
    const uint8_t* mData = nullptr;
};

}  // namespace nn::ops
