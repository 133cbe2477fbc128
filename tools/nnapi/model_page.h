// A page that shows a model: its drawing, its operations and operands, and what was lost.
#pragma once

#include <string>
#include <vector>

#include "base/html.h"
#include "nnapi/drawing.h"
#include "nnapi/losses.h"
#include "nnapi/types.h"

namespace nn::cli {

// What a conversion or an import has lost; not converted if there is a reason.
struct LossList {
    std::string title{};  // "Conversion to HAL 1.2"
    Losses losses{};
    std::string refusal{};
};

// `drawn` are the options of the drawing, `svg` its layout by Graphviz. A click on an operation or
// an arrow of the drawing shows it in the list beside.
Html modelPage(const Model& model, const DrawingOptions& drawn, std::string svg,
               const std::vector<LossList>& losses);

}  // namespace nn::cli
