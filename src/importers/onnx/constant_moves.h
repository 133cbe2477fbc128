// Constants whose elements are those of another one in other places.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "importers/onnx/budget.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/shapes.h"

namespace nn::onnx {

// The most elements that are computed for a constant.
inline constexpr uint64_t kMaxElements = 1 << 20;

// Empty where the elements are too many, the inputs do not fit, or the budget is used up.
using Folded = std::optional<Constant>;

// A tensor of other dimensions, whose i-th element is the element `from(index)` of another.
Folded moved(const Constant& constant, Dimensions dimensions, Budget& budget,
             const std::function<size_t(std::span<const uint32_t> index)>& from);

// Of the elements of a constant, in row-major order.
std::vector<size_t> stridesOf(const Constant& constant);

// Broadcast to dimensions that it can be broadcast to.
Folded expanded(const Constant& constant, Dimensions dimensions, Budget& budget);

// The same elements in the same order.
Folded withDimensions(const Constant& constant, std::optional<Dimensions> dimensions);

// The elements of ranges that lie in the constant, one range for each axis.
Folded slicedBy(const Constant& constant, const std::vector<SliceRange>& ranges, Budget& budget);

}  // namespace nn::onnx
