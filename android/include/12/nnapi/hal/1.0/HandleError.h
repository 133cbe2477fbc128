// nnapi/hal/1.0/HandleError.h -- what calls of HAL 1.0 failed with, by Android's names.
#pragma once

#include "nnapi/hal/HandleError.h"
