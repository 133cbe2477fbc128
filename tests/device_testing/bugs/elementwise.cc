// Operations that compute each element independently.
#include "device_testing/bugs/kernels.h"

namespace nn::bugs {
namespace element {
namespace {

// ---- broadcasting

// Which element of an input belongs to an element of the output.
class Broadcast {
   public:
    Broadcast(const Call& call, size_t input)
        : mCall(call), mInput(input), mCount(countOf(call.in[input])) {
        const auto in = call.in[input].dimensions, out = call.out[0].dimensions;
        mOut.assign(out.begin(), out.end());
        mStrides.assign(out.size(), 0);
        const bool isLeft = call.has(Bug::broadcast_ranks_left);
        size_t stride = 1, broadcast = 0;
        for (size_t i = in.size(); i-- > 0;) {
            const size_t axis = isLeft ? i : i + out.size() - in.size();
            const bool isBroadcast = in[i] == 1 && out[axis] != 1;
            // A second broadcast dimension gets the stride of its neighbor.
            broadcast += isBroadcast ? 1 : 0;
            const bool isForgotten =
                    call.has(Bug::broadcast_two_dims) && isBroadcast && broadcast > 1;
            mStrides[axis] = isBroadcast && !isForgotten ? 0 : stride;
            stride *= in[i];
        }
        mIsSame = mCount == countOf(call.out[0]);
    }

    size_t operator()(size_t element) const {
        if (mIsSame) return element;
        if (mCall.has(Bug::broadcast_modulo)) return element % mCount;
        if (mCall.has(Bug::broadcast_first_input) && mInput == 0) return element;
        if (mCall.has(Bug::broadcast_scalar_tensor) && mCount == 1) return element;
        size_t index = 0;
        for (size_t axis = mOut.size(); axis-- > 0;) {
            index += element % mOut[axis] * mStrides[axis];
            element /= mOut[axis];
        }
        return index;
    }
    bool isSame() const { return mIsSame; }

