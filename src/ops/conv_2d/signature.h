// CONV_2D: every output is the weighted sum of a window of the input over all its channels.
#pragma once

#include "opkit/rules/convolution_rules.h"
#include "opkit/rules/signature.h"
#include "opkit/rules/window_2d.h"

namespace nn::ops::conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_0);

inline constexpr Param kImplicitPadding[] = {
        {"input", T},
        {"filter", S},
        {"bias", U},
        {"paddingScheme", INT32},
        {"strideWidth", INT32},
        {"strideHeight", INT32},
        {"activation", INT32},
        optional("isNchw", BOOL, V1_2, "false"),
        optional("dilationWidth", INT32, V1_2, "1"),
        joined("dilationHeight", INT32, V1_2, "1"),
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
        optional("isNchw", BOOL, V1_2, "false"),
        optional("dilationWidth", INT32, V1_2, "1"),
        joined("dilationHeight", INT32, V1_2, "1"),
};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = inputAt(kForms, "input"), kFilter = inputAt(kForms, "filter"),
                        kBias = inputAt(kForms, "bias");

inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");

inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms),
                                          .stride = "conv_2d.stride",
                                          .dilation = "conv_2d.dilation",
                                          .padding = "conv_2d.padding",
                                          .output = "conv_2d.output"};

}  // namespace nn::ops::conv_2d
