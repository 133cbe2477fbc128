// Concepts over the rows of nnapi/convert_types.def. They select a translation by type, never by
// fields: fields of the same name have other types in other versions.
#pragma once

#include <concepts>

#include "nnapi/convert.h"

namespace nn NNAPI_BINDING::conversion {

// A type that represents a canonical type in some version.
template <class Hal, class Canonical>
concept Represents = ConvertsFrom<Hal> && std::same_as<CanonicalType<Hal>, Canonical>;

// A type that represents a canonical type in a version of the family.
template <class Hal, class Canonical, HalFamily Family>
concept Carries = Represents<Hal, Canonical> &&
        (halVersionInfo(kLastHalVersion<Hal>)->family == Family);

template <class Hal, class Canonical>
concept Hidl = Carries<Hal, Canonical, HalFamily::HIDL>;
template <class Hal, class Canonical>
concept Aidl = Carries<Hal, Canonical, HalFamily::AIDL>;

// True for pairs of structs whose fields convert one by one (common/fields.h).
template <class From, class To>
inline constexpr bool kFieldByField = false;
#define NNAPI_HAL_STRUCT(Canonical, Hal, from, to)              \
    template <>                                                 \
    inline constexpr bool kFieldByField<Canonical, Hal> = true; \
    template <>                                                 \
    inline constexpr bool kFieldByField<Hal, Canonical> = true;
#include "nnapi/convert_types.def"

// A type that was introduced in version V or later.
template <class Hal, HalVersion V>
inline constexpr bool kSince = kFirstHalVersion<Hal> >= V;

}  // namespace NNAPI_BINDING::conversion
