// Resize and Upsample. Which pixel a nearest neighbor is, is computed for all pixels: where NNAPI
// rounds otherwise, the pixels are gathered. So are those of a weighted sum.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/list_text.h"
#include "importers/onnx/rows.h"

namespace nn::onnx {
namespace {

using enum OperationType;

struct Axis {
    uint32_t from = 1, to = 1;
    double scale = 1;  // to / from, as the file has it
};

enum class Coordinates { HALF_PIXEL, PYTORCH_HALF_PIXEL, ALIGN_CORNERS, ASYMMETRIC };
constexpr std::string_view kCoordinates[] = {"half_pixel", "pytorch_half_pixel", "align_corners",
                                             "asymmetric"};

enum class Rounding { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL };
constexpr std::string_view kRoundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                           "ceil"};

struct Sampling {
    Coordinates coordinates{};
    Rounding rounding{};
    bool roundsUpToShrink = false;  // along axes that become smaller
    std::vector<Axis> axes{};
};

// Where a pixel of the result is in the input. In float, the steps are those of ONNX Runtime.
template <class Real>
Real place(const Sampling& sampling, const Axis& axis, uint32_t pixel) {
    const auto index = static_cast<Real>(pixel), scale = static_cast<Real>(axis.scale);
    switch (sampling.coordinates) {
        case Coordinates::ASYMMETRIC:
            return index / scale;
        case Coordinates::ALIGN_CORNERS:
            return axis.to == 1 ? 0
                                : index * static_cast<Real>(axis.from - 1) /
                                          static_cast<Real>(axis.to - 1);
        case Coordinates::PYTORCH_HALF_PIXEL:
            if (axis.to == 1) return 0;
            [[fallthrough]];
        case Coordinates::HALF_PIXEL:
            break;
    }
    constexpr Real kHalf = 0.5;
    return (index + kHalf) / scale - kHalf;
}

double rounded(Rounding rounding, double x) {
    switch (rounding) {
        case Rounding::PREFER_FLOOR:
            return std::ceil(x - 0.5);
        case Rounding::PREFER_CEIL:
            return std::floor(x + 0.5);
        case Rounding::FLOOR:
            return std::floor(x);
        case Rounding::CEIL:
            return std::ceil(x);
    }
    return x;
}

int32_t nearest(const Sampling& sampling, const Axis& axis, uint32_t pixel) {
    const bool roundsUp = sampling.roundsUpToShrink && axis.scale < 1;
    const double x = rounded(roundsUp ? Rounding::CEIL : sampling.rounding,
                             place<float>(sampling, axis, pixel));
    if (std::isnan(x)) return 0;
    return static_cast<int32_t>(std::clamp<double>(x, 0, axis.from - 1.0));
}

std::vector<int32_t> pixelsOf(const Sampling& sampling, const Axis& axis) {
    std::vector<int32_t> pixels;
    for (uint32_t i = 0; i < axis.to; ++i) pixels.push_back(nearest(sampling, axis, i));
    return pixels;
}

// The pixels that RESIZE_NEAREST_NEIGHBOR takes without its options.
std::vector<int32_t> pixelsOfNnapi(const Axis& axis) {
    const float scale = static_cast<float>(axis.from) / static_cast<float>(axis.to);
    std::vector<int32_t> pixels;
    for (uint32_t i = 0; i < axis.to; ++i) {
        const auto pixel = static_cast<int32_t>(std::floor(static_cast<float>(i) * scale));
        pixels.push_back(std::min(pixel, static_cast<int32_t>(axis.from) - 1));
    }
    return pixels;
}

// Constants may be empty where they are sizes, but not where they are resized.
bool requireElements(Lowering& at) {
    if (!absl::c_linear_search(at.dims(0), 0u)) return true;
    at.refuseDimensions(0, "dimensions above 0");
    return false;
}

// Sizes of Upsample, and of Resize before operator set 11: only `scales`.
std::optional<std::vector<Axis>> axesFromScales(Lowering& at, std::span<const float> scales) {
    std::vector<Axis> axes;
    if (!requireElements(at)) return std::nullopt;
    if (scales.size() != at.rank(0)) {
        at.refuse("", fmt::format("has {} scales", scales.size()), "one for each axis");
        return std::nullopt;
    }
    for (size_t i = 0; i < scales.size(); ++i) {
        // ONNX infers the size from the product in float.
        const float size = std::floor(static_cast<float>(at.dims(0)[i]) * scales[i]);
        if (!(scales[i] > 0 && size >= 1 && size < 1 << 24)) {
            at.refuse("", fmt::format("has the scale {}", scales[i]), "a size of 1 to 2^24 - 1");
            return std::nullopt;
        }
        axes.push_back({at.dims(0)[i], static_cast<uint32_t>(size), scales[i]});
    }
    return axes;
}

// Of all axes, where lists name some only.
template <class T>
std::optional<std::vector<T>> ofAllAxes(Lowering& at, const std::vector<T>& given,
                                        std::vector<T> all) {
    std::vector<int64_t> named = at.integers("axes");
    if (named.empty()) return given;
    const size_t rank = at.rank(0);
    for (size_t i = 0; i < named.size(); ++i) {
        const auto axis = axisOf(named[i], rank);
        if (!axis || i >= given.size()) {
            at.refuse("", fmt::format("has axes {}", listText(named)), "axes of its input");
            return std::nullopt;
        }
        all[*axis] = given[i];
    }
    return all;
}

// One scale for all axes that are named: the least or the largest of theirs.
void keepRatio(Lowering& at, std::vector<Axis>& axes) {
    const UntrustedText policy = at.text("keep_aspect_ratio_policy", "stretch");
    if (policy == "stretch") return;
    if (policy != "not_larger" && policy != "not_smaller") {
        return at.refuse("", fmt::format("has {}", policy.beginning()),
                         "stretch, not_larger, not_smaller");
    }
    std::vector<Axis*> named;
    for (const int64_t axis : at.integers("axes")) {
        const auto found = axisOf(axis, axes.size());
        if (found) named.push_back(&axes[*found]);
    }
    if (named.empty()) {
        for (Axis& axis : axes) named.push_back(&axis);
    }
    const auto compare = [](const Axis* a, const Axis* b) { return a->scale < b->scale; };
    const double scale = named.empty()            ? 1
                         : policy == "not_larger" ? (*absl::c_min_element(named, compare))->scale
                                                  : (*absl::c_max_element(named, compare))->scale;
    for (Axis* axis : named) {
        const double size = std::floor(axis->from * scale + 0.5);
        if (!(size >= 1 && size < 1 << 24)) {
            return at.refuse("", fmt::format("has a result of the size {}", size), "1 to 2^24 - 1");
        }
        *axis = {axis->from, static_cast<uint32_t>(size), scale};
    }
}

std::optional<std::vector<Axis>> axesFromSizes(Lowering& at, size_t input) {
    const auto given = at.constantIntegers(input);
    if (!given || !requireElements(at)) return std::nullopt;
    const auto sizes = ofAllAxes(at, *given, {at.dims(0).begin(), at.dims(0).end()});
    if (!sizes) return std::nullopt;
    std::vector<Axis> axes;
    const bool isValid = sizes->size() == at.rank(0) && absl::c_all_of(*sizes, [](int64_t size) {
                             return size >= 1 && size < 1 << 24;
                         });
    if (!isValid) {
        at.refuse(input, fmt::format("is {}", listText(*sizes)),
                  "a size of 1 to 2^24 - 1 for each axis");
        return std::nullopt;
    }
    for (size_t i = 0; i < sizes->size(); ++i) {
        const uint32_t from = at.dims(0)[i];
        const auto to = static_cast<uint32_t>((*sizes)[i]);
        axes.push_back({from, to, double(to) / from});
    }
    keepRatio(at, axes);
    return axes;
}

// The sizes of the operator; empty after a refusal.
std::optional<std::vector<Axis>> axesOfResize(Lowering& at) {
    const bool hasRegion = at.message().type == "Resize" && at.version() >= 11;
    const size_t scales = hasRegion ? 2 : 1;
    if (at.message().type == "Upsample" && at.hasAttribute("scales")) {
        return axesFromScales(at, at.realList("scales"));
    }
    if (at.has(scales) && !(at.in(scales).constant && at.in(scales).constant->count() == 0)) {
        const auto given = at.constantReals(scales);
        if (!given) return std::nullopt;
        const auto all = ofAllAxes(at, *given, std::vector<float>(at.rank(0), 1));
        return all ? axesFromScales(at, *all) : std::nullopt;
    }
    if (hasRegion && at.has(3)) return axesFromSizes(at, 3);
    at.refuse("", "has no scales and no sizes", "one of them");
    return std::nullopt;
}

bool changes(const Axis& axis) { return axis.from != axis.to || axis.scale != 1; }

bool isAsInNnapi(const Sampling& sampling, const Axis& axis) {
    return !changes(axis) || pixelsOf(sampling, axis) == pixelsOfNnapi(axis);
}

void emitNearest(Lowering& at, const Sampling& sampling, const Dimensions& dimensions) {
    const auto& axes = sampling.axes;
    for (const Axis& axis : axes) {
        if (changes(axis) && !at.fitsConstants({axis.to})) return;
    }
    uint32_t input = at.operand(0);
    const bool isImage = axes.size() == 4 && !changes(axes[0]) && !changes(axes[1]) &&
                         isAsInNnapi(sampling, axes[2]) && isAsInNnapi(sampling, axes[3]);
    if (isImage) {
        return at.emit({RESIZE_NEAREST_NEIGHBOR,
                        {input, at.builder().scalar(axes[3].to), at.builder().scalar(axes[2].to),
                         at.builder().scalar(true)},
                        {at.defineLike(0, 0, dimensions)}});
    }
    size_t left = static_cast<size_t>(absl::c_count_if(axes, changes));
    for (size_t i = 0; i < axes.size(); ++i) {
        if (!changes(axes[i])) continue;
        Dimensions reached = at.operandDims(input);
        reached[i] = axes[i].to;
        const uint32_t to =
                --left == 0 ? at.defineLike(0, 0, dimensions) : at.temporary(input, reached);
        at.emit({GATHER,
                 {input, at.builder().scalar(static_cast<int32_t>(i)),
                  at.builder().vector(pixelsOf(sampling, axes[i]))},
                 {to}});
        input = to;
    }
}

// RESIZE_BILINEAR, where it samples the same places: height and width of an image, by whole sizes.
bool isBilinear(const Sampling& sampling) {
    const auto& axes = sampling.axes;
    return axes.size() == 4 && !changes(axes[0]) && !changes(axes[1]) &&
           absl::c_all_of(axes, [&](const Axis& axis) {
               const bool isOne = sampling.coordinates == Coordinates::PYTORCH_HALF_PIXEL &&
                                  changes(axis) && axis.to == 1;
               return !isOne && std::abs(axis.scale * axis.from - axis.to) < 1e-4;
           });
}

void emitBilinear(Lowering& at, const Sampling& sampling, const Dimensions& dimensions) {
    const bool isHalf = sampling.coordinates == Coordinates::HALF_PIXEL ||
                        sampling.coordinates == Coordinates::PYTORCH_HALF_PIXEL;
    const bool isAligned = sampling.coordinates == Coordinates::ALIGN_CORNERS;
    std::vector<uint32_t> inputs{at.operand(0), at.builder().scalar(sampling.axes[3].to),
                                 at.builder().scalar(sampling.axes[2].to),
                                 at.builder().scalar(true)};
    if (isHalf || isAligned) {
        inputs.push_back(at.builder().scalar(isAligned));
        inputs.push_back(at.builder().scalar(isHalf));
    }
    at.emit({RESIZE_BILINEAR, std::move(inputs), {at.defineLike(0, 0, dimensions)}});
}

// Pixels of the input that a pixel of the result is a weighted sum of: for each pixel of the result
// along an axis one element and its weight.
struct Tap {
    std::vector<int32_t> elements{};
    std::vector<float> weights{};
};

// The kernel of Keys, of a distance: (a+2)|t|^3 - (a+3)|t|^2 + 1 up to 1, and up to 2
// a|t|^3 - 5a|t|^2 + 8a|t| - 4a.
double cubicWeight(double a, double distance) {
    const double t = std::abs(distance);
    if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
    if (t < 2) return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
    return 0;
}

struct Kernel {
    bool isCubic = false;
    double a = 0;
    bool excludesOutside = false;  // weights of pixels outside of the input are 0

