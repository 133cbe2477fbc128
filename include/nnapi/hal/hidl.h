// nnapi/hal/hidl.h -- the few runtime types that HIDL-generated headers are written in.
//
//   nn::hidl::hidl_vec<uint32_t> dimensions = {1, 2};
//   nn::hidl::hidl_memory pool("ashmem", handle, size);
//
// Stand-ins with the spelling of libhidl (android::hardware): ranges with size() and [], strings,
// fixed arrays, native handles, shared memory, and tagged unions with getDiscriminator() and one
// accessor per member. Conversions use only this spelling, so that the same sources also compile
// against HIDL-generated headers. Unlike in libhidl, copies of a handle share its descriptors, and
// reading a member that a union does not hold gives that member's default.
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

// numFds descriptors, then numInts integers, in data. The counts may come from a peer, so the
// library reads a handle only where it is wellFormed.
struct native_handle_t {
    int version = 0;
    int numFds = 0;
    int numInts = 0;
    std::vector<int> data;
};

// A handle with that many descriptors (all -1) and integers (all 0); null where a count is negative
// or above 1024, the most that native handles hold.
native_handle_t* native_handle_create(int numFds, int numInts);

// True where the counts are not negative and their sum is the size of data.
bool wellFormed(const native_handle_t& handle);

// Frees a handle and, where it is well formed, closes its descriptors.
int native_handle_close(const native_handle_t* handle);
int native_handle_delete(native_handle_t* handle);

class hidl_handle {
   public:
    hidl_handle() = default;

    // Refers to a handle that outlives this and its copies.
    hidl_handle(const native_handle_t* handle) { *this = handle; }
    hidl_handle& operator=(const native_handle_t* handle);

    // With shouldOwn, takes the handle over: the last copy closes and frees it.
    void setTo(native_handle_t* handle, bool shouldOwn = false);

    // True where this and its copies keep the handle, false where they only refer to it.
    bool isOwner() const { return mHandle.use_count() > 0; }

    const native_handle_t* getNativeHandle() const { return mHandle.get(); }
    const native_handle_t* operator->() const { return mHandle.get(); }
    operator const native_handle_t*() const { return mHandle.get(); }

    // Equal: the same object, or the same files and the same integers.
    friend bool operator==(const hidl_handle& a, const hidl_handle& b);

   private:
    std::shared_ptr<const native_handle_t> mHandle;
};

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

// The base of all tagged unions: one value, known by its position among the members.
template <class... Members>
class SafeUnion {
   public:
    SafeUnion() {}  // defaulted, it would have all bytes cleared first
    bool operator==(const SafeUnion&) const = default;

    // The value as a variant with one alternative per member, in order.
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

// The accessors of the I-th member of a SafeUnion, as HIDL generates them.
#define NNAPI_UNION_MEMBER(name, I)                          \
    void name(Member<I> value) { set<I>(std::move(value)); } \
    const Member<I>& name() const { return get<I>(); }       \
    Member<I>& name() { return get<I>(); }
