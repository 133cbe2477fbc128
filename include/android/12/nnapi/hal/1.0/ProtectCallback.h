// nnapi/hal/1.0/ProtectCallback.h -- callbacks that are notified when a driver dies, by Android's
// names.
#pragma once

#include "nnapi/hal/ProtectCallback.h"
