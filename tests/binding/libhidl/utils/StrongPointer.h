// sp, a pointer that owns a reference to its object.
#pragma once

#include <cstddef>
#include <utility>

namespace android {

template <class T>
class wp;

template <class T>
class sp {
   public:
    sp() = default;
    sp(T* object) : mObject(object) {
        if (object != nullptr) object->incStrong(this);
    }
    sp(const sp& other) : sp(other.mObject) {}
    sp(sp&& other) noexcept : mObject(std::exchange(other.mObject, nullptr)) {}
    template <class U>
    sp(U* object) : sp(static_cast<T*>(object)) {}
    template <class U>
    sp(const sp<U>& other) : sp(static_cast<T*>(other.get())) {}
    ~sp() { clear(); }

    sp& operator=(sp other) noexcept {
        std::swap(mObject, other.mObject);
        return *this;
    }

    template <class... Arguments>
    static sp make(Arguments&&... arguments) {
        return sp(new T(std::forward<Arguments>(arguments)...));
    }

    void clear() {
        T* object = std::exchange(mObject, nullptr);
        if (object != nullptr) object->decStrong(this);
    }
    T* get() const { return mObject; }
    T& operator*() const { return *mObject; }
    T* operator->() const { return mObject; }
    explicit operator bool() const { return mObject != nullptr; }

    template <class U>
    bool operator==(const sp<U>& other) const {
        return mObject == other.get();
    }
    bool operator==(const T* other) const { return mObject == other; }
    bool operator==(std::nullptr_t) const { return mObject == nullptr; }

   private:
    template <class U>
    friend class wp;

    T* mObject = nullptr;
};

}  // namespace android
