// nnapi/kinds.h -- whether a type is an optional, a variant or a pair, at compile time.
//
//   if constexpr (nn::kinds::isOptional<decltype(timing.timeOnDevice)>) ...
#pragma once

#include <optional>
#include <utility>
#include <variant>

namespace nn::kinds {

// True for a std::optional.
template <class T>
inline constexpr bool isOptional = false;
template <class T>
inline constexpr bool isOptional<std::optional<T>> = true;

// True for a std::variant.
template <class T>
inline constexpr bool isVariant = false;
template <class... T>
inline constexpr bool isVariant<std::variant<T...>> = true;

// True for a std::pair.
template <class T>
inline constexpr bool isPair = false;
template <class A, class B>
inline constexpr bool isPair<std::pair<A, B>> = true;

}  // namespace nn::kinds
