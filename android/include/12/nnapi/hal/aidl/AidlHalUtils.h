// nnapi/hal/aidl/AidlHalUtils.h -- performances and types of AIDL, by Android's names.
#pragma once

#include <AidlHalUtils.h>
