#include "importers/onnx/shapes.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/list_text.h"
#include "nnapi/checked_math.h"
#include "nnapi/kernel/broadcast.h"

namespace nn::onnx {

std::optional<Shape> Shape::of(Dimensions dimensions, size_t maxRank) {
    if (dimensions.size() > maxRank) return std::nullopt;
    const auto count = checkedProduct<size_t>(dimensions);
    if (!count) return std::nullopt;
    return Shape(std::move(dimensions), *count);
}

bool Shape::isCountable(const Dimensions& dimensions, size_t maxRank) {
    return dimensions.size() <= maxRank && checkedProduct<size_t>(dimensions).has_value();
}

std::vector<size_t> Shape::strides() const {
    std::vector<size_t> strides(rank(), mCount == 0 ? 0 : 1);
    // Each is a factor of the number of elements.
    for (size_t i = rank(); i-- > 1;) strides[i - 1] = strides[i] * mDimensions[i];
    return strides;
}

std::optional<Dimensions> dimensionsFrom(std::span<const int64_t> sizes, size_t maxRank) {
    if (sizes.size() > maxRank) return std::nullopt;
    Dimensions dimensions;
    for (const int64_t size : sizes) {
        if (size < 0 || size > INT32_MAX) return std::nullopt;
        dimensions.push_back(static_cast<uint32_t>(size));
    }
    return dimensions;
}

Dimensions operandDimensions(const Dimensions& dimensions) {
    return dimensions.empty() ? Dimensions{1} : dimensions;
}

std::string shapeText(const Dimensions& dimensions) { return listText(dimensions); }

std::optional<Dimensions> broadcast(const Dimensions& a, const Dimensions& b) {
    const std::array<std::span<const uint32_t>, 2> shapes{a, b};
    return kernel::broadcastShape(shapes);
}

std::optional<uint32_t> axisOf(int64_t axis, size_t rank) {
    const auto size = static_cast<int64_t>(rank);
    if (axis < -size || axis >= size) return std::nullopt;
    return static_cast<uint32_t>(axis < 0 ? axis + size : axis);
}

std::optional<std::vector<uint32_t>> axesOf(std::span<const int64_t> axes, size_t rank) {
    std::vector<uint32_t> found;
    if (axes.size() > rank) return std::nullopt;
    for (const int64_t axis : axes) {
        const std::optional<uint32_t> one = axisOf(axis, rank);
        if (!one || absl::c_linear_search(found, *one)) return std::nullopt;
        found.push_back(*one);
    }
    absl::c_sort(found);
    return found;
}

std::optional<Dimensions> reshapedTo(const Dimensions& dimensions, std::span<const int64_t> shape,
                                     bool allowZero, size_t maxRank) {
    if (shape.size() > maxRank) return std::nullopt;
    Dimensions result;
    std::optional<size_t> open;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1) {
            if (std::exchange(open, i)) return std::nullopt;
            result.push_back(1);
        } else if (shape[i] == 0 && !allowZero) {
            if (i >= dimensions.size()) return std::nullopt;
            result.push_back(dimensions[i]);
        } else if (shape[i] < 0 || shape[i] > INT32_MAX) {
            return std::nullopt;
        } else {
            result.push_back(static_cast<uint32_t>(shape[i]));
        }
    }
    const auto elements = checkedProduct<uint64_t>(dimensions);
    const auto taken = checkedProduct<uint64_t>(result);
    if (!elements || !taken) return std::nullopt;
    if (open) {
        if (*taken == 0 || *elements % *taken != 0 || *elements / *taken > INT32_MAX) {
            return std::nullopt;
        }
        result[*open] = static_cast<uint32_t>(*elements / *taken);
    } else if (*elements != *taken) {
        return std::nullopt;
    }
    return result;
}

std::optional<Dimensions> squeezed(const Dimensions& dimensions,
                                   const std::optional<std::vector<int64_t>>& axes) {
    Dimensions result;
    if (!axes) {
        for (const uint32_t dimension : dimensions) {
            if (dimension != 1) result.push_back(dimension);
        }
        return result;
    }
    const auto chosen = axesOf(*axes, dimensions.size());
    if (!chosen) return std::nullopt;
    for (uint32_t i = 0; i < dimensions.size(); ++i) {
        const bool isChosen = absl::c_binary_search(*chosen, i);
        if (isChosen && dimensions[i] != 1) return std::nullopt;
        if (!isChosen) result.push_back(dimensions[i]);
    }
    return result;
}

std::optional<Dimensions> unsqueezed(const Dimensions& dimensions, std::span<const int64_t> axes,
                                     size_t maxRank) {
    const auto total = checkedAdd<size_t>(dimensions.size(), axes.size());
    if (!total || *total > maxRank) return std::nullopt;
    const size_t rank = *total;
    const auto chosen = axesOf(axes, rank);
    if (!chosen) return std::nullopt;
    Dimensions result;
    auto next = dimensions.begin();
    for (uint32_t i = 0; i < rank; ++i) {
        result.push_back(absl::c_binary_search(*chosen, i) ? 1 : *next++);
    }
    return result;
}

