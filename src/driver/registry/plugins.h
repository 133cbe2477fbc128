// Shared objects that bring devices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::driver {

struct PluginDevice {
    std::string name{};
    std::function<GeneralResult<SharedDevice>()> create{};
};

// Loads a plug-in, which stays loaded; its devices, of which there is at least one.
// INVALID_ARGUMENT for what is not one, or was built differently.
GeneralResult<std::vector<PluginDevice>> loadPlugin(const std::string& path);

// Why a device cannot be registered under that name; success where it can.
Status checkName(std::string_view name);

// Opens a device by what somebody else gave: it may throw, and answer null or a device of another
// name.
GeneralResult<SharedDevice> openAs(const std::string& name,
                                   const std::function<GeneralResult<SharedDevice>()>& create);

}  // namespace nn::driver
