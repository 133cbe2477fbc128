// Ways through the rows of nnapi/convert_types.def: a translation is chosen by what a type is,
// never by which fields it has, since other versions have fields of the same names and other types.
#pragma once

#include <concepts>

#include "nnapi/convert.h"

namespace nn::conversion {

// A type by which the versions of a family carry a canonical type.
template <class Hal, class Canonical, HalFamily Family>
concept Carries = ConvertsFrom<Hal> && std::same_as<CanonicalType<Hal>, Canonical> &&
        (halVersionInfo(kLastHalVersion<Hal>)->family == Family);

// A type that came with a version, or after it.
template <class Hal, HalVersion V>
inline constexpr bool kSince = kFirstHalVersion<Hal> >= V;

}  // namespace nn::conversion
