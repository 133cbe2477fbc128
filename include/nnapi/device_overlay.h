// nnapi/device_overlay.h -- Deprecated name of nnapi/device_profile.h; removed in 0.3.0.
#pragma once

#include "nnapi/device_profile.h"  // IWYU pragma: export

namespace nn {

using DeviceOverlay [[deprecated("DeviceProfile")]] = DeviceProfile;

}  // namespace nn
