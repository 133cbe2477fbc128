// Shows which operations of models a device supports: as text, and as a drawing.
#pragma once

#include <functional>
#include <string>

#include "nnapi/device_profile.h"
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

// The description that --device names; empty after a complaint.
std::optional<SupportQuery> descriptionOf(const Options& options);

}  // namespace nn::cli
