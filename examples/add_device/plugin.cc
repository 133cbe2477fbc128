// The device as a plug-in, for programs that open "./example_add_plugin.so".
#include "nnapi/driver/plugin.h"

#include "add_device.h"

NNAPI_EXPORT_DEVICE("add", [] { return std::make_shared<const nn::example::AddDevice>(); })
