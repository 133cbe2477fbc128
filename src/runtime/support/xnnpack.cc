// libnnapi_xnnpack.so: the device of XNNPACK for programs that do not link it, as a plug-in of
// their build and as a support library of any.
#include "nnapi/driver/xnnpack.h"

#include "nnapi/driver/export_support_library.h"

namespace {

constexpr char kName[] = "nnapi-xnnpack";

nn::GeneralResult<nn::SharedDevice> xnnpack() { return nn::xnnpackDevice({.name = kName}); }

}  // namespace

NNAPI_EXPORT_DEVICE(kName, [] { return xnnpack(); })
NNAPI_EXPORT_SUPPORT_LIBRARY(kName, [] { return xnnpack(); })
