// nnapi/hal/hidl.h -- Stand-ins for the runtime types of HIDL-generated headers.
//
//   nn::hidl::hidl_vec<uint32_t> dimensions = {1, 2};
//   nn::hidl::hidl_memory pool("ashmem", handle, size);
//
// Spelled as in libhidl (android::hardware): ranges with size() and [], strings, fixed arrays,
// native handles, shared memory, and tagged unions with getDiscriminator() and one accessor for
// each member. Conversions use only this spelling, so that the same sources can compile against
// generated headers. Unlike in libhidl, copies of a handle share its descriptors, and reading an
// inactive member of a union returns that member's default.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/hidl/vec.h"

namespace nn::hidl {

using hidl_string = std::string;

template <class T, size_t N>
using hidl_array = std::array<T, N>;

// The empty member of a union.
using Monostate = std::monostate;

// `data` holds numFds descriptors, then numInts integers. A peer may send any counts, so the
// library reads a handle only if it is wellFormed.
struct native_handle_t {
    int version = 0;
    int numFds = 0;
    int numInts = 0;
    std::vector<int> data;
};

// Creates a handle with descriptors -1 and integers 0; null if a count is negative or above 1024,
// the most that native handles hold.
native_handle_t* native_handle_create(int numFds, int numInts);

// True if the counts are not negative and their sum is the size of data.
bool wellFormed(const native_handle_t& handle);

// close: closes the descriptors of a well-formed handle. delete: frees the handle.
int native_handle_close(const native_handle_t* handle);
int native_handle_delete(native_handle_t* handle);

// A native handle, owned or borrowed. Copies of an owned one share it.
class hidl_handle {
   public:
    hidl_handle() = default;

    // Borrows a handle, which must outlive this object and its copies.
    hidl_handle(const native_handle_t* handle) { *this = handle; }
    hidl_handle& operator=(const native_handle_t* handle);

    // With shouldOwn, takes ownership: the last copy closes and frees the handle.
    void setTo(native_handle_t* handle, bool shouldOwn = false);

    // True if this object and its copies own the handle.
    bool isOwner() const { return mHandle.use_count() > 0; }

    const native_handle_t* getNativeHandle() const { return mHandle.get(); }
    const native_handle_t* operator->() const { return mHandle.get(); }
    operator const native_handle_t*() const { return mHandle.get(); }

    // Equal if they are the same object, or the same files and integers.
    friend bool operator==(const hidl_handle& a, const hidl_handle& b);

   private:
    std::shared_ptr<const native_handle_t> mHandle;
};

// Shared memory: its kind ("ashmem", "mmap_fd" ...), handle and size in bytes.
class hidl_memory {
   public:
    hidl_memory() = default;
    hidl_memory(hidl_string name, hidl_handle handle, uint64_t size)
        : mHandle(std::move(handle)), mSize(size), mName(std::move(name)) {}

    const native_handle_t* handle() const { return mHandle.getNativeHandle(); }
    const hidl_string& name() const { return mName; }
    uint64_t size() const { return mSize; }
    bool valid() const { return handle() != nullptr; }
    bool ownsHandle() const { return mHandle.isOwner(); }

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

    // The value as a variant, with one alternative for each member, in order.
    const std::variant<Members...>& value() const { return mValue; }
    void setValue(std::variant<Members...> value) { mValue = std::move(value); }

   protected:
    template <size_t I>
    using Member = std::variant_alternative_t<I, std::variant<Members...>>;

    template <size_t I>
    void set(Member<I> value) {
        mValue.template emplace<I>(std::move(value));
    }

    template <size_t I>
    const Member<I>& get() const {
        static const Member<I> kDefault{};
        const Member<I>* member = std::get_if<I>(&mValue);
        return member == nullptr ? kDefault : *member;
    }

    template <size_t I>
    Member<I>& get() {
        if (mValue.index() != I) mValue.template emplace<I>();
        return std::get<I>(mValue);
    }

    size_t index() const { return mValue.index(); }

   private:
    std::variant<Members...> mValue;
};

}  // namespace nn::hidl

// Accessors of the I-th member of a SafeUnion, as HIDL generates them.
#define NNAPI_UNION_MEMBER(name, I)                          \
    void name(Member<I> value) { set<I>(std::move(value)); } \
    const Member<I>& name() const { return get<I>(); }       \
    Member<I>& name() { return get<I>(); }
