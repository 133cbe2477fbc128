#include "op_support/xnnpack/quant8_convolution.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "op_support/kernels/convolution.h"
#include "op_support/kernels/gemm.h"
#include "op_support/xnnpack/convolution.h"

namespace nn::xnnpack {

using namespace ops;

namespace {

constexpr size_t kMaxTaps = 64;  // of a filter; one with more is XNNPACK's

// Pixels that one call computes at most, and by how many the loops take those of many channels.
constexpr int64_t kMaxPixels = 48, kTile = 6;

int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }
size_t size(int64_t extent) { return static_cast<size_t>(extent); }

// The position of the rows of a convolution in its images.
struct Geometry {
    Geometry(size_t batches, const WindowAxis& height, const WindowAxis& width)
        : batches(batches),
          height(height),
          width(width),
          pixelsOfPart(ceilDivide(ceilDivide(width.output, ceilDivide(width.output, kMaxPixels)),
                                  kTile) *
                       kTile),
          partsOfRow(size(ceilDivide(width.output, pixelsOfPart))) {}

    size_t batches;
    WindowAxis height, width;

    // Parts of a row are of about the same size, so that several threads have the same work.
    int64_t pixelsOfPart;
    size_t partsOfRow;

    size_t parts() const { return batches * size(height.output) * partsOfRow; }
    size_t tapCount() const { return size(height.filter * width.filter); }
};

// If all pixels are computed alike, they form one row.
Geometry geometryOf(const Lowerer& l, const WindowAxis& height, const WindowAxis& width) {
    const size_t batches = l.op.input(0)[0];
    for (const WindowAxis& axis : {height, width}) {
        if (axis.filter != 1 || axis.stride != 1 || axis.output != axis.input) {
            return {batches, height, width};
        }
    }
    const int64_t pixels = static_cast<int64_t>(batches) * height.input * width.input;
    return {1, {.input = 1, .output = 1}, {.input = pixels, .output = pixels}};
}

// The data that executions read, packed from a model.
class Quant8Convolution {
   public:
    // Weights are [output, tap, input].
    Quant8Convolution(Quant8Function function, const Quant8Pixels& common, const Geometry& geometry,
                      const int8_t* weights, const int32_t* bias, std::vector<float> scales,
                      int8_t inputZeroPoint)
        : mFunction(function),
          mCommon(common),
          mGeometry(geometry),
          mPadding(roundUp(common.inputChannels, kQuant8Inputs),
                   static_cast<uint8_t>(inputZeroPoint)),
          mScales(std::move(scales)) {
        const size_t taps = geometry.tapCount(), inputs = mPadding.size();
        const size_t outputs = roundUp(common.outputChannels, kQuant8Outputs);
        mScales.resize(outputs);
        mBias.resize(outputs);
        mWeights.resize(outputs * taps * inputs);
        for (size_t output = 0; output < common.outputChannels; ++output) {
            const size_t column = output % kQuant8Outputs;
            int8_t* panel = &mWeights[(output - column) * taps * inputs];
            uint32_t sum = 0;  // modulo 2^32, as in the loops
            for (size_t tap = 0; tap < taps; ++tap, panel += inputs * kQuant8Outputs) {
                pack(weights, common.inputChannels, panel + column * kQuant8Inputs);
                for (size_t input = 0; input < common.inputChannels; ++input, ++weights) {
                    sum += static_cast<uint32_t>(int32_t{*weights});
                }
            }
            constexpr int32_t kStoredMore = 128;
            const auto zero = static_cast<uint32_t>(inputZeroPoint + kStoredMore);
            mBias[output] = static_cast<int32_t>(static_cast<uint32_t>(bias[output]) - zero * sum);
        }
    }

    void compute(const uint8_t* input, uint8_t* output, size_t part) const {
        const WindowAxis &height = mGeometry.height, &width = mGeometry.width;
        const size_t row = part / mGeometry.partsOfRow;
        const size_t image = row / size(height.output);
        const auto y = static_cast<int64_t>(row % size(height.output));
        const uint8_t* from =
                input + image * size(height.input * width.input) * mCommon.inputChannels;
        uint8_t* to = output + row * size(width.output) * mCommon.outputChannels;
        int64_t x = static_cast<int64_t>(part % mGeometry.partsOfRow) * mGeometry.pixelsOfPart;
        const int64_t end = std::min(x + mGeometry.pixelsOfPart, width.output);
        while (x < end) {
            const WindowAxis::Taps columns = width.tapsAt(x);
            const int64_t count = std::min(wholeWindows(width, x, columns), end - x);
            computePixels(from, height.tapsAt(y), columns, size(count),
                          to + size(x) * mCommon.outputChannels);
            x += count;
        }
    }

