// Operators on elements, and averages, in XNNPACK's interface of 2024.
#include <cmath>
#include <optional>

#include "op_support/xnnpack/lowering.h"

#if NNAPI_XNNPACK_RESHAPES

namespace nn::xnnpack {

using namespace ops;

namespace {

constexpr Functions kUnary = NNAPI_XNN(unary_elementwise_nc);
constexpr Functions kBinary = NNAPI_XNN(binary_elementwise_nd);
constexpr Functions kReduce = NNAPI_XNN(reduce_nd);

// How the elements of a value are stored.
struct Stored {
    Stored(const Lowerer& l, const Value& value)
        : type(value.type == TENSOR_FLOAT32   ? xnn_datatype_fp32
               : value.type == TENSOR_FLOAT16 ? xnn_datatype_fp16
               : l.lowering.isSigned          ? xnn_datatype_qint8
                                              : xnn_datatype_quint8) {
        if (xnnpack::isQuant8(value.type)) {
            quantization = {.zero_point = l.lowering.isSigned ? zeroPoint<int8_t>(value)
                                                              : zeroPoint<uint8_t>(value),
                            .scale = value.scale};
        }
    }
    bool isQuant8() const { return type == xnn_datatype_qint8 || type == xnn_datatype_quint8; }
    float scale() const { return quantization.scale; }

