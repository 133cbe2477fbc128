#include "convert/aidl/structs.h"
#include "convert/common/conversion.h"

namespace nn NNAPI_BINDING::conversion {

#define NNAPI_HAL_TYPE(Canonical, Hal, from, to)
#define NNAPI_HAL_MODEL(Hal, from, to)   \
    NNAPI_INSTANTIATE(Model, Hal, to)    \
    NNAPI_INSTANTIATE_RVALUE_TO_HAL(Hal) \
    NNAPI_INSTANTIATE_RVALUE_TO_CANONICAL(Hal)
#define NNAPI_ONLY_AIDL
#include "nnapi/convert_types.def"

}  // namespace NNAPI_BINDING::conversion
