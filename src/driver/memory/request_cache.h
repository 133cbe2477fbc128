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

#include "nnapi/result.h"
#include "nnapi/types.h"
#include "types/process_mutex.h"

namespace nn::driver {

// Which pools of canonical requests are kept, and which are the same. What another object stands
// for never is.
struct SamePools {
    static bool isKept(const Request::MemoryPool& pool) {
        const auto* memory = std::get_if<SharedMemory>(&pool);
        return memory != nullptr && memory->get() != nullptr && memory->use_count() > 0;
    }
    // Of pools that are kept.
    static bool isSame(const Request::MemoryPool& a, const Request::MemoryPool& b) {
        return std::get<SharedMemory>(a).get() == std::get<SharedMemory>(b).get();
    }
};

// From one form to the other. Thread-safe; no lock is held while a request is converted or let go.
template <class From, class To, class Pools = SamePools>
class RequestCache {
   public:
    using SharedTo = std::shared_ptr<const To>;

    // What convert(from), a Result<To>, answered for the same request, or answers now.
    template <class Convert>
    Result<SharedTo> convert(const From& from, const Convert& convert) const {
        if (!absl::c_all_of(from.pools, [](const auto& pool) { return Pools::isKept(pool); })) {
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
                                 [](const auto& a, const auto& b) { return Pools::isSame(a, b); });
        }
    };

    mutable ProcessMutex mMutex{};
    mutable std::shared_ptr<const Entry> mLast{};
};

}  // namespace nn::driver
