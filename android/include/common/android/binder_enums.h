// android/binder_enums.h -- ndk::enum_range, the enumerators of an enumeration.
#pragma once

#include "nnapi/hal/enum_range.h"
