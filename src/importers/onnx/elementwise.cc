// Operators that compute each element of one tensor by itself.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "importers/common/compositions.h"
#include "importers/onnx/patterns.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {

using enum OperationType;

void lowerUnary(Lowering& at, OperationType operation) {
    if (operation != RELU && !requireScaled(at, 0)) return;
    const uint32_t input = at.operand(0);
    at.emit({operation, {input}, {at.defineLike(0, 0, at.dims(0))}});
}

void lowerIdentity(Lowering& at, OperationType) {
    if (at.has(2)) {  // of Dropout
        const auto trains = at.constantIntegers(2);
        if (trains && !trains->empty() && trains->front() != 0) {
            at.refuse(2, "is true", "false: not for training");
        }
    }
    if (!at.hasOutput(0)) at.refuse("", "omits its output");
    if (at.hasOutput(1) && at.version() < 10) {
        at.refuse(at.outputName(1), "is a mask of numbers", "one of bool");
    } else if (at.hasOutput(1) && at.fitsConstants(at.dims(0))) {
        const std::vector<int64_t> kept(*checkedProduct<size_t>(at.dims(0)), 1);
        at.defineConstant(1, makeIntegers(ElementType::BOOL, at.dims(0), kept));
    }
    if (at.ok()) at.alias(0, at.id(0));
}

void lowerConstant(Lowering& at, OperationType) {
    for (size_t i = 0; i < at.inputCount(); ++i) {
        if (at.has(i)) at.requireConstant(i);
    }
    if (at.ok())
        at.refuse("", "cannot be computed from its inputs", "a constant within the limits");
}

// A constant of the type of an input, as a tensor of one element.
static uint32_t constantLike(Lowering& at, size_t input, uint32_t like, float value) {
    if (at.isFloat(input)) return at.reals(like, {value});
    // 8 bits, or those of TENSOR_INT32; a bound may lie beyond all of them.
    const ElementType type = at.in(input).type;
    double least = INT32_MIN, most = INT32_MAX;
    if (type == ElementType::UINT8) least = 0, most = UINT8_MAX;
    if (type == ElementType::INT8) least = INT8_MIN, most = INT8_MAX;
    const auto element =
            std::isnan(value) ? 0 : static_cast<int64_t>(std::clamp<double>(value, least, most));
    return at.constantOperand(makeIntegers(type, {1}, {&element, 1}), at.in(input).quantization);
}

// min(max(x, least), most)
static void emitComputedClip(Lowering& at) {
    if (!at.isFloat(0) && !isInteger(at, 0)) {
        at.requireConstant(at.has(1) && !at.in(1).constant ? 1 : 2);
        return;
    }
    for (const size_t i : {1, 2}) {
        if (!at.has(i) || (at.in(i).type == at.in(0).type && at.rank(i) <= at.rank(0) &&
                           absl::c_all_of(at.dims(i), [](uint32_t size) { return size == 1; }))) {
            continue;
        }
        at.refuse(i,
                  fmt::format("is of {} with the dimensions {}", toString(at.in(i).type),
                              shapeText(at.dims(i))),
                  "a number of the type of input 0");
    }
    if (!at.ok()) return;
    uint32_t value = at.operand(0);
    for (const size_t i : {1, 2}) {
        if (!at.has(i)) continue;
        const bool isLast = i == 2 || !at.has(2);
        const uint32_t bound = at.operand(i);
        const uint32_t to = isLast ? at.defineLike(0, 0, at.dims(0))
                                   : at.temporary(value, Dimensions(at.operandDims(value)));
        at.emit({i == 1 ? MAXIMUM : MINIMUM, {value, bound}, {to}});
        value = to;
    }
}

