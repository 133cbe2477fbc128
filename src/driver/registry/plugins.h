// Loads shared objects that provide devices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/support_library.h"

namespace nn::driver {

struct PluginDevice {
    std::string name{};
    std::function<GeneralResult<SharedDevice>()> create{};
};

// Loads a plug-in or a support library, which stays loaded; its devices, of which there is at least
// one. INVALID_ARGUMENT for what is neither, or a plug-in that was built differently. The options
// are for support libraries.
GeneralResult<std::vector<PluginDevice>> loadPlugin(const std::string& path,
                                                    const SupportLibraryOptions& options = {});

// Opens a device by what somebody else gave: it may throw, and answer null or a device of another
// name.
GeneralResult<SharedDevice> openAs(const std::string& name,
                                   const std::function<GeneralResult<SharedDevice>()>& create);

}  // namespace nn::driver
