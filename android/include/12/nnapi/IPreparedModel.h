// nnapi/IPreparedModel.h -- the canonical interface IPreparedModel, as Android 12 names it.
#pragma once

#include "nnapi/Types.h"
