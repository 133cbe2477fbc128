// nnapi/losses.h -- Reports information lost in a conversion to an older version.
//
//   nn::Losses losses;
//   auto versioned = nn::V1_0::utils::convert(model, &losses);
//   for (const nn::Loss& loss : losses) puts(nn::toString(loss).c_str());
//   // relaxComputationFloat32toFloat16: true becomes false, HAL 1.0 has no relaxed computation
//
// The list is empty if and only if converting back returns an equal object. A failed conversion
// reports no loss. Without a list, no text is formatted.
#pragma once

#include <string>
#include <vector>

namespace nn {

// One changed part of an object.
struct Loss {
    // In the canonical object, "main.operands[3].location.padding"; empty for the whole object.
    std::string path{};
    std::string before{};  // printed by nnapi/print.h
    std::string after{};   // the value after converting back
    std::string why{};     // "HAL 1.0 has no relaxed computation"
    bool operator==(const Loss&) const = default;
};

// In the order of the object's parts; a conversion appends to the list.
using Losses = std::vector<Loss>;

// "path: before becomes after, why"
std::string toString(const Loss& loss);

}  // namespace nn
