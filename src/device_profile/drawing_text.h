// The texts in a drawing of a model, for Graphviz.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nnapi/types.h"

namespace nn {

inline constexpr std::string_view kBreak = "<br/>";
inline constexpr std::string_view kTooltipBreak = "&#10;";

// Escapes a text so that Graphviz shows it unchanged, in quoted strings and in HTML.
std::string graphvizText(std::string_view text);

// Wraps words into lines of at most 44 characters, before escaping; a longer word gets a separate
// line.
std::string wrapped(const std::vector<std::string>& words, std::string_view separator);
std::string wrapped(std::string_view text, std::string_view separator);

// "32×3×3×16"; "?" for an unknown dimension.
std::string dimensionsText(const Operand& operand);

// "FLOAT32 1×224×224×3"
std::string typeText(const Operand& operand);

// "scale 0.5, zero point 128"; empty if the operand has neither.
std::string quantizationText(const Operand& operand);

// Main is 0, referenced[i] is i + 1.
const Model::Subgraph& graphAt(const Model& model, size_t graph);
std::string pathOf(size_t graph);
std::string pathOf(size_t graph, size_t operation);

}  // namespace nn
