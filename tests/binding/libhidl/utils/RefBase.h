// RefBase, an object that counts the pointers to it, and wp, a weak pointer to it.
#pragma once

#include <utils/StrongPointer.h>

#include <atomic>
#include <cstdint>

namespace android {

class RefBase {
   public:
    // Lives until the last weak pointer is released.
    struct Counts {
        std::atomic<int32_t> strong{0};
        std::atomic<int32_t> weak{1};  // the object itself counts as one

        bool addStrongIfAny() {
            int32_t count = strong;
            while (count > 0 && !strong.compare_exchange_weak(count, count + 1)) {
            }
            return count > 0;
        }
        void removeWeak() {
            if (--weak == 0) delete this;
        }
    };

    RefBase(const RefBase&) = delete;
    RefBase& operator=(const RefBase&) = delete;

    void incStrong(const void*) const {
        if (mCounts->strong++ == 0) const_cast<RefBase*>(this)->onFirstRef();
    }
    void decStrong(const void* id) const {
        if (--mCounts->strong != 0) return;
        const_cast<RefBase*>(this)->onLastStrongRef(id);
        delete this;
    }
    int32_t getStrongCount() const { return mCounts->strong; }
    Counts* counts() const { return mCounts; }

   protected:
    RefBase() = default;
    virtual ~RefBase() { mCounts->removeWeak(); }
    virtual void onFirstRef() {}
    virtual void onLastStrongRef(const void*) {}

   private:
    Counts* const mCounts = new Counts;
};

template <class T>
class wp {
   public:
    wp() = default;
    wp(T* object) : mObject(object), mCounts(object == nullptr ? nullptr : object->counts()) {
        if (mCounts != nullptr) ++mCounts->weak;
    }
    wp(const sp<T>& object) : wp(object.get()) {}
    template <class U>
    wp(const sp<U>& object) : wp(static_cast<T*>(object.get())) {}
    wp(const wp& other) : mObject(other.mObject), mCounts(other.mCounts) {
        if (mCounts != nullptr) ++mCounts->weak;
    }
    ~wp() {
        if (mCounts != nullptr) mCounts->removeWeak();
    }
    wp& operator=(wp other) noexcept {
        std::swap(mObject, other.mObject);
        std::swap(mCounts, other.mCounts);
        return *this;
    }

    sp<T> promote() const {
        sp<T> strong;
        if (mCounts != nullptr && mCounts->addStrongIfAny()) strong.mObject = mObject;
        return strong;
    }
    T* unsafe_get() const { return mObject; }

   private:
    T* mObject = nullptr;
    RefBase::Counts* mCounts = nullptr;
};

}  // namespace android
