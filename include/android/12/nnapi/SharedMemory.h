// nnapi/SharedMemory.h -- shared memory: creating, mapping, and moving pointers into it, as Android
// 12 and newer name it.
//
//   nn::ConstantMemoryBuilder builder(/*poolIndex=*/0);
//   operand.location = builder.append(weights.data(), weights.size());
//   model.pools.push_back(NN_TRY(builder.finish()));
#pragma once

#include <any>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <android-base/unique_fd.h>

#include "nnapi/Result.h"
#include "nnapi/Types.h"
#include "nnapi/memory.h"
#include "nnapi/relocation.h"

struct AHardwareBuffer;

namespace nn::hidl {
class hidl_memory;
}

namespace android::nn {

// Lays out values in a pool that is created last.
class MutableMemoryBuilder {
   public:
    explicit MutableMemoryBuilder(uint32_t poolIndex) : mPoolIndex(poolIndex) {}

    // The place of the next value; alignment and padding in bytes, powers of 2.
    DataLocation append(size_t length, size_t alignment = kMinMemoryAlignment,
                        size_t padding = kMinMemoryPadding);
    bool empty() const { return mSize == 0; }

    // Memory for all of them. Fails if nothing was appended, or more than a pool can hold.
    GeneralResult<SharedMemory> finish() const;

   private:
    uint32_t mPoolIndex;
    size_t mSize = 0;
    bool mIsTooLarge = false;
};

// The same with the values, which must stay valid until finish().
class ConstantMemoryBuilder {
   public:
    explicit ConstantMemoryBuilder(uint32_t poolIndex) : mBuilder(poolIndex) {}

    DataLocation append(const void* data, size_t length);
    bool empty() const { return mBuilder.empty(); }

    GeneralResult<SharedMemory> finish() const;

   private:
    struct Slice {
        const void* data = nullptr;
        size_t length = 0;
        size_t offset = 0;
    };

    MutableMemoryBuilder mBuilder;
    std::vector<Slice> mSlices{};
};

GeneralResult<base::unique_fd> dupFd(int fd);

template <class ForwardIterator>
GeneralResult<std::vector<base::unique_fd>> dupFds(ForwardIterator first, ForwardIterator last) {
    std::vector<base::unique_fd> fds;
    fds.reserve(static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first) fds.push_back(NN_TRY(dupFd(*first)));
    return fds;
}

inline GeneralResult<SharedMemory> createSharedMemory(size_t size) {
    return ::nn::createSharedMemory(size);
}
inline GeneralResult<SharedMemory> createSharedMemoryFromFd(size_t size, int prot, int fd,
                                                            size_t offset) {
    return ::nn::createSharedMemory(size, prot, fd, offset);
}
GeneralResult<SharedMemory> createSharedMemoryFromHidlMemory(const ::nn::hidl::hidl_memory& memory);
// The handle is duplicated. Takes over the caller's reference on request, also on failure:
// INVALID_ARGUMENT for null.
GeneralResult<SharedMemory> createSharedMemoryFromAHWB(AHardwareBuffer* buffer, bool takeOwnership);

inline size_t getSize(const SharedMemory& memory) { return ::nn::size(memory); }
bool isAhwbBlob(const Memory::HardwareBuffer& memory);
bool isAhwbBlob(const SharedMemory& memory);

// A mapped memory: writable where it holds a void*. `context` keeps it mapped.
struct Mapping {
    std::variant<const void*, void*> pointer{};
    size_t size = 0;
    std::any context{};
};

namespace shared_memory_internal {

struct Map {
    GeneralResult<Mapping> operator()(const SharedMemory& memory) const;
};
struct Flush {
    bool operator()(const Mapping& mapping) const;
};
struct HasNoPointerData {
    bool operator()(const Model& model) const;
    bool operator()(const Request& request) const;
};
struct FlushModel {
    GeneralResult<std::reference_wrapper<const Model>> operator()(
            const Model* model, std::optional<Model>* maybeModelInSharedOut) const;
};

}  // namespace shared_memory_internal

// Objects, so that a call finds only these and not also functions of nn by its arguments.
inline constexpr shared_memory_internal::Map map{};

// Makes written bytes visible to other processes, which shared memory does anyway; false for a
// mapping of nothing.
inline constexpr shared_memory_internal::Flush flush{};

// True if nothing is behind a pointer of the caller's.
inline constexpr shared_memory_internal::HasNoPointerData hasNoPointerData{};

// The model itself, or, where constants are behind pointers, a copy in `maybeModelInSharedOut` that
// has them in a pool.
inline constexpr shared_memory_internal::FlushModel flushDataFromPointerToShared{};

// A piece of memory behind a pointer, and its place in a pool.
template <class PointerType>
struct RelocationInfo {
    PointerType data{};
    size_t length = 0;
    size_t offset = 0;
};
using InputRelocationInfo = RelocationInfo<const void*>;
using OutputRelocationInfo = RelocationInfo<void*>;

// Copies pieces between pointers and a pool: inputs into it, outputs out of it.
template <class RelocationInfoType>
class RelocationTracker {
   public:
    static GeneralResult<std::unique_ptr<RelocationTracker>> create(
            const std::vector<RelocationInfoType>& relocationInfos, const SharedMemory& memory);

    explicit RelocationTracker(::nn::Relocation relocation) : kRelocation(std::move(relocation)) {}

    void flush() const { kRelocation.flush(); }

   private:
    const ::nn::Relocation kRelocation;
};
using InputRelocationTracker = RelocationTracker<InputRelocationInfo>;
using OutputRelocationTracker = RelocationTracker<OutputRelocationInfo>;
extern template class RelocationTracker<InputRelocationInfo>;
extern template class RelocationTracker<OutputRelocationInfo>;

// What to copy before and after an execution; null for nothing.
struct RequestRelocation {
    std::unique_ptr<InputRelocationTracker> input{};
    std::unique_ptr<OutputRelocationTracker> output{};
};

namespace shared_memory_internal {

struct ConvertRequest {
    GeneralResult<std::reference_wrapper<const Request>> operator()(
            const Request* request, uint32_t alignment, uint32_t padding,
            std::optional<Request>* maybeRequestInSharedOut,
            RequestRelocation* relocationOut) const;
};

}  // namespace shared_memory_internal

// The request itself, or, where arguments are behind pointers, a copy in `maybeRequestInSharedOut`
// that has them in pools, with what to copy in `relocationOut`.
inline constexpr shared_memory_internal::ConvertRequest convertRequestFromPointerToShared{};

}  // namespace android::nn
