#include "convert/common/conversion.h"
#include "convert/hidl/structs.h"

// Canonical objects as those of the HAL: all rows.
namespace nn::conversion {

#define NNAPI_HAL_TYPE(Canonical, Hal, from, to) NNAPI_INSTANTIATE_TO_HAL(Canonical, Hal, to)
#define NNAPI_HAL_MODEL(Hal, from, to)   \
    NNAPI_HAL_TYPE(Model, Hal, from, to) \
    NNAPI_INSTANTIATE_RVALUE_TO_HAL(Hal)
#define NNAPI_ONLY_HIDL
#include "nnapi/convert_types.def"

}  // namespace nn::conversion