std::optional<Dimensions> flattened(const Dimensions& dimensions, int64_t axis) {
    const auto rank = static_cast<int64_t>(dimensions.size());
    if (axis < -rank || axis > rank) return std::nullopt;
    const auto split = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    const std::span all(dimensions);
    const auto before = checkedProduct<uint32_t>(all.first(split));
    const auto after = checkedProduct<uint32_t>(all.subspan(split));
    if (!before || !after) return std::nullopt;
    return Dimensions{*before, *after};
}

std::optional<std::vector<uint32_t>> transposition(std::span<const int64_t> order, size_t rank) {
    std::vector<uint32_t> axes;
    if (order.empty()) {
        for (size_t i = rank; i-- > 0;) axes.push_back(static_cast<uint32_t>(i));
        return axes;
    }
    if (order.size() != rank) return std::nullopt;
    for (const int64_t axis : order) {
        const std::optional<uint32_t> one = axisOf(axis, rank);
        if (!one || absl::c_linear_search(axes, *one)) return std::nullopt;
        axes.push_back(*one);
    }
    return axes;
}

Dimensions reduced(const Dimensions& dimensions, std::span<const uint32_t> axes, bool keep) {
    Dimensions result;
    for (uint32_t i = 0; i < dimensions.size(); ++i) {
        if (!absl::c_linear_search(axes, i)) {
            result.push_back(dimensions[i]);
        } else if (keep) {
            result.push_back(1);
        }
    }
    return result;
}

namespace {

SliceRange rangeOf(int64_t size, int64_t start, int64_t end, int64_t step) {
    if (size == 0) return {};
    // Bounds beyond the tensor end at it.
    const auto bound = [&](int64_t position, int64_t least, int64_t most) {
        if (position < 0) position += size;
        return std::clamp(position, least, most);
    };
    const int64_t from = step > 0 ? bound(start, 0, size) : bound(start, 0, size - 1);
    const int64_t to = step > 0 ? bound(end, 0, size) : bound(end, -1, size - 1);
    const int64_t distance = step > 0 ? to - from : from - to;
    if (distance <= 0) return {};
    // The negation of the least number overflows.
    const uint64_t stride =
            step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
    const uint64_t count = (static_cast<uint64_t>(distance) - 1) / stride + 1;
    return {.begin = from, .step = count == 1 ? 1 : step, .count = static_cast<uint32_t>(count)};
}

}  // namespace

std::optional<std::vector<SliceRange>> sliceRanges(
        const Dimensions& dimensions, std::span<const int64_t> starts,
        std::span<const int64_t> ends, const std::optional<std::vector<int64_t>>& axes,
        const std::optional<std::vector<int64_t>>& steps) {
    if (starts.size() != ends.size() || (axes && axes->size() != starts.size()) ||
        (steps && steps->size() != starts.size()) || starts.size() > dimensions.size()) {
        return std::nullopt;
    }
    std::vector<SliceRange> ranges;
    for (const uint32_t dimension : dimensions) ranges.push_back({.count = dimension});
    for (size_t i = 0; i < starts.size(); ++i) {
        const auto axis = axisOf(axes ? (*axes)[i] : static_cast<int64_t>(i), dimensions.size());
        const int64_t step = steps ? (*steps)[i] : 1;
        if (!axis || step == 0) return std::nullopt;
        ranges[*axis] = rangeOf(dimensions[*axis], starts[i], ends[i], step);
    }
    return ranges;
}

Dimensions JoinedSlice::taken() const {
    Dimensions counts;
    for (const SliceRange& range : ranges) counts.push_back(range.count);
    return counts;
}

JoinedSlice joinedSlice(const Dimensions& dimensions, std::span<const SliceRange> ranges) {
    JoinedSlice joined;
    for (size_t i = 0; i < dimensions.size(); ++i) {
        if (dimensions[i] == 1 && ranges[i].count == 1) continue;
        joined.dimensions.push_back(dimensions[i]);
        joined.ranges.push_back(ranges[i]);
    }
    if (joined.ranges.empty()) return {.dimensions = {1}, .ranges = {{.count = 1}}};
    const auto isWhole = [&](size_t axis) {
        return joined.ranges[axis].count == joined.dimensions[axis] && joined.ranges[axis].step > 0;
    };
    for (size_t i = 0; joined.ranges.size() > kMaxAxes && i + 1 < joined.ranges.size();) {
        const auto size = checkedMul<uint32_t>(joined.dimensions[i], joined.dimensions[i + 1]);
        if (!size || !isWhole(i) || !isWhole(i + 1)) {
            ++i;
            continue;
        }
        joined.dimensions[i] = *size;
        joined.ranges[i] = {.count = *size};
        joined.dimensions.erase(joined.dimensions.begin() + static_cast<ptrdiff_t>(i) + 1);
        joined.ranges.erase(joined.ranges.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
    return joined;
}

}  // namespace nn::onnx
