// Concepts over the rows of nnapi/convert_types.def. They select a translation by the type itself,
// never by its fields: other versions have fields of the same names with other types.
#pragma once

#include <concepts>

#include "nnapi/convert.h"

namespace nn::conversion {

// A type by which any version carries a canonical type.
template <class Hal, class Canonical>
concept Stands = ConvertsFrom<Hal> && std::same_as<CanonicalType<Hal>, Canonical>;

// A type by which the versions of a family carry a canonical type.
template <class Hal, class Canonical, HalFamily Family>
concept Carries = Stands<Hal, Canonical> &&(halVersionInfo(kLastHalVersion<Hal>)->family == Family);

template <class Hal, class Canonical>
concept Hidl = Carries<Hal, Canonical, HalFamily::HIDL>;
template <class Hal, class Canonical>
concept Aidl = Carries<Hal, Canonical, HalFamily::AIDL>;

// A type that was introduced in version V or later.
template <class Hal, HalVersion V>
inline constexpr bool kSince = kFirstHalVersion<Hal> >= V;

}  // namespace nn::conversion
