// sync/sync.h -- fences, as libsync has them.
#pragma once

#include "android/sync.h"
