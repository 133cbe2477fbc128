// nnapi/hal/aidl/HalUtils.h -- performances and types of AIDL, by Android's names.
#pragma once

#include <AidlHalUtils.h>
