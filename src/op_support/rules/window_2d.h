// Helpers for operations that slide a window over an image: the layout of images, and stride,
// dilation and padding along both axes. A signature calls these operands strideWidth, strideHeight,
// dilationWidth, dilationHeight, isNchw, and either paddingScheme or paddingLeft, paddingRight,
// paddingTop, paddingBottom; windowInputs() finds their positions at compile time.
//
//   inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms), .stride = ...};
//
//   const auto windows = slidingWindows(op, kWindowRules, filter.dim(1), filter.dim(2));
//   if (!windows) return false;
//   outputs[0] = windows->outputShape(filter.dim(0));
//
// Shape inference and kernels read the same struct: a kernel finds both axes known.
#pragma once

#include <optional>
#include <string_view>

#include "nnapi/kernel/windows.h"
#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"

namespace nn::ops {

// Reads the value of an input, which must be above 0; empty while unknown, `fallback` if the input
// is missing. False after a report.
bool readPositive(const OpView& op, std::string_view rule, size_t input,
                  std::optional<int32_t>& value, int32_t fallback = 1);

// ---- images

// The dimensions of a rank 4 tensor by meaning, independent of its layout.
struct Image {
    Dim batches, height, width, channels;
};

// All are unknown if the shape is; all but the batches are unknown if the layout is.
Image imageOf(const Value& tensor, std::optional<bool> isNchw);
Shape shapeOf(const Image& image, std::optional<bool> isNchw);

// True unless the tensor is known to have another rank than 4, or a dimension of 0 other than its
// batches.
bool requireImage(const OpView& op, std::string_view rule, size_t input);

// ---- windows

// Parts of signatures.
inline constexpr Param kImplicitPaddings[] = {{"paddingScheme", INT32}};
inline constexpr Param kExplicitPaddings[] = {{"paddingLeft", INT32},
                                              {"paddingRight", INT32},
                                              {"paddingTop", INT32},
                                              {"paddingBottom", INT32}};
inline constexpr Param kStrides[] = {{"strideWidth", INT32}, {"strideHeight", INT32}};
inline constexpr Param kFused[] = {{"activation", INT32}};
inline constexpr Param kLayout[] = {{"isNchw", BOOL}};
inline constexpr Param kLayoutFrom1_2[] = {optional("isNchw", BOOL, V1_2, "false")};
inline constexpr Param kDilationsFrom1_2[] = {optional("dilationWidth", INT32, V1_2, "1"),
                                              joined("dilationHeight", INT32, V1_2, "1")};

using kernel::Padding;
using kernel::PaddingScheme;
using kernel::Window;
using kernel::WindowAxis;

// The positions of the window parameters of one form; kNoInput if it has none.
struct WindowInputs {
    struct Axis {
        std::string_view name{};
        size_t stride = kNoInput, dilation = kNoInput, head = kNoInput, tail = kNoInput;
    };
    Axis height{}, width{};
    size_t paddingScheme = kNoInput;
    size_t isNchw = kNoInput;

    constexpr bool hasScheme() const { return paddingScheme != kNoInput; }
};

consteval size_t paddingAt(std::span<const Param> inputs, std::string_view name) {
    return find(inputs, "paddingScheme") != kNoInput ? find(inputs, name) : at(inputs, name);
}

consteval WindowInputs windowInputs(const Form& form) {
    const auto& inputs = form.inputs;
    return {.height = {.name = "height",
                       .stride = at(inputs, "strideHeight"),
                       .dilation = find(inputs, "dilationHeight"),
                       .head = paddingAt(inputs, "paddingTop"),
                       .tail = paddingAt(inputs, "paddingBottom")},
            .width = {.name = "width",
                      .stride = at(inputs, "strideWidth"),
                      .dilation = find(inputs, "dilationWidth"),
                      .head = paddingAt(inputs, "paddingLeft"),
                      .tail = paddingAt(inputs, "paddingRight")},
            .paddingScheme = find(inputs, "paddingScheme"),
            .isNchw = at(inputs, "isNchw")};
}
consteval PerForm<WindowInputs> windowInputs(const Form (&forms)[kMaxForms]) {
    return {forms, {windowInputs(forms[0]), windowInputs(forms[1])}};
}

// The parameters of an operation's windows, and the names of the rules on them.
struct WindowRules {
    PerForm<WindowInputs> inputs;
    std::string_view stride{}, dilation{}, padding{}, output{};
};

struct SlidingWindows {
    std::optional<bool> isNchw;
    Image input;                              // of input 0
    std::optional<WindowAxis> height, width;  // unknown while one of their parameters is

    Shape outputShape(Dim channels) const;
};

// Empty after a report. The filter's extent is in elements, without dilation.
std::optional<SlidingWindows> slidingWindows(const OpView& op, const WindowRules& rules,
                                             Dim filterHeight, Dim filterWidth);

// The scheme of an implicit form; empty while unknown and for explicit forms.
std::optional<PaddingScheme> paddingScheme(const OpView& op, const WindowInputs& inputs);

}  // namespace nn::ops
