// Caches the last converted request, for clients that execute the same one repeatedly.
//
// Both forms are kept until another request comes, and with them the memory of its pools. Requests
// are the same where their arguments are equal and their pools are identical objects; the contents
// of their memory play no part, since both forms share it.
#pragma once

#include <absl/algorithm/container.h>

#include <memory>
#include <mutex>
#include <utility>

#include "base/process_mutex.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// Decides which pools of canonical requests are cached and compared. Tokens and proxies never are.
struct SamePools {
    static bool isKept(const Request::MemoryPool& pool) {
        const auto* memory = std::get_if<SharedMemory>(&pool);
        return memory != nullptr && *memory != nullptr && memory->use_count() > 0;
    }
    // For pools that are kept.
    static bool isSame(const Request::MemoryPool& a, const Request::MemoryPool& b) {
        return std::get<SharedMemory>(a).get() == std::get<SharedMemory>(b).get();
    }
};

// Converts requests. Thread-safe; no lock is held while a request is converted or released.
template <class From, class To, class Pools = SamePools>
class RequestCache {
   public:
    using SharedTo = std::shared_ptr<const To>;

    // The result of convert(from), a Result<To>, from the cache if the request is the same.
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
            auto last = entry;  // the previous one is then destroyed without the lock
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