   private:
    const Call& mCall;
    size_t mInput;
    size_t mCount;
    std::vector<size_t> mOut{}, mStrides{};
    bool mIsSame = false;
};

float floatAt(const ExtensionOperand& tensor, size_t i) {
    return i < countOf(tensor) ? valueOf(tensor, i) : 0;  // memory of the device behind it is 0
}
int32_t storedAt(const ExtensionOperand& tensor, size_t i) {
    return i < countOf(tensor) ? stored(tensor, i) - tensor.zeroPoint : 0;
}

// Calls visit(element, element of input 0, element of input 1) for each element of the output.
template <class Visit>
void forEachPair(const Call& call, const Visit& visit) {
    const Broadcast a(call, 0), b(call, 1);
    size_t count = countOf(call.out[0]);
    if (call.has(Bug::broadcast_first_row) && !(a.isSame() && b.isSame())) {
        count = call.out[0].dimensions.back();
    }
    const bool isNarrow = call.has(Bug::offsets_16_bits);
    for (size_t i = 0; i < count; ++i) {
        const size_t at = isNarrow ? static_cast<uint16_t>(i) : i;
        visit(at, a(at), b(at));
    }
}

// ---- of two inputs

float flush(float value, const Call& call) {
    return call.has(Bug::flushes_subnormals) && std::fpclassify(value) == FP_SUBNORMAL ? 0 : value;
}

template <class Compute>
void ofFloats(const Call& call, const Compute& compute) {
    const bool isForgotten = call.has(Bug::fused_activation_ignored);
    const Bounds bounds = boundsOf(isForgotten ? 0 : call.integer(2), call);
    forEachPair(call, [&](size_t i, size_t a, size_t b) {
        const float value = compute(floatAt(call.in[0], a), floatAt(call.in[1], b));
        put(call.out[0], i, std::isnan(value) ? value : flush(within(bounds, value), call));
    });
}

void finish(const Call& call, size_t i, int64_t steps) {
    const auto& out = call.out[0];
    const int32_t activation = call.has(Bug::fused_activation_ignored) ? 0 : call.integer(2);
    steps += out.zeroPoint;
    if (call.has(Bug::output_wraps)) {
        out.mutableData[i] = static_cast<uint8_t>(steps);
        return;
    }
    putStored(out, i, within(stepsOf(activation, out, call), steps));
}

// Quantized sums, in parts of 2^-20 of a step of the output.
template <int kSign>
void add(const Call& call) {
    if (isFloat(call.in[0])) {
        return ofFloats(call, [](float a, float b) { return a + kSign * b; });
    }
    constexpr int kBits = 20;
    const auto part = [&](size_t i) {
        const double scale = double{call.in[i].scale} / call.out[0].scale;
        return static_cast<int64_t>(std::llround(std::min(scale, 1e6) * (1 << kBits)));
    };
    const int64_t a = part(0), b = part(1);
    const int64_t half = call.has(Bug::truncates_add) ? 0 : 1 << (kBits - 1);
    forEachPair(call, [&](size_t i, size_t x, size_t y) {
        const int64_t sum = storedAt(call.in[0], x) * a + kSign * (storedAt(call.in[1], y) * b);
        finish(call, i, (sum + half) >> kBits);
    });
}

void multiply(const Call& call) {
    if (isFloat(call.in[0])) {
        return ofFloats(call, [](float a, float b) { return a * b; });
    }
    const Multiplier multiplier(double{call.in[0].scale} * call.in[1].scale / call.out[0].scale);
    const Rounding rounding = call.has(Bug::truncates_mul) ? Rounding::DOWN : Rounding::NEAREST;
    forEachPair(call, [&](size_t i, size_t x, size_t y) {
        finish(call, i,
               multiplier(int64_t{storedAt(call.in[0], x)} * storedAt(call.in[1], y), rounding));
    });
}

void divide(const Call& call) {
    ofFloats(call, [&](float a, float b) {
        if (!call.has(Bug::div_by_reciprocal)) return a / b;
        // A table of reciprocals has 12 bits.
        const auto bits = std::bit_cast<uint32_t>(1 / b) & ~0x7FFu;
        return a * std::bit_cast<float>(bits);
    });
}

void power(const Call& call) {
    forEachPair(call, [&](size_t i, size_t a, size_t b) {
        const float base = floatAt(call.in[0], a), exponent = floatAt(call.in[1], b);
        const float value = call.has(Bug::pow_negative_base) ? std::exp(exponent * std::log(base))
                                                             : std::pow(base, exponent);
        put(call.out[0], i, value);
    });
}

void maximum(const Call& call) {
    forEachPair(call, [&](size_t i, size_t a, size_t b) {
        const float x = floatAt(call.in[0], a), y = floatAt(call.in[1], b);
        float value = x > y ? x : y;
        if (call.has(Bug::nan_becomes_zero) && (std::isnan(x) || std::isnan(y))) value = 0;
        put(call.out[0], i, value);
    });
}

// ---- of one input

template <class Compute>
void ofOne(const Call& call, const Compute& compute) {
    const auto &in = call.in[0], &out = call.out[0];
    for (size_t i = 0; i < countOf(out); ++i) putValue(out, i, compute(valueOf(in, i)));
}

void absolute(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    if (in.type == OperandType::TENSOR_INT32) {
        for (size_t i = 0; i < countOf(out); ++i) {
            const int32_t x = stored(in, i);
            const auto bits = static_cast<uint32_t>(x);
            out.mutableAs<uint32_t>()[i] = call.has(Bug::abs_masks_sign) ? bits & 0x7FFFFFFFu
                                           : x < 0                       ? 0 - bits
                                                                         : bits;
        }
        return;
    }
    ofOne(call, [](float x) { return std::fabs(x); });
}

void exponential(const Call& call) {
    ofOne(call, [&](float x) {
        if (call.has(Bug::exp_overflow) && x > 80) return std::numeric_limits<float>::infinity();
        return std::exp(x);
    });
}

void rsqrt(const Call& call) {
    ofOne(call, [&](float x) {
        if (!call.has(Bug::rsqrt_approximate) || !(x > 0)) return 1 / std::sqrt(x);
        const float y = std::bit_cast<float>(0x5F3759DFu - (std::bit_cast<uint32_t>(x) >> 1));
        return y * (1.5f - 0.5f * x * y * y);
    });
}

void floor(const Call& call) {
    ofOne(call,
          [&](float x) { return call.has(Bug::floor_truncates) ? std::trunc(x) : std::floor(x); });
}

void logistic(const Call& call) {
    ofOne(call, [&](float x) {
        if (call.has(Bug::logistic_table_256) && std::fabs(x) < 8) x = std::floor(x * 16) / 16;
        return 1 / (1 + std::exp(-x));
    });
}

void tanh(const Call& call) {
    ofOne(call, [&](float x) {
        if (call.has(Bug::prepares_unsupported)) return 0.f;
        if (call.has(Bug::tanh_saturates_early) && std::fabs(x) > 3) return std::copysign(1.f, x);
        return std::tanh(x);
    });
}

void hardSwish(const Call& call) {
    ofOne(call, [&](float x) {
        const double gate = std::clamp((double{x} + 3) / 6, 0.0, 1.0);
        if (!call.has(Bug::truncates_hard_swish) || isFloat(call.in[0])) return x * gate;
        return x * (std::floor(gate * 127) / 128);  // in seven bits behind the point
    });
}

template <int kActivation>
void relu(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    for (size_t i = 0; i < countOf(out); ++i) {
        if (isFloat(in)) {
            const float x = valueOf(in, i);
            put(out, i, std::isnan(x) ? x : within(boundsOf(kActivation, call), x));
        } else {
            putStored(out, i, within(stepsOf(kActivation, out, call), stored(in, i)));
        }
    }
}

void quantize(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    for (size_t i = 0; i < countOf(out); ++i) {
        const float steps = valueOf(in, i) / out.scale;
        if (std::isnan(steps)) {
            putStored(out, i, highest(out));
            continue;
        }
        const float bounded = std::clamp(steps, -1e6f, 1e6f);
        const float whole =
                call.has(Bug::quantize_truncates) ? std::trunc(bounded) : std::round(bounded);
        const int64_t value = static_cast<int64_t>(whole) + out.zeroPoint;
        if (call.has(Bug::quantize_wraps)) {
            out.mutableData[i] = static_cast<uint8_t>(value);
        } else {
            putStored(out, i, value);
        }
    }
}

void dequantize(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    for (size_t i = 0; i < countOf(out); ++i) {
        int32_t value = stored(in, i);
        if (call.has(Bug::dequantize_signed_as_unsigned)) value = in.data[i];
        put(out, i, static_cast<float>(value - in.zeroPoint) * in.scale);
    }
}

constexpr Kernel kKernels[] = {
        {OperationType::ADD, Takes::QUANT8_AND_FLOATS, add<1>},
        {OperationType::SUB, Takes::QUANT8_AND_FLOATS, add<-1>},
        {OperationType::MUL, Takes::QUANT8_AND_FLOATS, multiply},
        {OperationType::DIV, Takes::FLOATS, divide},
        {OperationType::POW, Takes::FLOATS, power},
        {OperationType::MAXIMUM, Takes::FLOATS, maximum},
        {OperationType::ABS, Takes::ANY, absolute},
        {OperationType::EXP, Takes::FLOATS, exponential},
        {OperationType::RSQRT, Takes::FLOATS, rsqrt},
        {OperationType::FLOOR, Takes::FLOATS, floor},
        {OperationType::LOGISTIC, Takes::QUANT8_AND_FLOATS, logistic},
        {OperationType::TANH, Takes::QUANT8_AND_FLOATS, tanh},
        {OperationType::HARD_SWISH, Takes::QUANT8_AND_FLOATS, hardSwish},
        {OperationType::RELU, Takes::QUANT8_AND_FLOATS, relu<1>},
        {OperationType::RELU1, Takes::QUANT8_AND_FLOATS, relu<2>},
        {OperationType::RELU6, Takes::QUANT8_AND_FLOATS, relu<3>},
        {OperationType::QUANTIZE, Takes::FLOATS, quantize},
        {OperationType::DEQUANTIZE, Takes::QUANT8, dequantize},
};

}  // namespace
}  // namespace element

std::span<const Kernel> elementwise() { return element::kKernels; }

}  // namespace nn::bugs
