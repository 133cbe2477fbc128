// nnapi/hal/1.0/Utils.h -- checks of objects of HAL 1.0, by Android's names.
#pragma once

#include "nnapi/Validation.h"
#include "nnapi/hal/1.0/Conversions.h"
