// Shows which operations of models a device supports: as text, as a drawing, and as a page.
#pragma once

#include <functional>
#include <string>

#include "nnapi/device_profile.h"
#include "nnapi/drawing.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

// A device, or the description of one.
struct SupportQuery {
    std::string name{};
    std::function<Result<DeviceSupport>(const Model& model)> supportOf{};
};

Exit validateOn(const SupportQuery& device, const Options& options);
Exit drawOn(const SupportQuery& device, const Options& options);
Exit viewOn(const SupportQuery& device, const Options& options);

// The options of a drawing: names, and marks with their caption.
using DrawingChoice = std::function<Result<DrawingOptions>(const Input& input, const Model& model)>;

// Marks operations that the device supports or not.
DrawingChoice marksOn(const SupportQuery& device);

// Marks operations that are illegal in --hal; none without --hal.
Result<DrawingOptions> marksOfVersion(const Options& options, const Input& input,
                                      const Model& model);

// The description that --device names; empty after a complaint.
std::optional<SupportQuery> descriptionOf(const Options& options);

}  // namespace nn::cli
