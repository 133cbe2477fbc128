// joined_axes.h -- The same elements in fewer axes, since most operations have at most four.
//
//   const auto joined = joinedTransposition({2, 3, 1, 4, 5}, axes);   // of 4 axes or less
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/types.h"

namespace nn::importing {

// Axes that most operations can have.
inline constexpr size_t kMaxAxes = 4;

// A transposition of the same elements in fewer axes: those of one element are left out, and while
// there are more than kMaxAxes, those that stay neighbors are one.
struct Transposition {
    std::vector<uint32_t> dimensions{};  // of the transposed tensor
    std::vector<uint32_t> axes{};
};
Transposition joinedTransposition(const std::vector<uint32_t>& dimensions,
                                  std::span<const uint32_t> axes);

// The same elements in three axes: those before an axis, the axis, and those behind it. Empty where
// these are too large.
std::optional<std::vector<uint32_t>> aroundAxis(const std::vector<uint32_t>& dimensions,
                                                uint32_t axis);

// Tensors that are broadcast to one shape, in fewer axes: those of one element are left out, and
// neighbors are one that each tensor either has, or has with size 1.
struct Broadcast {
    std::vector<std::vector<uint32_t>> inputs{};
    std::vector<uint32_t> whole{};  // the shape before axes are joined
    std::vector<uint32_t> result{};
};
// Empty where they cannot be broadcast, or have no elements.
std::optional<Broadcast> joinedBroadcast(std::span<const std::vector<uint32_t>> inputs);

}  // namespace nn::importing
