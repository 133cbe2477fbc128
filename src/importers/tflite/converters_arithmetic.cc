// Elementwise operators, reductions, quantization.
#include <cmath>
#include <numbers>

#include "importers/common/compositions.h"
#include "importers/tflite/constants.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/converters.h"

namespace nn::tflite::converters {
namespace {

using enum OperationType;

constexpr int32_t kNoActivation = 0;
constexpr int32_t kRelu6 = 3;

bool hasSameQuantization(const FileTensor& a, const FileTensor& b) {
    return a.type == b.type && a.scale == b.scale && a.zeroPoint == b.zeroPoint;
}

// The operation with the operands of its row; where input and output have another scale or zero
// point, it computes floats in between.
void requantized(Conversion& op, OperationType type, std::vector<uint32_t> parameters) {
    const uint32_t in = op.operand(0), out = op.result();
    if (op.isRefused()) return;
    std::vector<uint32_t> inputs = {in};
    inputs.insert(inputs.end(), parameters.begin(), parameters.end());
    if (!op.input(0).isQuantized() || hasSameQuantization(op.input(0), op.output(0))) {
        return op.emit({type, std::move(inputs), {out}});
    }
    const uint32_t floats = op.floatLike(in), results = op.floatLike(out);
    op.emit({DEQUANTIZE, {in}, {floats}});
    inputs[0] = floats;
    op.emit({type, std::move(inputs), {results}});
    op.emit({QUANTIZE, {results}, {out}});
    op.lose("a change of scale in whole numbers", "DEQUANTIZE and QUANTIZE",
            "TensorFlow Lite rounds otherwise, by one unit at most");
}

}  // namespace

void square(Conversion& op) {
    const uint32_t x = op.operand(0);
    op.emit({MUL, {x, x, op.scalarOf(kNoActivation)}, {op.result()}});
}

void squaredDifference(Conversion& op) {
    if (op.input(0).isQuantized()) {
        return op.refuseInput(
                0, "is " + nameOf(op.input(0).type),
                "FLOAT32, FLOAT16, INT32: a quantized difference has no scale in the file");
    }
    const uint32_t difference = op.like(op.result());
    const uint32_t none = op.scalarOf(kNoActivation);
    op.emit({SUB, {op.operand(0), op.operand(1), none}, {difference}});
    op.emit({MUL, {difference, difference, none}, {op.result()}});
}

void cosine(Conversion& op) {
    const uint32_t x = op.operand(0);
    const uint32_t shifted = op.like(x);
    const uint32_t quarter = op.realTensor(std::numbers::pi_v<float> / 2);
    op.emit({ADD, {x, quarter, op.scalarOf(kNoActivation)}, {shifted}});
    op.emit({SIN, {shifted}, {op.result()}});
    op.lose("COS", "SIN of the input and pi / 2", "the sum is rounded");
}

void ceiling(Conversion& op) {
    const uint32_t x = op.operand(0);
    const uint32_t negative = op.like(x), floor = op.like(x);
    op.emit({NEG, {x}, {negative}});
    op.emit({FLOOR, {negative}, {floor}});
    op.emit({NEG, {floor}, {op.result()}});
}

void addAll(Conversion& op) {
    uint32_t sum = op.operand(0);
    for (size_t i = 1; i < op.inputCount(); ++i) {
        const bool isLast = i + 1 == op.inputCount();
        const uint32_t next = isLast ? op.result() : op.like(op.result());
        op.emit({ADD, {sum, op.operand(i), op.scalarOf(kNoActivation)}, {next}});
        sum = next;
    }
}

void divide(Conversion& op) {
    const uint32_t a = op.operand(0), b = op.operand(1), out = op.result();
    const uint32_t activation = op.activation();
    if (op.isRefused()) return;
    if (op.input(0).type == TensorType::INT32 && op.number("fused_activation_function") == 0) {
        return importing::composeQuotient(op.builder(), importing::Division::TRUNCATE, a, b, out);
    }
    op.emit({DIV, {a, b, activation}, {out}});
}

void floorDivide(Conversion& op) {
    const uint32_t x = op.operand(0), y = op.operand(1), out = op.result();
    if (op.input(0).type == TensorType::INT32) {
        return op.emit({DIV, {x, y, op.scalarOf(kNoActivation)}, {out}});
    }
    const uint32_t quotient = op.like(out);
    op.emit({DIV, {x, y, op.scalarOf(kNoActivation)}, {quotient}});
    op.emit({FLOOR, {quotient}, {out}});
}

// A conversion that may leave the range of its result.
void cast(Conversion& op) {
    if (op.isMadeUnsigned(op.input(0)) || op.isMadeUnsigned(op.output(0))) {
        return op.refuse("is from or to INT8, whose bytes CAST reads", "INT8 from HAL 1.3 on");
    }
    op.emit({CAST, {op.operand(0)}, {op.result()}});
    if (op.output(0).type == TensorType::UINT8 && op.input(0).type != TensorType::UINT8) {
        op.lose("the lowest 8 bits of a number", "the nearest number from 0 to 255",
                "CAST of NNAPI saturates");
    }
}

void relu1(Conversion& op) { requantized(op, RELU1, {}); }
void relu(Conversion& op) { requantized(op, RELU, {}); }
void relu6(Conversion& op) { requantized(op, RELU6, {}); }

void hardSwish(Conversion& op) {
    const uint32_t in = op.operand(0), out = op.result();
    if (op.isForTarget(kVersionFeatureLevel4) || op.isRefused()) {
        return op.emit({HARD_SWISH, {in}, {out}});
    }
    const bool isQuantized = !op.isFloat(0);
    const uint32_t x = isQuantized ? op.floatLike(in) : in;
    const uint32_t gate = op.like(x), part = op.like(x);
    const uint32_t product = isQuantized ? op.like(x) : out;
    // x * min(max(x + 3, 0), 6) / 6
    if (isQuantized) op.emit({DEQUANTIZE, {in}, {x}});
    op.emit({ADD, {x, op.realTensor(3), op.scalarOf(kRelu6)}, {gate}});
    const uint32_t none = op.scalarOf(kNoActivation);
    op.emit({MUL, {gate, op.realTensor(1.0f / 6), none}, {part}});
    op.emit({MUL, {x, part, none}, {product}});
    if (isQuantized) op.emit({QUANTIZE, {product}, {out}});
    op.lose("HARD_SWISH", "ADD with RELU6, MUL, MUL",
            isQuantized ? "it is computed with floats, and rounded at its end"
                        : "products are rounded in between");
}

// The slope is a tensor of one element: of a quantized one the scale is the slope.
void leakyRelu(Conversion& op) {
    const float slope = op.real("alpha");
    const uint32_t x = op.operand(0);
    if (op.isRefused()) return;
    uint32_t alpha = kNoOperand;
    if (op.isFloat(0)) {
        alpha = op.realTensor(slope);
    } else {
        Operand operand{.type = op.builder().operand(x).type, .dimensions = {1}};
        operand.scale = slope == 0 ? 1.0f : std::abs(slope);
        operand.zeroPoint = slope < 0 ? 1 : 0;
        const std::vector<uint8_t> value = {static_cast<uint8_t>(slope > 0 ? 1 : 0)};
        alpha = op.builder().constant(std::move(operand), value);
    }
    op.emit({PRELU, {x, alpha}, {op.result()}});
}

void mean(Conversion& op) {
    const int32_t keeps = op.flag("keep_dims") ? 1 : 0;
    requantized(op, MEAN, {op.intTensor(1, true), op.scalarOf(keeps)});
}

void topK(Conversion& op) {
    op.emit({TOPK_V2, {op.operand(0), op.scalar(1)}, {op.result(0), op.result(1)}});
    op.lose("the smaller index first", "the larger index first",
            "TOPK_V2 of NNAPI orders equal values so");
}

void quantize(Conversion& op) {
    const uint32_t in = op.operand(0), out = op.result();
    if (op.isFloat(0) || op.isRefused()) return op.emit({QUANTIZE, {in}, {out}});
    const uint32_t floats = op.floatLike(in);
    op.emit({DEQUANTIZE, {in}, {floats}});
    op.emit({QUANTIZE, {floats}, {out}});
    op.lose("a change of scale in whole numbers", "DEQUANTIZE and QUANTIZE",
            "TensorFlow Lite rounds otherwise, by one unit at most");
}

void dequantize(Conversion& op) {
    const auto bytes = op.data(0);
    const uint32_t size = sizeOf(op.input(0).type);
    if (bytes && size != 0 && op.output(0).type == TensorType::FLOAT32) {
        if (!op.mayMake(bytes->size() / size * sizeof(float))) return;
        if (auto floats = floatBytesOf(op.input(0), *bytes)) {
            op.fold(0, TensorType::FLOAT32, *std::move(floats));
            return;
        }
    }
    // DEQUANTIZE does not take floats.
    const bool isHalf = op.input(0).type == TensorType::FLOAT16;
    op.emit({isHalf ? CAST : DEQUANTIZE, {op.operand(0)}, {op.result()}});
}

}  // namespace nn::tflite::converters
