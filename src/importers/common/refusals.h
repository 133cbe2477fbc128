// Adds one of the reasons why an operator is refused.
#pragma once

#include <utility>
#include <vector>

#include "nnapi/import/imported_model.h"

namespace nn::importing {

// A tensor that an operator reads twice is refused twice in a row, and listed once.
inline void addRefusal(std::vector<ImportRefusal>& refusals, ImportRefusal refusal) {
    if (!refusals.empty() && refusals.back() == refusal) return;
    refusals.push_back(std::move(refusal));
}

}  // namespace nn::importing
