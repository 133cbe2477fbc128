// The request that was converted last, for clients that execute the same one again and again.
//
// It is kept in both forms until another one comes, and with it the memory that its pools lie in.
// A request is the same where its arguments are equal and its pools are the very same objects: what
// the bytes of their memory are plays no part, since both forms share them.
#pragma once

#include <absl/algorithm/container.h>

#include <memory>
#include <mutex>
#include <utility>

#include "nnapi/hal/v1_3.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::driver::hidl {

// Neither a handle that is only referred to, which may be filled anew, nor what another object
// stands for is ever the same.
inline bool isKept(const nn::hidl::hidl_memory& memory) { return memory.ownsHandle(); }
inline bool isKept(const V1_3::Request::MemoryPool& pool) {
    using Kind = V1_3::Request::MemoryPool::hidl_discriminator;
    return pool.getDiscriminator() == Kind::hidlMemory && isKept(pool.hidlMemory());
}
inline bool isKept(const Request::MemoryPool& pool) {
    const auto* memory = std::get_if<SharedMemory>(&pool);
    return memory != nullptr && memory->get() != nullptr && memory->use_count() > 0;
}

inline bool isSame(const nn::hidl::hidl_memory& a, const nn::hidl::hidl_memory& b) {
    return a.handle() == b.handle() && a.size() == b.size() && a.name() == b.name();
}
inline bool isSame(const V1_3::Request::MemoryPool& a, const V1_3::Request::MemoryPool& b) {
    return isSame(a.hidlMemory(), b.hidlMemory());
}
inline bool isSame(const Request::MemoryPool& a, const Request::MemoryPool& b) {
    return std::get<SharedMemory>(a).get() == std::get<SharedMemory>(b).get();
}

// From one form to the other. Thread-safe; no lock is held while a request is converted or let go.
template <class From, class To>
class LastRequest {
   public:
    using SharedTo = std::shared_ptr<const To>;

    // What convert(from), a Result<To>, answered for the same request, or answers now.
    template <class Convert>
    Result<SharedTo> convert(const From& from, const Convert& convert) const {
        if (!absl::c_all_of(from.pools, [](const auto& pool) { return isKept(pool); })) {
            NNAPI_ASSIGN_OR_RETURN(to, convert(from));
            return SharedTo(std::make_shared<const To>(std::move(to)));
        }
        std::shared_ptr<const Entry> entry;
        {
            const std::lock_guard lock(mMutex);
            entry = mLast;
        }
        if (entry == nullptr || !entry->isOf(from)) {
            NNAPI_ASSIGN_OR_RETURN(to, convert(from));
            entry = std::make_shared<const Entry>(Entry{from, std::move(to)});
            auto last = entry;  // and then the one before it, which goes without the lock
            const std::lock_guard lock(mMutex);
            mLast.swap(last);
        }
        const To* to = &entry->to;
        return SharedTo(std::move(entry), to);
    }

   private:
    struct Entry {
        From from;
        To to;

        bool isOf(const From& other) const {
            return from.inputs == other.inputs && from.outputs == other.outputs &&
                   absl::c_equal(from.pools, other.pools,
                                 [](const auto& a, const auto& b) { return isSame(a, b); });
        }
    };

    mutable std::mutex mMutex{};
    mutable std::shared_ptr<const Entry> mLast{};
};

}  // namespace nn::driver::hidl
