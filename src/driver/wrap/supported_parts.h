// Which operations of a model a device supports, also of a model that is newer than the device.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/validated_model.h"

namespace nn::driver {

// One entry for each operation of the main graph. A device of an older version is queried for the
// part of the model that its version can represent, as the runtime does; it supports none of the
// other operations. Fails if the device does, or returns a result of another length.
GeneralResult<std::vector<bool>> supportedParts(const IDevice& device, const ValidatedModel& model);

}  // namespace nn::driver
