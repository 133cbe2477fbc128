// Base classes of interfaces and of their objects. Only generated code knows the interface of an
// object: BnCInterface itself is never instantiated.
#pragma once

#include <android/binder_auto_utils.h>
#include <android/binder_ibinder.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

namespace ndk {

class SharedRefBase {
   public:
    SharedRefBase() = default;
    virtual ~SharedRefBase() = default;
    SharedRefBase(const SharedRefBase&) = delete;
    SharedRefBase& operator=(const SharedRefBase&) = delete;

    // Aborts the program for an object that make() has not created.
    std::shared_ptr<SharedRefBase> ref() {
        auto self = mThis.lock();
        if (self == nullptr) std::abort();
        return self;
    }
    template <typename Child>
    std::shared_ptr<Child> ref() {
        return std::static_pointer_cast<Child>(ref());
    }

    template <class T, class... Arguments>
    static std::shared_ptr<T> make(Arguments&&... arguments) {
        T* object = new T(std::forward<Arguments>(arguments)...);
        static_assert(std::is_base_of_v<SharedRefBase, T>);
        std::shared_ptr<T> made(object);
        static_cast<SharedRefBase*>(object)->mThis = made;
        return made;
    }

    static void operator delete(void* object) { std::free(object); }

   private:
    static void* operator new(size_t size) { return std::malloc(size); }

    std::weak_ptr<SharedRefBase> mThis;
};

class ICInterface : public SharedRefBase {
   public:
    virtual SpAIBinder asBinder() = 0;
    virtual bool isRemote() = 0;
    virtual binder_status_t dump(int, const char**, uint32_t) { return STATUS_OK; }

    // The object of a binder of this process.
    static std::shared_ptr<ICInterface> asInterface(AIBinder* binder) {
        return static_cast<ICInterface*>(AIBinder_getUserData(binder))->ref<ICInterface>();
    }
};

template <typename Interface>
class BnCInterface : public Interface {
   public:
    SpAIBinder asBinder() final {
        const std::lock_guard<std::mutex> lock(mMutex);
        if (mBinder.get() == nullptr) mBinder = createBinder();
        return mBinder;
    }
    bool isRemote() override { return false; }

   protected:
    virtual SpAIBinder createBinder() = 0;

   private:
    std::mutex mMutex;
    SpAIBinder mBinder;
};

}  // namespace ndk
