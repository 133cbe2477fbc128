// Operators that add elements around a tensor, or move them between channels and pixels.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/list_text.h"
#include "importers/onnx/rows.h"

namespace nn::onnx {
namespace {

using enum OperationType;

constexpr int64_t kMaxPadding = (1 << 30) - 1;

// Pairs of paddings before and after each axis, below 0 for elements that are left out; empty after
// a refusal.
std::optional<std::vector<int32_t>> paddingsOf(Lowering& at) {
    if (at.has(1) && !at.requireConstant(1)) return std::nullopt;
    const auto pads = at.hasAttribute("paddings") ? std::optional(at.integers("paddings"))
                                                  : listOf(at, "pads", 1);
    std::vector<uint32_t> axes;
    for (uint32_t axis = 0; axis < at.rank(0); ++axis) axes.push_back(axis);
    if (at.has(3)) {
        const auto given = at.constantIntegers(3);
        if (!given) return std::nullopt;
        axes.clear();
        for (const int64_t axis : *given) {
            axes.push_back(axisOf(axis, at.rank(0)).value_or(UINT32_MAX));
        }
    }
    const bool isValid =
            pads && pads->size() == 2 * axes.size() && !absl::c_linear_search(axes, UINT32_MAX) &&
            absl::c_all_of(*pads,
                           [](int64_t pad) { return pad >= -kMaxPadding && pad <= kMaxPadding; });
    if (!isValid) {
        at.refuse("", fmt::format("has pads {}", listText(pads.value_or(std::vector<int64_t>()))),
                  "two numbers for each axis");
        return std::nullopt;
    }
    std::vector<int32_t> paddings(2 * at.rank(0), 0);
    for (size_t i = 0; i < axes.size(); ++i) {
        paddings[2 * size_t{axes[i]}] = static_cast<int32_t>((*pads)[i]);
        paddings[2 * size_t{axes[i]} + 1] = static_cast<int32_t>((*pads)[axes.size() + i]);
    }
    return paddings;
}

// The value around the tensor; empty after a refusal.
std::optional<float> padValue(Lowering& at) {
    if (!at.has(2)) return at.real("value", 0);
    if (!at.requireConstant(2)) return std::nullopt;
    const Constant first = at.in(2).constant->head();
    if (const auto reals = first.floats(); reals && !reals->empty()) return reals->front();
    const auto integers = first.integers();
    if (integers && !integers->empty()) return static_cast<float>(integers->front());
    at.refuse(2, "is empty", "a number");
    return std::nullopt;
}

// The channels in the order in which DEPTH_TO_SPACE reads them.
uint32_t regrouped(Lowering& at, uint32_t input, uint32_t block) {
    const Dimensions dimensions = at.operandDims(input);
    if (!at.fitsConstants({dimensions[1]})) return input;
    const uint32_t depth = dimensions[1] / (block * block);
    std::vector<int32_t> order;
    for (uint32_t place = 0; place < block * block; ++place) {
        for (uint32_t channel = 0; channel < depth; ++channel) {
            order.push_back(static_cast<int32_t>(channel * block * block + place));
        }
    }
    return at.apply(GATHER, {input, at.builder().scalar(1), at.builder().vector(order)}, input,
                    dimensions);
}

}  // namespace

void emitPad(Lowering& at, uint32_t input, std::span<const int32_t> pairs, float value,
             uint32_t output) {
    const uint32_t paddings = at.builder().matrix(pairs, 2);
    if (at.isFloat(0)) {
        if (value == 0) {
            at.emit({PAD, {input, paddings}, {output}});
        } else {
            at.emit({PAD_V2, {input, paddings, at.realScalar(input, value)}, {output}});
        }
        return;
    }
    // The real value stands for an element.
    const Operand& operand = at.builder().operand(input);
    const float scale = operand.scale == 0 ? 1 : operand.scale;
    const float stored = std::nearbyint(value / scale) + static_cast<float>(operand.zeroPoint);
    const int least = operand.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED ? -128 : 0;
    if (!(stored >= static_cast<float>(least) && stored <= static_cast<float>(least + 255))) {
        return at.refuse("", fmt::format("pads with {}", value), "a value that 8 bits hold");
    }
    const auto element = static_cast<int32_t>(stored);
    at.emit({PAD_V2, {input, paddings, at.builder().scalar(element)}, {output}});
}

namespace {

// Repeats the first and the last element of each axis that is padded.
void emitEdgePad(Lowering& at, uint32_t input, const std::vector<int32_t>& paddings,
                 const Dimensions& dimensions) {
    std::vector<size_t> axes;
    for (size_t i = 0; i < dimensions.size(); ++i) {
        if (paddings[2 * i] != 0 || paddings[2 * i + 1] != 0) axes.push_back(i);
    }
    for (const size_t axis : axes) {
        if (!at.fitsConstants({dimensions[axis]})) return;
        Dimensions reached = at.operandDims(input);
        const int64_t size = reached[axis];
        reached[axis] = dimensions[axis];
        std::vector<int32_t> elements;
        for (int64_t i = 0; i < dimensions[axis]; ++i) {
            const int64_t place = i - paddings[2 * axis];
            elements.push_back(static_cast<int32_t>(std::clamp<int64_t>(place, 0, size - 1)));
        }
        const uint32_t to = axis == axes.back() ? at.defineLike(0, 0, dimensions)
                                                : at.temporary(input, reached);
        at.emit({GATHER,
                 {input, at.builder().scalar(static_cast<int32_t>(axis)),
                  at.builder().vector(elements)},
                 {to}});
        input = to;
    }
}

// What paddings below 0 leave; they become 0.
uint32_t cut(Lowering& at, uint32_t input, std::vector<int32_t>& paddings) {
    std::vector<SliceRange> ranges;
    Dimensions dimensions = at.operandDims(input);
    for (size_t i = 0; i < dimensions.size(); ++i) {
        const int32_t before =
                std::min(std::exchange(paddings[2 * i], std::max(paddings[2 * i], 0)), 0);
        int32_t& after = paddings[2 * i + 1];
        const int64_t left = int64_t{dimensions[i]} + before + std::min(after, 0);
        after = std::max(after, 0);
        // All elements are left out where the rest of the axis is padding.
        if (left < 1) {
            at.refuse("", "leaves out an axis", "at least one element of each axis");
            return input;
        }
        dimensions[i] = static_cast<uint32_t>(left);
        ranges.push_back({.begin = -int64_t{before}, .count = dimensions[i]});
    }
    const uint32_t to = at.temporary(input, dimensions);
    emitSlice(at, input, ranges, to);
    return to;
}

// The dimensions of the result; empty after a refusal.
std::optional<Dimensions> paddedDimensions(Lowering& at, const std::vector<int32_t>& paddings) {
    Dimensions dimensions = at.dims(0);
    for (size_t i = 0; i < dimensions.size(); ++i) {
        const int64_t size = int64_t{dimensions[i]} + paddings[2 * i] + paddings[2 * i + 1];
        if (size < 1 || size > INT32_MAX) {
            at.refuse("", fmt::format("has a result of the size {}", size), "1 to 2^31 - 1");
            return std::nullopt;
        }
        dimensions[i] = static_cast<uint32_t>(size);
    }
    return dimensions;
}

}  // namespace

void lowerPad(Lowering& at, OperationType) {
    const UntrustedText mode = at.text("mode", "constant");
    if (mode != "constant" && mode != "reflect" && mode != "edge") {
        at.refuse("", fmt::format("has the mode {}", mode.beginning()),
                  "constant, reflect and edge");
    }
    auto paddings = paddingsOf(at);
    if (!paddings || !at.ok()) return;
    const auto result = paddedDimensions(at, *paddings);
    if (!result) return;
    const Dimensions& dimensions = *result;
    if (absl::c_all_of(*paddings, [](int32_t padding) { return padding == 0; })) {
        return at.alias(0, at.id(0));
    }
    uint32_t input = at.operand(0);
    const bool isCut = absl::c_any_of(*paddings, [](int32_t padding) { return padding < 0; });
    if (isCut) input = cut(at, input, *paddings);
    if (!at.ok()) return;
    if (at.operandDims(input) == dimensions) return at.adopt(0, 0, input, dimensions);
    if (mode == "edge") return emitEdgePad(at, input, *paddings, dimensions);
    if (mode == "reflect") {
        return at.emit({MIRROR_PAD,
                        {input, at.builder().matrix(*paddings, 2), at.builder().scalar(0)},
                        {at.defineLike(0, 0, dimensions)}});
    }
    const auto value = padValue(at);
    if (value) emitPad(at, input, *paddings, *value, at.defineLike(0, 0, dimensions));
}

void lowerDepthToSpace(Lowering& at, OperationType operation) {
    if (!at.requireRank(0, 4, 4)) return;
    const int64_t block = at.integer("blocksize", 0);
    const UntrustedText mode = at.text("mode", "DCR");
    const Dimensions& from = at.dims(0);
    if (block < 1 || block > 1 << 12 || from[1] % (block * block) != 0 ||
        from[2] * static_cast<uint64_t>(block) > INT32_MAX ||
        from[3] * static_cast<uint64_t>(block) > INT32_MAX || (mode != "DCR" && mode != "CRD")) {
        return at.refuse("", fmt::format("has blocksize {} and mode {}", block, mode.beginning()),
                         "a size whose square divides the channels, and DCR or CRD");
    }
    const auto size = static_cast<uint32_t>(block);
    uint32_t input = at.operand(0);
    if (mode == "CRD") input = regrouped(at, input, size);
    at.emit({operation,
             {input, at.builder().scalar(size), at.builder().scalar(true)},
             {at.defineLike(0, 0,
                            {from[0], from[1] / (size * size), from[2] * size, from[3] * size})}});
}

void lowerSpaceToDepth(Lowering& at, OperationType operation) {
    if (!at.requireRank(0, 4, 4)) return;
    const int64_t block = at.integer("blocksize", 0);
    const Dimensions& from = at.dims(0);
    if (block < 1 || block > 1 << 12 || from[2] % block != 0 || from[3] % block != 0 ||
        from[1] * static_cast<uint64_t>(block * block) > INT32_MAX) {
        return at.refuse("", fmt::format("has blocksize {}", block),
                         "one that divides height and width");
    }
    const auto size = static_cast<uint32_t>(block);
    at.emit({operation,
             {at.operand(0), at.builder().scalar(size), at.builder().scalar(true)},
             {at.defineLike(0, 0,
                            {from[0], from[1] * size * size, from[2] / size, from[3] / size})}});
}

}  // namespace nn::onnx
