// Filters, weights and biases, quantized or not.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <cmath>

#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

using enum OperandType;

// The same numbers in the other type of 8 bits: elements and zero point move by 128.
Constant moved(const Constant& constant, ElementType type) {
    std::vector<uint8_t> bytes(constant.bytes.begin(), constant.bytes.end());
    for (uint8_t& byte : bytes) byte ^= 0x80;
    return makeConstant(type, constant.dimensions, std::move(bytes));
}

// Channels have signed elements without a zero point; others the type of the data.
bool adapt(Lowering& at, size_t input, Constant& constant, Quantization& quantization,
           ElementType data) {
    const ElementType wanted = quantization.isPerChannel() ? ElementType::INT8 : data;
    if (constant.type != wanted) {
        const auto zeroPoint = checkedAdd<int32_t>(quantization.zeroPoint,
                                                   wanted == ElementType::INT8 ? -128 : 128);
        if (elementSize(wanted) != 1) {
            at.refuse(0, "is of " + toString(wanted), "uint8, int8");
            return false;
        }
        if (!zeroPoint || elementSize(constant.type) != 1) {
            at.refuse(input, "is of " + toString(constant.type), "uint8, int8");
            return false;
        }
        constant = moved(constant, wanted);
        quantization.zeroPoint = *zeroPoint;
    }
    if (!quantization.isPerChannel() || quantization.zeroPoint == 0) return true;
    at.refuse(input,
              fmt::format("has scales for its channels and the zero point {}",
                          quantization.zeroPoint),
              "0, or 128 for uint8");
    return false;
}

float scaleOf(const Operand& operand) {
    return operand.type == TENSOR_QUANT8_SYMM_PER_CHANNEL ? 0 : operand.scale;
}

}  // namespace

uint32_t filterOperand(Lowering& at, size_t input, Dimensions dimensions,
                       std::span<const uint32_t> axes, uint32_t channelAxis) {
    const Value& value = at.in(input);
    std::optional<Constant> known = at.constantOf(input);
    if (!known) {
        const uint32_t whole = at.reshaped(at.operand(input), dimensions);
        return at.transposed(whole, axes);
    }
    // Of the copies with other elements and with another order.
    if (!at.fitsModel(known->bytes.size(), 1)) {
        return at.builder().noValue(OperandType::TENSOR_FLOAT32, {1});
    }
    Constant constant = *std::move(known);
    constant.dimensions = std::move(dimensions);
    Quantization quantization = value.quantization.value_or(Quantization());
    const bool isQuantized = !at.isFloat(0) && !at.isFloat(input);
    if (isQuantized) {
        if (quantization.isPerChannel()) {
            const uint32_t from = axes[channelAxis];
            if (quantization.channelAxis != from) {
                at.refuse(input, fmt::format("has scales along axis {}", quantization.channelAxis),
                          fmt::format("along axis {}", from));
            }
            quantization.channelAxis = channelAxis;
        }
        if (!adapt(at, input, constant, quantization, at.in(0).type)) return at.operand(input);
    }
    return at.constantOperand(transposed(constant, axes),
                              isQuantized ? std::optional(quantization) : std::nullopt,
                              std::string(value.name));
}

uint32_t biasOperand(Lowering& at, size_t input, uint32_t count, uint32_t data, uint32_t filter) {
    const bool isReal = at.isFloat(0);
    // One factor is 0 where the filter has scales for its channels.
    const float scale =
            isReal ? 0
                   : scaleOf(at.builder().operand(data)) * scaleOf(at.builder().operand(filter));
    if (!at.has(input)) {
        if (!at.fitsConstants({count})) return at.builder().noValue(OperandType::TENSOR_FLOAT32);
        if (isReal) return at.reals(data, std::vector<float>(count, 0));
        const std::vector<int64_t> zeros(count, 0);
        return at.constantOperand(makeIntegers(ElementType::INT32, {count}, zeros),
                                  Quantization{.scale = scale});
    }
    if (at.dims(input) != Dimensions{count}) {
        at.refuseDimensions(input, fmt::format("[{}]", count));
    }
    if (isReal) return at.operand(input);
    const Value& value = at.in(input);
    if (!value.constant || value.type != ElementType::INT32) {
        at.refuse(input, "is no constant of int32", "one");
        return at.operand(input);
    }
    const auto& given = value.quantization;
    if (given && !given->isPerChannel() && scale != 0 &&
        std::abs(given->scale / scale - 1) > 1e-3f) {
        at.refuse(input, fmt::format("has the scale {}", given->scale),
                  fmt::format("{}, that of the input times that of the filter", scale));
    }
    return at.constantOperand(*value.constant, Quantization{.scale = scale},
                              std::string(value.name));
}

}  // namespace nn::onnx