void lowerClip(Lowering& at, OperationType) {
    const std::optional<Bounds> bounds = boundsOf(at.graph(), at.node());
    if (!bounds) return emitComputedClip(at);
    const uint32_t input = at.operand(0);
    const bool isReal = at.isFloat(0) || at.in(0).quantization.has_value();
    const std::optional<int32_t> activation = bounds->activation();
    if (activation && isReal && at.rank(0) <= 4) {
        constexpr OperationType kActivations[] = {RELU, RELU1, RELU6};
        return at.emit({kActivations[*activation - 1], {input}, {at.defineLike(0, 0, at.dims(0))}});
    }
    if (at.in(0).quantization) {
        return at.refuse(0, "is quantized", "bounds of 0 to 6, -1 to 1, or 0 and more");
    }
    const bool hasLeast = std::isfinite(bounds->least);
    const bool hasMost = std::isfinite(bounds->most);
    if (!hasLeast && !hasMost) return at.alias(0, at.id(0));
    uint32_t value = input;
    if (hasLeast) {
        const uint32_t least = constantLike(at, 0, input, bounds->least);
        const uint32_t to = hasMost ? at.temporary(input, at.operandDims(input))
                                    : at.defineLike(0, 0, at.dims(0));
        at.emit({MAXIMUM, {value, least}, {to}});
        value = to;
    }
    if (hasMost) {
        const uint32_t most = constantLike(at, 0, input, bounds->most);
        at.emit({MINIMUM, {value, most}, {at.defineLike(0, 0, at.dims(0))}});
    }
}

void lowerLeakyRelu(Lowering& at, OperationType) {
    if (!requireScaled(at, 0)) return;
    const uint32_t input = at.operand(0);
    const float alpha = at.real("alpha", 0.01f);
    uint32_t slope = 0;
    if (at.isFloat(0)) {
        slope = at.reals(input, {alpha});
    } else if (alpha > 0) {
        const int64_t one = 1;
        slope = at.constantOperand(makeIntegers(at.in(0).type, {1}, {&one, 1}),
                                   Quantization{.scale = alpha});
    } else {
        return at.refuse("", "has a slope of 0 or less for quantized values", "a slope above 0");
    }
    at.emit({PRELU, {input, slope}, {at.defineLike(0, 0, at.dims(0))}});
}

// ELU is max(x, 0) + min(alpha * (exp(x) - 1), 0), which is that of ONNX unless alpha is negative.
static float alphaOfElu(Lowering& at, float fallback) {
    const float alpha = at.real("alpha", fallback);
    if (!(alpha >= 0)) at.refuse("", fmt::format("has alpha {}", alpha), "0 or more");
    return alpha;
}

void lowerElu(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const uint32_t alpha = at.realScalar(input, alphaOfElu(at, 1));
    at.emit({ELU, {input, alpha}, {at.defineLike(0, 0, at.dims(0))}});
}

// gamma * ELU(x, alpha)
void lowerSelu(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const uint32_t alpha = at.realScalar(input, alphaOfElu(at, 1.67326319217681884765625f));
    const uint32_t gamma = at.reals(input, {at.real("gamma", 1.05070102214813232421875f)});
    const uint32_t elu = at.apply(ELU, {input, alpha}, input, at.operandDims(input));
    emitArithmetic(at, MUL, elu, gamma, 0, at.defineLike(0, 0, at.dims(0)));
}

// alpha * ELU(x / alpha, 1), unless alpha is negative
void lowerCelu(Lowering& at, OperationType) {
    const float given = at.real("alpha", 1);
    if (!(given > 0)) return at.refuse("", fmt::format("has alpha {}", given), "above 0");
    const uint32_t input = at.operand(0);
    const uint32_t alpha = at.reals(input, {given});
    const uint32_t scaled = arithmetic(at, DIV, input, alpha);
    const uint32_t elu =
            at.apply(ELU, {scaled, at.realScalar(input, 1)}, input, at.operandDims(input));
    emitArithmetic(at, MUL, elu, alpha, 0, at.defineLike(0, 0, at.dims(0)));
}

