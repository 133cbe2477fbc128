// Loads shared objects that provide devices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/support_library.h"

namespace nn::driver {

struct PluginDevice {
    std::string name{};
    std::function<GeneralResult<SharedDevice>()> create{};
};

// Loads a plug-in or support library, which stays loaded, and returns its devices, at least one.
// INVALID_ARGUMENT for any other file, or a plug-in of an incompatible build. The options are for
// support libraries.
GeneralResult<std::vector<PluginDevice>> loadPlugin(const std::string& path,
                                                    const SupportLibraryOptions& options = {});

// The factory of a device of a plug-in, for openAs().
std::function<GeneralResult<SharedDevice>()> factoryOf(const plugin::Device& device);

// Opens a device with another component's factory, which may throw, or return null or a device of
// another name.
GeneralResult<SharedDevice> openAs(const std::string& name,
                                   const std::function<GeneralResult<SharedDevice>()>& create);

}  // namespace nn::driver
