// nnapi/drawing.h -- Graphviz drawing of a model, one box for each operation.
//
//   // dot -Tsvg model.dot
//   std::ofstream("model.dot") << nn::drawing(model, {.name = "mobilenet"});
//
//   nn::drawing(model, {.marks = nn::marksForVersion(model, nn::kVersionFeatureLevel2)});
//
// A box lists the constants of an operation under the names of its signature ("filter 32×3×3×16,
// stride 2×2, SAME, RELU6"; defaults are left out). Arrows between boxes are labeled with the
// tensor's type and dimensions. Graphs of IF and WHILE are clusters. Indexes, and places that do
// not fit, are in tooltips. Blocks of operations that repeat are drawn once. nnapi/graph_dump.h
// draws a node for every operand instead.
//
// Accepts any model, including illegal ones. Time and length are linear in the model. Text from the
// model and from marks is escaped. Thread-safe, no global state.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nnapi/device_profile.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn {

// Highlights an operation.
struct DrawingMark {
    // Of the box.
    enum class Color { GREEN, ORANGE, RED };
    using Colour [[deprecated("Color")]] = Color;
    Color color = Color::RED;  // of the box
    std::string why{};         // a line in the box; may be empty
    bool operator==(const DrawingMark&) const = default;
};

// By path: "main.operations[4]" or "referenced[0].operations[1]".
using DrawingMarks = std::map<std::string, DrawingMark>;

// Options of drawing().
struct DrawingOptions {
    std::string name = "model";  // of the graph, its first line
    std::string caption{};       // lines under the name, for the meaning of colors
    DrawingMarks marks{};        // those of operations that do not exist have no effect
    std::vector<std::string> operandNames{};  // of operands of the main graph, by index
};

// Graphviz text. Throws only std::bad_alloc.
std::string drawing(const Model& model, const DrawingOptions& options = {});

// Marks operations that are illegal in the version, or have an operand that is, in red with the
// reason.
DrawingMarks marksForVersion(const Model& model, Version target);

// Marks supported operations in green and unsupported ones in red, with the reason; IF and WHILE
// are supported if all operations of their graphs are. Graphs without a reference have no marks.
// Fails as supportedOperations() does.
Result<DrawingMarks> marksForDevice(const Model& model, const DeviceProfile& device);

// The same for a support that is known already.
DrawingMarks marksForSupport(const Model& model, const DeviceSupport& support);

}  // namespace nn
