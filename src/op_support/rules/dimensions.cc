#include "op_support/rules/dimensions.h"

#include <absl/algorithm/container.h>

#include <limits>
#include <string>

#include "nnapi/checked_math.h"
#include "op_support/rules/shapes.h"

namespace nn::ops {
namespace {

// "[2, ?]"
template <class List>
std::string textOf(const List& dims) {
    std::string text = "[";
    for (const Dim& dim : dims) {
        if (text.size() > 1) text += ", ";
        text += dim ? std::to_string(*dim) : "?";
    }
    return text + "]";
}

}  // namespace

Shape shapeOfRank(std::optional<size_t> rank) { return rank ? Shape(Dims(*rank)) : std::nullopt; }

bool requireDimensions(const OpView& op, std::string_view rule, size_t input,
                       std::initializer_list<Dim> allowed) {
    const Shape shape = op.input(input).shape();
    if (!shape) return true;
    const bool fits = absl::c_equal(
            *shape, allowed, [](const Dim& a, const Dim& b) { return !a || !b || *a == *b; });
    if (fits) return true;
    return op.require(false, rule, "{} has dimensions {}, allowed {}", op.in(input), textOf(*shape),
                      textOf(allowed));
}

bool requireOnePerAxis(const OpView& op, std::string_view rule, size_t list, size_t input) {
    const auto rank = op.input(input).rank();
    return requireDimensions(op, rule, list, {rank ? checkedCast<uint32_t>(*rank) : std::nullopt});
}

bool requireEach(const OpView& op, std::string_view rule, size_t list, int32_t least) {
    const auto elements = op.ints(list);
    for (size_t i = 0; elements && i < elements->size(); ++i) {
        if (!op.require((*elements)[i] >= least, rule, "element {} of {} is {}, allowed {} or more",
                        i, op.in(list), (*elements)[i], least)) {
            return false;
        }
    }
    return true;
}

bool setSize(const OpView& op, std::string_view rule, size_t axis, uint64_t size, Dim& dim) {
    constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
    dim = static_cast<uint32_t>(size);
    return op.require(size <= kMax, rule, "dimension {} of {} is {}, allowed up to {}", axis,
                      op.out(0), size, kMax);
}

bool requireAxes(const OpView& op, std::string_view rule, size_t list, std::optional<size_t> rank) {
    const auto axes = op.ints(list);
    if (!axes || !rank) return true;
    for (size_t i = 0; i < axes->size(); ++i) {
        const int32_t axis = (*axes)[i];
        if (resolveAxis(axis, *rank)) continue;
        return op.require(false, rule, "element {} of {} is {}, allowed {} to {} for rank {}", i,
                          op.in(list), axis, -static_cast<int64_t>(*rank),
                          static_cast<int64_t>(*rank) - 1, *rank);
    }
    return true;
}

std::vector<bool> namedAxes(std::span<const int32_t> axes, size_t rank) {
    std::vector<bool> isNamed(rank, false);
    for (const int32_t axis : axes) {
        if (const auto resolved = resolveAxis(axis, rank)) isNamed[*resolved] = true;
    }
    return isNamed;
}

Shape reducedShape(const OpView& op, size_t input, size_t list, std::optional<bool> keepsDims) {
    const Shape shape = op.input(input).shape();
    const auto axes = op.ints(list);
    if (!shape || !keepsDims) return std::nullopt;
    if (!axes) return *keepsDims ? shapeOfRank(shape->size()) : std::nullopt;
    const std::vector<bool> isNamed = namedAxes(*axes, shape->size());
    Dims rest;
    for (size_t i = 0; i < shape->size(); ++i) {
        if (!isNamed[i]) {
            rest.push_back((*shape)[i]);
        } else if (*keepsDims) {
            rest.emplace_back(1);
        }
    }
    if (rest.empty()) rest.emplace_back(1);
    return rest;
}

bool requirePaddings(const OpView& op, std::string_view rule, size_t input, size_t paddings) {
    const auto rank = op.input(input).rank();
    return requireDimensions(op, rule, paddings,
                             {rank ? checkedCast<uint32_t>(*rank) : std::nullopt, 2});
}

std::optional<Shape> paddedShape(const OpView& op, std::string_view rule, size_t input,
                                 size_t paddings) {
    Shape shape = op.input(input).shape();
    if (!requirePaddings(op, rule, input, paddings) || !requireEach(op, rule, paddings, 0)) {
        return std::nullopt;
    }
    const auto pads = op.ints(paddings);
    if (!pads) return shapeOfRank(op.input(input).rank());
    if (!shape) return shapeOfRank(op.input(paddings)[0]);
    for (size_t i = 0; i < shape->size(); ++i) {
        Dim& dim = (*shape)[i];
        const int64_t added = int64_t{(*pads)[2 * i]} + (*pads)[2 * i + 1];
        if (dim && !setSize(op, rule, i, *dim + static_cast<uint64_t>(added), dim)) {
            return std::nullopt;
        }
    }
    return shape;
}

}  // namespace nn::ops
