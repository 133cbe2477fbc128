// nnapi/hal/hidl.h -- Stand-ins for the runtime types of HIDL-generated headers.
//
//   nn::hidl::hidl_vec<uint32_t> dimensions = {1, 2};
//   nn::hidl::hidl_memory pool("ashmem", handle, size);
//
// Spelled as in libhidl (android::hardware): ranges with size() and [], strings, fixed arrays,
// native handles, shared memory, and tagged unions with getDiscriminator() and one accessor for
// each member. Conversions use only this spelling, and compile against generated headers, too:
// there android/binding/hidl has another header of this name (docs/android.md). Unlike in libhidl,
// copies of a handle share its descriptors, and reading a member that a union does not hold returns
// that member's default; nnapi/hal/strict.h shows how to get the behavior of libhidl for both.
// Source: libhidl.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/hidl/array.h"
#include "nnapi/hal/hidl/string.h"
#include "nnapi/hal/hidl/vec.h"
#include "nnapi/hal/strict.h"
#include "nnapi/hal/union_members.h"

namespace nn::hidl {

// The empty member of a union.
using Monostate = std::monostate;

// A std::vector that is also the array of Android's native_handle_t.
class NativeHandleData : public std::vector<int> {
   public:
    using std::vector<int>::vector;
    operator int*() { return data(); }
    operator const int*() const { return data(); }
    // Without these, an int on a 32-bit machine would fit the vector and the array equally well.
    template <class Index>
    int& operator[](Index i) {
        return data()[i];
    }
    template <class Index>
    const int& operator[](Index i) const {
        return data()[i];
    }
};

// `data` holds numFds descriptors, then numInts integers. A peer may send any counts, so the
// library reads a handle only if it is wellFormed.
struct native_handle_t {
    int version = 0;
    int numFds = 0;
    int numInts = 0;
    NativeHandleData data;
};

// Creates a handle with descriptors -1 and integers 0; null if a count is negative or above 1024,
// the most that native handles hold.
native_handle_t* native_handle_create(int numFds, int numInts);

// True if the counts are not negative and their sum is the size of data.
bool wellFormed(const native_handle_t& handle);

// A handle with duplicates of the descriptors and the same integers; null if one cannot be
// duplicated, and for a handle that is not well-formed.
native_handle_t* native_handle_clone(const native_handle_t* handle);

// close: closes the descriptors of a well-formed handle. delete: frees the handle.
int native_handle_close(const native_handle_t* handle);
int native_handle_delete(native_handle_t* handle);

// A native handle, owned or borrowed. Copies of an owned one share it; if the stand-ins are
// strict, every copy owns a clone.
class hidl_handle {
   public:
    hidl_handle() = default;

    // Borrows a handle, which must outlive this object and its copies.
    hidl_handle(const native_handle_t* handle) { *this = handle; }
    hidl_handle& operator=(const native_handle_t* handle);

#ifdef NNAPI_STRICT_HAL
    hidl_handle(const hidl_handle& other) { *this = other; }
    hidl_handle(hidl_handle&&) noexcept = default;
    hidl_handle& operator=(const hidl_handle& other);
    hidl_handle& operator=(hidl_handle&&) noexcept = default;
#else
    // True if this object and its copies own the handle.
    bool isOwner() const { return mHandle.use_count() > 0; }
#endif

    // With shouldOwn, takes ownership: the last owner closes and frees the handle.
    void setTo(native_handle_t* handle, bool shouldOwn = false);

    const native_handle_t* getNativeHandle() const { return mHandle.get(); }
    const native_handle_t* operator->() const { return mHandle.get(); }
    operator const native_handle_t*() const { return mHandle.get(); }

    // Equal if they are the same object, or the same files and integers. A template, so that
    // nullptr is compared as a pointer.
    template <std::same_as<hidl_handle> Handle>
    bool operator==(const Handle& other) const {
        return equals(other);
    }

   private:
    bool equals(const hidl_handle& other) const;

    std::shared_ptr<const native_handle_t> mHandle;
};

// Shared memory: its kind ("ashmem", "mmap_fd" ...), handle and size in bytes.
class hidl_memory {
   public:
    hidl_memory() = default;
#ifdef NNAPI_STRICT_HAL
    hidl_memory(const hidl_string& name, hidl_handle&& handle, size_t size)
        : mHandle(std::move(handle)), mSize(size), mName(name) {}
    // Borrows the handle, also that of a hidl_handle.
    hidl_memory(const hidl_string& name, const native_handle_t* handle, size_t size)
        : mHandle(handle), mSize(size), mName(name) {}
#else
    hidl_memory(hidl_string name, hidl_handle handle, uint64_t size)
        : mHandle(std::move(handle)), mSize(size), mName(std::move(name)) {}

    bool ownsHandle() const { return mHandle.isOwner(); }
#endif

    const native_handle_t* handle() const { return mHandle.getNativeHandle(); }
    const hidl_string& name() const { return mName; }
    uint64_t size() const { return mSize; }
    bool valid() const { return handle() != nullptr; }

    bool operator==(const hidl_memory&) const = default;

   private:
    hidl_handle mHandle;
    uint64_t mSize = 0;
    hidl_string mName;
};

std::string toString(const hidl_handle& handle);
std::string toString(const hidl_memory& memory);

// Base of all tagged unions: one value, identified by its position among the members.
template <class... Members>
class SafeUnion {
   public:
    SafeUnion() {}  // defaulted, it would have all bytes cleared first
    bool operator==(const SafeUnion&) const = default;

   protected:
    template <size_t I>
    using Member = std::variant_alternative_t<I, std::variant<Members...>>;

    template <size_t I>
    void set(Member<I> value) {
        mValue.template emplace<I>(std::move(value));
    }

    // A member that is not held: its default; if the stand-ins are strict, this ends the
    // program.
    template <size_t I>
    const Member<I>& get() const {
        if (const Member<I>* member = std::get_if<I>(&mValue)) return *member;
        hal::endStrictProgram("a union of HIDL does not hold the member that is read");
        static const Member<I> kDefault{};
        return kDefault;
    }

    template <size_t I>
    Member<I>& get() {
        if (mValue.index() != I) {
            hal::endStrictProgram("a union of HIDL does not hold the member that is changed");
            mValue.template emplace<I>();
        }
        return std::get<I>(mValue);
    }

    size_t index() const { return mValue.index(); }

   private:
    friend struct UnionValue;

    std::variant<Members...> mValue;
};

// The variant of a union, with one alternative for each member, in order, and optionally one for
// tags that no member has. Generated unions have no counterpart: this is for the transport, whose
// peers may send any tag, and for its tests.
struct UnionValue {
    template <class... Members>
    static const std::variant<Members...>& of(const SafeUnion<Members...>& held) {
        return held.mValue;
    }
    template <class... Members>
    static std::variant<Members...>& of(SafeUnion<Members...>& held) {
        return held.mValue;
    }
};

}  // namespace nn::hidl

// Accessors of the I-th member of a SafeUnion, as HIDL generates them.
#define NNAPI_UNION_MEMBER(name, I)                          \
    void name(Member<I> value) { set<I>(std::move(value)); } \
    const Member<I>& name() const { return get<I>(); }       \
    Member<I>& name() { return get<I>(); }
