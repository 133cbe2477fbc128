// Which operands of a model the tensors of its exported file are.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nn {

// The places of tensors in a list of operands, by the names that exportTflite() gives them; the new
// values of states, which have others, are left out.
inline std::vector<size_t> placesOf(const std::vector<std::string>& names,
                                    const std::vector<uint32_t>& operands) {
    std::vector<size_t> places;
    for (const std::string& name : names) {
        const auto place = std::ranges::find_if(operands, [&](uint32_t operand) {
            return name == fmt::format("operand_{}", operand);
        });
        if (place != operands.end()) {
            places.push_back(static_cast<size_t>(place - operands.begin()));
        }
    }
    return places;
}

}  // namespace nn
