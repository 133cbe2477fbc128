// nnapi/hal/aidl/ValidateHal.h -- roles of the buffers of AIDL drivers, by Android's names.
#pragma once

#include <AidlValidateHal.h>
