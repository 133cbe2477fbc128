// An independent implementation of the types that headers generated from HIDL use: names, layout
// and strictness follow Android's libhidl, as far as its documentation and use show them. Sizes
// have 32 bits, a copy of a handle owns a clone, a range copies its source.
#pragma once

#include <cutils/native_handle.h>
#include <hidl/HidlInternal.h>
#include <hidl/Status.h>
#include <utils/RefBase.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace android {

namespace hidl::base::V1_0 {
struct IBase;
}

namespace hardware {

struct hidl_death_recipient : public virtual RefBase {
    virtual void serviceDied(uint64_t cookie, const wp<hidl::base::V1_0::IBase>& who) = 0;
};

namespace details {

template <class T>
void destructElement(T* element) {
    element->~T();
}

template <class T>
std::string toHexString(T value) {
    char text[2 * sizeof(uint64_t) + 3];
    snprintf(text, sizeof text, "0x%llx",
             static_cast<unsigned long long>(static_cast<std::make_unsigned_t<T>>(value)));
    return text;
}

// The element of a hidl_vec: not a pointer, nor convertible to one.
template <class T>
class hidl_iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    explicit hidl_iterator(T* place) : mPlace(place) {}
    reference operator*() const { return *mPlace; }
    pointer operator->() const { return mPlace; }
    reference operator[](size_t i) const { return mPlace[i]; }
    hidl_iterator& operator++() { return *this += 1; }
    hidl_iterator operator++(int) { return hidl_iterator(mPlace++); }
    hidl_iterator& operator--() { return *this += -1; }
    hidl_iterator operator--(int) { return hidl_iterator(mPlace--); }
    hidl_iterator& operator+=(difference_type n) {
        mPlace += n;
        return *this;
    }
    hidl_iterator operator+(difference_type n) const { return hidl_iterator(mPlace + n); }
    hidl_iterator operator-(difference_type n) const { return hidl_iterator(mPlace - n); }
    difference_type operator-(const hidl_iterator& other) const { return mPlace - other.mPlace; }
    auto operator<=>(const hidl_iterator&) const = default;

   private:
    T* mPlace;
};

// Specialized for each enumeration.
template <class E>
inline constexpr std::array<E, 0> hidl_enum_values{};

inline uint32_t checkedSize(size_t size) {
    if (size > std::numeric_limits<uint32_t>::max()) {
        logAlwaysFatal("size is larger than what a container of HIDL holds");
    }
    return static_cast<uint32_t>(size);
}

}  // namespace details

template <class E>
using hidl_bitfield = std::underlying_type_t<E>;

class hidl_handle {
   public:
    hidl_handle() = default;
    ~hidl_handle() { release(); }
    hidl_handle(const native_handle_t* handle) : mHandle(handle) {}
    hidl_handle(const hidl_handle& other) { *this = other; }
    hidl_handle(hidl_handle&& other) noexcept { *this = std::move(other); }

    hidl_handle& operator=(const hidl_handle& other) {
        if (this == &other) return *this;
        release();
        if (other.mHandle == nullptr) return *this;
        mHandle = native_handle_clone(other.mHandle);
        if (mHandle == nullptr) details::logAlwaysFatal("a native handle cannot be cloned");
        mOwnsHandle = true;
        return *this;
    }
    hidl_handle& operator=(const native_handle_t* handle) {
        release();
        mHandle = handle;
        return *this;
    }
    hidl_handle& operator=(hidl_handle&& other) noexcept {
        if (this == &other) return *this;
        release();
        mHandle = other.mHandle;
        mOwnsHandle = std::exchange(other.mOwnsHandle, false);
        other.mHandle = nullptr;
        return *this;
    }

    void setTo(native_handle_t* handle, bool shouldOwn = false) {
        release();
        mHandle = handle;
        mOwnsHandle = shouldOwn;
    }
    const native_handle_t* operator->() const { return mHandle; }
    operator const native_handle_t*() const { return mHandle; }
    const native_handle_t* getNativeHandle() const { return mHandle; }

   private:
    void release() {
        if (mOwnsHandle && mHandle != nullptr) {
            const native_handle_t* owned = mHandle;
            native_handle_close(owned);
            native_handle_delete(const_cast<native_handle_t*>(owned));
        }
        mHandle = nullptr;
        mOwnsHandle = false;
    }

    details::hidl_pointer<const native_handle_t> mHandle;
    bool mOwnsHandle = false;
};

