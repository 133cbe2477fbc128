// nnapi/print.h -- Prints canonical and versioned values as text.
//
//   std::cout << operand << '\n';
//   // {type = TENSOR_FLOAT32, dimensions = [2, 3], lifetime = SUBGRAPH_INPUT}
//
// Fields that hold their default are left out; long ranges are cut and state their size. Derived
// from the NNAPI_FIELDS rows. googletest uses it if this header is included. toString() returns the
// same text for structs, unions and ranges of HIDL, as generated code has it, and is a member of
// those of AIDL. Thread-safe.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

#include "nnapi/fields.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/kinds.h"
#include "nnapi/types.h"

namespace nn {

// Text for a value of any type of the library.
template <class T>
std::string print(const T& value);

namespace print_internal {

std::string number(float value);
std::string number(int64_t value);
std::string number(uint64_t value);
std::string quoted(std::string_view value);
inline constexpr size_t kMaxElements = 32;

template <class T>
concept Range = requires(const T& value) {
    value.size();
    value.begin();
};

// Values with a hand-written toString(). toString() below derives the text of all others from their
// fields.
template <class T>
concept Named = !HasFields<T> && !HidlUnion<T> && !Range<T> && requires(const T& value) {
    { toString(value) } -> std::convertible_to<std::string>;
};

template <class T>
concept HasTextOf = requires(const T& value) {
    hal::TextOf<T>::of(value);
};

using namespace kinds;

template <class T>
std::string fields(const T& value) {
    std::string out;
    const T defaults{};
    visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
        if (value.*member == defaults.*member) return;
        if (!out.empty()) out += ", ";
        out.append(name).append(" = ").append(print(value.*member));
    });
    return "{" + out + "}";
}

template <class T>
std::string elements(const T& range) {
    std::string out;
    size_t count = 0;
    for (const auto& element : range) {
        if (count != 0) out += ", ";
        if (count++ == kMaxElements) {
            out += "... " + number(static_cast<uint64_t>(range.size())) + " in all";
            break;
        }
        out += print(element);
    }
    return "[" + out + "]";
}

}  // namespace print_internal

template <class T>
std::string print(const T& value) {
    using namespace print_internal;
    if constexpr (HasTextOf<T>) {
        return hal::TextOf<T>::of(value);
    } else if constexpr (Named<T>) {
        return toString(value);
    } else if constexpr (HasFields<T>) {
        return fields(value);
    } else if constexpr (isOptional<T>) {
        return value ? print(*value) : "none";
    } else if constexpr (isPair<T>) {
        return "{" + print(value.first) + ", " + print(value.second) + "}";
    } else if constexpr (isVariant<T>) {
        if (value.valueless_by_exception()) return "none";
        return std::visit([](const auto& member) { return print(member); }, value);
    } else if constexpr (std::same_as<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_enum_v<T>) {
        return number(static_cast<int64_t>(value));
    } else if constexpr (std::floating_point<T>) {
        return number(static_cast<float>(value));
    } else if constexpr (std::signed_integral<T>) {
        return number(static_cast<int64_t>(value));
    } else if constexpr (std::unsigned_integral<T>) {
        return number(static_cast<uint64_t>(value));
    } else if constexpr (std::same_as<T, hidl::hidl_string>) {
        return print_internal::quoted({value.c_str(), value.size()});
    } else if constexpr (std::convertible_to<T, std::string_view>) {
        return print_internal::quoted(value);
    } else if constexpr (std::same_as<T, UniqueFd> ||
                         std::same_as<T, ::ndk::ScopedFileDescriptor>) {
        return value.get() >= 0 ? "fd " + number(int64_t{value.get()}) : "no fd";
    } else if constexpr (std::same_as<T, SyncFence>) {
        return value.hasFd() ? "fd " + number(int64_t{value.getFd()}) : "signaled";
    } else if constexpr (std::same_as<T, Duration>) {
        return number(int64_t{value.count()}) + " ns";
    } else if constexpr (std::same_as<T, TimePoint>) {
        return print(value.time_since_epoch()) + " after boot";
    } else if constexpr (std::same_as<T, Capabilities::OperandPerformanceTable>) {
        return print(value.asVector());
    } else if constexpr (std::same_as<T, Model::OperandValues>) {
        return number(uint64_t{value.size()}) + " bytes";
    } else if constexpr (std::same_as<T, SharedBuffer>) {
        return value.get() == nullptr ? "null" : "buffer";
    } else if constexpr (std::same_as<T, SharedMemory> || std::same_as<T, SharedHandle>) {
        return value.get() == nullptr ? "null" : print(*value);
    } else if constexpr (std::is_pointer_v<T>) {
        return value == nullptr ? "null" : "pointer";
    } else if constexpr (HidlUnion<T> || AidlUnion<T>) {
        std::string text = "none";
        visitHeld(value, [&](std::string_view, const auto& member) { text = print(member); });
        return text;
    } else if constexpr (Range<T>) {
        return elements(value);
    } else {
        static_assert(std::same_as<T, std::monostate>, "a type that print() does not know");
        return "none";
    }
}

// The text of print().
template <class T>
requires HasFields<T> || print_internal::Named<T> std::ostream& operator<<(std::ostream& out,
                                                                           const T& value) {
    return out << print(value);
}

namespace hal_text {

// The text of print(), under the name that generated code has for it.
template <class T>
requires HasFields<T> || HidlUnion<T> std::string toString(const T& value) { return print(value); }

}  // namespace hal_text

namespace hidl {

// The text of print(): long ranges are cut.
template <class T>
std::string toString(const hidl_vec<T>& range) {
    return print(range);
}
// The text of print(): long arrays are cut.
template <class T, size_t N>
std::string toString(const hidl_array<T, N>& array) {
    return print(std::vector<T>(array.data(), array.data() + N));
}

}  // namespace hidl

// Makes argument-dependent lookup find them for types of these namespaces.
namespace memory {
using nn::operator<<;
}
namespace V1_0 {
using hal_text::toString;
using nn::operator<<;
}  // namespace V1_0
namespace V1_1 {
using hal_text::toString;
using nn::operator<<;
}  // namespace V1_1
namespace V1_2 {
using hal_text::toString;
using nn::operator<<;
}  // namespace V1_2
namespace V1_3 {
using hal_text::toString;
using nn::operator<<;
}  // namespace V1_3

}  // namespace nn

namespace aidl::android::hardware {
namespace neuralnetworks {
using nn::operator<<;
}
namespace common {
using nn::operator<<;
}
namespace graphics::common {
using nn::operator<<;
}
}  // namespace aidl::android::hardware