    double weight(double distance) const {
        return isCubic ? cubicWeight(a, distance) : std::max(0.0, 1 - std::abs(distance));
    }
};

std::vector<Tap> tapsOf(const Sampling& sampling, const Axis& axis, const Kernel& kernel) {
    const int64_t least = kernel.isCubic ? -1 : 0, most = kernel.isCubic ? 2 : 1;
    std::vector<Tap> taps(static_cast<size_t>(most - least + 1));
    for (uint32_t pixel = 0; pixel < axis.to; ++pixel) {
        const auto x = place<double>(sampling, axis, pixel);
        const double below = std::floor(x);
        double sum = 0;
        std::vector<double> weights;
        for (int64_t i = least; i <= most; ++i) {
            const double element = below + static_cast<double>(i);
            const bool isOutside = element < 0 || element > axis.from - 1.0;
            const bool isLeftOut = kernel.excludesOutside && isOutside;
            weights.push_back(isLeftOut ? 0 : kernel.weight(x - element));
            sum += weights.back();
            const double inside = std::clamp(element, 0.0, axis.from - 1.0);
            taps[static_cast<size_t>(i - least)].elements.push_back(static_cast<int32_t>(inside));
        }
        const double divisor = kernel.excludesOutside && sum != 0 ? sum : 1;
        for (size_t i = 0; i < taps.size(); ++i) {
            taps[i].weights.push_back(static_cast<float>(weights[i] / divisor));
        }
    }
    return taps;
}

// Along each axis: the sum of GATHER(x, elements) * weights over the taps.
void emitWeighted(Lowering& at, const Sampling& sampling, const Kernel& kernel) {
    if (!at.isFloat(0)) return at.refuseType(0, "float, float16");
    const auto& axes = sampling.axes;
    // Formats disagree about the last place where sizes are rounded.
    const bool isWhole = absl::c_all_of(axes, [](const Axis& axis) {
        return std::abs(axis.scale * axis.from - axis.to) < 1e-4;
    });
    if (sampling.coordinates == Coordinates::ALIGN_CORNERS && !isWhole) {
        return at.refuse("", "has scales that give no whole sizes", "sizes, or scales that do");
    }
    uint32_t value = at.operand(0);
    for (size_t i = 0; i < axes.size(); ++i) {
        if (!changes(axes[i])) continue;
        if (!at.fitsConstants({8, axes[i].to})) return;
        Dimensions reached = at.operandDims(value);
        reached[i] = axes[i].to;
        Dimensions along(reached.size(), 1);
        along[i] = axes[i].to;
        const uint32_t axis = at.builder().scalar(static_cast<int32_t>(i));
        std::optional<uint32_t> sum;
        for (const Tap& tap : tapsOf(sampling, axes[i], kernel)) {
            const uint32_t taken = at.apply(
                    GATHER, {value, axis, at.builder().vector(tap.elements)}, value, reached);
            const uint32_t part = arithmetic(at, MUL, taken, at.reals(value, tap.weights, along));
            sum = sum ? arithmetic(at, ADD, *sum, part) : part;
        }
        value = *sum;
    }
    at.adopt(0, 0, value, Dimensions(at.operandDims(value)));
}

// The value of an attribute that is one of these names.
template <class Value, size_t N>
Value oneOf(Lowering& at, const UntrustedText& given, const std::string_view (&names)[N]) {
    const auto found = absl::c_find(names, given.raw);
    if (found != std::end(names)) return static_cast<Value>(found - std::begin(names));
    at.refuse("", fmt::format("has {}", given.beginning()),
              fmt::format("{}", fmt::join(names, ", ")));
    return {};
}

}  // namespace

