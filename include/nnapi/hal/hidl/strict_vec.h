// nnapi/hal/hidl/strict_vec.h -- hidl_vec with only the members that libhidl's has; see
// nnapi/hal/strict.h.
//
//   nn::hidl::hidl_vec<nn::V1_3::Operand> operands(count);   // the size first
//   for (auto& operand : operands) operand = ...;            // then the elements
//
// Its size has 32 bits. It copies the elements of a std::vector, also of an rvalue, and does not
// grow: resize copies all elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "nnapi/hal/strict.h"

#ifdef NNAPI_STRICT_HAL

namespace nn::hidl {

template <class T>
class hidl_vec {
   public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    hidl_vec() noexcept = default;
    explicit hidl_vec(size_t size)
        : mData(new T[checkedSize(size)]()), mSize(checkedSize(size)), mIsOwner(true) {}
    hidl_vec(std::initializer_list<T> elements) : hidl_vec(elements.begin(), elements.end()) {}
    hidl_vec(const std::vector<T>& elements) : hidl_vec(elements.begin(), elements.end()) {}
    template <std::input_iterator Iterator>
    hidl_vec(Iterator first, Iterator last)
        : hidl_vec(static_cast<size_t>(std::distance(first, last))) {
        std::copy(first, last, mData);
    }
    hidl_vec(const hidl_vec& other) : hidl_vec(other.begin(), other.end()) {}
    hidl_vec(hidl_vec&& other) noexcept
        : mData(std::exchange(other.mData, nullptr)),
          mSize(std::exchange(other.mSize, 0)),
          mIsOwner(std::exchange(other.mIsOwner, false)) {}
    ~hidl_vec() {
        if (mIsOwner) delete[] mData;
    }
    hidl_vec& operator=(const hidl_vec& other) {
        return this == &other ? *this : *this = hidl_vec(other);
    }
    hidl_vec& operator=(hidl_vec&& other) noexcept {
        hidl_vec taken(std::move(other));  // which may be a part of an element of this
        std::swap(mData, taken.mData);
        std::swap(mSize, taken.mSize);
        std::swap(mIsOwner, taken.mIsOwner);
        return *this;
    }
    hidl_vec& operator=(std::initializer_list<T> elements) { return *this = hidl_vec(elements); }
    hidl_vec& operator=(const std::vector<T>& elements) { return *this = hidl_vec(elements); }

    // Refers to external elements. With shouldOwn, takes ownership and frees them with delete[].
    void setToExternal(T* data, size_t size, bool shouldOwn = false) {
        *this = hidl_vec();
        mData = data;
        mSize = checkedSize(size);
        mIsOwner = shouldOwn;
    }
    // Gives up the elements, for delete[].
    T* releaseData() {
        if (!mIsOwner && mData != nullptr) resize(mSize);
        mIsOwner = false;
        mSize = 0;
        return std::exchange(mData, nullptr);
    }

    operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

    T* data() { return mData; }
    const T* data() const { return mData; }
    size_t size() const { return mSize; }
    T& operator[](size_t i) { return mData[i]; }
    const T& operator[](size_t i) const { return mData[i]; }
    T* begin() { return mData; }
    T* end() { return mData + mSize; }
    const T* begin() const { return mData; }
    const T* end() const { return mData + mSize; }
    const T* cbegin() const { return mData; }
    const T* cend() const { return mData + mSize; }
    iterator find(const T& value) { return std::find(begin(), end(), value); }
    bool contains(const T& value) const { return std::find(begin(), end(), value) != end(); }

    void resize(size_t size) {
        hidl_vec resized(size);
        std::copy_n(mData, std::min(resized.mSize, mSize), resized.mData);
        *this = std::move(resized);
    }

    friend bool operator==(const hidl_vec& a, const hidl_vec& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend bool operator<(const hidl_vec& a, const hidl_vec& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }

   private:
    static uint32_t checkedSize(size_t size) {
        if (size > UINT32_MAX) hal::endStrictProgram("a hidl_vec holds at most 2^32 - 1 elements");
        return static_cast<uint32_t>(size);
    }

    T* mData = nullptr;
    uint32_t mSize = 0;
    bool mIsOwner = false;
};

}  // namespace nn::hidl

#endif
