// Operators that combine the elements along axes.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <cmath>

#include "base/list_text.h"
#include "base/plurals.h"
#include "importers/onnx/rows.h"

namespace nn::onnx {
namespace {

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
    const uint32_t flag = operation == OperationType::MEAN ? at.builder().scalar(int32_t{keep})
                                                           : at.builder().scalar(keep);
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
    if (isNoop && !hasBefore && !hasAfter) {
        at.alias(0, at.id(0));
        return;
    }
    uint32_t value = at.operand(0);
    const Dimensions whole = at.operandDims(value);
    if (type == "ReduceL1") value = at.apply(OperationType::ABS, {value}, value, whole);
    if (type == "ReduceL2" || type == "ReduceSumSquare") {
        value = arithmetic(at, OperationType::MUL, value, value);
    }
    if (type == "ReduceLogSumExp") value = at.apply(OperationType::EXP, {value}, value, whole);
    const uint32_t output = at.defineLike(0, 0, dimensions);
    const uint32_t sum = hasAfter ? at.temporary(value, operandDimensions(dimensions)) : output;
    emitReduction(at, operation, value, *axes, keep, sum);
    if (hasAfter) {
        at.emit({type == "ReduceL2" ? OperationType::SQRT : OperationType::LOG, {sum}, {output}});
    }
}

void lowerArgument(Lowering& at, OperationType operation) {
    const auto axis = axisOf(at.integer("axis", 0), at.rank(0));
    at.require("select_last_index", at.integer("select_last_index", 0), 0);
    if (!axis)
        at.refuse("", fmt::format("has the axis {}", at.integer("axis", 0)),
                  "an axis of its input");
    if (!at.ok()) return;
    const uint32_t input = at.operand(0);
    const bool keep = at.integer("keepdims", 1) != 0;
    const uint32_t one[] = {*axis};
    const Dimensions without = reduced(at.dims(0), one, false);
    const uint32_t output = at.define(0, ElementType::INT64, reduced(at.dims(0), one, keep));
    const uint32_t where = at.builder().scalar(static_cast<int32_t>(*axis));
    at.lose(at.outputName(0), "int64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
    if (!keep || without.empty()) {
        at.emit({operation, {input, where}, {output}});
        return;
    }
    const uint32_t narrow = at.temporary(output, without);
    at.emit({operation, {input, where}, {narrow}});
    at.emit({OperationType::EXPAND_DIMS, {narrow, where}, {output}});
}

void lowerTopK(Lowering& at, OperationType operation) {
    const auto axis = axisOf(at.integer("axis", -1), at.rank(0));
    at.require("largest", at.integer("largest", 1), 1);
    if (!axis || *axis + 1 != at.rank(0)) {
        at.refuse("", fmt::format("has the axis {}", at.integer("axis", -1)), "the last one");
    }
    int64_t k = at.integer("k", 0);
    if (at.has(1)) {
        const auto given = at.constantIntegers(1);
        k = given && !given->empty() ? given->front() : 0;
    }
    if (axis && (k < 1 || k > at.dims(0).back()))
        at.refuse("", fmt::format("has k {}", k), "1 to the size of the axis");
    if (!at.ok()) return;
    const uint32_t input = at.operand(0);
    Dimensions dimensions = at.dims(0);
    dimensions.back() = static_cast<uint32_t>(k);
    const uint32_t values = at.defineLike(0, 0, dimensions);
    const uint32_t indices = at.define(1, ElementType::INT64, dimensions);
    at.emit({operation, {input, at.builder().scalar(static_cast<int32_t>(k))}, {values, indices}});
    at.lose(at.outputName(1), "int64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
    at.lose(at.outputName(1), "the smaller index first", "the larger index first",
            "TOPK_V2 of NNAPI orders equal values so");
}

// ---------------------------------------------------------------------------------------------
// Normalisation

namespace {

// (x - mean) / sqrt(variance + epsilon) along axes, with the operations that compute it.
uint32_t normalized(Lowering& at, uint32_t input, std::span<const uint32_t> axes, float epsilon) {
    const Dimensions whole = at.operandDims(input);
    const Dimensions small = reduced(whole, axes, true);
    const uint32_t mean = at.temporary(input, small);
    emitReduction(at, OperationType::MEAN, input, axes, true, mean);
    const uint32_t distance = arithmetic(at, OperationType::SUB, input, mean);
    const uint32_t square = arithmetic(at, OperationType::MUL, distance, distance);
    const uint32_t variance = at.temporary(input, small);
    emitReduction(at, OperationType::MEAN, square, axes, true, variance);
    const uint32_t sum = arithmetic(at, OperationType::ADD, variance, at.reals(input, {epsilon}));
    const uint32_t root = at.apply(OperationType::SQRT, {sum}, input, small);
    return arithmetic(at, OperationType::DIV, distance, root);
}

}  // namespace

void lowerLayerNormalization(Lowering& at, OperationType) {
    const auto axis = axisOf(at.integer("axis", -1), at.rank(0));
    if (!axis || !at.requireRank(0, 1, 4)) {
        at.refuse("", fmt::format("has the axis {}", at.integer("axis", -1)),
                  "an axis of its input");
        return;
    }
    const auto fits = broadcast(at.dims(0), at.dims(1));
    if (fits != at.dims(0) || (at.has(2) && broadcast(at.dims(0), at.dims(2)) != at.dims(0))) {
        at.refuse(1, fmt::format("has the dimensions {}", shapeText(at.dims(1))),
                  "those of the axes");
        return;
    }
    std::vector<uint32_t> axes;
    for (uint32_t i = *axis; i < at.rank(0); ++i) axes.push_back(i);
    const uint32_t input = at.operand(0);
    const uint32_t value = normalized(at, input, axes, at.real("epsilon", 1e-5f));
    const uint32_t output = at.defineLike(0, 0, at.dims(0));
    if (!at.has(2)) return emitArithmetic(at, OperationType::MUL, value, at.operand(1), 0, output);
    const uint32_t scaled = arithmetic(at, OperationType::MUL, value, at.operand(1));
    emitArithmetic(at, OperationType::ADD, scaled, at.operand(2), 0, output);
}

void lowerInstanceNormalization(Lowering& at, OperationType) {
    if (!at.requireRank(0, 3, 4)) return;
    const uint32_t channels = at.dims(0)[1];
    for (const size_t i : {1, 2}) {
        if (at.dims(i) != Dimensions{channels}) {
            at.refuse(i, fmt::format("has the dimensions {}", shapeText(at.dims(i))),
                      fmt::format("[{}]", channels));
        }
    }
    if (!at.ok()) return;
    std::vector<uint32_t> axes;
    for (uint32_t i = 2; i < at.rank(0); ++i) axes.push_back(i);
    Dimensions perChannel(at.rank(0) - 1, 1);
    perChannel[0] = channels;
    const uint32_t input = at.operand(0);
    const uint32_t value = normalized(at, input, axes, at.real("epsilon", 1e-5f));
    const uint32_t scaled =
            arithmetic(at, OperationType::MUL, value, at.reshaped(at.operand(1), perChannel));
    const uint32_t offset = at.reshaped(at.operand(2), perChannel);
    emitArithmetic(at, OperationType::ADD, scaled, offset, 0, at.defineLike(0, 0, at.dims(0)));
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
    const uint32_t scaled =
            arithmetic(at, OperationType::MUL, input, at.reals(input, factors, perChannel));
    const int32_t activation = at.fuseActivation();
    const uint32_t offset = at.reals(input, offsets, perChannel);
    emitArithmetic(at, OperationType::ADD, scaled, offset, activation,
                   at.defineLike(0, 0, at.dims(0)));
}

void lowerLrn(Lowering& at, OperationType operation) {
    const int64_t size = at.integer("size", 0);
    if (size < 1 || size % 2 == 0 || size > 1 << 20) {
        at.refuse("", fmt::format("has the size {}", size), "an odd one");
        return;
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
    const bool isFlat = at.version() < 13;
    const auto axis = axisOf(at.integer("axis", isFlat ? 1 : -1), at.rank(0));
    if (!axis) {
        at.refuse("", fmt::format("has the axis {}", at.integer("axis", isFlat ? 1 : -1)),
                  "an axis of its input");
        return;
    }
    if (!requireScaled(at, 0)) return;
    const bool isLast = *axis + 1 == at.rank(0);
    const auto matrix = flattened(at.dims(0), *axis);
    if (isFlat && !isLast && !matrix) {
        at.refuse(0, fmt::format("has the dimensions {}", shapeText(at.dims(0))),
                  "less than 2^32 elements before the axis, and from it on");
        return;
    }
    const uint32_t input = at.operand(0);
    const Dimensions shape = isFlat && !isLast ? *matrix : at.operandDims(input);
    const uint32_t from = at.reshaped(input, shape);
    const uint32_t output = at.defineLike(0, 0, at.dims(0));
    const uint32_t to = shape == at.operandDims(output) ? output : at.temporary(output, shape);
    std::vector<uint32_t> inputs{from, at.realScalar(input, 1)};
    const int32_t along = isLast || isFlat ? -1 : static_cast<int32_t>(*axis);
    if (along != -1 || operation == OperationType::LOG_SOFTMAX) {
        inputs.push_back(at.builder().scalar(along));
    }
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
    if (*axis + 1 != at.rank(0)) inputs.push_back(at.builder().scalar(static_cast<int32_t>(*axis)));
    at.emit({operation, std::move(inputs), {at.defineLike(0, 0, at.dims(0))}});
}

}  // namespace nn::onnx