   private:
    // Copies the weights of an output and a tap to its column of a panel.
    static void pack(const int8_t* weights, size_t count, int8_t* to) {
        for (; count >= kQuant8Inputs; count -= kQuant8Inputs) {
            std::memcpy(to, weights, kQuant8Inputs);
            weights += kQuant8Inputs;
            to += kQuant8Outputs * kQuant8Inputs;
        }
        if (count != 0) std::memcpy(to, weights, count);
    }

    // Pixels whose windows have the same columns inside of the image.
    void computePixels(const uint8_t* image, const WindowAxis::Taps& rows,
                       const WindowAxis::Taps& columns, size_t count, uint8_t* output) const {
        const WindowAxis &height = mGeometry.height, &width = mGeometry.width;
        std::array<Quant8Pixels::Tap, kMaxTaps> taps;
        size_t tap = 0;
        for (int64_t i = 0; i < height.filter; ++i) {
            for (int64_t j = 0; j < width.filter; ++j, ++tap) {
                if (i < rows.first || i >= rows.last || j < columns.first || j >= columns.last) {
                    taps[tap] = {mPadding.data(), 0};
                    continue;
                }
                const int64_t pixel = (rows.start + i * height.dilation) * width.input +
                                      columns.start + j * width.dilation;
                taps[tap] = {image + size(pixel) * mCommon.inputChannels,
                             size(width.stride) * mCommon.inputChannels};
            }
        }
        Quant8Pixels pixels = mCommon;
        pixels.taps = taps.data();
        pixels.tapCount = tap;
        pixels.weights = mWeights.data();
        pixels.bias = mBias.data();
        pixels.scales = mScales.data();
        pixels.output = output;
        pixels.count = count;
        mFunction(pixels);
    }

    Quant8Function mFunction;
    Quant8Pixels mCommon;
    Geometry mGeometry;
    std::vector<uint8_t> mPadding;  // values of a pixel outside of the image
    std::vector<float> mScales;
    std::vector<int32_t> mBias;
    std::vector<int8_t> mWeights;
};

}  // namespace

Quant8Function quant8ConvolutionOfProcessor() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vnni")) {
        return quant8ConvolutionByAvx512();
    }
#endif
    return nullptr;
}

size_t maxQuant8Inputs() {
#if defined(__x86_64__) && NNAPI_XNNPACK_RESHAPES
    // XNNPACK of 2024 multiplies in tiles of AMX, which need as long for few inputs as for 64.
    constexpr size_t kMaxBesideTiles = 16;
    if (__builtin_cpu_supports("amx-int8")) return kMaxBesideTiles;
#endif
    return SIZE_MAX;
}

void addQuant8Rows(const Lowerer& l, const Weights& w, const WindowAxis& height,
                   const WindowAxis& width) {
    constexpr float kMaxScale = 256;  // XNNPACK rejects this scale and above
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const Quant8Function function = quant8ConvolutionOfProcessor();
    const Geometry geometry = geometryOf(l, height, width);
    const size_t inputs = lastOf(x), outputs = lastOf(y);
    // Few channels leave most of a panel empty.
    if (function == nullptr || !l.isQuant8() || !l.lowering.isSigned ||
        geometry.tapCount() > kMaxTaps || inputs < kQuant8Inputs / 2 ||
        inputs > maxQuant8Inputs() || outputs < kQuant8Outputs / 2) {
        return;
    }
    std::vector<float> scales(outputs, w.filter->scale);
    if (w.isPerChannel) scales = w.filter->channelQuant()->scales;
    for (float& scale : scales) {
        scale = x.scale * scale / y.scale;  // in XNNPACK's order
        if (!(scale < kMaxScale)) return;
    }
    const Range<int8_t> most = range<int8_t>(w.activation, y);
    const int32_t zeroPoint = xnnpack::zeroPoint<int8_t>(y);
    const Quant8Pixels common{.taps = nullptr,
                              .tapCount = 0,
                              .inputChannels = inputs,
                              .weights = nullptr,
                              .bias = nullptr,
                              .scales = nullptr,
                              .output = nullptr,
                              .count = 0,
                              .outputChannels = outputs,
                              .zeroPoint = zeroPoint,
                              .least = static_cast<float>(most.least - zeroPoint),
                              .most = static_cast<float>(most.most - zeroPoint)};
    l.lowering.makeRows = [=, scales = std::move(scales), weights = Elements(*w.filter),
                           bias = Elements(*w.bias), zeroPoint = xnnpack::zeroPoint<int8_t>(x)] {
        const auto convolution = std::make_shared<const Quant8Convolution>(
                function, common, geometry, weights, bias, scales, zeroPoint);
        return Rows{.count = geometry.parts(),
                    .compute = [convolution](
                                       const uint8_t* input, uint8_t* output,
                                       size_t part) { convolution->compute(input, output, part); },
                    .name = "8-bit convolution loops"};
    };
}

}  // namespace nn::xnnpack