class hidl_string {
   public:
    hidl_string() : mBuffer(kNoText) {}
    ~hidl_string() { clear(); }
    hidl_string(const char* text) : hidl_string(text, text == nullptr ? 0 : strlen(text)) {}
    hidl_string(const char* text, size_t length) : hidl_string() { copyFrom(text, length); }
    hidl_string(const std::string& text) : hidl_string(text.data(), text.size()) {}
    hidl_string(const hidl_string& other) : hidl_string(other.c_str(), other.size()) {}
    hidl_string(hidl_string&& other) noexcept : hidl_string() { moveFrom(other); }

    hidl_string& operator=(const hidl_string& other) {
        if (this != &other) copyFrom(other.c_str(), other.size());
        return *this;
    }
    hidl_string& operator=(const char* text) { return *this = hidl_string(text); }
    hidl_string& operator=(const std::string& text) {
        copyFrom(text.data(), text.size());
        return *this;
    }
    hidl_string& operator=(hidl_string&& other) noexcept {
        if (this == &other) return *this;
        clear();
        moveFrom(other);
        return *this;
    }

    operator std::string() const { return {mBuffer, mSize}; }
    const char* c_str() const { return mBuffer; }
    size_t size() const { return mSize; }
    bool empty() const { return mSize == 0; }
    void clear() {
        if (mOwnsBuffer) free(const_cast<char*>(static_cast<const char*>(mBuffer)));
        mBuffer = kNoText;
        mSize = 0;
        mOwnsBuffer = false;
    }
    // Refers to text that must outlive this object.
    void setToExternal(const char* text, size_t size) {
        clear();
        mBuffer = text;
        mSize = details::checkedSize(size);
    }

   private:
    static constexpr const char* kNoText = "";

    void copyFrom(const char* text, size_t size) {
        auto* buffer = static_cast<char*>(malloc(size_t{details::checkedSize(size)} + 1));
        if (size != 0) memcpy(buffer, text, size);
        buffer[size] = '\0';
        clear();
        mBuffer = buffer;
        mSize = static_cast<uint32_t>(size);
        mOwnsBuffer = true;
    }
    void moveFrom(hidl_string& other) {
        mBuffer = other.mBuffer;
        mSize = std::exchange(other.mSize, 0);
        mOwnsBuffer = std::exchange(other.mOwnsBuffer, false);
        other.mBuffer = kNoText;
    }

    details::hidl_pointer<const char> mBuffer;
    uint32_t mSize = 0;
    bool mOwnsBuffer = false;
};

inline bool operator==(const hidl_string& a, const hidl_string& b) {
    return a.size() == b.size() && memcmp(a.c_str(), b.c_str(), a.size()) == 0;
}
inline bool operator==(const hidl_string& a, const char* b) { return a == hidl_string(b); }
inline bool operator<(const hidl_string& a, const hidl_string& b) {
    return std::string(a) < std::string(b);
}

class hidl_memory {
   public:
    hidl_memory() = default;
    hidl_memory(const hidl_string& name, hidl_handle&& handle, size_t size)
        : mHandle(std::move(handle)), mSize(size), mName(name) {}
    // Borrows the handle.
    hidl_memory(const hidl_string& name, const native_handle_t* handle, size_t size)
        : mHandle(handle), mSize(size), mName(name) {}

    const native_handle_t* handle() const { return mHandle; }
    const hidl_string& name() const { return mName; }
    uint64_t size() const { return mSize; }
    bool valid() const { return handle() != nullptr; }

   private:
    alignas(8) hidl_handle mHandle;
    alignas(8) uint64_t mSize = 0;
    alignas(8) hidl_string mName;
};

template <class T>
class hidl_vec {
   public:
    using value_type = T;
    using iterator = details::hidl_iterator<T>;
    using const_iterator = details::hidl_iterator<const T>;

    hidl_vec() { static_assert(sizeof(hidl_vec) == 16); }
    ~hidl_vec() { release(); }
    hidl_vec(size_t size) : hidl_vec() { resize(size); }
    hidl_vec(const hidl_vec& other) : hidl_vec(other.begin(), other.end()) {}
    hidl_vec(hidl_vec&& other) noexcept { *this = std::move(other); }
    hidl_vec(const std::initializer_list<T> list) : hidl_vec(list.begin(), list.end()) {}
    hidl_vec(const std::vector<T>& other) : hidl_vec(other.begin(), other.end()) {}
    template <class Iterator, class = std::enable_if_t<std::is_convertible_v<
                                      typename std::iterator_traits<Iterator>::iterator_category,
                                      std::input_iterator_tag>>>
    hidl_vec(Iterator first, Iterator last) {
        const auto size = std::distance(first, last);
        if (size < 0) details::logAlwaysFatal("the end of a range comes before its begin");
        mSize = details::checkedSize(static_cast<size_t>(size));
        mBuffer = new T[mSize]();
        mOwnsBuffer = true;
        T* to = mBuffer;
        for (; first != last; ++first) *to++ = static_cast<T>(*first);
    }

