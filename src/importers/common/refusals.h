// Adds one of the reasons why an operator is refused.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "nnapi/import/imported_model.h"

namespace nn::importing {

// A tensor that an operator reads several times is refused as often, and listed once.
inline void addRefusal(std::vector<ImportRefusal>& refusals, ImportRefusal refusal) {
    constexpr size_t kRecent = 16;
    const auto recent = refusals.end() - std::min(refusals.size(), kRecent);
    if (std::find(recent, refusals.end(), refusal) != refusals.end()) return;
    refusals.push_back(std::move(refusal));
}

}  // namespace nn::importing
