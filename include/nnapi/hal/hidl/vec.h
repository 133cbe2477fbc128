// nnapi/hal/hidl/vec.h -- the range type of HIDL.
//
//   nn::hidl::hidl_vec<uint32_t> dimensions = {1, 2};
//   nn::hidl::hidl_vec<bool> supported;
//   supported.setToExternal(flags, count);   // refers to the flags, copies nothing
//
// It owns its elements or refers to those of somebody else. A copy always owns its elements. Unlike
// a std::vector<bool>, a range of bool is an array. Beyond what libhidl has, a range takes and
// gives up a std::vector without copying, and grows like one; to grow it takes copies of elements
// that it refers to. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace nn::hidl {
namespace vec_internal {

// An array of bool with what hidl_vec needs of a std::vector.
class Bools {
   public:
    Bools() = default;
    explicit Bools(size_t size)
        : mData(size == 0 ? nullptr : std::make_unique<bool[]>(size)), mSize(size) {}
    Bools(const Bools& other) : Bools(other.mSize) {
        std::copy_n(other.data(), mSize, mData.get());
    }
    Bools(Bools&& other) noexcept
        : mData(std::move(other.mData)), mSize(std::exchange(other.mSize, 0)) {}
    Bools& operator=(Bools other) noexcept {
        mData.swap(other.mData);
        std::swap(mSize, other.mSize);
        return *this;
    }

    template <class Iterator>
    void assign(Iterator first, Iterator last) {
        Bools copy(static_cast<size_t>(std::distance(first, last)));
        std::copy(first, last, copy.data());
        *this = std::move(copy);
    }
    void resize(size_t size) {
        Bools copy(size);
        std::copy_n(data(), std::min(size, mSize), copy.data());
        *this = std::move(copy);
    }
    void emplace_back(bool value) {
        resize(mSize + 1);
        mData[mSize - 1] = value;
    }
    void pop_back() { --mSize; }
    void reserve(size_t) {}
    bool* data() { return mData.get(); }
    const bool* data() const { return mData.get(); }
    size_t size() const { return mSize; }

   private:
    std::unique_ptr<bool[]> mData{};
    size_t mSize = 0;
};

}  // namespace vec_internal

template <class T>
class hidl_vec {
    using Elements =
            std::conditional_t<std::is_same_v<T, bool>, vec_internal::Bools, std::vector<T>>;

   public:
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    hidl_vec() = default;
    hidl_vec(std::initializer_list<T> elements) {
        mElements.assign(elements.begin(), elements.end());
    }
    explicit hidl_vec(size_t size) : mElements(size) {}
    hidl_vec(const std::vector<T>& elements) { *this = elements; }
    hidl_vec(std::vector<T>&& elements) { *this = std::move(elements); }
    template <std::input_iterator Iterator>
    hidl_vec(Iterator first, Iterator last) {
        mElements.assign(first, last);
    }

    hidl_vec(const hidl_vec& other) : mElements(other.copyOfElements()) {}
    hidl_vec(hidl_vec&& other) noexcept = default;
    ~hidl_vec() = default;
    hidl_vec& operator=(const hidl_vec& other) {
        if (this == &other) return *this;
        if (other.mExternal != nullptr) return *this = hidl_vec(other);
        mElements = other.mElements;
        mExternal.reset();
        return *this;
    }
    hidl_vec& operator=(hidl_vec&& other) noexcept = default;
    hidl_vec& operator=(std::initializer_list<T> elements) { return *this = hidl_vec(elements); }
    hidl_vec& operator=(const std::vector<T>& elements) {
        mElements.assign(elements.begin(), elements.end());
        mExternal.reset();
        return *this;
    }
    hidl_vec& operator=(std::vector<T>&& elements) {
        if constexpr (std::is_same_v<T, bool>) {
            return *this = std::as_const(elements);
        } else {
            mElements = std::move(elements);
            mExternal.reset();
            return *this;
        }
    }

    // Refers to elements that somebody else keeps; shouldOwn takes them over, to be freed by
    // delete[].
    void setToExternal(T* data, size_t size, bool shouldOwn = false) {
        mElements = {};
        mExternal = std::unique_ptr<External, Release>(new External{data, size, shouldOwn});
    }
    // HIDL has the elements written through.
    void setToExternal(const T* data, size_t size) { setToExternal(const_cast<T*>(data), size); }

    operator std::vector<T>() const& { return std::vector<T>(begin(), end()); }
    operator std::vector<T>() && {
        if constexpr (std::is_same_v<T, bool>) {
            return std::vector<T>(begin(), end());
        } else {
            own();
            return std::exchange(mElements, {});
        }
    }

    T* data() { return mExternal == nullptr ? mElements.data() : mExternal->data; }
    const T* data() const { return mExternal == nullptr ? mElements.data() : mExternal->data; }
    size_t size() const { return mExternal == nullptr ? mElements.size() : mExternal->size; }
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
        mElements = {};
        mExternal.reset();
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
    struct External {
        T* data;
        size_t size;
        bool isOwned;
    };
    struct Release {
        void operator()(External* external) const {
            if (external->isOwned) delete[] external->data;
            delete external;
        }
    };

    Elements copyOfElements() const {
        if (mExternal == nullptr) return mElements;
        Elements copy;
        copy.assign(begin(), end());
        return copy;
    }
    Elements& own() {
        if (mExternal != nullptr) {
            mElements = copyOfElements();
            mExternal.reset();
        }
        return mElements;
    }

    Elements mElements{};
    std::unique_ptr<External, Release> mExternal{};
};

}  // namespace nn::hidl
