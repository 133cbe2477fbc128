// Anonymous files to keep shared memory in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A zeroed file of that size that nobody can shorten, so that a mapping of it can always be
// touched.
Result<UniqueFd> newMemoryFile(uint64_t size);

// A Mapping with one owner, which keeps the memory; mapping allocates nothing.
class OwnMapping {
   public:
    OwnMapping() = default;
    OwnMapping(OwnMapping&& other) noexcept { *this = std::move(other); }
    OwnMapping& operator=(OwnMapping&& other) noexcept {
        std::swap(mMemory, other.mMemory);
        std::swap(mData, other.mData);
        std::swap(mSize, other.mSize);
        std::swap(mIsWritable, other.mIsWritable);
        return *this;
    }
    ~OwnMapping();

    const uint8_t* data() const { return mData; }
    // Null when the memory is read-only.
    uint8_t* mutableData() const { return mIsWritable ? mData : nullptr; }
    size_t size() const { return mSize; }

   private:
    friend Result<OwnMapping> mapAlone(const SharedMemory& memory);
    SharedMemory mMemory{};
    uint8_t* mData = nullptr;
    size_t mSize = 0;
    bool mIsWritable = false;
};

// As map() does, and with the same failures.
Result<OwnMapping> mapAlone(const SharedMemory& memory);

}  // namespace nn
