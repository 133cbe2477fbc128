// The device as a plug-in, for programs that open "./libnpu.so".
#include "nnapi/driver/plugin.h"

#include "device.h"

NNAPI_EXPORT_DEVICE("npu", [] { return std::make_shared<const npu_driver::Device>(); })
