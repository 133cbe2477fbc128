// android-base/memory.h -- numbers at any address.
#pragma once

#include <cstring>

namespace android::base {

template <class T>
T get_unaligned(const void* address) {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return value;
}
template <class T>
void put_unaligned(void* address, T value) {
    std::memcpy(address, &value, sizeof(T));
}

}  // namespace android::base
