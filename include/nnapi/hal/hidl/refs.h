// nnapi/hal/hidl/refs.h -- Reference-counted objects: RefBase, sp and wp.
//
//   class Callback : public nn::V1_0::IExecutionCallback {
//       nn::hidl::Return<void> notify(nn::V1_0::ErrorStatus) override { return nn::hidl::Void(); }
//   };
//   nn::hidl::sp<Callback> callback = nn::hidl::sp<Callback>::make();
//   nn::hidl::wp<Callback> watch = callback;
//   if (nn::hidl::sp<Callback> alive = watch.promote(); alive != nullptr) ...
//
// Stand-ins for android::RefBase, sp and wp. The count is part of the object, so any pointer to it
// can become a strong one: sp<IDevice> device = new Driver(); and, inside a method, sp(this). The
// last strong pointer deletes the object; weak ones do not keep it alive. A strong pointer must
// never refer to an object on the stack or inside another object. Counting is thread-safe; an sp or
// wp itself is as thread-safe as a plain pointer.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace nn::hidl {

class RefBase {
   public:
    // Counts of one object; they outlive it until the last weak pointer is gone.
    class Counts;

    void incStrong(const void* id) const;
    void decStrong(const void* id) const;
    // 0 before the first strong pointer, and while the object is destroyed.
    int32_t getStrongCount() const;
    Counts* counts() const { return mCounts; }

    RefBase(const RefBase&) = delete;
    RefBase& operator=(const RefBase&) = delete;

   protected:
    RefBase();
    virtual ~RefBase();

    // Called once, when the first strong pointer is created.
    virtual void onFirstRef();
    // Called once, when the last strong pointer is gone, before the object is deleted.
    virtual void onLastStrongRef(const void* id);

   private:
    Counts* mCounts;
};

// Counts only strong pointers: the last one deletes Derived, which needs no virtual function.
template <class Derived>
class LightRefBase {
   public:
    LightRefBase() = default;
    LightRefBase(const LightRefBase&) = delete;
    LightRefBase& operator=(const LightRefBase&) = delete;

    void incStrong(const void* /*id*/) const { mCount.fetch_add(1, std::memory_order_relaxed); }
    void decStrong(const void* /*id*/) const {
        if (mCount.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete static_cast<const Derived*>(this);
        }
    }
    int32_t getStrongCount() const { return mCount.load(std::memory_order_relaxed); }

   protected:
    ~LightRefBase() = default;

   private:
    mutable std::atomic<int32_t> mCount{0};
};

template <class T>
class wp;

// nullptr and NULL are pointers to an object, too: a constructor for nullptr_t would make NULL
// ambiguous.
template <class T>
class sp {
   public:
    sp() = default;
    sp(T* object) : mObject(object) { keep(); }
    sp(const sp& other) : sp(other.mObject) {}
    sp(sp&& other) noexcept : mObject(std::exchange(other.mObject, nullptr)) {}
    template <std::convertible_to<T*> U>
    sp(U object) : sp(static_cast<T*>(object)) {}
    template <class U>
    requires std::convertible_to<U*, T*> sp(const sp<U>& other)
        : sp(static_cast<T*>(other.get())) {}
    template <class U>
    requires std::convertible_to<U*, T*> sp(sp<U>&& other) : mObject(other.release()) {}
    ~sp() {
        if (mObject != nullptr) mObject->decStrong(this);
    }
    sp& operator=(sp other) noexcept {
        std::swap(mObject, other.mObject);
        return *this;
    }

    template <class... Arguments>
    static sp make(Arguments&&... arguments) {
        return sp(new T(std::forward<Arguments>(arguments)...));
    }
    static sp fromExisting(T* object) { return sp(object); }

    T* get() const { return mObject; }
    T* operator->() const { return mObject; }
    T& operator*() const { return *mObject; }
    explicit operator bool() const { return mObject != nullptr; }
    void clear() { *this = nullptr; }

    // Returns the pointer with its reference, which the caller must release.
    T* release() { return std::exchange(mObject, nullptr); }

    template <class U>
    bool operator==(const sp<U>& other) const {
        return mObject == other.get();
    }
    bool operator==(const T* other) const { return mObject == other; }
    template <std::same_as<std::nullptr_t> Null>
    bool operator==(Null) const {
        return mObject == nullptr;
    }
    bool operator<(const sp& other) const { return std::less<T*>()(mObject, other.mObject); }

   private:
    template <class U>
    friend class wp;

    void keep() {
        if (mObject != nullptr) mObject->incStrong(this);
    }

    T* mObject = nullptr;
};

namespace refs_internal {

void keepWeak(RefBase::Counts* counts);
void releaseWeak(RefBase::Counts* counts);
// Adds a strong reference if the object is alive.
bool promote(RefBase::Counts* counts);

}  // namespace refs_internal

template <class T>
class wp {
   public:
    wp() = default;
    wp(T* object) : wp(object, object == nullptr ? nullptr : object->counts()) {}
    wp(const sp<T>& object) : wp(object.get()) {}
    wp(const wp& other) : wp(other.mObject, other.mCounts) {}
    wp(wp&& other) noexcept
        : mObject(std::exchange(other.mObject, nullptr)),
          mCounts(std::exchange(other.mCounts, nullptr)) {}
    template <std::same_as<std::nullptr_t> Null>
    wp(Null) {}
    template <class U>
    requires std::convertible_to<U*, T*> wp(const sp<U>& object)
        : wp(static_cast<T*>(object.get())) {}
    // Not where RefBase or another virtual base is the target: finding it would read the object.
    template <class U>
    requires std::convertible_to<U*, T*> && requires(T* object) { static_cast<U*>(object); }
    wp(const wp<U>& other) : wp(other.mObject, other.mCounts) {}
    ~wp() {
        if (mCounts != nullptr) refs_internal::releaseWeak(mCounts);
    }
    wp& operator=(wp other) noexcept {
        std::swap(mObject, other.mObject);
        std::swap(mCounts, other.mCounts);
        return *this;
    }

    // Null if the object is gone.
    sp<T> promote() const {
        sp<T> strong;
        if (mCounts != nullptr && refs_internal::promote(mCounts)) strong.mObject = mObject;
        return strong;
    }
    void clear() { *this = nullptr; }

    // The object, which may be gone: only to be compared.
    T* unsafe_get() const { return mObject; }

    // Weak pointers are equal if they refer to the same object, even if it is gone.
    bool operator==(const wp& other) const { return mCounts == other.mCounts; }
    bool operator<(const wp& other) const {
        return std::less<RefBase::Counts*>()(mCounts, other.mCounts);
    }
    template <class U>
    bool operator==(const sp<U>& other) const {
        return mCounts == (other == nullptr ? nullptr : other->counts());
    }

   private:
    template <class U>
    friend class wp;

    wp(T* object, RefBase::Counts* counts) : mObject(object), mCounts(counts) {
        if (mCounts != nullptr) refs_internal::keepWeak(mCounts);
    }

    T* mObject = nullptr;
    RefBase::Counts* mCounts = nullptr;
};

}  // namespace nn::hidl

template <class T>
struct std::hash<nn::hidl::sp<T>> {
    size_t operator()(const nn::hidl::sp<T>& object) const { return std::hash<T*>()(object.get()); }
};
