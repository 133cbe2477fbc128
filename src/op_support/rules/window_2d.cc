#include "op_support/rules/window_2d.h"

#include "nnapi/checked_math.h"
#include "op_support/rules/image.h"

namespace nn::ops {
namespace {

// The extent of a filter, with its gaps, while it is unknown.
constexpr int64_t kUnbounded = INT64_MAX;

// More than 32 bits of padding count as this much, for which any filter of that extent is illegal.
constexpr Padding kMaxPadding{.head = INT32_MAX, .tail = INT32_MAX};

bool checkPadding(const OpView& op, std::string_view rule, size_t input,
                  std::optional<int32_t> padding, int64_t extent) {
    if (!padding || (*padding >= 0 && *padding < extent)) return true;
    if (extent == kUnbounded) {
        return op.require(false, rule, "{} is {}, allowed 0 and above", op.in(input), *padding);
    }
    return op.require(false, rule, "{} is {}, allowed 0 to {}, less than the extent of the filter",
                      op.in(input), *padding, extent - 1);
}

// One axis; `axis` stays empty while a parameter is unknown. False after a report.
bool readAxis(const OpView& op, const WindowRules& rules, const WindowInputs& inputs,
              const WindowInputs::Axis& at, Dim input, Dim filter,
              std::optional<WindowAxis>& axis) {
    std::optional<int32_t> stride, dilation;
    if (!readPositive(op, rules.stride, at.stride, stride) ||
        !readPositive(op, rules.dilation, at.dilation, dilation)) {
        return false;
    }
    const Window window{.filter = saturatingCast<int32_t>(filter.value_or(1)),
                        .stride = stride.value_or(1),
                        .dilation = dilation.value_or(1)};
    const bool isWindowKnown = filter && stride && dilation;
    std::optional<Padding> padding;
    if (inputs.hasScheme()) {
        const auto scheme = paddingScheme(op, inputs);
        if (scheme && isWindowKnown && input) {
            padding = window.implicitPadding(*scheme, *input).value_or(kMaxPadding);
        }
    } else {
        const auto head = op.int32(at.head), tail = op.int32(at.tail);
        const int64_t extent = filter && dilation ? window.effectiveFilter() : kUnbounded;
        if (!checkPadding(op, rules.padding, at.head, head, extent) ||
            !checkPadding(op, rules.padding, at.tail, tail, extent)) {
            return false;
        }
        if (head && tail) padding = Padding{.head = *head, .tail = *tail};
    }
    if (!isWindowKnown || !padding || !input) return true;

    const int64_t output = window.positions(*input, *padding);
    axis = WindowAxis{.input = *input,
                      .filter = window.filter,
                      .stride = window.stride,
                      .dilation = window.dilation,
                      .head = padding->head,
                      .output = output};
    return op.require(output >= 0 && output <= int64_t{UINT32_MAX}, rules.output,
                      "output {} is {}, allowed 0 to {}: {} has {} {} and padding {} + {}, the "
                      "filter extends over {} with stride {}",
                      at.name, output, UINT32_MAX, op.in(0), at.name, *input, padding->head,
                      padding->tail, window.effectiveFilter(), window.stride);
}

}  // namespace

bool readPositive(const OpView& op, std::string_view rule, size_t input,
                  std::optional<int32_t>& value, int32_t fallback) {
    value = op.int32Or(input, fallback);
    return op.require(!value || *value > 0, rule, "{} is {}, allowed above 0", op.in(input),
                      value.value_or(0));
}

Image imageOf(const Value& tensor, std::optional<bool> isNchw) {
    if (tensor.rank() != size_t{4}) return {};
    if (!isNchw) return {.batches = tensor.dim(0), .height = {}, .width = {}, .channels = {}};
    const ImageAxes axes = imageAxes(*isNchw);
    return {.batches = tensor.dim(0),
            .height = tensor.dim(axes.height),
            .width = tensor.dim(axes.width),
            .channels = tensor.dim(axes.depth)};
}

Shape shapeOf(const Image& image, std::optional<bool> isNchw) {
    if (!isNchw) return Shape({image.batches, {}, {}, {}});
    if (*isNchw) return Shape({image.batches, image.channels, image.height, image.width});
    return Shape({image.batches, image.height, image.width, image.channels});
}

bool requireImage(const OpView& op, std::string_view rule, size_t input) {
    if (!requireRank(op, rule, input, 4, 4)) return false;
    for (size_t i = 1; i < 4; ++i) {
        if (!op.require(op.input(input).dim(i) != Dim(0), rule,
                        "dimension {} of {} is 0, allowed above 0", i, op.in(input))) {
            return false;
        }
    }
    return true;
}

Shape SlidingWindows::outputShape(Dim channels) const {
    const auto size = [](const std::optional<WindowAxis>& axis) {
        return axis ? Dim(static_cast<uint32_t>(axis->output)) : Dim();
    };
    return shapeOf({.batches = input.batches,
                    .height = size(height),
                    .width = size(width),
                    .channels = channels},
                   isNchw);
}

std::optional<SlidingWindows> slidingWindows(const OpView& op, const WindowRules& rules,
                                             Dim filterHeight, Dim filterWidth) {
    const WindowInputs& inputs = rules.inputs[op.form()];
    SlidingWindows windows;
    windows.isNchw = op.booleanOr(inputs.isNchw, false);
    windows.input = imageOf(op.input(0), windows.isNchw);
    const bool ok = readAxis(op, rules, inputs, inputs.height, windows.input.height, filterHeight,
                             windows.height) &&
                    readAxis(op, rules, inputs, inputs.width, windows.input.width, filterWidth,
                             windows.width);
    return ok ? std::optional(windows) : std::nullopt;
}

std::optional<PaddingScheme> paddingScheme(const OpView& op, const WindowInputs& inputs) {
    const auto code = op.int32(inputs.paddingScheme);
    return code ? std::optional(static_cast<PaddingScheme>(*code)) : std::nullopt;
}

}  // namespace nn::ops
