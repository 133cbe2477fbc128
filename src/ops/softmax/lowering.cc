// SOFTMAX by XNNPACK, except for 8-bit values: its operator for them sums in 32 bits, which
// overflow for more than 512 nearly equal inputs, so that it returns 1 for each of them, or aborts.
#include <algorithm>
#include <array>
#include <cmath>

#include "op_support/xnnpack/lowering.h"
#include "ops/softmax/signature.h"

namespace nn::ops::softmax {
namespace {

constexpr size_t kValues = 256;

// Of each row: y[i] = e[i] / sum_j e[j], in steps of 1 / 256, where
// e[i] = exp(scale * (x[i] - max x)).
class Quant8Softmax {
   public:
    Quant8Softmax(double scale, size_t channels, bool isSigned)
        : mChannels(channels), mFlip(isSigned ? xnnpack::kUppermostBit : 0) {
        constexpr double kOne = (1 << 23) - 1;  // as many bits as XNNPACK has
        for (size_t below = 0; below < kValues; ++below) {
            mExps[below] = std::lrint(kOne * std::exp(-scale * static_cast<double>(below)));
        }
    }

    void operator()(const uint8_t* input, uint8_t* output, size_t row) const {
        const uint8_t* x = input + row * mChannels;
        uint8_t* y = output + row * mChannels;
        uint8_t most = 0;
        for (size_t i = 0; i < mChannels; ++i) most = std::max<uint8_t>(most, x[i] ^ mFlip);
        const auto below = [&](size_t i) { return most - (x[i] ^ mFlip); };
        uint64_t sum = 0;
        for (size_t i = 0; i < mChannels; ++i) sum += mExps[below(i)];
        if (mChannels < kValues) {
            for (size_t i = 0; i < mChannels; ++i) y[i] = share(below(i), sum);
            return;
        }
        std::array<uint8_t, kValues> shares;
        for (size_t i = 0; i <= most; ++i) shares[i] = share(i, sum);
        for (size_t i = 0; i < mChannels; ++i) y[i] = shares[below(i)];
    }

   private:
    uint8_t share(size_t below, uint64_t sum) const {
        const uint64_t steps = (mExps[below] * kValues + sum / 2) / sum;
        return static_cast<uint8_t>(std::min<uint64_t>(steps, UINT8_MAX)) ^ mFlip;
    }

    size_t mChannels;
    uint8_t mFlip;
    std::array<uint64_t, kValues> mExps{};  // by how far an input is below the largest
};

}  // namespace
}  // namespace nn::ops::softmax

namespace nn::ops {

bool lowerings::SOFTMAX(const xnnpack::Lowerer& l) {
    using namespace softmax;
    if (!l.requireFloatOrQuant8(kInput)) return false;
    if (!l.requireLastAxis(kAxis, *l.op.int32Or(kAxis, -1))) return false;
    const Value& x = l.op.input(kInput);
    const float beta = *l.op.real(kBeta);
    const size_t channels = xnnpack::lastOf(x), rows = xnnpack::count(x) / channels;
    if (!l.isQuant8()) {
        constexpr auto kSoftmax = NNAPI_XNN(softmax_nc_f32);
        return l.op.require(beta == 1.0f, "xnnpack.value", "{} is {}, allowed 1", l.op.in(kBeta),
                            beta) &&
               l.create(kSoftmax, xnnpack::only2022(channels, channels, channels), 0) &&
               l.setUp(kSoftmax, xnnpack::only2024(channels, channels, channels), rows);
    }
    if (!l.op.require(std::isfinite(beta), "xnnpack.value", "{} is {}, allowed a finite one",
                      l.op.in(kBeta), beta)) {
        return false;
    }
    const double scale = static_cast<double>(x.scale) * beta;
    l.lowering.inputs = {kInput};
    l.lowering.makeRows = [=, isSigned = l.lowering.isSigned] {
        return xnnpack::Rows{.count = rows,
                             .compute = Quant8Softmax(scale, channels, isSigned),
                             .name = "8-bit softmax loops"};
    };
    return true;
}

}  // namespace nn::ops
