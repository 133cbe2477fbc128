#include "opkit/xnnpack/lowering.h"

#include <array>

namespace nn::xnnpack {

using namespace ops;

Elements withOtherSign(const Value& constant) {
    const auto stored = constant.as<uint8_t>();
    std::vector<uint8_t> copy(stored.begin(), stored.end());
    for (uint8_t& byte : copy) byte ^= kUppermostBit;
    return Elements(std::move(copy));
}

// ---- what is refused

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

// ---- operators that several rooms have

bool Lowerer::copy() const {
    lowering.inputs = {0};
    return true;
}

bool Lowerer::clamp(int32_t activation) const {
    constexpr PerElement kCreate{xnn_create_clamp_nc_f32, xnn_create_clamp_nc_s8,
                                 xnn_create_clamp_nc_u8};
    constexpr PerElement kSetUp{xnn_setup_clamp_nc_f32, xnn_setup_clamp_nc_s8,
                                xnn_setup_clamp_nc_u8};
    const size_t n = count(op.output(0));
    return requireFloatOrQuant8(0) && withElements([&]<class E>(E) {
               const Range<E> y = range<E>(activation, op.output(0));
               return requireValues(y) && create(kCreate.of<E>(), n, n, n, y.least, y.most, 0);
           }) &&
           setUp(kSetUp, 1);
}

bool Lowerer::average(size_t batch, size_t width, size_t channels, int32_t activation) const {
    constexpr PerElement kCreate{xnn_create_global_average_pooling_nwc_f32,
                                 xnn_create_global_average_pooling_nwc_qs8,
                                 xnn_create_global_average_pooling_nwc_qu8};
    constexpr PerElement kSetUp{xnn_setup_global_average_pooling_nwc_f32,
                                xnn_setup_global_average_pooling_nwc_qs8,
                                xnn_setup_global_average_pooling_nwc_qu8};
    const Value &x = op.input(0), &y = op.output(0);
    return requireShortSum(width) && withElements([&]<class E>(E) {
               const Range<E> most = range<E>(activation, y);
               if (!requireValues(most)) return false;
               const auto make = [&](auto... values) {
                   return create(kCreate.of<E>(), channels, channels, channels, values...,
                                 most.least, most.most, 0);
               };
               if constexpr (std::is_same_v<E, float>) {
                   return make();
               } else {
                   return make(zeroPoint<E>(x), x.scale, zeroPoint<E>(y), y.scale);
               }
           }) &&
           setUp(kSetUp, batch, width);
}

// ---- rows

namespace {

bool lowerAs(const Copy&, const Lowerer& l) { return l.copy(); }

bool lowerAs(const Clamp& row, const Lowerer& l) { return l.clamp(row.activation); }

bool lowerAs(const CustomLowering& function, const Lowerer& l) { return function(l); }

template <class E>
bool lowerStored(const Unary::Stored<E>& functions, const Lowerer& l) {
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const size_t n = count(y);
    const Range<E> all = range<E>(0, y);
    return l.create(functions.create, n, n, n, zeroPoint<E>(x), x.scale, zeroPoint<E>(y), y.scale,
                    all.least, all.most, 0) &&
           l.setUp(functions.setUp, 1);
}

bool lowerAs(const Unary& row, const Lowerer& l) {
    if (row.qs8 && (!row.real || l.isQuant8())) {
        if (!l.requireQuant8(0)) return false;
        return l.lowering.isSigned ? lowerStored(row.qs8, l) : lowerStored(row.qu8, l);
    }
    const size_t n = count(l.op.output(0));
    return l.requireFloat(0) && l.create(row.real.create, n, n, n, 0) && l.setUp(row.real.setUp, 1);
}

template <class E>
bool setUpBinary(SetUpBinary<E> function, const Lowerer& l) {
    if (!l.requireFewDimensions(0) || !l.requireFewDimensions(1)) return false;
    const auto shapeOf = [](const Value& value) {
        return std::vector<size_t>(value.dimensions.begin(), value.dimensions.end());
    };
    l.lowering.inputs = {0, 1};
    l.lowering.setUp = [function, x = shapeOf(l.op.input(0)), y = shapeOf(l.op.input(1))](
                               xnn_operator_t made, std::span<const uint8_t* const> in,
                               uint8_t* out, pthreadpool_t pool) {
        return function(made, x.size(), x.data(), y.size(), y.data(), InputAddress{in[0]},
                        InputAddress{in[1]}, OutputAddress{out}, pool);
    };
    return true;
}

bool lowerAs(const Binary& row, const Lowerer& l) {
    return l.requireFloat(0) && l.create(row.real.create, 0) && setUpBinary(row.real.setUp, l);
}

template <class E>
bool lowerStored(const Arithmetic::Stored<E>& functions, int32_t activation, const Lowerer& l) {
    const Value &a = l.op.input(0), &b = l.op.input(1), &y = l.op.output(0);
    const Range<E> most = range<E>(activation, y);
    return l.requireValues(most) &&
           l.create(functions.create, zeroPoint<E>(a), a.scale, zeroPoint<E>(b), b.scale,
                    zeroPoint<E>(y), y.scale, most.least, most.most, 0) &&
           setUpBinary(functions.setUp, l);
}

bool lowerAs(const Arithmetic& row, const Lowerer& l) {
    if (row.qs8 ? !l.requireFloatOrQuant8(0) : !l.requireFloat(0)) return false;
    const int32_t activation = *l.op.int32(row.activation);
    if (l.isQuant8()) {
        return l.lowering.isSigned ? lowerStored(row.qs8, activation, l)
                                   : lowerStored(row.qu8, activation, l);
    }
    const Range<float> y = range<float>(activation, l.op.output(0));
    return l.create(row.real.create, y.least, y.most, 0) && setUpBinary(row.real.setUp, l);
}

}  // namespace

bool lower(const LoweringRow& row, const Lowerer& lowerer) {
    return std::visit([&](const auto& how) { return lowerAs(how, lowerer); }, row.how);
}

}  // namespace nn::xnnpack
