// GROUPED_CONV_2D: convolutions side by side, each of its share of the channels.
#pragma once

#include "opkit/rules/convolution_rules.h"
#include "opkit/rules/signature.h"
#include "opkit/rules/window_2d.h"

namespace nn::ops::grouped_conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_2);

inline constexpr Param kImplicitPadding[] = {
        {"input", T},
        {"filter", S},
        {"bias", U},
        {"paddingScheme", INT32},
        {"strideWidth", INT32},
        {"strideHeight", INT32},
        {"groups", INT32},
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
        {"groups", INT32},
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
                        kBias = inputAt(kForms, "bias");

inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");
inline constexpr PerForm<size_t> kGroups = inputsAt(kForms, "groups");

inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms),
                                          .stride = "grouped_conv_2d.stride",
                                          .padding = "grouped_conv_2d.padding",
                                          .output = "grouped_conv_2d.output"};

}  // namespace nn::ops::grouped_conv_2d
