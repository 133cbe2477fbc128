// nnapi/generate/code.h -- Prints a value as C++ code, to paste into a test.
//
//   puts(nn::testing::code(operand).c_str());
//   // nn::Operand{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {2, 3}}
//
// Converts a shrunk case of a failing property to a named test. Fields that hold their default are
// left out. Shared memory is recreated with its bytes (up to 64 KiB, larger ones with zeros);
// descriptors, fences and pointers become empty. The code needs the header that declares the type,
// nnapi/generate/generate.h if there is memory, and <limits> if there is an infinity or NaN.
// Thread-safe, no global state.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/print.h"
#include "nnapi/types.h"

namespace nn::testing {

// An expression of type T, for any value of the library.
template <class T>
std::string code(const T& value);

namespace code_internal {

// "nn::OperandType"
template <class T>
constexpr std::string_view typeName() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("T = ") + 4);
    return text.substr(0, text.find_first_of(";]"));
}

std::string number(float value);
std::string number(int64_t value);
std::string number(uint64_t value);
std::string quoted(std::string_view value);
std::string enumerator(std::string_view type, std::string_view name, int64_t value);
std::string memory(const SharedMemory& memory);
std::string memory(const hidl::hidl_memory& memory);

// The value where the type follows from the context: "{.type = ...}", "{2, 3}".
template <class T>
std::string initializer(const T& value);

template <class T>
std::string elements(const T& range) {
    std::string out;
    for (const auto& element : range) {
        if (!out.empty()) out += ", ";
        out += initializer(element);
    }
    return "{" + out + "}";
}

template <class T>
std::string fields(const T& value) {
    std::string out;
    const T defaults{};
    visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
        if (value.*member == defaults.*member) return;
        if (!out.empty()) out += ", ";
        out.append(".").append(name).append(" = ").append(initializer(value.*member));
    });
    return "{" + out + "}";
}

// A tagged union has no initializer; its member is set by name.
std::string heldUnion(std::string_view type, std::string_view member, std::string value);

// "Type::make<static_cast<Type::Tag>(0)>(...)"
std::string taggedUnion(std::string_view type, int tag, std::string value);

template <class T>
std::string unionCode(const T& value) {
    std::string text;
    visitHeld(value, [&]<class Member>([[maybe_unused]] std::string_view name,
                                       const Member& member) {
        if constexpr (AidlUnion<T>) {
            text = taggedUnion(typeName<T>(), static_cast<int>(value.getTag()), code(member));
        } else if constexpr (!std::same_as<Member, hidl::Monostate>) {
            text = heldUnion(typeName<T>(), name, code(member));
        }
    });
    return text.empty() ? std::string(typeName<T>()) + "()" : text;
}

template <class T>
std::string initializer(const T& value) {
    using namespace print_internal;
    if constexpr (std::same_as<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_enum_v<T>) {
        return enumerator(typeName<T>(), print(value), static_cast<int64_t>(value));
    } else if constexpr (std::floating_point<T>) {
        return code_internal::number(static_cast<float>(value));
    } else if constexpr (std::signed_integral<T>) {
        return code_internal::number(static_cast<int64_t>(value));
    } else if constexpr (std::unsigned_integral<T>) {
        return code_internal::number(static_cast<uint64_t>(value));
    } else if constexpr (std::same_as<T, std::string> || std::same_as<T, hidl::hidl_string>) {
        return code_internal::quoted(std::string(value));
    } else if constexpr (isOptional<T>) {
        return value ? initializer(*value) : "std::nullopt";
    } else if constexpr (isPair<T>) {
        return "{" + initializer(value.first) + ", " + initializer(value.second) + "}";
    } else if constexpr (isVariant<T>) {
        return std::visit([](const auto& member) { return code(member); }, value);
    } else if constexpr (std::same_as<T, Duration>) {
        return "nn::Duration(" + initializer(value.count()) + ")";
    } else if constexpr (std::same_as<T, TimePoint>) {
        return "nn::TimePoint(" + initializer(value.time_since_epoch()) + ")";
    } else if constexpr (std::same_as<T, Model::OperandValues>) {
        return "nn::Model::OperandValues(" + elements(value.bytes()) + ")";
    } else if constexpr (std::same_as<T, Capabilities::OperandPerformanceTable>) {
        return "*nn::Capabilities::OperandPerformanceTable::create(" + elements(value.asVector()) +
               ")";
    } else if constexpr (std::same_as<T, SharedMemory> || std::same_as<T, hidl::hidl_memory>) {
        return memory(value);
    } else if constexpr (std::is_pointer_v<T>) {
        return "static_cast<" + std::string(typeName<T>()) + ">(nullptr)";
    } else if constexpr (HidlUnion<T> || AidlUnion<T>) {
        return unionCode(value);
    } else if constexpr (HasFields<T>) {
        return fields(value);
    } else if constexpr (Range<T>) {
        return elements(value);
    } else {
        return "{}";  // empty members of variants; descriptors, fences, buffers
    }
}

}  // namespace code_internal

template <class T>
std::string code(const T& value) {
    using namespace code_internal;
    std::string text = initializer(value);
    return text.starts_with('{') ? std::string(typeName<T>()) + text : text;
}

}  // namespace nn::testing
