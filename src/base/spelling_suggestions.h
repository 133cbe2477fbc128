// Suggests the name that was probably meant by a misspelt one.
//
//   didYouMean("valdate", {"validate", "convert"})   ", did you mean validate?"
//
// Thread-safe, no global state.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nn {

// The candidate that was probably meant, ignoring case: it starts with the typed text, or differs
// from it in at most a third of its letters.
std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> candidates);

// ", did you mean validate?", or empty.
std::string didYouMean(std::string_view typed, std::span<const std::string_view> candidates);

}  // namespace nn
