// android-base/no_destructor.h -- NoDestructor, a static object that is never destroyed.
//
//   static android::base::NoDestructor<std::map<int, Device>> devices;
#pragma once

#include <new>
#include <utility>

namespace android::base {

template <class T>
class NoDestructor {
   public:
    template <class... Arguments>
    explicit NoDestructor(Arguments&&... arguments) {
        new (mStorage) T(std::forward<Arguments>(arguments)...);
    }
    NoDestructor(const NoDestructor&) = delete;
    NoDestructor& operator=(const NoDestructor&) = delete;

    T* get() { return std::launder(reinterpret_cast<T*>(mStorage)); }
    const T* get() const { return std::launder(reinterpret_cast<const T*>(mStorage)); }
    T& operator*() { return *get(); }
    const T& operator*() const { return *get(); }
    T* operator->() { return get(); }
    const T* operator->() const { return get(); }

   private:
    alignas(T) char mStorage[sizeof(T)];
};

}  // namespace android::base
