// Common parts of the headers of libhidl.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace android::hardware::details {

[[noreturn]] inline void logAlwaysFatal(const char* message) {
    fprintf(stderr, "%s\n", message);
    abort();
}

// A pointer with the same size on every processor.
template <class T>
class alignas(8) hidl_pointer {
   public:
    hidl_pointer() : mPointer(nullptr) {}
    hidl_pointer(T* pointer) : mPointer(pointer) {}
    operator T*() const { return mPointer; }
    T* operator->() const { return mPointer; }

   private:
    union {
        T* mPointer;
        uint64_t mBytes;
    };
};

// Marks generated interfaces.
struct i_tag {};

}  // namespace android::hardware::details