void lowerResize(Lowering& at, OperationType) {
    // Before operator set 11, pixels begin at their corners.
    const bool isOld = at.message().type == "Upsample" || at.version() < 11;
    Sampling sampling{
            .coordinates = oneOf<Coordinates>(
                    at,
                    at.text("coordinate_transformation_mode", isOld ? "asymmetric" : "half_pixel"),
                    kCoordinates),
            .rounding = oneOf<Rounding>(
                    at, at.text("nearest_mode", isOld ? "floor" : "round_prefer_floor"),
                    kRoundings),
            .roundsUpToShrink = isOld};
    const UntrustedText mode = at.text("mode", "nearest");
    const bool isLinear = mode == "linear" || mode == "bilinear";
    if (!isLinear && mode != "nearest" && mode != "cubic") {
        at.refuse("", fmt::format("has the mode {}", mode.beginning()),
                  "nearest, linear and cubic");
    }
    at.require("antialias", at.integer("antialias", 0), 0);
    const Kernel kernel{.isCubic = !isLinear,
                        .a = at.real("cubic_coeff_a", -0.75f),
                        .excludesOutside = at.integer("exclude_outside", 0) != 0};
    auto axes = axesOfResize(at);
    if (!axes || !at.ok()) return;
    sampling.axes = *std::move(axes);
    Dimensions dimensions;
    for (const Axis& axis : sampling.axes) dimensions.push_back(axis.to);
    if (absl::c_none_of(sampling.axes, changes)) {
        at.alias(0, at.id(0));
    } else if (mode == "nearest") {
        emitNearest(at, sampling, dimensions);
    } else if (isLinear && isBilinear(sampling)) {
        emitBilinear(at, sampling, dimensions);
    } else {
        emitWeighted(at, sampling, kernel);
    }
}

}  // namespace nn::onnx
