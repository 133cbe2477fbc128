// The loops of quant8_convolution.h for x86 processors with AVX-512 VNNI: src/CMakeLists.txt lists
// the compiler options of this file. They call no function that files of other instruction sets
// also define.
#include "op_support/xnnpack/quant8_convolution.h"

#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VNNI__)
#include <immintrin.h>

namespace nn::xnnpack {
namespace {

constexpr size_t kPanelBytes = kQuant8Outputs * kQuant8Inputs;

// One input of kQuant8Inputs channels for all outputs, stored + 128: VNNI multiplies unsigned bytes
// by signed ones.
inline __m512i broadcast(const uint8_t* input) {
    uint32_t four = 0;
    __builtin_memcpy(&four, input, sizeof four);
    return _mm512_xor_si512(_mm512_set1_epi32(static_cast<int>(four)),
                            _mm512_set1_epi8(static_cast<char>(0x80)));
}

// As XNNPACK does it: rounded to the nearest, halves to even.
inline __m128i rescale(__m512i sums, const float* scales, const Quant8Pixels& p) {
    constexpr __mmask16 kAll = 0xffff;  // gcc 12 warns of the functions without masks
    __m512 scaled = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(kAll, sums), _mm512_loadu_ps(scales));
    scaled = _mm512_maskz_min_ps(kAll, scaled, _mm512_set1_ps(p.most));
    scaled = _mm512_maskz_max_ps(kAll, scaled, _mm512_set1_ps(p.least));
    const __m512i rounded = _mm512_maskz_cvtps_epi32(kAll, scaled);
    return _mm512_maskz_cvtepi32_epi8(kAll,
                                      _mm512_add_epi32(rounded, _mm512_set1_epi32(p.zeroPoint)));
}

// kPixels pixels from `first` on, of kPanels panels from the one whose first output is `output` on.
template <size_t kPixels, size_t kPanels>
inline void computeTile(const Quant8Pixels& p, size_t first, size_t output) {
    const size_t fours = (p.inputChannels + kQuant8Inputs - 1) / kQuant8Inputs;
    const size_t panel = p.tapCount * fours * kPanelBytes;
    const int8_t* weights = p.weights + output / kQuant8Outputs * panel;
    __m512i sums[kPixels][kPanels];
    for (size_t j = 0; j < kPanels; ++j) {
        const __m512i bias = _mm512_loadu_si512(p.bias + output + j * kQuant8Outputs);
        for (size_t i = 0; i < kPixels; ++i) sums[i][j] = bias;
    }
    for (size_t tap = 0; tap < p.tapCount; ++tap) {
        const size_t step = p.taps[tap].step;
        const uint8_t* input = p.taps[tap].at + first * step;
        for (size_t k = 0; k < fours; ++k) {
            __m512i factors[kPanels];
            for (size_t j = 0; j < kPanels; ++j) {
                factors[j] = _mm512_loadu_si512(weights + j * panel);
            }
            for (size_t i = 0; i < kPixels; ++i) {
                const __m512i x = broadcast(input + i * step);
                for (size_t j = 0; j < kPanels; ++j) {
                    sums[i][j] = _mm512_dpbusd_epi32(sums[i][j], x, factors[j]);
                }
            }
            input += kQuant8Inputs;
            weights += kPanelBytes;
        }
    }
    for (size_t j = 0; j < kPanels; ++j, output += kQuant8Outputs) {
        const size_t outputs = p.outputChannels - output;
        const bool isWhole = outputs >= kQuant8Outputs;
        const auto mask = static_cast<__mmask16>((uint32_t{1} << (isWhole ? 0 : outputs)) - 1);
        uint8_t* to = p.output + first * p.outputChannels + output;
        for (size_t i = 0; i < kPixels; ++i, to += p.outputChannels) {
            const __m128i results = rescale(sums[i][j], p.scales + output, p);
            if (isWhole) {
                _mm_storeu_si128(reinterpret_cast<__m128i*>(to), results);
            } else {
                _mm_mask_storeu_epi8(to, mask, results);
            }
        }
    }
}

template <size_t kPixels, size_t kPanels>
inline void computePanels(const Quant8Pixels& p, size_t first, size_t output) {
    for (; p.count - first >= kPixels; first += kPixels) {
        computeTile<kPixels, kPanels>(p, first, output);
    }
    if constexpr (kPixels > 1) {
        if (first < p.count) computePanels<kPixels / 2, kPanels>(p, first, output);
    }
}

void compute(const Quant8Pixels& p) {
    // As many sums as fit into registers, in addition to an input and the weights.
    for (size_t output = 0; output < p.outputChannels; output += 4 * kQuant8Outputs) {
        switch ((p.outputChannels - output + kQuant8Outputs - 1) / kQuant8Outputs) {
            case 1:
                computePanels<16, 1>(p, 0, output);
                break;
            case 2:
                computePanels<12, 2>(p, 0, output);
                break;
            case 3:
                computePanels<8, 3>(p, 0, output);
                break;
            default:
                computePanels<6, 4>(p, 0, output);
        }
    }
}

}  // namespace

Quant8Function quant8ConvolutionByAvx512() { return compute; }

}  // namespace nn::xnnpack

#else

namespace nn::xnnpack {
Quant8Function quant8ConvolutionByAvx512() { return nullptr; }
}  // namespace nn::xnnpack

#endif