    xnn_datatype type;
    xnn_quantization_params quantization{};
};

// The bounds of an activation; empty for NONE with 8-bit results. NONE limits floats to finite
// numbers.
std::optional<xnn_unary_params> limitsOf(int32_t activation, const Lowerer& l) {
    if (activation == 0 && l.isQuant8()) return std::nullopt;
    const Value& y = l.op.output(0);
    xnn_unary_params limits{};
    l.withElements([&]<class E>(E) {
        const Range<E> bounds = range<E>(activation, y);
        // XNNPACK quantizes them again, which results in the same stored bounds.
        const auto real = [&](E stored) {
            return std::is_same_v<E, float>
                           ? static_cast<float>(stored)
                           : y.scale * static_cast<float>(stored - zeroPoint<E>(y));
        };
        limits.clamp = {.min = real(bounds.least), .max = real(bounds.most)};
        return true;
    });
    return limits;
}

bool requireValuesOf(int32_t activation, const Lowerer& l) {
    return l.withElements(
            [&]<class E>(E) { return l.requireValues(range<E>(activation, l.op.output(0))); });
}

// XNNPACK checks scales by assertions, which abort the process.
bool isUsable(const Stored& value) { return !value.isQuant8() || std::isnormal(value.scale()); }
bool isUsable(xnn_binary_operator kind, const Stored& a, const Stored& b, const Stored& y) {
    if (!a.isQuant8()) return true;
    if (!isUsable(a) || !isUsable(b) || !isUsable(y)) return false;
    constexpr float kEnd = 0x1p8f;
    if (kind == xnn_binary_multiply) {
        const float factor = a.scale() * b.scale() / y.scale();
        return factor >= 0x1p-16f && factor < kEnd;
    }
    const auto fits = [&](const Stored& input) {
        const float factor = input.scale() / y.scale();
        return factor >= 0x1p-10f && factor < kEnd;
    };
    return fits(a) && fits(b);
}

xnn_status createUnary(xnn_unary_operator kind, const Stored& x, const Stored& y,
                       const xnn_unary_params& params, OwnedOperator& made) {
    if (!isUsable(x) || !isUsable(y)) return xnn_status_unsupported_parameter;
    return create(kUnary, made, kind, x.type, y.type, &params, &x.quantization, &y.quantization,
                  uint32_t{0});
}

bool lowerUnary(xnn_unary_operator kind, std::string_view name, const Lowerer& l,
                const xnn_unary_params& params = {}) {
    const size_t n = count(l.op.output(0));
    l.lowering.name = name;
    l.lowering.create = [=, x = Stored(l, l.op.input(0)),
                         y = Stored(l, l.op.output(0))](Operator& made) {
        return createUnary(kind, x, y, params, made.main);
    };
    return l.setUp(kUnary, size_t{1}, n, n, n);
}

// Adds a clamp of the output if an activation limits it.
void addClamp(int32_t activation, const Lowerer& l) {
    const std::optional<xnn_unary_params> limits = limitsOf(activation, l);
    if (!limits) return;
    l.lowering.create = [main = std::move(l.lowering.create), limits = *limits,
                         y = Stored(l, l.op.output(0))](Operator& made) {
        const xnn_status status = main(made);
        if (status != xnn_status_success) return status;
        return createUnary(xnn_unary_clamp, y, y, limits, made.clamp);
    };
    l.lowering.setUp = [main = std::move(l.lowering.setUp), n = count(l.op.output(0))](
                               Operator& made, std::span<const uint8_t* const> in, uint8_t* out,
                               pthreadpool_t threads) {
        const xnn_status status = main(made, in, out, threads);
        if (status != xnn_status_success) return status;
        AlignedMemory none;
        return setUp(kUnary, made.clamp.get(), none, threads, std::tuple(size_t{1}, n, n, n),
                     InputAddress{out}, OutputAddress{out});
    };
}

bool lowerBinary(xnn_binary_operator kind, std::string_view name, const Lowerer& l) {
    if (!l.requireFewDimensions(0) || !l.requireFewDimensions(1)) return false;
    l.lowering.name = name;
    l.lowering.inputs = {0, 1};
    l.lowering.create = [kind, a = Stored(l, l.op.input(0)), b = Stored(l, l.op.input(1)),
                         y = Stored(l, l.op.output(0))](Operator& made) {
        if (!isUsable(kind, a, b, y)) return xnn_status_unsupported_parameter;
        return create(kBinary, made.main, kind, a.type, &a.quantization, &b.quantization,
                      &y.quantization, uint32_t{0});
    };
    l.lowering.setUp = [a = shapeOf(l.op.input(0)), b = shapeOf(l.op.input(1))](
                               Operator& made, std::span<const uint8_t* const> in, uint8_t* out,
                               pthreadpool_t threads) {
        return setUp(kBinary, made.main.get(), made.workspace, threads,
                     std::tuple(a.count(), a, b.count(), b), InputAddress{in[0]},
                     InputAddress{in[1]}, OutputAddress{out});
    };
    return true;
}

}  // namespace

bool Lowerer::clamp(int32_t activation) const {
    if (!requireFloatOrQuant8(0) || !requireValuesOf(activation, *this)) return false;
    const auto limits = limitsOf(activation, *this);
    return limits ? lowerUnary(xnn_unary_clamp, "clamp_nc", *this, *limits) : copy();
}

bool Lowerer::average(size_t batch, size_t width, size_t channels, int32_t activation) const {
    if (!requireShortSum(width) || !requireValuesOf(activation, *this)) return false;
    lowering.name = "mean_nd";
    lowering.inputs = {0};
    lowering.create = [x = Stored(*this, op.input(0)),
                       y = Stored(*this, op.output(0))](Operator& made) {
        if (!isUsable(x) || !isUsable(y)) return xnn_status_unsupported_parameter;
        return xnnpack::create(kReduce, made.main, xnn_reduce_mean, x.type, &x.quantization,
                               &y.quantization, uint32_t{0});
    };
    lowering.setUp = [shape = Sizes{{batch, width, channels}},
                      isFloat32 = op.input(0).type == TENSOR_FLOAT32](
                             Operator& made, std::span<const uint8_t* const> in, uint8_t* out,
                             pthreadpool_t threads) {
        constexpr int64_t kWidth = 1;  // the axis
        const xnn_status status =
                xnnpack::setUp(kReduce, made.main.get(), made.workspace, threads,
                               std::tuple(size_t{1}, &kWidth, shape.count(), shape),
                               InputAddress{in[0]}, OutputAddress{out});
        if (status != xnn_status_success || !isFloat32) return status;
        // With a workspace, XNNPACK would convert the sums by a function that it lacks for float32.
        return kReduce.setUp(made.main.get(), nullptr, InputAddress{in[0]}, OutputAddress{out});
    };
    addClamp(activation, *this);
    return true;
}

bool Lowerer::convert() const { return lowerUnary(xnn_unary_convert, "convert_nc", *this); }

bool Lowerer::elu(float alpha) const {
    return lowerUnary(xnn_unary_elu, "elu_nc_f32", *this, {.elu = {.alpha = alpha}});
}

bool Lowerer::prelu(std::vector<float> slopes) const {
    const size_t channels = slopes.size(), rows = count(op.input(0)) / channels;
    slopes.resize(channels + XNN_EXTRA_BYTES / sizeof(float));
    lowering.name = "prelu_nd_f32";
    lowering.inputs = {0};
    lowering.create = [](Operator& made) {
        return xnnpack::create(kBinary, made.main, xnn_binary_prelu, xnn_datatype_fp32,
                               static_cast<const xnn_quantization_params*>(nullptr),
                               static_cast<const xnn_quantization_params*>(nullptr),
                               static_cast<const xnn_quantization_params*>(nullptr), uint32_t{0});
    };
    lowering.setUp = [slopes = Elements(std::move(slopes)), x = Sizes{{rows, channels}}](
                             Operator& made, std::span<const uint8_t* const> in, uint8_t* out,
                             pthreadpool_t threads) {
        return xnnpack::setUp(kBinary, made.main.get(), made.workspace, threads,
                              std::tuple(size_t{2}, x, size_t{1}, Sizes{{x.all[1]}}),
                              InputAddress{in[0]}, slopes.address, OutputAddress{out});
    };
    return true;
}

bool lowerAs(const Unary& row, const Lowerer& l) {
    if (row.qs8 && (!row.real || l.isQuant8())) {
        const auto& each = l.lowering.isSigned ? row.qs8 : row.qu8;
        return l.requireQuant8(0) && lowerUnary(each.kind, each.name, l);
    }
    return l.requireFloat(0) && lowerUnary(row.real.kind, row.real.name, l);
}

bool lowerAs(const Binary& row, const Lowerer& l) {
    return l.requireFloat(0) && lowerBinary(row.real.kind, row.real.name, l);
}

bool lowerAs(const Arithmetic& row, const Lowerer& l) {
    if (row.qs8 ? !l.requireFloatOrQuant8(0) : !l.requireFloat(0)) return false;
    const int32_t activation = *l.op.int32(row.activation);
    if (!requireValuesOf(activation, l)) return false;
    const auto& each = !l.isQuant8() ? row.real : l.lowering.isSigned ? row.qs8 : row.qu8;
    if (!lowerBinary(each.kind, each.name, l)) return false;
    addClamp(activation, l);
    return true;
}

}  // namespace nn::xnnpack

#endif
