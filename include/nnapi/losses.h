// nnapi/losses.h -- what a conversion towards a version could not carry.
//
//   nn::Losses losses;
//   auto versioned = nn::V1_0::utils::convert(model, &losses);
//   for (const nn::Loss& loss : losses) puts(nn::toString(loss).c_str());
//   // relaxComputationFloat32toFloat16: true becomes false, HAL 1.0 has no relaxed computation
//
// One rule: the list is empty exactly when converting back gives an equal object. A conversion that
// fails adds no loss. Without a list, a conversion composes no text.
#pragma once

#include <string>
#include <vector>

namespace nn {

struct Loss {
    std::string path{};    // in the canonical object, "main.operands[3].location.padding"; empty
                           // where the whole object changed
    std::string before{};  // as nnapi/print.h prints it
    std::string after{};   // what converting back gives
    std::string why{};     // "HAL 1.0 has no relaxed computation"
    bool operator==(const Loss&) const = default;
};

using Losses = std::vector<Loss>;

// "path: before becomes after, why"
std::string toString(const Loss& loss);

}  // namespace nn
