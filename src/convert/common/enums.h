// Conversion of enumerations. Codes are the same in all versions (assertions.cc of each family), so
// that a cast is enough, except for enumerations with a substitute here and for types that AIDL
// lacks.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "convert/common/context.h"
#include "convert/common/rows.h"
#include "nnapi/hal/enumerator_rows.h"

namespace nn NNAPI_BINDING::conversion {

// Replaces an enumerator that a version lacks, and a code without an enumerator; empty: both are
// rejected. Defined for each enumeration that some version has only in part.
constexpr std::optional<ErrorStatus> substituteFor(ErrorStatus) {
    return ErrorStatus::GENERAL_FAILURE;
}
constexpr std::optional<DeviceType> substituteFor(DeviceType) { return {}; }
constexpr std::optional<Operand::LifeTime> substituteFor(Operand::LifeTime) { return {}; }

template <class E>
concept Listed = requires(E value) {
    substituteFor(value);
};

template <class E>
concept Enum = std::is_enum_v<E>;

// The feature level that an enumerator needs, by code; 0: no version has it.
template <Listed E>
inline constexpr auto kLevels = [] {
    constexpr std::span<const hal::EnumeratorRow> rows = hal::enumeratorRows<E>();
    std::array<uint8_t, rows.size() + 1> levels{};  // codes are dense from 0 or 1
    for (const hal::EnumeratorRow& row : rows) {
        if (row.since) levels[static_cast<size_t>(row.code)] = featureLevel(toVersion(*row.since));
    }
    return levels;
}();

template <Listed E>
constexpr bool has(HalVersion version, E value) {
    const auto code = static_cast<size_t>(value);
    const int level = code < kLevels<E>.size() ? kLevels<E>[code] : 0;
    return level != 0 && level <= featureLevel(toVersion(version));
}

// The same for a version known at compile time, by one lookup among its codes.
template <HalVersion V, Listed E>
constexpr bool has(E value) {
    constexpr uint64_t kCodes = [] {
        uint64_t codes = 0;
        for (size_t code = 0; code < kLevels<E>.size(); ++code)
            codes |= uint64_t{has(V, static_cast<E>(code))} << code;
        return codes;
    }();
    const auto code = static_cast<size_t>(value);
    return code < kLevels<E>.size() && (kCodes >> code & 1) != 0;
}

template <Enum E>
Status refuseEnumerator(E value, const Context& context) {
    return context.refuse(
            "convert.enumerator",
            fmt::format("{} does not exist in {}", toString(value), titleOf(context.version)));
}

// Rejects a tagged union without a member, which only a peer can construct.
inline Status refuseUnion(const Context& context) {
    return context.refuse("convert.union", "union holds none of its members");
}

template <Listed Canonical, Represents<Canonical> Hal>
Status translate(const Canonical& value, Hal& hal, const Context& context) {
    std::optional<Canonical> sent = value;
    if (!has(context.version, value)) {
        sent = substituteFor(value);
        if (!sent) return refuseEnumerator(value, context);
        if (context.losses != nullptr)
            context.recordLoss(value, *sent, "has no " + toString(value));
    }
    hal = static_cast<Hal>(*sent);
    return {};
}

template <Listed Canonical, Represents<Canonical> Hal>
Status translate(const Hal& hal, Canonical& value, const Context& context) {
    value = static_cast<Canonical>(hal);
    return has(context.version, value) ? Status() : refuseEnumerator(value, context);
}

// Types of operands and operations in AIDL: no OEM types, and a prefix of 15 bits, so that no code
// is negative.
template <class Canonical>
concept TypeCode = std::same_as<Canonical, OperandType> || std::same_as<Canonical, OperationType>;

template <TypeCode Canonical>
constexpr bool aidlHas(Canonical type) {
    if constexpr (std::same_as<Canonical, OperandType>) {
        if (type == OperandType::OEM || type == OperandType::TENSOR_OEM_BYTE) return false;
    } else {
        if (type == OperationType::OEM_OPERATION) return false;
    }
    return static_cast<int32_t>(type) >= 0;
}

// All other enumerations keep their codes, known or not.
template <Enum From, Enum To>
requires(!Listed<From> && !Listed<To> && (Represents<From, To> || Represents<To, From>)) Status
        translate(const From& from, To& to, const Context& context) {
    to = static_cast<To>(from);
    if constexpr (TypeCode<From> && Aidl<To, From>) {
        if (!aidlHas(from)) return refuseEnumerator(from, context);
    } else if constexpr (TypeCode<To> && Aidl<From, To>) {
        if (!aidlHas(to)) return refuseEnumerator(to, context);
    }
    return {};
}

}  // namespace NNAPI_BINDING::conversion
