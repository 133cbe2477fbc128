#pragma once

#include <array>

namespace ndk {
namespace internal {

template <typename EnumType>
constexpr inline void* enum_values = nullptr;

}  // namespace internal

template <typename EnumType>
class enum_range {
   public:
    constexpr auto begin() const { return internal::enum_values<EnumType>.cbegin(); }
    constexpr auto end() const { return internal::enum_values<EnumType>.cend(); }
};

}  // namespace ndk
