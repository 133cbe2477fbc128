// The driver as a plug-in, for programs that open "./libnpu.so".
#include "nnapi/driver/plugin.h"

#include "hidl_device.h"
#include "nnapi/driver/wrap.h"

NNAPI_EXPORT_DEVICE("npu", [] { return nn::wrap("npu", npu_driver::createHidlDevice()); })
