// nnapi/drawing.h -- a model as a drawing that people read.
//
//   std::ofstream("model.dot") << nn::drawing(model, {.name = "mobilenet"});   // dot -Tsvg
//   model.dot
//
//   nn::drawing(model, {.marks = nn::marksForVersion(model, nn::kVersionFeatureLevel2)});
//
// Graphviz text: one box for each operation, which lists its constants under the names of its
// signature ("filter 32×3×3×16, stride 2×2, SAME, RELU6"; defaults are left out); tensors label the
// arrows between boxes with type and dimensions; the graphs of IF and WHILE are clusters. Indexes
// and places that do not fit stand in tooltips. nnapi/graph_dump.h draws every operand as a node of
// its own instead.
//
// Takes any model, also one that is not legal, in time and length linear in what it holds; text
// from the model and from marks is escaped. Thread-safe, no global state.
#pragma once

#include <map>
#include <string>

#include "nnapi/device_overlay.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn {

// How one operation stands out, and why.
struct DrawingMark {
    enum class Colour { GREEN, ORANGE, RED };
    Colour colour = Colour::RED;
    std::string why{};  // a line in the box; may be empty
    bool operator==(const DrawingMark&) const = default;
};

// By place, "main.operations[4]" or "referenced[0].operations[1]".
using DrawingMarks = std::map<std::string, DrawingMark>;

struct DrawingOptions {
    std::string name = "model";
    std::string caption{};  // lines under the name: what the colours mean
    DrawingMarks marks{};
};

std::string drawing(const Model& model, const DrawingOptions& options = {});

// Red: an operation that is not legal in the version, itself or one of its operands, and why.
DrawingMarks marksForVersion(const Model& model, Version target);

// Green: an operation that the device supports. Red: one that it does not, and why; IF and WHILE
// are supported when all operations of their graphs are. Graphs that no operation leads to have no
// marks. Fails as supportedOperations() does.
Result<DrawingMarks> marksForDevice(const Model& model, const DeviceOverlay& device);

}  // namespace nn
