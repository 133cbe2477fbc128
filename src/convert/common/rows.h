// Concepts over the rows of nnapi/convert_types.def. They choose a translation by the type itself,
// never by its fields, since other versions have fields of the same names with other types.
#pragma once

#include <concepts>

#include "nnapi/convert.h"

namespace nn::conversion {

// A type by which the versions of a family carry a canonical type.
template <class Hal, class Canonical, HalFamily Family>
concept Carries = ConvertsFrom<Hal> && std::same_as<CanonicalType<Hal>, Canonical> &&
        (halVersionInfo(kLastHalVersion<Hal>)->family == Family);

// A type that was introduced in version V or later.
template <class Hal, HalVersion V>
inline constexpr bool kSince = kFirstHalVersion<Hal> >= V;

}  // namespace nn::conversion
