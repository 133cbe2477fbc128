// android/binder_status.h -- codes of binder calls.
#pragma once

#include "nnapi/hal/aidl/binder.h"
