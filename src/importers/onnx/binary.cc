// Operators on two or more tensors that are broadcast to one shape.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "importers/common/compositions.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {

using enum OperationType;

bool requireScaled(Lowering& at, size_t input) {
    const Value& value = at.in(input);
    const bool isSmall = value.type == ElementType::UINT8 || value.type == ElementType::INT8;
    if (!isSmall || value.quantization) return true;
    at.refuse(input, "is of " + toString(value.type) + " without a scale",
              "float, float16, int32, or a scale by QuantizeLinear");
    return false;
}

bool isInteger(const Lowering& at, size_t input) {
    return at.in(input).type == ElementType::INT32 || at.in(input).type == ElementType::INT64;
}

bool requireNumbers(Lowering& at, size_t input) {
    if (at.isFloat(input) || isInteger(at, input)) return true;
    at.refuseType(input, "float, float16, int32, int64");
    return false;
}

void emitArithmetic(Lowering& at, OperationType operation, uint32_t a, uint32_t b,
                    int32_t activation, uint32_t to) {
    at.emit({operation, {a, b, at.builder().scalar(activation)}, {to}});
}

uint32_t arithmetic(Lowering& at, OperationType operation, uint32_t a, uint32_t b) {
    const Dimensions dimensions =
            broadcast(at.operandDims(a), at.operandDims(b)).value_or(Dimensions());
    const uint32_t to = at.temporary(a, dimensions);
    emitArithmetic(at, operation, a, b, 0, to);
    return to;
}

static bool broadcastsTo(const Dimensions& from, const Dimensions& to) {
    return from.size() <= to.size() && broadcast(from, to) == to;
}

uint32_t expandedTo(Lowering& at, uint32_t operand, const Dimensions& dimensions) {
    if (at.operandDims(operand) == dimensions) return operand;
    const bool isEmpty = absl::c_linear_search(dimensions, 0u) ||
                         absl::c_linear_search(at.operandDims(operand), 0u);
    if (isEmpty || !broadcastsTo(at.operandDims(operand), dimensions)) {
        at.refuse("",
                  fmt::format("expands {} to {}", shapeText(at.operandDims(operand)),
                              shapeText(dimensions)),
                  "dimensions above 0 to which it is broadcast");
        return operand;
    }
    if (!at.fitsConstants(dimensions)) return operand;
    const uint32_t to = at.temporary(operand, dimensions);
    importing::composeBroadcast(at.builder(), operand, to);
    return to;
}

// The operand of an input; before operator set 7, the second one may begin at an axis of the first.
static uint32_t secondOperand(Lowering& at, Dimensions& dimensions) {
    dimensions = at.dims(1);
    if (at.version() >= 7 || !at.hasAttribute("axis") || dimensions.empty()) return at.operand(1);
    const auto axis = axisOf(at.integer("axis", 0), at.rank(0));
    if (!axis || dimensions.size() > at.rank(0) - *axis) {
        at.refuse("", fmt::format("has the axis {}", at.integer("axis", 0)),
                  "an axis of its input");
        return at.operand(1);
    }
    dimensions.resize(at.rank(0) - *axis, 1);
    return at.reshaped(at.operand(1), dimensions);
}

static std::optional<Dimensions> requireBroadcast(Lowering& at, const Dimensions& a,
                                                  const Dimensions& b) {
    auto dimensions = broadcast(a, b);
    if (!dimensions) {
        at.refuse(
                "",
                fmt::format("has inputs with the dimensions {} and {}", shapeText(a), shapeText(b)),
                "dimensions that can be broadcast");
    }
    return dimensions;
}

static bool requireSameType(Lowering& at, size_t a, size_t b) {
    if (at.in(a).type == at.in(b).type) return true;
    at.refuseType(b, toString(at.in(a).type));
    return false;
}

void lowerArithmetic(Lowering& at, OperationType operation) {
    if (!requireSameType(at, 0, 1) || !requireScaled(at, 0) || !requireScaled(at, 1)) return;
    const uint32_t a = at.operand(0);
    Dimensions second;
    const uint32_t b = secondOperand(at, second);
    const auto dimensions = requireBroadcast(at, at.dims(0), second);
    if (!dimensions) return;
    if (isInteger(at, 0) && operation == DIV) {
        return importing::composeQuotient(at.builder(), importing::Division::TRUNCATE, a, b,
                                          at.defineLike(0, 0, *dimensions));
    }
    const int32_t activation = isInteger(at, 0) ? 0 : at.fuseActivation();
    emitArithmetic(at, operation, a, b, activation, at.defineLike(0, 0, *dimensions));
}

// Of integers: real quotients are rounded, and a remainder may be wrong by the whole divisor.
void lowerMod(Lowering& at, OperationType) {
    if (!requireSameType(at, 0, 1)) return;
    if (!isInteger(at, 0)) return at.refuseType(0, "int32, int64, or constants");
    const auto dimensions = requireBroadcast(at, at.dims(0), at.dims(1));
    if (!dimensions) return;
    const bool isTruncated = at.integer("fmod", 0) != 0;
    const uint32_t a = at.operand(0), b = at.operand(1);
    importing::composeRemainder(
            at.builder(), isTruncated ? importing::Division::TRUNCATE : importing::Division::FLOOR,
            a, b, at.defineLike(0, 0, *dimensions));
}

