// Operators that combine the elements along axes.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <cmath>

#include "base/list_text.h"
#include "base/plurals.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

using enum OperationType;

// The axes to reduce; all without a list. Empty after a refusal.
std::optional<std::vector<uint32_t>> reducedAxes(Lowering& at) {
    if (at.has(1) && !at.requireConstant(1)) return std::nullopt;
    std::vector<int64_t> wanted = listOf(at, "axes", 1).value_or(std::vector<int64_t>());
    if (!at.ok()) return std::nullopt;
    if (wanted.empty() && at.integer("noop_with_empty_axes", 0) == 0) {
        for (size_t i = 0; i < at.rank(0); ++i) wanted.push_back(static_cast<int64_t>(i));
    }
    auto axes = axesOf(wanted, at.rank(0));
    if (!axes) at.refuse("", fmt::format("has the axes {}", listText(wanted)), "axes of its input");
    return axes;
}

// Emits a reduction; MEAN has its flag as a number.
void emitReduction(Lowering& at, OperationType operation, uint32_t input,
                   std::span<const uint32_t> axes, bool keep, uint32_t to) {
    std::vector<int32_t> list(axes.begin(), axes.end());
    if (list.empty()) list = {0};  // of a scalar
    const uint32_t flag =
            operation == MEAN ? at.builder().scalar(int32_t{keep}) : at.builder().scalar(keep);
    at.emit({operation, {input, at.builder().vector(list), flag}, {to}});
}

}  // namespace

void lowerReduce(Lowering& at, OperationType operation) {
    const std::string_view type = at.message().type;
    if (!requireScaled(at, 0)) return;
    const auto axes = reducedAxes(at);
    if (!axes) return;
    const bool keep = at.integer("keepdims", 1) != 0;
    const Dimensions dimensions = reduced(at.dims(0), *axes, keep);
    const bool isNoop = axes->empty() && at.rank(0) > 0;
    const bool hasBefore = type == "ReduceL1" || type == "ReduceL2" || type == "ReduceSumSquare" ||
                           type == "ReduceLogSumExp";
    const bool hasAfter = type == "ReduceL2" || type.starts_with("ReduceLog");
    if (isNoop && !hasBefore && !hasAfter) return at.alias(0, at.id(0));
    uint32_t value = at.operand(0);
    const Dimensions whole = at.operandDims(value);
    if (type == "ReduceL1") value = at.apply(ABS, {value}, value, whole);
    if (type == "ReduceL2" || type == "ReduceSumSquare") value = arithmetic(at, MUL, value, value);
    if (type == "ReduceLogSumExp") value = at.apply(EXP, {value}, value, whole);
    const uint32_t output = at.defineLike(0, 0, dimensions);
    const uint32_t sum = hasAfter ? at.temporary(value, operandDimensions(dimensions)) : output;
    emitReduction(at, operation, value, *axes, keep, sum);
    if (hasAfter) {
        at.emit({type == "ReduceL2" ? SQRT : LOG, {sum}, {output}});
    }
}

// The elements along an axis in the opposite order.
static uint32_t backwards(Lowering& at, uint32_t input, uint32_t axis) {
    std::vector<SliceRange> ranges;
    for (const uint32_t size : at.operandDims(input)) ranges.push_back({.count = size});
    const uint32_t size = ranges[axis].count;
    if (size > 1) ranges[axis] = {.begin = int64_t{size} - 1, .step = -1, .count = size};
    const uint32_t to = at.temporary(input, Dimensions(at.operandDims(input)));
    emitSlice(at, input, ranges, to);
    return to;
}

