#include <atomic>

#include "nnapi/hal/hidl/refs.h"

namespace nn::hidl {

class RefBase::Counts {
   public:
    // The count of an object that never had a strong pointer; far above any real count.
    static constexpr int32_t kUnreferenced = 1 << 28;

    explicit Counts(RefBase* counted) : object(counted) {}

    void firstReference() {
        strong.fetch_sub(kUnreferenced, std::memory_order_relaxed);
        object->onFirstRef();
    }

    RefBase* const object;
    std::atomic<int32_t> strong{kUnreferenced};
    std::atomic<int32_t> weak{1};  // one for the object itself
};

RefBase::RefBase() : mCounts(new Counts(this)) {}

RefBase::~RefBase() {
    // Tells weak pointers that the object is gone if it never had a strong pointer.
    mCounts->strong.store(0, std::memory_order_relaxed);
    refs_internal::releaseWeak(mCounts);
}

void RefBase::onFirstRef() {}

void RefBase::onLastStrongRef(const void*) {}

void RefBase::incStrong(const void*) const {
    if (mCounts->strong.fetch_add(1, std::memory_order_relaxed) == Counts::kUnreferenced) {
        mCounts->firstReference();
    }
}

void RefBase::decStrong(const void* id) const {
    if (mCounts->strong.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const_cast<RefBase*>(this)->onLastStrongRef(id);
    delete this;
}

int32_t RefBase::getStrongCount() const {
    const int32_t count = mCounts->strong.load(std::memory_order_relaxed);
    return count >= Counts::kUnreferenced ? count - Counts::kUnreferenced : count;
}

namespace refs_internal {

void keepWeak(RefBase::Counts* counts) { counts->weak.fetch_add(1, std::memory_order_relaxed); }

void releaseWeak(RefBase::Counts* counts) {
    if (counts->weak.fetch_sub(1, std::memory_order_acq_rel) == 1) delete counts;
}

bool promote(RefBase::Counts* counts) {
    int32_t count = counts->strong.load(std::memory_order_relaxed);
    while (count > 0) {
        if (!counts->strong.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) {
            continue;
        }
        if (count == RefBase::Counts::kUnreferenced) counts->firstReference();
        return true;
    }
    return false;
}

}  // namespace refs_internal

}  // namespace nn::hidl
