// TRANSPOSE_CONV_2D: what CONV_2D does backwards: every input element is scattered over a window of
// the output.
#pragma once

#include "opkit/rules/convolution_rules.h"
#include "opkit/rules/signature.h"
#include "opkit/rules/window_2d.h"

namespace nn::ops::transpose_conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_2);

inline constexpr Param kImplicitPadding[] = {
        {"input", T},
        {"filter", S},
        {"bias", U},
        {"outputShape", TENSOR_INT32},
        {"paddingScheme", INT32},
        {"strideWidth", INT32},
        {"strideHeight", INT32},
        {"activation", INT32},
        {"isNchw", BOOL},
};
inline constexpr Param kExplicitPadding[] = {
        {"input", T},
        {"filter", S},
        {"bias", U},
        {"paddingLeft", INT32},
        {"paddingRight", INT32},
        {"paddingTop", INT32},
        {"paddingBottom", INT32},
        {"strideWidth", INT32},
        {"strideHeight", INT32},
        {"activation", INT32},
        {"isNchw", BOOL},
};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = inputAt(kForms, "input"), kFilter = inputAt(kForms, "filter"),
                        kBias = inputAt(kForms, "bias"),
                        kOutputShape = at(kImplicitPadding, "outputShape");
inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");
inline constexpr PerForm<WindowInputs> kWindowInputs = windowInputs(kForms);

// The windows of the convolution that leads from the output back to the input: each axis has the
// output's size as input, and the input's as output. Nothing after a report.
std::optional<SlidingWindows> backwardWindows(const Call& op);

}  // namespace nn::ops::transpose_conv_2d
