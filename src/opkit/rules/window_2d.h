// What operations that slide a window over an image share: the layout of images, and stride,
// dilation and padding along both axes. Operands are found by the names that signatures give them:
// strideWidth, strideHeight, dilationWidth, dilationHeight, isNchw, and either paddingScheme or
// paddingLeft, paddingRight, paddingTop, paddingBottom.
//
//   const auto windows = slidingWindows(op, kWindowRules, filter.dim(1), filter.dim(2));
//   if (!windows) return false;
//   outputs[0] = windows->outputShape(filter.dim(0));
//
// Shape inference and kernels read the same struct: a kernel finds both axes known.
#pragma once

#include <optional>
#include <string_view>

#include "opkit/rules/call.h"
#include "opkit/rules/shapes.h"

namespace nn::ops {

// The index of the input that the form calls so; kNoInput, which is no operand's, where it has
// none.
inline constexpr size_t kNoInput = SIZE_MAX;
size_t inputNamed(const Call& op, std::string_view name);

// The value of an input that must be above 0; nothing while unknown, `fallback` where it is not
// given. False after a report.
bool readPositive(const Call& op, std::string_view rule, std::string_view name,
                  std::optional<int32_t>& value, int32_t fallback = 1);

// ---- images

// The dimensions of a tensor of rank 4 by meaning, whatever its layout.
struct Image {
    Dim batches, height, width, channels;
};

// Unknown where the shape is; all but the batches also where the layout is.
Image imageOf(const Value& tensor, std::optional<bool> isNchw);
Shape shapeOf(const Image& image, std::optional<bool> isNchw);

// True where the tensor has rank 4 and no dimension but its batches is known to be 0, or while that
// is unknown.
bool requireImage(const Call& op, std::string_view rule, size_t input);

// ---- windows

// One axis of a window with all its parameters.
struct WindowAxis {
    int64_t input = 0;
    int64_t filter = 1;
    int64_t stride = 1;
    int64_t dilation = 1;
    int64_t head = 0;  // padding before the first element
    int64_t output = 0;

    // Where tap 0 of an output position lies in the input, and which taps lie inside.
    struct Taps {
        int64_t start, first, last;  // [first, last)
        int64_t count() const { return last - first; }
    };
    Taps tapsAt(int64_t position) const;
};

// The names of an operation's rules on windows.
struct WindowRules {
    std::string_view stride{}, dilation{}, padding{}, output{};
};

struct SlidingWindows {
    std::optional<bool> isNchw;
    Image input;                              // of input 0
    std::optional<WindowAxis> height, width;  // unknown while one of their parameters is

    Shape outputShape(Dim channels) const;
};

// Nothing after a report. The filter's extent is in elements, without dilation.
std::optional<SlidingWindows> slidingWindows(const Call& op, const WindowRules& rules,
                                             Dim filterHeight, Dim filterWidth);

// ---- parts of the above, for operations with another formula for the output

// What one axis is called in signatures.
struct AxisNames {
    std::string_view name, stride, dilation, head, tail;
};
inline constexpr AxisNames kHeightNames{"height", "strideHeight", "dilationHeight", "paddingTop",
                                        "paddingBottom"};
inline constexpr AxisNames kWidthNames{"width", "strideWidth", "dilationWidth", "paddingLeft",
                                       "paddingRight"};

// The scheme of an implicit form; nothing while unknown and for explicit forms.
std::optional<PaddingScheme> paddingScheme(const Call& op);
bool hasPaddingScheme(const Call& op);

}  // namespace nn::ops
