#include "convert/common/conversion.h"
#include "convert/hidl/structs.h"

// HAL to canonical: all rows that go both ways.
namespace nn NNAPI_BINDING::conversion {

#define NNAPI_HAL_TYPE_OUT(Canonical, Hal, from, to)
#define NNAPI_HAL_TYPE(Canonical, Hal, from, to) NNAPI_INSTANTIATE_TO_CANONICAL(Canonical, Hal, to)
#define NNAPI_HAL_MODEL(Hal, from, to)   \
    NNAPI_HAL_TYPE(Model, Hal, from, to) \
    NNAPI_INSTANTIATE_RVALUE_TO_CANONICAL(Hal)
#define NNAPI_ONLY_HIDL
#include "nnapi/convert_types.def"

}  // namespace NNAPI_BINDING::conversion
