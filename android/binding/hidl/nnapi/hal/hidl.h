// nnapi/hal/hidl.h -- The runtime types of HIDL, as libhidl has them.
//
//   nn::hidl::hidl_vec<uint32_t> dimensions = {1, 2};   // android::hardware::hidl_vec
//
// Where headers of HIDL are generated (CMake's NNAPI_HAL_HEADERS), this and its neighbors replace
// the stand-ins of include/nnapi/hal. Namespaces of this library have the generated names by using
// declarations; rows and operators are in the namespaces of Android, where argument-dependent
// lookup finds them. libhidl ends the program if a union is read that holds another member or
// has a tag that no member has, and where a handle cannot be cloned.
#pragma once

#include <android/hidl/safe_union/1.0/types.h>
#include <cutils/native_handle.h>
#include <hidl/HidlSupport.h>

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/strict.h"
#include "nnapi/hal/union_members.h"

namespace nn {

template <class T>
std::string print(const T& value);

namespace hidl {

using ::native_handle_clone;
using ::native_handle_close;
using ::native_handle_create;
using ::native_handle_delete;
using ::native_handle_t;
using ::android::hardware::hidl_array;
using ::android::hardware::hidl_handle;
using ::android::hardware::hidl_memory;
using ::android::hardware::hidl_string;
using ::android::hardware::hidl_vec;
using ::android::hidl::safe_union::V1_0::Monostate;

// True if the counts are not negative and at most those that a native handle can have. Nothing else
// can be checked: only the creator of the handle has the size of its memory.
bool wellFormed(const native_handle_t& handle);

// Equal if they are the same object, or the same files and integers.
bool areEqual(const hidl_handle& a, const hidl_handle& b);

std::string toString(const hidl_handle& handle);
std::string toString(const hidl_memory& memory);
std::string toString(const hidl_string& text);  // in quotes

}  // namespace hidl

namespace hal {

template <class T>
requires std::same_as<T, hidl::hidl_handle> || std::same_as<T, hidl::hidl_memory> ||
        std::same_as<T, hidl::hidl_string>
struct TextOf<T> {
    static std::string of(const T& value) { return hidl::toString(value); }
};

template <class T, size_t N>
struct TextOf<hidl::hidl_array<T, N>> {
    static std::string of(const hidl::hidl_array<T, N>& array) {
        return print(std::vector<T>(array.data(), array.data() + N));
    }
};

template <>
struct TextOf<hidl::Monostate> {
    static std::string of(const hidl::Monostate&) { return "none"; }
};

// Compares what hidl-gen does not compare: structs and unions that hold memory.
template <HasFields T>
bool areEqual(const T& a, const T& b) {
    return withFields(std::type_identity<T>{},
                      [&](auto... field) { return ((a.*field.member == b.*field.member) && ...); });
}
template <HidlUnion T>
bool areEqual(const T& a, const T& b) {
    if (tagOf(a) != tagOf(b)) return false;
    return withMembers(std::type_identity<T>{}, [&](const auto&... member) {
        return ((member.tag == tagOf(a) && member.get(a) == member.get(b)) || ...);
    });
}

}  // namespace hal
}  // namespace nn

namespace android::hardware {

inline bool operator==(const hidl_handle& a, const hidl_handle& b) {
    return nn::hidl::areEqual(a, b);
}
inline bool operator==(const hidl_memory& a, const hidl_memory& b) {
    return nn::hidl::areEqual(a.handle(), b.handle()) && a.size() == b.size() &&
           a.name() == b.name();
}

}  // namespace android::hardware