void lowerArgument(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", 0), at.rank(0));
    if (!at.ok()) return;
    uint32_t input = at.operand(0);
    const bool keep = at.integer("keepdims", 1) != 0;
    const uint32_t one[] = {*axis};
    const Dimensions without = operandDimensions(reduced(at.dims(0), one, false));
    const uint32_t output = at.define(0, ElementType::INT64, reduced(at.dims(0), one, keep));
    const uint32_t where = at.builder().scalar(*axis);
    at.lose(at.outputName(0), "int64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
    const bool isLast = at.integer("select_last_index", 0) != 0 && at.rank(0) > 0;
    const bool isWide = keep && at.rank(0) > 1;
    if (isLast) input = backwards(at, input, *axis);
    const uint32_t found = isWide || isLast ? at.temporary(output, without) : output;
    at.emit({operation, {input, where}, {found}});
    uint32_t index = found;
    if (isLast) {
        // The number of the element from the end, which the first one is of those backwards.
        index = isWide ? at.temporary(output, without) : output;
        emitArithmetic(at, SUB, at.builder().vector({static_cast<int32_t>(at.dims(0)[*axis]) - 1}),
                       found, 0, index);
    }
    if (isWide) at.emit({EXPAND_DIMS, {index, where}, {output}});
}

namespace {

struct TopKForm {
    uint32_t axis = 0, count = 0;
    bool isNegated = false;  // the input is
};

// Along another axis than the last, it swaps both before and after. Indices are swapped by number,
// since TRANSPOSE does not move integers.
void emitTopK(Lowering& at, OperationType operation, const TopKForm& form, uint32_t input,
              uint32_t values, uint32_t indices) {
    auto& builder = at.builder();
    const uint32_t k = builder.scalar(form.count);
    Dimensions result = at.operandDims(values);
    const size_t last = result.size() - 1;
    std::vector<uint32_t> swapped;
    for (uint32_t i = 0; i < result.size(); ++i) swapped.push_back(i);
    std::swap(swapped[form.axis], swapped[last]);
    const bool isLast = form.axis == last;
    if (!isLast) input = at.transposed(input, swapped);
    std::swap(result[form.axis], result[last]);
    const uint32_t found = isLast && !form.isNegated ? values : at.temporary(values, result);
    const uint32_t places = isLast ? indices : at.temporary(indices, result);
    at.emit({operation, {input, k}, {found, places}});
    uint32_t value = found;
    if (form.isNegated) {
        const uint32_t to = isLast ? values : at.temporary(values, result);
        at.emit({NEG, {value}, {to}});
        value = to;
    }
    if (isLast) return;
    at.emit({TRANSPOSE, {value, builder.vector(swapped)}, {values}});
    emitIntegerTranspose(at, places, swapped, indices);
}

}  // namespace

void lowerTopK(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", -1), at.rank(0));
    int64_t k = at.integer("k", 0);
    if (at.has(1)) {
        const auto given = at.constantIntegers(1);
        k = given && !given->empty() ? given->front() : 0;
    }
    if (axis && (k < 1 || k > at.dims(0)[*axis]))
        at.refuse("", fmt::format("has k {}", k), "1 to the size of the axis");
    const bool isSmallest = at.integer("largest", 1) == 0;
    if (isSmallest && !at.isFloat(0)) at.refuseType(0, "float, float16 for the smallest");
    if (!at.ok()) return;
    const auto number = static_cast<uint32_t>(k);
    uint32_t input = at.operand(0);
    if (isSmallest) {
        input = at.apply(NEG, {input}, input, Dimensions(at.dims(0)));
    }
    Dimensions dimensions = at.dims(0);
    dimensions[*axis] = number;
    const uint32_t values = at.defineLike(0, 0, dimensions);
    const uint32_t indices = at.define(1, ElementType::INT64, dimensions);
    emitTopK(at, operation, {.axis = *axis, .count = number, .isNegated = isSmallest}, input,
             values, indices);
    at.lose(at.outputName(1), "int64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
    at.lose(at.outputName(1), "the smaller index first", "the larger index first",
            "TOPK_V2 of NNAPI orders equal values so");
}

// ---------------------------------------------------------------------------------------------
// Normalization

namespace {

// The mean of squares along axes.
uint32_t meanSquare(Lowering& at, uint32_t value, std::span<const uint32_t> axes) {
    const uint32_t square = arithmetic(at, MUL, value, value);
    const uint32_t mean = at.temporary(value, reduced(at.operandDims(value), axes, true));
    emitReduction(at, MEAN, square, axes, true, mean);
    return mean;
}

// sqrt(x + epsilon)
uint32_t rootOf(Lowering& at, uint32_t value, float epsilon) {
    const uint32_t sum = arithmetic(at, ADD, value, at.reals(value, {epsilon}));
    return at.apply(SQRT, {sum}, value, Dimensions(at.operandDims(value)));
}

// (x - mean) / sqrt(variance + epsilon) along axes, with the operations that compute it.
struct Normalized {
    uint32_t value = 0;
    uint32_t mean = 0;
    uint32_t root = 0;  // by which it is divided
};
Normalized normalized(Lowering& at, uint32_t input, std::span<const uint32_t> axes, float epsilon) {
    const uint32_t mean = at.temporary(input, reduced(at.operandDims(input), axes, true));
    emitReduction(at, MEAN, input, axes, true, mean);
    const uint32_t distance = arithmetic(at, SUB, input, mean);
    const uint32_t root = rootOf(at, meanSquare(at, distance, axes), epsilon);
    return {.value = arithmetic(at, DIV, distance, root), .mean = mean, .root = root};
}

// x / sqrt(mean of squares + epsilon)
Normalized scaledByRoot(Lowering& at, uint32_t input, std::span<const uint32_t> axes,
                        float epsilon) {
    const uint32_t root = rootOf(at, meanSquare(at, input, axes), epsilon);
    return {.value = arithmetic(at, DIV, input, root), .root = root};
}

// An output of the type float, which is computed as a type that may have 16 bits.
void defineStatistic(Lowering& at, size_t output, uint32_t statistic,
                     const Dimensions& dimensions) {
    if (at.in(0).type == ElementType::FLOAT) return at.adopt(output, 0, statistic, dimensions);
    at.emit({CAST, {statistic}, {at.define(output, ElementType::FLOAT, dimensions)}});
}

// A normalization of the last axes, from `axis` on: x, a scale, and an optional offset.
struct LayerForm {
    uint32_t axis = 0;
    bool isCentered = true;
    float epsilon = 0;
    size_t scale = 1, offset = 2;  // inputs
    size_t mean = 1, root = 2;     // outputs
};

// False after a refusal. Scale and offset have the dimensions of the axes, or are broadcast to x.
bool checkLayer(Lowering& at, const LayerForm& form) {
    for (const size_t i : {form.scale, form.offset}) {
        if (i >= at.inputCount() || !at.has(i)) continue;
        const bool isWhole = std::equal(at.dims(i).begin(), at.dims(i).end(),
                                        at.dims(0).begin() + form.axis, at.dims(0).end());
        const bool fits =
                at.rank(0) <= kMaxAxes ? broadcast(at.dims(0), at.dims(i)) == at.dims(0) : isWhole;
        if (fits && at.in(i).type == at.in(0).type) continue;
        at.refuseDimensions(i, "those of the axes");
    }
    if (!at.isFloat(0)) at.refuseType(0, "float, float16");
    return at.ok();
}

// Emits it for an operand with the dimensions of input 0. More than four axes become two: those
// before the axis, and those from it on.
void emitLayer(Lowering& at, const LayerForm& form, uint32_t input) {
    const Dimensions whole = at.dims(0);
    const bool isPacked = whole.size() > kMaxAxes;
    const auto matrix = flattened(whole, form.axis);
    if (isPacked && !matrix) {
        return at.refuse(0, "has too many elements", "less than 2^32 on each side of the axis");
    }
    const uint32_t from = isPacked ? at.reshaped(input, *matrix) : input;
    std::vector<uint32_t> axes, axesOfResult;
    for (uint32_t i = form.axis; i < whole.size(); ++i) axesOfResult.push_back(i);
    axes = isPacked ? std::vector<uint32_t>{1} : axesOfResult;
    const Normalized result = form.isCentered ? normalized(at, from, axes, form.epsilon)
                                              : scaledByRoot(at, from, axes, form.epsilon);
    const auto factor = [&](size_t i) {
        const uint32_t operand = at.packedOperand(i);
        return isPacked ? at.reshaped(operand, {(*matrix)[1]}) : operand;
    };
    uint32_t value = arithmetic(at, MUL, result.value, factor(form.scale));
    if (at.has(form.offset)) value = arithmetic(at, ADD, value, factor(form.offset));
    at.adoptPacked(0, 0, value, whole);
    const Dimensions small = reduced(whole, axesOfResult, true);
    const auto statistic = [&](size_t output, uint32_t operand) {
        defineStatistic(at, output, at.reshaped(operand, small), small);
    };
    if (form.isCentered && at.hasOutput(form.mean)) statistic(form.mean, result.mean);
    if (!at.hasOutput(form.root)) return;
    statistic(form.root, arithmetic(at, DIV, at.reals(result.root, {1}), result.root));
}

}  // namespace

// LayerNormalization, and without a mean RMSNormalization and SimplifiedLayerNormalization
void lowerLayerNormalization(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", -1), at.rank(0));
    if (!axis) return;
    const bool isCentered = operation == MEAN;
    const LayerForm form{.axis = *axis,
                         .isCentered = isCentered,
                         .epsilon = at.real("epsilon", 1e-5f),
                         .root = isCentered ? size_t{2} : 1};
    if (checkLayer(at, form)) emitLayer(at, form, at.packedOperand(0));
}

// The same of the sum of an input, one that skips layers, and a bias.
void lowerSkipLayerNormalization(Lowering& at, OperationType operation) {
    if (!at.requireRank(0, 2, kMaxAxes)) return;
    const bool isCentered = operation == MEAN;
    const LayerForm form{.axis = static_cast<uint32_t>(at.rank(0) - 1),
                         .isCentered = isCentered,
                         .epsilon = at.real("epsilon", 1e-12f),
                         .scale = 2,
                         .offset = isCentered ? size_t{3} : SIZE_MAX};
    const size_t bias = isCentered ? 4 : 3;
    for (const size_t i : {size_t{1}, bias}) {
        if (!at.has(i)) continue;
        if (broadcast(at.dims(0), at.dims(i)) == at.dims(0) && at.in(i).type == at.in(0).type) {
            continue;
        }
        at.refuseDimensions(i, fmt::format("a term for {}", shapeText(at.dims(0))));
    }
    if (!isCentered && at.hasOutput(1)) {
        at.refuse(at.outputName(1), "is the mean", "an output that nothing reads");
    }
    if (!checkLayer(at, form)) return;
    const uint32_t input = at.operand(0);
    uint32_t sum = arithmetic(at, ADD, input, at.operand(1));
    if (at.has(bias)) sum = arithmetic(at, ADD, sum, at.operand(bias));
    emitLayer(at, form, sum);
    if (at.hasOutput(3)) at.adopt(3, 0, sum, at.dims(0));
}

// Normalizes each group of channels: [N, groups, the rest]. Before operator set 21, scale and
// bias are those of groups, then those of channels.
void lowerGroupNormalization(Lowering& at, OperationType) {
    const int64_t groups = at.integer("num_groups", 0);
    const Dimensions whole = at.dims(0);
    if (whole.size() < 2 || groups < 1 || groups > whole[1] || whole[1] % groups != 0) {
        return at.refuse("", fmt::format("has num_groups {}", groups), "a divisor of the channels");
    }
    const uint32_t count = static_cast<uint32_t>(groups);
    const uint32_t scaled = at.version() >= 21 ? whole[1] : count;
    for (const size_t i : {1, 2}) {
        if (at.dims(i) == Dimensions{scaled} && at.in(i).type == at.in(0).type) continue;
        at.refuseDimensions(i, fmt::format("[{}]", scaled));
    }
    if (!at.isFloat(0)) at.refuseType(0, "float, float16");
    const auto pixels = checkedProduct<uint32_t>(std::span(whole).subspan(2));
    const auto rest = pixels ? checkedMul<uint32_t>(*pixels, whole[1] / count) : std::nullopt;
    if (!rest) at.refuse(0, "has too many elements", "less than 2^32 in a group");
    if (!at.ok()) return;
    const uint32_t input = at.reshaped(at.packedOperand(0), {whole[0], count, *rest});
    constexpr uint32_t kLast[] = {2};
    uint32_t value = normalized(at, input, kLast, at.real("epsilon", 1e-5f)).value;
    if (scaled != count) value = at.reshaped(value, {whole[0], whole[1], *pixels});
    value = arithmetic(at, MUL, value, at.reshaped(at.operand(1), {scaled, 1}));
    value = arithmetic(at, ADD, value, at.reshaped(at.operand(2), {scaled, 1}));
    at.adoptPacked(0, 0, value, whole);
}

// (x - mean) / (deviation + 1e-9)
void lowerMeanVarianceNormalization(Lowering& at, OperationType operation) {
    auto wanted = at.integers("axes");
    if (!at.hasAttribute("axes")) wanted = {0, 2, 3};
    const auto axes = axesOf(wanted, at.rank(0));
    if (!axes || axes->empty()) {
        return at.refuse("", fmt::format("has the axes {}", listText(wanted)), "axes of its input");
    }
    if (!at.requireRank(0, 1, kMaxAxes)) return;
    const uint32_t input = at.operand(0);
    const uint32_t mean = at.temporary(input, reduced(at.dims(0), *axes, true));
    emitReduction(at, operation, input, *axes, true, mean);
    const uint32_t distance = arithmetic(at, SUB, input, mean);
    const uint32_t deviation = rootOf(at, meanSquare(at, distance, *axes), 0);
    const uint32_t divisor = arithmetic(at, ADD, deviation, at.reals(input, {1e-9f}));
    emitArithmetic(at, DIV, distance, divisor, 0, at.defineLike(0, 0, at.dims(0)));
}

void lowerInstanceNormalization(Lowering& at, OperationType) {
    if (!at.requireRank(0, 3, 4)) return;
    const uint32_t channels = at.dims(0)[1];
    for (const size_t i : {1, 2}) {
        if (at.dims(i) != Dimensions{channels}) {
            at.refuseDimensions(i, fmt::format("[{}]", channels));
        }
    }
    if (!at.ok()) return;
    std::vector<uint32_t> axes;
    for (uint32_t i = 2; i < at.rank(0); ++i) axes.push_back(i);
    Dimensions perChannel(at.rank(0) - 1, 1);
    perChannel[0] = channels;
    const uint32_t input = at.operand(0);
    const uint32_t value = normalized(at, input, axes, at.real("epsilon", 1e-5f)).value;
    const uint32_t scaled = arithmetic(at, MUL, value, at.reshaped(at.operand(1), perChannel));
    const uint32_t offset = at.reshaped(at.operand(2), perChannel);
    emitArithmetic(at, ADD, scaled, offset, 0, at.defineLike(0, 0, at.dims(0)));
}

void lowerBatchNormalization(Lowering& at, OperationType) {
    at.require("training_mode", at.integer("training_mode", 0), 0);
    at.require("spatial", at.integer("spatial", 1), 1);
    if (at.version() < 7) at.require("is_test", at.integer("is_test", 0), 1);
    if (!at.requireRank(0, 2, 4)) return;
    const uint32_t channels = at.dims(0)[1];
    std::vector<std::vector<float>> given(5);
    for (size_t i = 1; i < 5; ++i) {
        auto values = at.constantReals(i);
        if (!values) continue;
        if (values->size() != channels) {
            at.refuse(i, fmt::format("has {}", Plural{values->size(), "elements"}),
                      std::to_string(channels));
        }
        given[i] = *std::move(values);
    }
    if (!at.ok()) return;
    std::vector<float> factors, offsets;
    const double epsilon = at.real("epsilon", 1e-5f);
    for (uint32_t i = 0; i < channels; ++i) {
        const double factor = given[1][i] / std::sqrt(given[4][i] + epsilon);
        factors.push_back(static_cast<float>(factor));
        offsets.push_back(static_cast<float>(given[2][i] - given[3][i] * factor));
    }
    Dimensions perChannel(at.rank(0) - 1, 1);
    perChannel[0] = channels;
    const uint32_t input = at.operand(0);
    const uint32_t scaled = arithmetic(at, MUL, input, at.reals(input, factors, perChannel));
    const int32_t activation = at.fuseActivation();
    const uint32_t offset = at.reals(input, offsets, perChannel);
    emitArithmetic(at, ADD, scaled, offset, activation, at.defineLike(0, 0, at.dims(0)));
}

void lowerLrn(Lowering& at, OperationType operation) {
    const int64_t size = at.integer("size", 0);
    if (size < 1 || size % 2 == 0 || size > 1 << 20) {
        return at.refuse("", fmt::format("has the size {}", size), "an odd one");
    }
    if (!at.requireRank(0, 2, 4)) return;
    const uint32_t input = at.operand(0);
    // NNAPI does not divide by the size.
    const float alpha = at.real("alpha", 1e-4f) / static_cast<float>(size);
    at.emit({operation,
             {input, at.builder().scalar(static_cast<int32_t>(size / 2)),
              at.realScalar(input, at.real("bias", 1)), at.realScalar(input, alpha),
              at.realScalar(input, at.real("beta", 0.75f)), at.builder().scalar(1)},
             {at.defineLike(0, 0, at.dims(0))}});
}

// Before operator set 13, all axes from one on are one.
void lowerSoftmax(Lowering& at, OperationType operation) {
    // That of QLinearSoftmax is an attribute.
    const bool isFlat = at.integer("opset", at.version()) < 13;
    const auto axis = requireAxis(at, at.integer("axis", isFlat ? 1 : -1), at.rank(0));
    if (!axis) return;
    if (!requireScaled(at, 0)) return;
    const bool isLast = *axis + 1 == at.rank(0);
    const auto matrix = flattened(at.dims(0), *axis);
    if (isFlat && !isLast && !matrix) {
        return at.refuseDimensions(0, "less than 2^32 elements before the axis, and from it on");
    }
    const uint32_t input = at.operand(0);
    const Dimensions shape = isFlat && !isLast ? *matrix : at.operandDims(input);
    const uint32_t from = at.reshaped(input, shape);
    const uint32_t output = at.defineLike(0, 0, at.dims(0));
    const uint32_t to = shape == at.operandDims(output) ? output : at.temporary(output, shape);
    std::vector<uint32_t> inputs{from, at.realScalar(input, 1)};
    const int32_t along = isLast || isFlat ? -1 : static_cast<int32_t>(*axis);
    if (along != -1 || operation == LOG_SOFTMAX) inputs.push_back(at.builder().scalar(along));
    at.emit({operation, std::move(inputs), {to}});
    if (to != output) at.reshape(to, at.operandDims(output), output);
}

void lowerLpNormalization(Lowering& at, OperationType operation) {
    const auto axis = axisOf(at.integer("axis", -1), at.rank(0));
    at.require("p", at.integer("p", 2), 2);
    if (!axis) at.refuse("", "has an axis that its input lacks", "an axis of its input");
    if (!at.ok()) return;
    const uint32_t input = at.operand(0);
    std::vector<uint32_t> inputs{input};
    if (*axis + 1 != at.rank(0)) inputs.push_back(at.builder().scalar(*axis));
    at.emit({operation, std::move(inputs), {at.defineLike(0, 0, at.dims(0))}});
}

}  // namespace nn::onnx
