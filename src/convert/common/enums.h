// Conversion of enumerations. Codes are the same in all versions (assertions.cc of each family), so
// that a cast is enough, except for enumerations with rows here and for types that AIDL lacks.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "convert/common/context.h"
#include "convert/common/rows.h"

namespace nn NNAPI_BINDING::conversion {

template <class E>
struct EnumRow {
    E canonical;
    std::optional<Version> since;  // empty: in no version
    std::optional<E> below;        // for earlier versions; empty: rejected

    constexpr EnumRow(E value, std::optional<HalVersion> first, std::optional<E> instead = {})
        : canonical(value), below(instead) {
        if (first) since = toVersion(*first);
    }
};

// clang-format off
inline constexpr EnumRow<ErrorStatus> kErrorStatus[] = {
    // canonical                                 since             for earlier versions
    {ErrorStatus::NONE,                          HalVersion::V1_0},
    {ErrorStatus::DEVICE_UNAVAILABLE,            HalVersion::V1_0},
    {ErrorStatus::GENERAL_FAILURE,               HalVersion::V1_0},
    {ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,      HalVersion::V1_0},
    {ErrorStatus::INVALID_ARGUMENT,              HalVersion::V1_0},
    {ErrorStatus::MISSED_DEADLINE_TRANSIENT,     HalVersion::V1_3, ErrorStatus::GENERAL_FAILURE},
    {ErrorStatus::MISSED_DEADLINE_PERSISTENT,    HalVersion::V1_3, ErrorStatus::GENERAL_FAILURE},
    {ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,  HalVersion::V1_3, ErrorStatus::GENERAL_FAILURE},
    {ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, HalVersion::V1_3, ErrorStatus::GENERAL_FAILURE},
    {ErrorStatus::DEAD_OBJECT,                   {},               ErrorStatus::GENERAL_FAILURE},
};

inline constexpr EnumRow<DeviceType> kDeviceType[] = {
    {DeviceType::UNKNOWN,                        {}},
    {DeviceType::OTHER,                          HalVersion::V1_2},
    {DeviceType::CPU,                            HalVersion::V1_2},
    {DeviceType::GPU,                            HalVersion::V1_2},
    {DeviceType::ACCELERATOR,                    HalVersion::V1_2},
};

inline constexpr EnumRow<Operand::LifeTime> kLifeTime[] = {
    {Operand::LifeTime::TEMPORARY_VARIABLE,      HalVersion::V1_0},
    {Operand::LifeTime::SUBGRAPH_INPUT,          HalVersion::V1_0},
    {Operand::LifeTime::SUBGRAPH_OUTPUT,         HalVersion::V1_0},
    {Operand::LifeTime::CONSTANT_COPY,           HalVersion::V1_0},
    {Operand::LifeTime::CONSTANT_REFERENCE,      HalVersion::V1_0},
    {Operand::LifeTime::NO_VALUE,                HalVersion::V1_0},
    {Operand::LifeTime::SUBGRAPH,                HalVersion::V1_3},
    {Operand::LifeTime::POINTER,                 {}},
};
// clang-format on

// The rows of an enumeration that has rows, and the substitute for values without a row.
template <class E>
struct EnumTable {};

template <>
struct EnumTable<ErrorStatus> {
    static constexpr std::span<const EnumRow<ErrorStatus>> kRows = kErrorStatus;
    static constexpr std::optional<ErrorStatus> kUnlisted = ErrorStatus::GENERAL_FAILURE;
};

template <>
struct EnumTable<DeviceType> {
    static constexpr std::span<const EnumRow<DeviceType>> kRows = kDeviceType;
    static constexpr std::optional<DeviceType> kUnlisted{};
};

template <>
struct EnumTable<Operand::LifeTime> {
    static constexpr std::span<const EnumRow<Operand::LifeTime>> kRows = kLifeTime;
    static constexpr std::optional<Operand::LifeTime> kUnlisted{};
};

template <class E>
concept Listed = requires {
    EnumTable<E>::kRows;
};

template <class E>
concept Enum = std::is_enum_v<E>;

template <Listed E>
constexpr const EnumRow<E>* findRow(E value) {
    const auto& rows = EnumTable<E>::kRows;
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const EnumRow<E>& each) { return each.canonical == value; });
    return row == rows.end() ? nullptr : &*row;
}

// The feature level that an enumerator needs, by code; 0: no version has it.
template <Listed E>
inline constexpr auto kLevels = [] {
    constexpr auto last = static_cast<size_t>(EnumTable<E>::kRows.back().canonical);
    std::array<uint8_t, last + 1> levels{};
    for (const EnumRow<E>& row : EnumTable<E>::kRows) {
        if (row.since) levels[static_cast<size_t>(row.canonical)] = featureLevel(*row.since);
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
        const EnumRow<Canonical>* row = findRow(value);
        sent = row != nullptr ? row->below : EnumTable<Canonical>::kUnlisted;
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
