// nnapi/hal/aidl/HalInterfaces.h -- all types and interfaces of AIDL, with the short name aidl_hal.
#pragma once

#include <AidlHalInterfaces.h>
