#include "nnapi_android/operation_shapes.h"

#include <array>
#include <limits>
#include <optional>
#include <span>

#include "nnapi/kernel/broadcast.h"
#include "nnapi/kernel/quantization.h"
#include "nnapi/kernel/windows.h"

namespace nnapi_android {
namespace {

constexpr size_t kRankOfImage = 4;

bool fits(int64_t size) { return 0 < size && size <= std::numeric_limits<uint32_t>::max(); }

// The number of elements; saturates far above the size of any tensor.
uint64_t count(std::span<const uint32_t> dimensions) {
    uint64_t elements = 1;
    for (const uint32_t size : dimensions) {
        if (__builtin_mul_overflow(elements, uint64_t{size}, &elements)) return UINT64_MAX;
    }
    return elements;
}

}  // namespace

Paddings implicitPadding(int32_t size, int32_t stride, int32_t dilation, int32_t filter,
                         int32_t scheme, bool isTransposed) {
    if (size < 0) return {};
    const ::nn::kernel::Window window{.filter = filter, .stride = stride, .dilation = dilation};
    const auto kind = static_cast<::nn::kernel::PaddingScheme>(scheme);
    const auto padding = isTransposed ? window.implicitTransposedPadding(kind, uint32_t(size))
                                      : window.implicitPadding(kind, uint32_t(size));
    return padding ? Paddings{padding->head, padding->tail} : Paddings{};
}

uint32_t product(const Dimensions& dimensions, size_t first, size_t last) {
    if (first > last || last > dimensions.size()) return 0;
    const uint64_t elements = count(std::span(dimensions).subspan(first, last - first));
    return static_cast<uint32_t>(
            std::min<uint64_t>(elements, std::numeric_limits<uint32_t>::max()));
}

bool broadcast(const Dimensions& a, const Dimensions& b, Dimensions* result) {
    const std::array<std::span<const uint32_t>, 2> shapes = {a, b};
    auto broadcast = ::nn::kernel::broadcastShape(shapes);
    if (!broadcast) return false;
    *result = *std::move(broadcast);
    return true;
}

bool reshape(const Dimensions& input, const int32_t* target, int32_t count, Dimensions* result) {
    if (count < 0) return false;
    const uint64_t elements = nnapi_android::count(input);
    Dimensions reshaped(static_cast<size_t>(count));
    std::optional<size_t> open;
    uint64_t known = 1;
    for (size_t i = 0; i < reshaped.size(); ++i) {
        if (target[i] == -1) {
            if (open) return false;
            open = i;
            continue;
        }
        if (target[i] <= 0) return false;
        reshaped[i] = static_cast<uint32_t>(target[i]);
        if (__builtin_mul_overflow(known, uint64_t{reshaped[i]}, &known)) return false;
    }
    if (open) {
        if (elements % known != 0 || !fits(static_cast<int64_t>(elements / known))) return false;
        reshaped[*open] = static_cast<uint32_t>(elements / known);
        known *= elements / known;
    }
    if (known != elements) return false;
    *result = std::move(reshaped);
    return true;
}

bool depthToSpace(const Dimensions& input, int32_t blockSize, Dimensions* result) {
    if (input.size() != kRankOfImage || blockSize <= 0) return false;
    const int64_t block = blockSize;
    const int64_t height = input[1] * block, width = input[2] * block;
    if (block > UINT16_MAX || input[3] % (block * block) != 0) return false;
    if (!fits(height) || !fits(width)) return false;
    *result = {input[0], uint32_t(height), uint32_t(width), uint32_t(input[3] / (block * block))};
    return true;
}

bool spaceToDepth(const Dimensions& input, int32_t blockSize, Dimensions* result) {
    if (input.size() != kRankOfImage || blockSize <= 0 || blockSize > UINT16_MAX) return false;
    const auto block = static_cast<uint32_t>(blockSize);
    if (input[1] % block != 0 || input[2] % block != 0) return false;
    const uint64_t depth = uint64_t{input[3]} * block * block;
    if (depth > std::numeric_limits<uint32_t>::max()) return false;
    *result = {input[0], input[1] / block, input[2] / block, uint32_t(depth)};
    return true;
}

bool pad(const Dimensions& input, const int32_t* paddings, Dimensions* result) {
    Dimensions padded(input.size());
    for (size_t i = 0; i < input.size(); ++i) {
        const int64_t head = paddings[2 * i], tail = paddings[2 * i + 1];
        if (head < 0 || tail < 0 || !fits(input[i] + head + tail)) return false;
        padded[i] = static_cast<uint32_t>(input[i] + head + tail);
    }
    *result = std::move(padded);
    return true;
}

bool reduce(const Dimensions& input, const int32_t* axes, size_t count, bool keepDimensions,
            Dimensions* result) {
    std::vector<bool> isReduced(input.size());
    const auto rank = static_cast<int64_t>(input.size());
    for (size_t i = 0; i < count; ++i) {
        const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis < 0 || axis >= rank) return false;
        isReduced[static_cast<size_t>(axis)] = true;
    }
    Dimensions reduced;
    for (size_t i = 0; i < input.size(); ++i) {
        if (!isReduced[i]) {
            reduced.push_back(input[i]);
        } else if (keepDimensions) {
            reduced.push_back(1);
        }
    }
    if (reduced.empty()) reduced.push_back(1);
    *result = std::move(reduced);
    return true;
}

bool quantizeMultiplier(double multiplier, int32_t* significand, int32_t* exponent) {
    const auto fixed = ::nn::kernel::FixedMultiplier::create(multiplier);
    if (!fixed) return false;
    *significand = fixed->significand;
    *exponent = fixed->exponent;
    return true;
}

void storedRange(int32_t activation, ::nn::OperandType type, float scale, int32_t zeroPoint,
                 int32_t* least, int32_t* most) {
    auto range = ::nn::kernel::activationRange(static_cast<::nn::FusedActivationFunc>(activation),
                                               type, scale, zeroPoint);
    if (!range) range = ::nn::kernel::storedRange(type);
    if (!range) return;
    *least = range->least;
    *most = range->most;
}

void realRange(int32_t activation, float* least, float* most) {
    const auto range =
            ::nn::kernel::activationRange(static_cast<::nn::FusedActivationFunc>(activation));
    *least = range.least;
    *most = range.most;
}

}  // namespace nnapi_android