// min(RELU(alpha * x + beta), 1)
void lowerHardSigmoid(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const uint32_t alpha = at.reals(input, {at.real("alpha", 0.2f)});
    const uint32_t beta = at.reals(input, {at.real("beta", 0.5f)});
    const uint32_t scaled = arithmetic(at, MUL, input, alpha);
    const uint32_t positive = at.temporary(input, at.operandDims(input));
    emitArithmetic(at, ADD, scaled, beta, 1, positive);
    at.emit({MINIMUM, {positive, at.reals(input, {1})}, {at.defineLike(0, 0, at.dims(0))}});
}

// HARD_SWISH, and before it is there x * RELU6(x + 3) / 6
void lowerHardSwish(Lowering& at, OperationType operation) {
    const uint32_t input = at.operand(0);
    if (at.targets(HalVersion::V1_3)) {
        return at.emit({operation, {input}, {at.defineLike(0, 0, at.dims(0))}});
    }
    const uint32_t moved = at.temporary(input, at.operandDims(input));
    emitArithmetic(at, ADD, input, at.reals(input, {3}), 3, moved);
    const uint32_t product = arithmetic(at, MUL, input, moved);
    const uint32_t sixth = at.reals(input, {1 / 6.0f});
    emitArithmetic(at, MUL, product, sixth, 0, at.defineLike(0, 0, at.dims(0)));
}

// max(x, 0) + log(1 + exp(-|x|)), which does not overflow
static void emitSoftplus(Lowering& at, uint32_t input, uint32_t to) {
    const Dimensions dimensions = at.operandDims(input);
    const auto apply = [&](OperationType type, uint32_t from) {
        return at.apply(type, {from}, input, dimensions);
    };
    const uint32_t distance = apply(NEG, apply(ABS, input));
    const uint32_t power = apply(EXP, distance);
    const uint32_t small = arithmetic(at, ADD, power, at.reals(input, {1}));
    const uint32_t rest = apply(LOG, small);
    const uint32_t positive = apply(RELU, input);
    emitArithmetic(at, ADD, positive, rest, 0, to);
}

void lowerSoftplus(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    emitSoftplus(at, input, at.defineLike(0, 0, at.dims(0)));
}

// x * tanh(softplus(x))
void lowerMish(Lowering& at, OperationType operation) {
    if (!requireNumbers(at, 0)) return;
    const uint32_t input = at.operand(0);
    const Dimensions dimensions = at.operandDims(input);
    const uint32_t soft = at.temporary(input, dimensions);
    emitSoftplus(at, input, soft);
    const uint32_t gate = at.apply(TANH, {soft}, input, dimensions);
    emitArithmetic(at, operation, input, gate, 0, at.defineLike(0, 0, at.dims(0)));
}

// x / (1 + |x|)
void lowerSoftsign(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const uint32_t size = at.apply(ABS, {input}, input, at.operandDims(input));
    const uint32_t below = arithmetic(at, ADD, size, at.reals(input, {1}));
    emitArithmetic(at, DIV, input, below, 0, at.defineLike(0, 0, at.dims(0)));
}

void lowerReciprocal(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const uint32_t one = at.reals(input, {1});
    emitArithmetic(at, DIV, one, input, 0, at.defineLike(0, 0, at.dims(0)));
}

// -FLOOR(-x)
void lowerCeil(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const auto apply = [&](OperationType type, uint32_t from) {
        return at.apply(type, {from}, input, Dimensions(at.operandDims(input)));
    };
    const uint32_t below = apply(FLOOR, apply(NEG, input));
    at.emit({NEG, {below}, {at.defineLike(0, 0, at.dims(0))}});
}

// SIN(x + pi / 2)
void lowerCos(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const uint32_t quarter = at.reals(input, {std::numbers::pi_v<float> / 2});
    const uint32_t shifted = arithmetic(at, ADD, input, quarter);
    at.emit({SIN, {shifted}, {at.defineLike(0, 0, at.dims(0))}});
    at.lose(at.outputName(0), "Cos", "SIN", "the sum with pi / 2 is rounded");
}

