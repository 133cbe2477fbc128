// Operators on elements, and averages, in XNNPACK's interface of 2022.
#include "op_support/xnnpack/lowering.h"

#if !NNAPI_XNNPACK_RESHAPES

namespace nn::xnnpack {

using namespace ops;

bool Lowerer::clamp(int32_t activation) const {
    constexpr PerElement kClamp{NNAPI_XNN(clamp_nc_f32), NNAPI_XNN(clamp_nc_s8),
                                NNAPI_XNN(clamp_nc_u8)};
    const size_t n = count(op.output(0));
    return requireFloatOrQuant8(0) && withElements([&]<class E>(E) {
               const Range<E> y = range<E>(activation, op.output(0));
               return requireValues(y) && create(kClamp.of<E>(), n, n, n, y.least, y.most, 0);
           }) &&
           setUp(kClamp, 1);
}

bool Lowerer::average(size_t batch, size_t width, size_t channels, int32_t activation) const {
    constexpr PerElement kAverage{NNAPI_XNN(global_average_pooling_nwc_f32),
                                  NNAPI_XNN(global_average_pooling_nwc_qs8),
                                  NNAPI_XNN(global_average_pooling_nwc_qu8)};
    const Value &x = op.input(0), &y = op.output(0);
    return requireShortSum(width) && withElements([&]<class E>(E) {
               const Range<E> most = range<E>(activation, y);
               if (!requireValues(most)) return false;
               const auto make = [&](auto... values) {
                   return create(kAverage.of<E>(), channels, channels, channels, values...,
                                 most.least, most.most, 0);
               };
               if constexpr (std::is_same_v<E, float>) {
                   return make();
               } else {
                   return make(zeroPoint<E>(x), x.scale, zeroPoint<E>(y), y.scale);
               }
           }) &&
           setUp(kAverage, batch, width);
}

bool Lowerer::convert() const {
    const Value &x = op.input(0), &y = op.output(0);
    const size_t n = count(y);
    const auto make = [&](const auto& functions, auto... values) {
        return create(functions, n, n, n, values..., 0) && setUp(functions, 1);
    };
    if (x.type == TENSOR_FLOAT16) return make(NNAPI_XNN(convert_nc_f16_f32));
    if (y.type == TENSOR_FLOAT16) return make(NNAPI_XNN(convert_nc_f32_f16));
    return withStored([&]<class E>(E) {
        if (x.type != TENSOR_FLOAT32) {
            constexpr PerElement kConvert{nullptr, NNAPI_XNN(convert_nc_qs8_f32),
                                          NNAPI_XNN(convert_nc_qu8_f32)};
            return make(kConvert.of<E>(), x.scale, zeroPoint<E>(x));
        }
        constexpr PerElement kConvert{nullptr, NNAPI_XNN(convert_nc_f32_qs8),
                                      NNAPI_XNN(convert_nc_f32_qu8)};
        const Range<E> all = range<E>(0, y);
        return make(kConvert.of<E>(), y.scale, zeroPoint<E>(y), all.least, all.most);
    });
}

bool Lowerer::elu(float alpha) const {
    constexpr auto kElu = NNAPI_XNN(elu_nc_f32);
    const size_t n = count(op.output(0));
    return create(kElu, n, n, n, alpha, 0) && setUp(kElu, 1);
}

bool Lowerer::prelu(std::vector<float> slopes) const {
    constexpr auto kPrelu = NNAPI_XNN(prelu_nc_f32);
    const size_t channels = slopes.size();
    return create(kPrelu, channels, channels, channels, Elements(std::move(slopes)), 0) &&
           setUp(kPrelu, count(op.input(0)) / channels);
}

namespace {

template <class Operator>
auto functionsOf(const Operator& row) {
    return Functions{row.create, nullptr, row.setUp, row.name.data()};
}

template <class E>
bool lowerStored(const UnaryOperator<E>& row, const Lowerer& l) {
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const size_t n = count(y);
    const Range<E> all = range<E>(0, y);
    return l.create(functionsOf(row), n, n, n, zeroPoint<E>(x), x.scale, zeroPoint<E>(y), y.scale,
                    all.least, all.most, 0) &&
           l.setUp(functionsOf(row), 1);
}

template <class Operator>
bool setUpBinary(const Operator& row, const Lowerer& l) {
    if (!l.requireFewDimensions(0) || !l.requireFewDimensions(1)) return false;
    l.lowering.inputs = {0, 1};
    l.lowering.setUp = [row, x = shapeOf(l.op.input(0)), y = shapeOf(l.op.input(1))](
                               xnnpack::Operator& made, std::span<const uint8_t* const> in,
                               uint8_t* out, pthreadpool_t threads) {
        return row.setUp(made.main.get(), x.count(), x, y.count(), y, InputAddress{in[0]},
                         InputAddress{in[1]}, OutputAddress{out}, threads);
    };
    return true;
}

template <class E>
bool lowerStored(const ArithmeticOperator<E>& row, int32_t activation, const Lowerer& l) {
    const Value &a = l.op.input(0), &b = l.op.input(1), &y = l.op.output(0);
    const Range<E> most = range<E>(activation, y);
    return l.requireValues(most) &&
           l.create(functionsOf(row), zeroPoint<E>(a), a.scale, zeroPoint<E>(b), b.scale,
                    zeroPoint<E>(y), y.scale, most.least, most.most, 0) &&
           setUpBinary(row, l);
}

}  // namespace

bool lowerAs(const Unary& row, const Lowerer& l) {
    if (row.qs8 && (!row.real || l.isQuant8())) {
        if (!l.requireQuant8(0)) return false;
        return l.lowering.isSigned ? lowerStored<int8_t>(row.qs8, l)
                                   : lowerStored<uint8_t>(row.qu8, l);
    }
    const size_t n = count(l.op.output(0));
    return l.requireFloat(0) && l.create(functionsOf(row.real), n, n, n, 0) &&
           l.setUp(functionsOf(row.real), 1);
}

bool lowerAs(const Binary& row, const Lowerer& l) {
    return l.requireFloat(0) && l.create(functionsOf(row.real), 0) && setUpBinary(row.real, l);
}

bool lowerAs(const Arithmetic& row, const Lowerer& l) {
    if (row.qs8 ? !l.requireFloatOrQuant8(0) : !l.requireFloat(0)) return false;
    const int32_t activation = *l.op.int32(row.activation);
    if (l.isQuant8()) {
        return l.lowering.isSigned ? lowerStored<int8_t>(row.qs8, activation, l)
                                   : lowerStored<uint8_t>(row.qu8, activation, l);
    }
    const Range<float> y = range<float>(activation, l.op.output(0));
    return l.create(functionsOf(row.real), y.least, y.most, 0) && setUpBinary(row.real, l);
}

}  // namespace nn::xnnpack

#endif
