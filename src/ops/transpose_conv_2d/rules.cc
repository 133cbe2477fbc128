#include "nnapi/checked_math.h"
#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/image.h"
#include "op_support/rules/specs.h"
#include "ops/transpose_conv_2d/signature.h"

namespace nn::ops {
namespace transpose_conv_2d {
namespace {

void rules(const OpView& op) { requireChannelDim(op, "transpose_conv_2d.channel_dim", 0); }

// Reads the amounts to crop at both ends of an axis; a negative tail extends the end. `requested`
// is the element of the output shape for this axis. Empty while unknown; false after a report.
bool readPadding(const OpView& op, const WindowInputs& inputs, const WindowInputs::Axis& at,
                 const Window& window, std::optional<int32_t> requested,
                 std::optional<Padding>& padding) {
    if (!inputs.hasScheme()) {
        const auto head = op.int32(at.head), tail = op.int32(at.tail);
        if (head && tail) padding = Padding{.head = *head, .tail = *tail};
        return op.require(head.value_or(0) >= 0, "transpose_conv_2d.padding",
                          "{} is {}, allowed 0 and above", op.in(at.head), head.value_or(0));
    }
    const auto scheme = paddingScheme(op, inputs);
    if (!scheme) return true;
    if (*scheme != PaddingScheme::SAME) {
        padding = Padding{};
        return true;
    }
    if (!requested) return true;
    if (!op.require(*requested > 0, "transpose_conv_2d.output_shape",
                    "the {} in {} is {}, allowed above 0", at.name, op.in(kOutputShape),
                    *requested)) {
        return false;
    }
    padding = window.implicitTransposedPadding(*scheme, static_cast<uint32_t>(*requested))
                      .value_or(Padding());
    return true;
}

bool readAxis(const OpView& op, const WindowInputs& inputs, const WindowInputs::Axis& at, Dim input,
              Dim filter, std::optional<int32_t> requested, std::optional<WindowAxis>& axis) {
    std::optional<int32_t> stride;
    if (!readPositive(op, "transpose_conv_2d.stride", at.stride, stride)) return false;
    const bool isWindowKnown = filter && stride;
    const Window window{.filter = saturatingCast<int32_t>(filter.value_or(1)),
                        .stride = stride.value_or(1)};
    std::optional<Padding> padding;
    if (!readPadding(op, inputs, at, window, isWindowKnown ? requested : std::nullopt, padding)) {
        return false;
    }
    if (!isWindowKnown || !padding || !input) return true;
    const int64_t output = window.transposedExtent(*input, *padding);
    axis = WindowAxis{.input = output,
                      .filter = window.filter,
                      .stride = window.stride,
                      .head = padding->head,
                      .output = *input};
    return op.require(output > 0 && output <= int64_t{UINT32_MAX}, "transpose_conv_2d.output",
                      "output {} is {}, allowed 1 to {}: {} has {} {}, the filter extends over {} "
                      "with stride {} and padding {} + {}",
                      at.name, output, UINT32_MAX, op.in(kInput), at.name, *input, window.filter,
                      window.stride, padding->head, padding->tail);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireImage(op, "transpose_conv_2d.input", kInput) ||
        !requireImage(op, "transpose_conv_2d.filter", kFilter)) {
        return false;
    }
    const auto windows = backwardWindows(op);
    if (!windows) return false;
    const Value& filter = op.input(kFilter);
    const auto size = [](const std::optional<WindowAxis>& axis) {
        return axis ? Dim(static_cast<uint32_t>(axis->input)) : Dim();
    };
    outputs[0] = shapeOf({.batches = windows->input.batches,
                          .height = size(windows->height),
                          .width = size(windows->width),
                          .channels = filter.dim(0)},
                         windows->isNchw);
    return requireEqual(op, "transpose_conv_2d.depth", "dimension 3 of the filter", filter.dim(3),
                        "the channels of the input", windows->input.channels) &&
           requireBias(op, "transpose_conv_2d.bias", filter.dim(0)) &&
           requireChannelScales(op, "transpose_conv_2d.channel_scales", filter.dim(0)) &&
           requireActivation(op, "transpose_conv_2d.activation", kActivation[op.form()]);
}

}  // namespace

std::optional<SlidingWindows> backwardWindows(const OpView& op) {
    const WindowInputs& inputs = kWindowInputs[op.form()];
    SlidingWindows windows;
    windows.isNchw = op.boolean(inputs.isNchw);
    windows.input = imageOf(op.input(kInput), windows.isNchw);
    std::optional<int32_t> height, width;
    if (const auto shape = op.ints(kOutputShape); inputs.hasScheme() && shape) {
        if (!op.require(shape->size() == 4, "transpose_conv_2d.output_shape",
                        "{} has {}, allowed 4", op.in(kOutputShape),
                        Plural{shape->size(), "elements"})) {
            return std::nullopt;
        }
        if (windows.isNchw) {
            height = (*shape)[imageAxes(*windows.isNchw).height];
            width = (*shape)[imageAxes(*windows.isNchw).width];
        }
    }
    const Value& filter = op.input(kFilter);
    const bool ok = readAxis(op, inputs, inputs.height, windows.input.height, filter.dim(1), height,
                             windows.height) &&
                    readAxis(op, inputs, inputs.width, windows.input.width, filter.dim(2), width,
                             windows.width);
    return ok ? std::optional(windows) : std::nullopt;
}

}  // namespace transpose_conv_2d

const OperationSpec specs::TRANSPOSE_CONV_2D{.type = OperationType::TRANSPOSE_CONV_2D,
                                             .types = transpose_conv_2d::kTypes,
                                             .forms = transpose_conv_2d::kForms,
                                             .ruleTexts = transpose_conv_2d::kRules,
                                             .rules = transpose_conv_2d::rules,
                                             .inferShapes = transpose_conv_2d::inferShapes,
                                             .allowsZeroSizedInputs = true};

}  // namespace nn::ops