    hidl_vec& operator=(hidl_vec&& other) noexcept {
        if (this == &other) return *this;
        release();
        mBuffer = other.mBuffer;
        mSize = other.mSize;
        mOwnsBuffer = std::exchange(other.mOwnsBuffer, false);  // the source keeps a reference
        return *this;
    }
    hidl_vec& operator=(const hidl_vec& other) {
        return this == &other ? *this : *this = hidl_vec(other);
    }
    hidl_vec& operator=(const std::vector<T>& other) { return *this = hidl_vec(other); }
    hidl_vec& operator=(const std::initializer_list<T> list) { return *this = hidl_vec(list); }
    operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

    void setToExternal(T* data, size_t size, bool shouldOwn = false) {
        release();
        mBuffer = data;
        mSize = details::checkedSize(size);
        mOwnsBuffer = shouldOwn;
    }
    T* releaseData() {
        if (!mOwnsBuffer && mBuffer != nullptr) resize(mSize);
        mOwnsBuffer = false;
        return mBuffer;
    }

    T* data() { return mBuffer; }
    const T* data() const { return mBuffer; }
    T& operator[](size_t i) { return mBuffer[i]; }
    const T& operator[](size_t i) const { return mBuffer[i]; }
    size_t size() const { return mSize; }
    void resize(size_t size) {
        hidl_vec resized;
        resized.mSize = details::checkedSize(size);
        resized.mBuffer = new T[size]();
        resized.mOwnsBuffer = true;
        for (uint32_t i = 0; i < std::min(mSize, resized.mSize); ++i) {
            resized.mBuffer[i] = mBuffer[i];
        }
        *this = std::move(resized);
    }

    iterator begin() { return iterator(data()); }
    iterator end() { return iterator(data() + mSize); }
    const_iterator begin() const { return const_iterator(data()); }
    const_iterator end() const { return const_iterator(data() + mSize); }
    iterator find(const T& value) { return std::find(begin(), end(), value); }
    const_iterator find(const T& value) const { return std::find(begin(), end(), value); }
    bool contains(const T& value) const { return find(value) != end(); }

    bool operator==(const hidl_vec& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }
    bool operator<(const hidl_vec& other) const {
        return std::lexicographical_compare(begin(), end(), other.begin(), other.end());
    }

   private:
    void release() {
        if (mOwnsBuffer) delete[] static_cast<T*>(mBuffer);
        mBuffer = nullptr;
        mSize = 0;
        mOwnsBuffer = false;
    }

    details::hidl_pointer<T> mBuffer;
    uint32_t mSize = 0;
    bool mOwnsBuffer = false;
};

template <class T, size_t N>
class hidl_array {
   public:
    hidl_array() = default;
    hidl_array(const T* source) { std::copy_n(source, N, mBuffer); }
    hidl_array(const std::array<T, N>& source) : hidl_array(source.data()) {}
    operator std::array<T, N>() const {
        std::array<T, N> copy;
        std::copy_n(mBuffer, N, copy.begin());
        return copy;
    }

    T* data() { return mBuffer; }
    const T* data() const { return mBuffer; }
    T& operator[](size_t i) { return mBuffer[i]; }
    const T& operator[](size_t i) const { return mBuffer[i]; }
    static constexpr size_t size() { return N; }
    static constexpr size_t elementCount() { return N; }
    bool operator==(const hidl_array& other) const {
        return std::equal(mBuffer, mBuffer + N, other.mBuffer);
    }

   private:
    T mBuffer[N];
};

template <class T>
std::enable_if_t<std::is_arithmetic_v<T>, std::string> toString(T value) {
    return std::to_string(value);
}
inline std::string toString(bool value) { return value ? "true" : "false"; }
inline std::string toString(const hidl_string& text) { return '"' + std::string(text) + '"'; }
inline std::string toString(const hidl_handle& handle) {
    return "handle " + details::toHexString(reinterpret_cast<uintptr_t>(handle.getNativeHandle()));
}
inline std::string toString(const hidl_memory& memory) {
    return "memory of " + std::to_string(memory.size()) + " bytes";
}
template <class T>
std::string toString(const hidl_vec<T>& range) {
    std::string text = "[" + std::to_string(range.size()) + "]{";
    for (const T& element : range) text += toString(element) + ", ";
    return text + "}";
}
template <class T, size_t N>
std::string toString(const hidl_array<T, N>& array) {
    return toString(hidl_vec<T>(array.data(), array.data() + N));
}

}  // namespace hardware
}  // namespace android
