// nnapi/hal/hidl/vec.h -- hidl_vec, the sequence type of HIDL.
//
//   nn::hidl::hidl_vec<uint32_t> dimensions = {1, 2};
//   nn::hidl::hidl_vec<bool> supported;
//   supported.setToExternal(flags, count);   // refers to the flags, copies nothing
//
// Owns its elements or refers to external ones; a copy always owns them. Unlike a
// std::vector<bool>, a range of bool is an array. Beyond libhidl, a range converts from and to a
// std::vector without copying and grows like one; growing copies external elements. If the
// stand-ins are strict (nnapi/hal/strict.h), strict_vec.h replaces it. Not thread-safe.
#pragma once

#ifdef NNAPI_STRICT_HAL
#include "nnapi/hal/hidl/strict_vec.h"
#else

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace nn::hidl {
namespace vec_internal {

// An array of bool with the members of std::vector that hidl_vec uses.
class Bools {
   public:
    Bools() = default;
    explicit Bools(size_t size) { resize(size); }
    template <class Iterator>
    Bools(Iterator first, Iterator last) : Bools(static_cast<size_t>(std::distance(first, last))) {
        std::copy(first, last, data());
    }
    Bools(const Bools& other) : Bools(other.data(), other.data() + other.size()) {}
    Bools(Bools&& other) noexcept
        : mData(std::move(other.mData)),
          mSize(std::exchange(other.mSize, 0)),
          mCapacity(std::exchange(other.mCapacity, 0)) {}
    Bools& operator=(Bools other) noexcept {
        mData.swap(other.mData);
        std::swap(mSize, other.mSize);
        std::swap(mCapacity, other.mCapacity);
        return *this;
    }

    template <class Iterator>
    void assign(Iterator first, Iterator last) {
        *this = Bools(first, last);
    }
    void reserve(size_t capacity) {
        if (capacity <= mCapacity) return;
        auto data = std::make_unique<bool[]>(capacity);
        std::copy_n(mData.get(), mSize, data.get());
        mData = std::move(data);
        mCapacity = capacity;
    }
    void resize(size_t size) {
        reserve(size);
        if (size > mSize) std::fill_n(mData.get() + mSize, size - mSize, false);
        mSize = size;
    }
    void emplace_back(bool value = false) {
        if (mSize == mCapacity) reserve(2 * mSize + 1);
        mData[mSize++] = value;
    }
    void pop_back() { --mSize; }
    void clear() { mSize = 0; }
    bool* data() { return mData.get(); }
    const bool* data() const { return mData.get(); }
    size_t size() const { return mSize; }

   private:
    std::unique_ptr<bool[]> mData{};
    size_t mSize = 0;
    size_t mCapacity = 0;
};

}  // namespace vec_internal

template <class T>
class hidl_vec {
    static constexpr bool kIsVector = !std::is_same_v<T, bool>;
    using Elements = std::conditional_t<kIsVector, std::vector<T>, vec_internal::Bools>;

   public:
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    hidl_vec() noexcept : mElements() {}
    hidl_vec(std::initializer_list<T> elements) : mElements(elements.begin(), elements.end()) {}
    explicit hidl_vec(size_t size) : mElements(size) {}
    hidl_vec(const std::vector<T>& elements) requires kIsVector : mElements(elements) {}
    hidl_vec(const std::vector<T>& elements) requires(!kIsVector)
        : mElements(elements.begin(), elements.end()) {}
    hidl_vec(std::vector<T>&& elements) requires kIsVector : mElements(std::move(elements)) {}
    template <std::input_iterator Iterator>
    hidl_vec(Iterator first, Iterator last) : mElements(first, last) {}

    hidl_vec(const hidl_vec& other) {
        if (other.isExternal()) [[unlikely]] {
            std::construct_at(&mElements, other.begin(), other.end());
        } else {
            std::construct_at(&mElements, other.mElements);
        }
    }
    hidl_vec(hidl_vec&& other) noexcept { take(other); }
    ~hidl_vec() { release(); }
    hidl_vec& operator=(const hidl_vec& other) {
        if (this == &other) return *this;
        if (isExternal() || other.isExternal()) return *this = hidl_vec(other);
        mElements = other.mElements;
        return *this;
    }
    hidl_vec& operator=(hidl_vec&& other) noexcept {
        hidl_vec taken(std::move(other));  // which may be a part of an element of this
        release();
        take(taken);
        return *this;
    }
    hidl_vec& operator=(std::initializer_list<T> elements) { return *this = hidl_vec(elements); }
    hidl_vec& operator=(const std::vector<T>& elements) { return *this = hidl_vec(elements); }
    hidl_vec& operator=(std::vector<T>&& elements) { return *this = hidl_vec(std::move(elements)); }

    // Refers to external elements. With shouldOwn, takes ownership and frees them with delete[].
    void setToExternal(T* data, size_t size, bool shouldOwn = false) {
        release();
        std::construct_at(&mExternal, External{data, size, {}})->kind.back() =
                shouldOwn ? kOwned : kBorrowed;
    }
    // HIDL has the elements written through.
    void setToExternal(const T* data, size_t size) { setToExternal(const_cast<T*>(data), size); }

    operator std::vector<T>() const& { return std::vector<T>(begin(), end()); }
    operator std::vector<T>() && requires kIsVector { return std::move(own()); }

    T* data() { return isExternal() ? mExternal.data : mElements.data(); }
    const T* data() const { return isExternal() ? mExternal.data : mElements.data(); }
    size_t size() const { return isExternal() ? mExternal.size : mElements.size(); }
    bool empty() const { return size() == 0; }
    T& operator[](size_t i) { return data()[i]; }
    const T& operator[](size_t i) const { return data()[i]; }
    T& front() { return data()[0]; }
    const T& front() const { return data()[0]; }
    T& back() { return data()[size() - 1]; }
    const T& back() const { return data()[size() - 1]; }
    T* begin() { return data(); }
    T* end() { return data() + size(); }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }
    const T* cbegin() const { return begin(); }
    const T* cend() const { return end(); }

    void resize(size_t size) { own().resize(size); }
    void reserve(size_t size) { own().reserve(size); }
    void clear() {
        if (isExternal()) {
            *this = hidl_vec();
        } else {
            mElements.clear();
        }
    }
    template <class Iterator>
    void assign(Iterator first, Iterator last) {
        own().assign(first, last);
    }
    void push_back(T element) { own().emplace_back(std::move(element)); }
    template <class... Arguments>
    T& emplace_back(Arguments&&... arguments) {
        own().emplace_back(std::forward<Arguments>(arguments)...);
        return back();
    }
    void pop_back() { own().pop_back(); }

    friend bool operator==(const hidl_vec& a, const hidl_vec& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

   private:
    // A range has the size of a std::vector, so that a model of HIDL needs no more memory than a
    // canonical one. The last word of a vector is the end of its memory or a number of elements,
    // and neither is near the largest number; the two largest numbers mark ranges that are not
    // vectors.
    static constexpr uintptr_t kBorrowed = UINTPTR_MAX - 1;
    static constexpr uintptr_t kOwned = UINTPTR_MAX;
    struct External {
        T* data;
        size_t size;
        std::array<uintptr_t, sizeof(Elements) / sizeof(uintptr_t) - 2> kind;
    };
    static_assert(sizeof(External) == sizeof(Elements));

    uintptr_t kind() const {
        uintptr_t last;
        std::memcpy(&last, reinterpret_cast<const std::byte*>(this + 1) - sizeof(last),
                    sizeof(last));
        return last;
    }
    bool isExternal() const { return kind() >= kBorrowed; }

    // Takes ownership of another range's elements, and leaves that empty. This range must be empty.
    void take(hidl_vec& other) noexcept {
        if (other.isExternal()) [[unlikely]] {
            std::construct_at(&mExternal, other.mExternal);
            std::construct_at(&other.mElements);
        } else {
            std::construct_at(&mElements, std::move(other.mElements));
        }
    }
    // Holds nothing after it, not even an empty vector.
    void release() noexcept {
        if (!isExternal()) [[likely]] {
            std::destroy_at(&mElements);
        } else if (kind() == kOwned) {
            delete[] mExternal.data;
        }
    }

    Elements& own() {
        if (isExternal()) [[unlikely]]
            *this = hidl_vec(std::as_const(*this));
        return mElements;
    }

    union {
        Elements mElements;
        External mExternal;
    };
};

}  // namespace nn::hidl

#endif
