// A page that shows a model: its drawing, operations, operands and losses.
#pragma once

#include <string>
#include <vector>

#include "base/html.h"
#include "nnapi/drawing.h"
#include "nnapi/losses.h"
#include "nnapi/types.h"

namespace nn::cli {

// The losses of a conversion or an import, or the reason why it failed.
struct LossList {
    std::string title{};  // "Conversion to HAL 1.2"
    Losses losses{};
    std::string refusal{};
};

// `drawn` are the options of the drawing, `drawing` its layout by Graphviz, or the reason for none.
// A click on an operation or an arrow of the drawing shows its row in the list.
Html modelPage(const Model& model, const DrawingOptions& drawn, const Html& drawing,
               const std::vector<LossList>& losses);

}  // namespace nn::cli
