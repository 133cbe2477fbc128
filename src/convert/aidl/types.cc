#include "convert/aidl/calls.h"
#include "convert/aidl/structs.h"
#include "convert/common/conversion.h"

namespace nn NNAPI_BINDING::conversion {

#define NNAPI_HAL_TYPE_OUT(Canonical, Hal, from, to) NNAPI_INSTANTIATE_TO_HAL(Canonical, Hal, to)
#define NNAPI_HAL_TYPE(Canonical, Hal, from, to) NNAPI_INSTANTIATE(Canonical, Hal, to)
#define NNAPI_HAL_PLAIN(Canonical, Hal, from, to) NNAPI_INSTANTIATE_PLAIN(Canonical, Hal)
#define NNAPI_HAL_MODEL(Hal, from, to)
#define NNAPI_ONLY_AIDL
#include "nnapi/convert_types.def"

}  // namespace NNAPI_BINDING::conversion
