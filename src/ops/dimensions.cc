#include "ops/dimensions.h"

#include <algorithm>
#include <limits>
#include <string>

#include "ops/shapes.h"

namespace nn::ops {
namespace {

// "[2, ?]"
template <class Dims>
std::string textOf(const Dims& dims) {
    std::string text = "[";
    for (const Dim& dim : dims) {
        if (text.size() > 1) text += ", ";
        text += dim ? std::to_string(*dim) : "?";
    }
    return text + "]";
}

}  // namespace

Shape shapeOfRank(std::optional<size_t> rank) {
    return rank ? Shape(std::vector<Dim>(*rank)) : std::nullopt;
}

bool requireDimensions(const Operation& op, std::string_view rule, size_t input,
                       std::initializer_list<Dim> allowed) {
    const Shape shape = op.input(input).shape();
    if (!shape) return true;
    const bool fits = std::ranges::equal(
            *shape, allowed, [](const Dim& a, const Dim& b) { return !a || !b || *a == *b; });
    if (fits) return true;
    return op.require(false, rule, "{} has dimensions {}, allowed {}", op.in(input), textOf(*shape),
                      textOf(allowed));
}

bool setSize(const Operation& op, std::string_view rule, size_t axis, uint64_t size, Dim& dim) {
    constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
    dim = static_cast<uint32_t>(size);
    return op.require(size <= kMost, rule, "dimension {} of {} is {}, allowed up to {}", axis,
                      op.out(0), size, kMost);
}

bool requireAxes(const Operation& op, std::string_view rule, size_t list,
                 std::optional<size_t> rank) {
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

bool namesAxis(std::span<const int32_t> axes, size_t axis, size_t rank) {
    return std::ranges::any_of(axes, [&](int32_t a) { return resolveAxis(a, rank) == axis; });
}

Shape reducedShape(const Operation& op, size_t input, size_t list, std::optional<bool> keepsDims) {
    const Shape shape = op.input(input).shape();
    const auto axes = op.ints(list);
    if (!shape || !keepsDims) return std::nullopt;
    if (!axes) return *keepsDims ? shapeOfRank(shape->size()) : std::nullopt;
    std::vector<Dim> rest;
    for (size_t i = 0; i < shape->size(); ++i) {
        if (!namesAxis(*axes, i, shape->size())) {
            rest.push_back((*shape)[i]);
        } else if (*keepsDims) {
            rest.emplace_back(1);
        }
    }
    if (rest.empty()) rest.emplace_back(1);
    return rest;
}

std::optional<Shape> paddedShape(const Operation& op, std::string_view rule, size_t input,
                                 size_t paddings) {
    Shape shape = op.input(input).shape();
    const Dim rank = shape ? Dim(static_cast<uint32_t>(shape->size())) : std::nullopt;
    if (!requireDimensions(op, rule, paddings, {rank, 2})) return std::nullopt;
    const auto pads = op.ints(paddings);
    if (!pads) return shapeOfRank(op.input(input).rank());
    for (size_t i = 0; i < pads->size(); ++i) {
        if (!op.require((*pads)[i] >= 0, rule, "element {} of {} is {}, allowed 0 or more", i,
                        op.in(paddings), (*pads)[i])) {
            return std::nullopt;
        }
    }
    if (!shape) return shapeOfRank(op.input(paddings)[0]);
    for (size_t i = 0; i < shape->size(); ++i) {
        Dim& dim = (*shape)[i];
        const uint64_t added = uint64_t(uint32_t((*pads)[2 * i])) + uint32_t((*pads)[2 * i + 1]);
        if (dim && !setSize(op, rule, i, *dim + added, dim)) return std::nullopt;
    }
    return shape;
}

}  // namespace nn::ops
