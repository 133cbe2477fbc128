// nnapi/IExecution.h -- the canonical interface IExecution, as Android 12 names it.
#pragma once

#include "nnapi/Types.h"
