// Converts numbers whose types differ between the two sides: AIDL has only signed types.
#pragma once

#include <absl/algorithm/container.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/common/elements.h"

namespace nn NNAPI_BINDING::conversion {

// The largest number that both types can represent.
template <std::integral A, std::integral B>
inline constexpr uint64_t kMaxOfBoth = std::min<uint64_t>(std::numeric_limits<A>::max(),
                                                          std::numeric_limits<B>::max());

template <std::integral To, std::integral From>
[[gnu::cold, gnu::noinline]] Status refuseNumber(From value, std::string_view what,
                                                 const Context& context) {
    return context.refuse("convert.range", fmt::format("{} is {}, allowed 0 to {}", what, value,
                                                       kMaxOfBoth<To, From>));
}

// Copies a number; fails with INVALID_ARGUMENT if the other type cannot represent it. `what` names
// it.
template <std::integral To, std::integral From>
Status carryNumber(From from, To& to, std::string_view what, const Context& context) {
    if (!std::in_range<To>(from)) return refuseNumber<To>(from, what, context);
    to = static_cast<To>(from);
    return {};
}

// True if the sign bit is clear in all of them, so that signed and unsigned agree.
template <class Range>
bool haveClearSignBits(const Range& range) {
    uint32_t all = 0;
    for (const auto each : range) all |= static_cast<uint32_t>(each);
    return static_cast<int32_t>(all) >= 0;
}

template <class To, class Range>
[[gnu::cold, gnu::noinline]] Status refuseNumbers(const Range& range, const Context& context,
                                                  std::string_view field) {
    const auto wrong = absl::c_find_if(range, [](auto each) { return !std::in_range<To>(each); });
    return refuseNumber<To>(*wrong, "value", context.at(field, wrong - range.begin()));
}

// The same for a range of 32-bit numbers; `field` names it in its object.
template <class From, class To>
Status carryNumbers(From&& from, To& to, std::string_view field, const Context& context) {
    using A = typename std::remove_cvref_t<From>::value_type;
    using B = typename To::value_type;
    if constexpr (!std::same_as<A, B>) {
        if (!haveClearSignBits(from)) return refuseNumbers<B>(from, context, field);
    }
    carry(std::forward<From>(from), to);
    return {};
}

}  // namespace NNAPI_BINDING::conversion
