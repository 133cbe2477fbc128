// nnapi/checked_math.h -- Overflow-checked integer arithmetic.
//
//   std::optional<uint64_t> bytes = nn::checkedMul<uint64_t>(count, elementSize);
//   if (!nn::fits(offset, length, pool.size())) return error;
//
// Use it for all arithmetic on sizes, offsets and counts from outside. An empty optional means
// overflow; an operation on an empty operand is empty. Pure and thread-safe.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace nn {

// a + b.
template <std::integral T>
constexpr std::optional<T> checkedAdd(std::optional<T> a, std::optional<T> b) {
    T sum{};
    if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
    return sum;
}

// a - b; for unsigned types empty if b is larger.
template <std::integral T>
constexpr std::optional<T> checkedSub(std::optional<T> a, std::optional<T> b) {
    T difference{};
    if (!a || !b || __builtin_sub_overflow(*a, *b, &difference)) return std::nullopt;
    return difference;
}

// a * b.
template <std::integral T>
constexpr std::optional<T> checkedMul(std::optional<T> a, std::optional<T> b) {
    T product{};
    if (!a || !b || __builtin_mul_overflow(*a, *b, &product)) return std::nullopt;
    return product;
}

// The product of a range; 1 for an empty range. With a factor of 0 the product is 0, even if the
// other factors would overflow.
template <std::integral T, class Range>
constexpr std::optional<T> checkedProduct(const Range& factors) {
    T product{1};
    bool overflows = false;
    for (const auto factor : factors) {
        if (factor == 0) return T{0};
        overflows |= !std::in_range<T>(factor) ||
                     __builtin_mul_overflow(product, static_cast<T>(factor), &product);
    }
    if (overflows) return std::nullopt;
    return product;
}

// Converts to another integer type; empty if the value is out of range.
template <std::integral To, std::integral From>
constexpr std::optional<To> checkedCast(From value) {
    if (!std::in_range<To>(value)) return std::nullopt;
    return static_cast<To>(value);
}

// Converts to another integer type; clamps to its range.
template <std::integral To, std::integral From>
constexpr To saturatingCast(From value) {
    if (std::in_range<To>(value)) return static_cast<To>(value);
    return value < From{0} ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
}

// True if offset + length <= size, without computing the sum.
constexpr bool fits(uint64_t offset, uint64_t length, uint64_t size) {
    return offset <= size && length <= size - offset;
}

// The lowest multiple of `alignment` that is at least `value`; empty for alignment 0.
template <std::unsigned_integral T>
constexpr std::optional<T> checkedRoundUp(T value, T alignment) {
    if (alignment == 0) return std::nullopt;
    const T rest = value % alignment;
    return rest == 0 ? std::optional<T>(value)
                     : checkedAdd<T>(value, static_cast<T>(alignment - rest));
}

}  // namespace nn