// Operations of two inputs without an activation.
void lowerPair(Lowering& at, OperationType operation) {
    if (!requireSameType(at, 0, 1)) return;
    if (operation == POW && !requireScaled(at, 0)) return;
    const uint32_t a = at.operand(0);
    Dimensions second;
    const uint32_t b = secondOperand(at, second);
    const auto dimensions = requireBroadcast(at, at.dims(0), second);
    if (!dimensions) return;
    at.emit({operation, {a, b}, {at.defineLike(0, 0, *dimensions)}});
}

void lowerPow(Lowering& at, OperationType operation) {
    const auto& exponent = at.in(1).constant;
    const bool isOne = exponent && exponent->count() == 1;
    const auto real = isOne ? exponent->floats() : std::nullopt;
    const auto integer = isOne ? exponent->integers() : std::nullopt;
    const bool isSquare = isOne && at.rank(1) <= at.rank(0) &&
                          ((real && real->front() == 2) || (integer && integer->front() == 2));
    if (isSquare && at.isFloat(0)) {
        const uint32_t input = at.operand(0);
        return emitArithmetic(at, MUL, input, input, 0, at.defineLike(0, 0, at.dims(0)));
    }
    if (at.isFloat(0) && exponent && exponent->isInteger()) {
        const auto integers = at.constantIntegers(1);
        if (!integers || !at.fitsModel(exponent->count(), sizeof(float))) return;
        const std::vector<float> values(integers->begin(), integers->end());
        const auto dimensions = requireBroadcast(at, at.dims(0), at.dims(1));
        if (!dimensions) return;
        const uint32_t input = at.operand(0);
        const uint32_t power = at.reals(input, values, operandDimensions(at.dims(1)));
        return at.emit({operation, {input, power}, {at.defineLike(0, 0, *dimensions)}});
    }
    lowerPair(at, operation);
}

// Before operator set 7, one slope for each channel.
void lowerPRelu(Lowering& at, OperationType operation) {
    if (!requireSameType(at, 0, 1) || !requireScaled(at, 0) || !requireScaled(at, 1)) return;
    const uint32_t input = at.operand(0);
    uint32_t slope = at.operand(1);
    Dimensions dimensions = at.dims(1);
    if (at.version() < 7 && dimensions.size() == 1 && dimensions[0] > 1 && at.rank(0) > 2) {
        dimensions.resize(at.rank(0) - 1, 1);
        slope = at.reshaped(slope, dimensions);
    }
    const auto result = requireBroadcast(at, at.dims(0), dimensions);
    if (!result) return;
    at.emit({operation, {input, slope}, {at.defineLike(0, 0, *result)}});
}

void lowerCompare(Lowering& at, OperationType operation) {
    if (!requireSameType(at, 0, 1)) return;
    const uint32_t a = at.operand(0);
    Dimensions second;
    const uint32_t b = secondOperand(at, second);
    const auto dimensions = requireBroadcast(at, at.dims(0), second);
    if (!dimensions) return;
    at.emit({operation, {a, b}, {at.define(0, ElementType::BOOL, *dimensions)}});
}

void lowerNot(Lowering& at, OperationType operation) {
    const uint32_t input = at.operand(0);
    at.emit({operation, {input}, {at.define(0, ElementType::BOOL, at.dims(0))}});
}

// MAXIMUM, MINIMUM and ADD of any number of inputs, two by two; Mean divides.
void lowerVariadic(Lowering& at, OperationType operation) {
    const bool isMean = at.message().type == "Mean";
    const bool isSum = operation == ADD;
    Dimensions dimensions = at.dims(0);
    for (size_t i = 0; i < at.inputCount(); ++i) {
        if (!at.has(i) || !requireSameType(at, 0, i) || (isSum && !requireScaled(at, i))) return;
        const auto wider = requireBroadcast(at, dimensions, at.dims(i));
        if (!wider) return;
        dimensions = *wider;
    }
    if (at.inputCount() == 1) return at.alias(0, at.id(0));
    const size_t last = at.inputCount() - 1;
    uint32_t value = at.operand(0);
    Dimensions reached = at.operandDims(value);
    for (size_t i = 1; i <= last; ++i) {
        const uint32_t next = at.operand(i);
        reached = broadcast(reached, at.operandDims(next)).value_or(reached);
        const bool isDone = i == last && !isMean;
        const uint32_t to = isDone ? at.defineLike(0, 0, dimensions) : at.temporary(value, reached);
        if (isSum) {
            emitArithmetic(at, operation, value, next, 0, to);
        } else {
            at.emit({operation, {value, next}, {to}});
        }
        value = to;
    }
    if (!isMean) return;
    const uint32_t count = at.reals(value, {static_cast<float>(at.inputCount())});
    emitArithmetic(at, DIV, value, count, 0, at.defineLike(0, 0, dimensions));
}

void lowerWhere(Lowering& at, OperationType operation) {
    if (!requireSameType(at, 1, 2)) return;
    const auto values = requireBroadcast(at, at.dims(1), at.dims(2));
    const auto dimensions = values ? requireBroadcast(at, *values, at.dims(0)) : values;
    if (!dimensions) return;
    const Dimensions shape = operandDimensions(*dimensions);
    const uint32_t condition = expandedTo(at, at.operand(0), shape);
    const uint32_t a = expandedTo(at, at.operand(1), shape);
    const uint32_t b = expandedTo(at, at.operand(2), shape);
    at.emit({operation, {condition, a, b}, {at.defineLike(0, 1, *dimensions)}});
}

}  // namespace nn::onnx
