// nnapi/hal/hidl/array.h -- hidl_array, the array of fixed size of HIDL.
//
//   nn::hidl::hidl_array<uint8_t, 32> token(bytes);   // a std::array or a C array of 32 bytes
//   std::array<uint8_t, 32> back = token;
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "nnapi/hal/strict.h"

namespace nn::hidl {

template <class T, size_t N>
class hidl_array {
   public:
    hidl_array() = default;
    hidl_array(const T (&source)[N]) { std::copy_n(source, N, data()); }
    hidl_array(const std::array<T, N>& source) : mElements(source) {}
    // N elements. An array of another size does not convert to a pointer.
    template <class Pointer>
    requires std::is_pointer_v<Pointer> && std::convertible_to<Pointer, const T*> hidl_array(
            const Pointer& source) {
        std::copy_n(source, N, data());
    }

    operator std::array<T, N>() const { return mElements; }

    T* data() { return mElements.data(); }
    const T* data() const { return mElements.data(); }
    T& operator[](size_t i) { return mElements[i]; }
    const T& operator[](size_t i) const { return mElements[i]; }
    static constexpr size_t size() { return N; }
    static constexpr size_t elementCount() { return N; }
#ifndef NNAPI_STRICT_HAL
    T* begin() { return data(); }
    T* end() { return data() + N; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + N; }
#endif

    bool operator==(const hidl_array&) const = default;

   private:
    std::array<T, N> mElements{};
};

}  // namespace nn::hidl
