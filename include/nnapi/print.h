// nnapi/print.h -- readable text for every value, canonical or versioned.
//
//   std::cout << nn::print(operand) << '\n';
//   // Operand{type = TENSOR_FLOAT32, dimensions = [2, 3], lifetime = SUBGRAPH_INPUT}
//
// Fields that hold their default are left out; long vectors are cut with their length. Derives from
// the NNAPI_FIELDS rows. Including this header also gives googletest printers for all types.
#pragma once

#include <concepts>
#include <iosfwd>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <variant>

#include "nnapi/fields.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nn {
namespace print_internal {

std::string number(double value);
std::string number(int64_t value);
std::string number(uint64_t value);
std::string text(std::string_view value);
inline constexpr size_t kMostElements = 32;

template <class T>
concept Named = requires(const T& value) {
    { toString(value) } -> std::convertible_to<std::string>;
};

template <class T>
concept SafeUnion = requires(const T& value) {
    value.getDiscriminator();
    value.value();
};

template <class T>
concept Range = requires(const T& value) {
    value.size();
    value.begin();
};

template <class T>
std::string print(const T& value);

template <class T>
std::string printFields(const T& value) {
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
std::string printRange(const T& range) {
    std::string out;
    size_t count = 0;
    for (const auto& element : range) {
        if (count++ == kMostElements) break;
        if (!out.empty()) out += ", ";
        out += print(element);
    }
    if (range.size() > kMostElements) out += ", ... " + number(uint64_t{range.size()}) + " in all";
    return "[" + out + "]";
}

template <class T>
std::string print(const std::optional<T>& value) {
    return value ? print(*value) : "none";
}

template <class... T>
std::string print(const std::variant<T...>& value) {
    if (value.valueless_by_exception()) return "valueless";
    return std::visit([](const auto& member) { return print(member); }, value);
}

template <class T>
std::string print(const T& value) {
    if constexpr (Named<T>) {
        return toString(value);
    } else if constexpr (HasFields<T>) {
        return printFields(value);
    } else if constexpr (std::same_as<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_enum_v<T>) {
        return number(static_cast<uint64_t>(value));
    } else if constexpr (std::floating_point<T>) {
        return number(static_cast<double>(value));
    } else if constexpr (std::signed_integral<T>) {
        return number(static_cast<int64_t>(value));
    } else if constexpr (std::unsigned_integral<T>) {
        return number(static_cast<uint64_t>(value));
    } else if constexpr (std::convertible_to<T, std::string_view>) {
        return text(value);
    } else if constexpr (SafeUnion<T>) {
        return print(value.value());
    } else if constexpr (Range<T>) {
        return printRange(value);
    } else if constexpr (requires { value.count(); }) {
        return number(static_cast<int64_t>(value.count())) + " ns";
    } else if constexpr (requires { value.time_since_epoch(); }) {
        return print(value.time_since_epoch());
    } else if constexpr (requires { value.asVector(); }) {
        return print(value.asVector());
    } else if constexpr (requires { value.bytes(); }) {
        return number(uint64_t{value.size()}) + " bytes";
    } else if constexpr (requires { value.fd(); }) {
        return value.hasFd() ? "fence(fd " + number(int64_t{value.fd()}) + ")" : "signaled";
    } else if constexpr (requires {
                             value.ok();
                             value.get();
                         }) {
        return value.ok() ? "fd " + number(int64_t{value.get()}) : "no fd";
    } else if constexpr (std::is_pointer_v<T>) {
        return value == nullptr ? "null" : "pointer";
    } else if constexpr (requires { value.use_count(); }) {
        if (value == nullptr) return "null";
        if constexpr (requires { print(*value); } &&
                      !std::is_abstract_v<typename T::element_type>) {
            return print(*value);
        } else {
            return "buffer";
        }
    } else {
        return "none";  // std::monostate and its like
    }
}

}  // namespace print_internal

// Text for any value of the library.
template <class T>
std::string print(const T& value) {
    return print_internal::print(value);
}

}  // namespace nn
