#include "op_support/xnnpack/lowering.h"

#include <array>

namespace nn::xnnpack {

using namespace ops;

Elements withOtherSign(const Value& constant) {
    const auto stored = constant.as<uint8_t>();
    std::vector<uint8_t> copy(stored.begin(), stored.end());
    for (uint8_t& byte : copy) byte ^= kUppermostBit;
    return Elements(std::move(copy));
}

xnn_status run(const Operator& op, pthreadpool_t threads) {
    const xnn_status status = xnn_run_operator(op.main.get(), threads);
    if (status != xnn_status_success || op.clamp == nullptr) return status;
    return xnn_run_operator(op.clamp.get(), threads);
}

// ---- unsupported operations

bool Lowerer::requireConstant(size_t input) const {
    return op.require(op.input(input).data != nullptr, "xnnpack.constant",
                      "{} is not a constant, which XNNPACK needs to pack it beforehand",
                      op.in(input));
}

bool Lowerer::requireFloat(size_t input) const {
    return op.input(input).type == TENSOR_FLOAT32 || refuseType(input, "TENSOR_FLOAT32");
}

bool Lowerer::requireQuant8(size_t input) const {
    return isQuant8Asymm(op.input(input).type) ||
           refuseType(input, "TENSOR_QUANT8_ASYMM and TENSOR_QUANT8_ASYMM_SIGNED");
}

bool Lowerer::requireFloatOrQuant8(size_t input) const {
    const OperandType type = op.input(input).type;
    return type == TENSOR_FLOAT32 || isQuant8Asymm(type) ||
           refuseType(input, "TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM and TENSOR_QUANT8_ASYMM_SIGNED");
}

bool Lowerer::requireNhwc(size_t isNchw) const {
    return op.require(!*op.booleanOr(isNchw, false), "xnnpack.layout",
                      "{} is true, allowed false: the channels come last", op.in(isNchw));
}

bool Lowerer::requireFewDimensions(size_t input) const {
    const size_t rank = op.input(input).dimensions.size();
    return op.require(rank <= XNN_MAX_TENSOR_DIMS, "xnnpack.dimensions",
                      "{} has rank {}, allowed {}", op.in(input), rank, XNN_MAX_TENSOR_DIMS);
}

bool Lowerer::requireLastAxis(size_t axisInput, int32_t axis) const {
    const auto last = static_cast<int32_t>(op.input(0).dimensions.size()) - 1;
    return op.require(axis == -1 || axis == last, "xnnpack.axis",
                      "{} is {}, allowed -1 and {}, the last axis", op.in(axisInput), axis, last);
}

bool Lowerer::requireShortSum(uint64_t addends) const {
    constexpr uint64_t kMost = INT32_MAX / UINT8_MAX;
    return op.require(addends <= kMost, "xnnpack.value", "sums {} elements up, allowed {}", addends,
                      kMost);
}

bool Lowerer::refuseValues(int only) const {
    return refuse("xnnpack.quantization",
                  "{} stores all that the activation allows as {}, allowed are different values",
                  op.out(0), only);
}

bool Lowerer::copy() const {
    lowering.inputs = {0};
    return true;
}

// ---- rows

Sizes shapeOf(const Value& value) { return {{value.dimensions.begin(), value.dimensions.end()}}; }

namespace {

bool lowerAs(const Copy&, const Lowerer& l) { return l.copy(); }

bool lowerAs(const Clamp& row, const Lowerer& l) { return l.clamp(row.activation); }

bool lowerAs(const CustomLowering& function, const Lowerer& l) { return function(l); }

}  // namespace

bool lower(const LoweringRow& row, const Lowerer& lowerer) {
    return std::visit([&](const auto& how) { return lowerAs(how, lowerer); }, row.how);
}

}  // namespace nn::xnnpack
