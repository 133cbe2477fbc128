// Pools for pointer arguments that are kept between calls, so that a peer gets each of them once.
#pragma once

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "driver/memory/scratch_pools.h"
#include "transform/pointers.h"

namespace nn::driver {

// Thread-safe; concurrent calls have pools of their own.
class KeptPools {
   public:
    // The pools of one call.
    class Lease {
       public:
        explicit Lease(KeptPools& pools) : mPools(pools) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        Result<MappedMemory> take(uint32_t size) {
            NNAPI_ASSIGN_OR_RETURN(pool, mPools.take(size));
            return mTaken.emplace_back(std::move(pool));
        }
        // To be called once the peer has done with the pools: of a call that it may still be
        // executing, they are not used again.
        void giveBack() {
            for (MappedMemory& pool : mTaken) mPools.giveBack(std::move(pool));
            mTaken.clear();
        }

       private:
        KeptPools& mPools;
        std::vector<MappedMemory> mTaken{};
    };

   private:
    // Two for each of four concurrent calls.
    static constexpr size_t kMaxPools = 8;

    Result<MappedMemory> take(uint32_t size) {
        if (size > kMaxKept) return MappedMemory::create(size);
        {
            const std::lock_guard lock(mMutex);
            const auto fit = std::find_if(mPools.rbegin(), mPools.rend(), [&](const auto& pool) {
                return size <= pool.mapping.size();
            });
            if (fit != mPools.rend()) {
                MappedMemory pool = std::move(*fit);
                mPools.erase(std::next(fit).base());
                return pool;
            }
        }
        return MappedMemory::create(keptSize(size));
    }
    void giveBack(MappedMemory pool) {
        if (pool.mapping.size() > kMaxKept) return;
        const std::lock_guard lock(mMutex);
        mPools.push_back(std::move(pool));
        if (mPools.size() > kMaxPools) mPools.erase(mPools.begin());  // the one unused for longest
    }

    std::mutex mMutex{};
    std::vector<MappedMemory> mPools{};
};

}  // namespace nn::driver
