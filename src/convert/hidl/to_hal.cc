#include "convert/common/conversion.h"
#include "convert/hidl/structs.h"

// Canonical to HAL: all rows.
namespace nn NNAPI_BINDING::conversion {

#define NNAPI_HAL_TYPE(Canonical, Hal, from, to) NNAPI_INSTANTIATE_TO_HAL(Canonical, Hal, to)
#define NNAPI_HAL_MODEL(Hal, from, to)   \
    NNAPI_HAL_TYPE(Model, Hal, from, to) \
    NNAPI_INSTANTIATE_RVALUE_TO_HAL(Hal)
#define NNAPI_ONLY_HIDL
#include "nnapi/convert_types.def"

}  // namespace NNAPI_BINDING::conversion
