// Resize and Upsample. Which pixel a nearest neighbour is, is computed for all pixels: where NNAPI
// rounds otherwise, the pixels are gathered.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "importers/onnx/rows.h"
#include "types/list_text.h"

namespace nn::onnx {
namespace {

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
    std::vector<Axis> axes{};
};

// Where a pixel of the result is in the input.
double place(const Sampling& sampling, const Axis& axis, uint32_t pixel) {
    switch (sampling.coordinates) {
        case Coordinates::ASYMMETRIC:
            return pixel / axis.scale;
        case Coordinates::ALIGN_CORNERS:
            return axis.to == 1 ? 0 : static_cast<double>(pixel) * (axis.from - 1) / (axis.to - 1);
        case Coordinates::PYTORCH_HALF_PIXEL:
            if (axis.to == 1) return 0;
            [[fallthrough]];
        case Coordinates::HALF_PIXEL:
            break;
    }
    return (pixel + 0.5) / axis.scale - 0.5;
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
    const double x = rounded(sampling.rounding, place(sampling, axis, pixel));
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
    at.refuse(0, fmt::format("has the dimensions {}", shapeText(at.dims(0))), "dimensions above 0");
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
        const double size = std::floor(static_cast<double>(at.dims(0)[i]) * scales[i]);
        if (!(scales[i] > 0 && size >= 1 && size < 1 << 24)) {
            at.refuse("", fmt::format("has the scale {}", scales[i]), "a size of at least 1");
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
        at.refuse(input, fmt::format("is {}", listText(*sizes)), "a size for each axis");
        return std::nullopt;
    }
    for (size_t i = 0; i < sizes->size(); ++i) {
        const uint32_t from = at.dims(0)[i];
        const auto to = static_cast<uint32_t>((*sizes)[i]);
        axes.push_back({from, to, double(to) / from});
    }
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

void emitNearest(Lowering& at, const Sampling& sampling, const Dimensions& dimensions) {
    const auto& axes = sampling.axes;
    for (const Axis& axis : axes) {
        if (changes(axis) && !at.fitsConstants({axis.to})) return;
    }
    uint32_t input = at.operand(0);
    const bool isImage = axes.size() == 4 && !changes(axes[0]) && !changes(axes[1]) &&
                         pixelsOf(sampling, axes[2]) == pixelsOfNnapi(axes[2]) &&
                         pixelsOf(sampling, axes[3]) == pixelsOfNnapi(axes[3]);
    if (isImage) {
        at.emit({OperationType::RESIZE_NEAREST_NEIGHBOR,
                 {input, at.builder().scalar(static_cast<int32_t>(axes[3].to)),
                  at.builder().scalar(static_cast<int32_t>(axes[2].to)), at.builder().scalar(true)},
                 {at.defineLike(0, 0, dimensions)}});
        return;
    }
    size_t left = static_cast<size_t>(absl::c_count_if(axes, changes));
    for (size_t i = 0; i < axes.size(); ++i) {
        if (!changes(axes[i])) continue;
        Dimensions reached = at.operandDims(input);
        reached[i] = axes[i].to;
        const uint32_t to =
                --left == 0 ? at.defineLike(0, 0, dimensions) : at.temporary(input, reached);
        at.emit({OperationType::GATHER,
                 {input, at.builder().scalar(static_cast<int32_t>(i)),
                  at.builder().vector(pixelsOf(sampling, axes[i]))},
                 {to}});
        input = to;
    }
}

void emitLinear(Lowering& at, const Sampling& sampling, const Dimensions& dimensions) {
    const auto& axes = sampling.axes;
    const bool isHalf = sampling.coordinates == Coordinates::HALF_PIXEL ||
                        (sampling.coordinates == Coordinates::PYTORCH_HALF_PIXEL &&
                         axes.size() == 4 && axes[2].to > 1 && axes[3].to > 1);
    const bool isAligned = sampling.coordinates == Coordinates::ALIGN_CORNERS;
    if (!isHalf && sampling.coordinates == Coordinates::PYTORCH_HALF_PIXEL) {
        at.refuse("", "has linear interpolation and pytorch_half_pixel",
                  "half_pixel, align_corners or asymmetric");
    }
    const bool isExact = absl::c_all_of(axes, [](const Axis& axis) {
        return std::abs(axis.scale * axis.from - axis.to) < 1e-4;
    });
    if (axes.size() != 4 || changes(axes[0]) || changes(axes[1])) {
        at.refuse(0, fmt::format("becomes {} by linear interpolation", shapeText(dimensions)),
                  "rank 4, of which height and width change");
    } else if (!isExact) {
        at.refuse("", "has scales that give no whole sizes", "sizes, or scales that do");
    }
    if (!at.ok()) return;
    std::vector<uint32_t> inputs{
            at.operand(0), at.builder().scalar(static_cast<int32_t>(axes[3].to)),
            at.builder().scalar(static_cast<int32_t>(axes[2].to)), at.builder().scalar(true)};
    if (isHalf || isAligned) {
        inputs.push_back(at.builder().scalar(isAligned));
        inputs.push_back(at.builder().scalar(isHalf));
    }
    at.emit({OperationType::RESIZE_BILINEAR, std::move(inputs), {at.defineLike(0, 0, dimensions)}});
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
                    kRoundings)};
    const UntrustedText mode = at.text("mode", "nearest");
    const bool isLinear = mode == "linear" || mode == "bilinear";
    if (!isLinear && mode != "nearest") {
        at.refuse("", fmt::format("has the mode {}", mode.beginning()), "nearest and linear");
    }
    at.require("antialias", at.integer("antialias", 0), 0);
    at.require("exclude_outside", at.integer("exclude_outside", 0), 0);
    if (at.text("keep_aspect_ratio_policy", "stretch") != "stretch") {
        at.refuse("", "keeps the ratio of height and width", "stretch");
    }
    auto axes = axesOfResize(at);
    if (!axes || !at.ok()) return;
    sampling.axes = *std::move(axes);
    Dimensions dimensions;
    for (const Axis& axis : sampling.axes) dimensions.push_back(axis.to);
    if (absl::c_none_of(sampling.axes, changes)) {
        at.alias(0, at.id(0));
    } else if (isLinear) {
        emitLinear(at, sampling, dimensions);
    } else {
        emitNearest(at, sampling, dimensions);
    }
}

}  // namespace nn::onnx
