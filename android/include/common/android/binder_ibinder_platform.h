// android/binder_ibinder_platform.h -- see android/binder_ibinder.h.
#pragma once

#include "android/binder_ibinder.h"