// x > alpha ? x : 0
void lowerThresholdedRelu(Lowering& at, OperationType) {
    const uint32_t input = at.operand(0);
    const Dimensions dimensions = at.operandDims(input);
    const uint32_t isAbove = at.builder().temporary(OperandType::TENSOR_BOOL8, dimensions);
    at.emit({GREATER, {input, at.reals(input, {at.real("alpha", 1)})}, {isAbove}});
    const uint32_t zeros = filledLike(at, 0, 0, dimensions);
    at.emit({SELECT, {isAbove, input, zeros}, {at.defineLike(0, 0, at.dims(0))}});
}

// x + bias where x < -lambd, else x - bias where x > lambd, else 0
void lowerShrink(Lowering& at, OperationType operation) {
    if (!at.isFloat(0)) return at.refuseType(0, "float, float16");
    const float bias = at.real("bias", 0), lambd = at.real("lambd", 0.5f);
    const uint32_t input = at.operand(0);
    const Dimensions dimensions = at.operandDims(input);
    const auto where = [&](OperationType comparison, float bound) {
        const uint32_t flags = at.builder().temporary(OperandType::TENSOR_BOOL8, dimensions);
        at.emit({comparison, {input, at.reals(input, {bound})}, {flags}});
        return flags;
    };
    const uint32_t offset = at.reals(input, {bias});
    const uint32_t less = arithmetic(at, SUB, input, offset);
    const uint32_t more = arithmetic(at, ADD, input, offset);
    const uint32_t isAbove = where(GREATER, lambd);
    const uint32_t isBelow = where(LESS, -lambd);
    const uint32_t zeros = filledLike(at, 0, 0, dimensions);
    const uint32_t upper = at.apply(operation, {isAbove, less, zeros}, input, dimensions);
    at.emit({operation, {isBelow, more, upper}, {at.defineLike(0, 0, at.dims(0))}});
}

namespace {

// An operator of one real tensor, composed of operations.
void compose(Lowering& at,
             void (*composition)(importing::GraphBuilder& builder, uint32_t x, uint32_t to)) {
    if (!requireNumbers(at, 0)) return;
    const uint32_t input = at.operand(0);
    composition(at.builder(), input, at.defineLike(0, 0, at.dims(0)));
}

void loseExactErf(Lowering& at, std::string_view name) {
    at.lose(at.outputName(0), std::string(name), "a polynomial and EXP",
            "the error function differs by at most 1e-6");
}

}  // namespace

void lowerSign(Lowering& at, OperationType) { compose(at, importing::composeSign); }

void lowerRound(Lowering& at, OperationType) { compose(at, importing::composeRound); }

void lowerErf(Lowering& at, OperationType) {
    compose(at, importing::composeErf);
    loseExactErf(at, "Erf");
}

void lowerGelu(Lowering& at, OperationType) {
    const UntrustedText form = at.text("approximate", "none");
    if (form == "tanh") return compose(at, importing::composeTanhGelu);
    if (form != "none") {
        return at.refuse("", fmt::format("has approximate {}", form.beginning()), "none, tanh");
    }
    compose(at, importing::composeGelu);
    loseExactErf(at, "Gelu");
}

// BiasGelu and FastGelu: of the sum with a bias along the last axis, which FastGelu may omit.
void lowerBiasGelu(Lowering& at, OperationType) {
    if (!requireNumbers(at, 0)) return;
    if (at.has(1) && (at.rank(1) != 1 || broadcast(at.dims(0), at.dims(1)) != at.dims(0) ||
                      at.in(1).type != at.in(0).type)) {
        return at.refuseDimensions(1, fmt::format("a bias for {}", shapeText(at.dims(0))));
    }
    const uint32_t input = at.operand(0);
    const uint32_t sum = at.has(1) ? arithmetic(at, ADD, input, at.operand(1)) : input;
    const uint32_t output = at.defineLike(0, 0, at.dims(0));
    if (at.message().type == "FastGelu") {
        return importing::composeTanhGelu(at.builder(), sum, output);
    }
    importing::composeGelu(at.builder(), sum, output);
    loseExactErf(at, at.message().type.raw);
}

