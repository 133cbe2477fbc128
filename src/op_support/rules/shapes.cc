#include "op_support/rules/shapes.h"

#include <algorithm>

#include "nnapi/checked_math.h"
#include "nnapi/kernel/broadcast.h"

namespace nn::ops {

std::optional<size_t> resolveAxis(int64_t axis, size_t rank) {
    const auto signedRank = static_cast<int64_t>(rank);
    if (axis < -signedRank || axis >= signedRank) return std::nullopt;
    return static_cast<size_t>(axis < 0 ? axis + signedRank : axis);
}

bool requireAxis(const OpView& op, std::string_view rule, size_t axisInput,
                 std::optional<int32_t> axis, std::optional<size_t> rank) {
    if (!axis || !rank || resolveAxis(*axis, *rank)) return true;
    return op.require(false, rule, "{} is {}, allowed {} to {} for rank {}", op.in(axisInput),
                      *axis, -static_cast<int64_t>(*rank), static_cast<int64_t>(*rank) - 1, *rank);
}

bool requireRank(const OpView& op, std::string_view rule, size_t input, size_t least, size_t most) {
    const auto rank = op.input(input).rank();
    if (!rank || (*rank >= least && *rank <= most)) return true;
    if (least == most) {
        return op.require(false, rule, "{} has rank {}, allowed {}", op.in(input), *rank, least);
    }
    if (most == SIZE_MAX) {
        return op.require(false, rule, "{} has rank {}, allowed {} or more", op.in(input), *rank,
                          least);
    }
    return op.require(false, rule, "{} has rank {}, allowed {} to {}", op.in(input), *rank, least,
                      most);
}

bool requireOutputRank(const OpView& op, std::string_view rule, size_t input, size_t more) {
    const auto from = op.input(input).rank();
    const auto to = op.output(0).rank();
    if (!from || !to || *from + more == *to) return true;
    return op.require(false, rule, "{} has rank {}, allowed {}{} {}", op.out(0), *to, *from + more,
                      more == 0 ? " as" : fmt::format(": {} more than", more), op.in(input));
}

bool requireEqual(const OpView& op, std::string_view rule, std::string_view nameA, Dim a,
                  std::string_view nameB, Dim b) {
    if (!a || !b || *a == *b) return true;
    return op.require(false, rule, "{} is {}, allowed {} as {}", nameA, *a, *b, nameB);
}

Dim dimAt(const Shape& shape, size_t i) {
    return shape && i < shape->size() ? (*shape)[i] : std::nullopt;
}

std::optional<uint64_t> elementCount(const Shape& shape) {
    if (!shape) return std::nullopt;
    std::optional<uint64_t> count = 1;
    for (const Dim& dim : *shape) {
        if (!dim) return std::nullopt;
        count = checkedMul<uint64_t>(count, uint64_t{*dim});
    }
    return count;
}

bool broadcast(const OpView& op, std::string_view rule, size_t inputA, size_t inputB,
               Shape& output) {
    output.reset();
    const Shape a = op.input(inputA).shape();
    const Shape b = op.input(inputB).shape();
    if (!a || !b) return true;
    Dims out(std::max(a->size(), b->size()));
    for (size_t i = 0; i < out.size(); ++i) {  // from the last dimension on
        const Dim x = i < a->size() ? (*a)[a->size() - 1 - i] : Dim(1);
        const Dim y = i < b->size() ? (*b)[b->size() - 1 - i] : Dim(1);
        Dim& result = out[out.size() - 1 - i];
        if (x && y) {
            result = kernel::broadcastDimension(*x, *y);
            if (result) continue;
            op.require(false, rule,
                       "dimension {} from the end is {} in {} and {} in {}, allowed equal or 1",
                       i + 1, *x, op.in(inputA), *y, op.in(inputB));
            return false;
        }
        // One is unknown: it is the result if the other is 1, which otherwise is.
        const Dim known = x ? x : y;
        result = known == Dim(1) ? Dim() : known;
    }
    output = std::move(out);
    return true;
}

bool requireQuantization(const OpView& op, std::string_view rule, FixedQuantization fixed) {
    const Value& output = op.output(0);
    if (!isQuant8Asymm(output.type)) return true;
    const int32_t zeroPoint =
            output.type == TENSOR_QUANT8_ASYMM ? fixed.zeroPointUnsigned : fixed.zeroPointSigned;
    return op.require(output.scale == fixed.scale && output.zeroPoint == zeroPoint, rule,
                      "{} has scale {} and zeroPoint {}, allowed {} and {}", op.out(0),
                      output.scale, output.zeroPoint, fixed.scale, zeroPoint);
}

bool requireSameQuantization(const OpView& op, std::string_view rule, size_t input, size_t output) {
    const Value& in = op.input(input);
    const Value& out = op.output(output);
    return op.require(in.scale == out.scale && in.zeroPoint == out.zeroPoint, rule,
                      "{} has scale {} and zeroPoint {}, allowed {} and {} as {}", op.out(output),
                      out.scale, out.zeroPoint, in.scale, in.zeroPoint, op.in(input));
}

bool requireActivation(const OpView& op, std::string_view rule, size_t input) {
    const auto code = op.int32(input);
    return op.require(!code || (*code >= 0 && *code <= 3), rule,
                      "{} is {}, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or 3 (RELU6)", op.in(input),
                      code.value_or(0));
}

}  // namespace nn::ops
