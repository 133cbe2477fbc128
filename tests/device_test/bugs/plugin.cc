// The driver as a plug-in: NNAPI_BUG is the name of the bug that it has; none without it.
//
//   NNAPI_BUG=truncates_conv nnapi test-device --device ./nnapi_buggy_driver.so
#include "nnapi/driver/plugin.h"

#include <cstdlib>
#include <string>

#include "device_test/bugs/bugs.h"

NNAPI_EXPORT_DEVICE("buggy", []() -> nn::GeneralResult<nn::SharedDevice> {
    const char* set = std::getenv("NNAPI_BUG");
    const std::string name = set == nullptr ? "" : set;
    const auto bug = nn::bugs::bugNamed(name);
    if (!bug) {
        return nn::error(nn::ErrorStatus::INVALID_ARGUMENT)
               << "NNAPI_BUG is '" << name << "', allowed is a name in bugs.def";
    }
    return nn::bugs::openDevice(*bug);
})