void lowerQuickGelu(Lowering& at, OperationType) {
    if (!requireNumbers(at, 0)) return;
    const uint32_t input = at.operand(0);
    importing::composeSwish(at.builder(), input, at.real("alpha", 1.702f),
                            at.defineLike(0, 0, at.dims(0)));
}

// x != x
void lowerIsNan(Lowering& at, OperationType operation) {
    if (!requireNumbers(at, 0)) return;
    const uint32_t input = at.operand(0);
    at.emit({operation, {input, input}, {at.define(0, ElementType::BOOL, at.dims(0))}});
}

// |x|, x or -x = infinity; for neither sign x < x, which is false
void lowerIsInf(Lowering& at, OperationType operation) {
    if (!requireNumbers(at, 0)) return;
    const bool hasPositive = at.integer("detect_positive", 1) != 0;
    const bool hasNegative = at.integer("detect_negative", 1) != 0;
    uint32_t input = at.operand(0);
    const uint32_t output = at.define(0, ElementType::BOOL, at.dims(0));
    if (!hasPositive && !hasNegative) return at.emit({LESS, {input, input}, {output}});
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (hasPositive && hasNegative) {
        input = at.apply(ABS, {input}, input, Dimensions(at.operandDims(input)));
    }
    const uint32_t bound = at.reals(input, {hasPositive ? kInfinity : -kInfinity});
    at.emit({operation, {input, bound}, {output}});
}

static ElementType targetOfCast(Lowering& at) {
    if (at.message().type == "CastLike") return at.in(1).type;
    const auto type = static_cast<ElementType>(static_cast<int32_t>(at.integer("to", 0)));
    // In the first operator set, the type is text.
    if (at.text("to", "") == "FLOAT") return ElementType::FLOAT;
    if (at.text("to", "") == "INT32") return ElementType::INT32;
    if (at.text("to", "") == "INT64") return ElementType::INT64;
    if (at.text("to", "") == "BOOL") return ElementType::BOOL;
    return type;
}

static void loseWideIntegers(Lowering& at) {
    at.lose(at.outputName(0), "int64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
}

void lowerCast(Lowering& at, OperationType) {
    const ElementType from = at.in(0).type;
    const ElementType to = targetOfCast(at);
    if (from == to) return at.alias(0, at.id(0));
    if (at.in(0).quantization && !requireScaled(at, 0)) return;
    const uint32_t input = at.operand(0);
    if (to == ElementType::INT8 || from == ElementType::INT8) {
        return at.refuse(0, "is cast from or to int8", "float, float16, int32, int64, uint8, bool");
    }
    const auto isInteger = [](ElementType type) {
        return type == ElementType::INT64 || type == ElementType::INT32;
    };
    if (isInteger(from) && isInteger(to)) {
        at.alias(0, at.id(0));
        at.retype(0, to);
        if (to == ElementType::INT64) loseWideIntegers(at);
        return;
    }
    const uint32_t output = at.define(0, to, at.dims(0));
    if (to == ElementType::BOOL) {
        at.emit({NOT_EQUAL, {input, constantLike(at, 0, input, 0)}, {output}});
    } else if (from == ElementType::BOOL) {
        const Dimensions dimensions = at.operandDims(input);
        const Dimensions ones(dimensions.size(), 1);
        const auto filled = [&](int64_t value) {
            if (to == ElementType::FLOAT || to == ElementType::FLOAT16) {
                const auto real = static_cast<float>(value);
                return expandedTo(at, at.reals(output, {&real, 1}, ones), dimensions);
            }
            return expandedTo(at, at.constantOperand(makeIntegers(to, ones, {&value, 1})),
                              dimensions);
        };
        const uint32_t one = filled(1);
        const uint32_t zero = filled(0);
        at.emit({SELECT, {input, one, zero}, {output}});
    } else {
        at.emit({CAST, {input}, {output}});
    }
    if (to == ElementType::INT64) loseWideIntegers(at);
}

}  // namespace nn::onnx
