// CpuExecutor.h -- RunTimePoolInfo, CpuExecutor, and what else drivers have from this header.
#pragma once

#include "LegacyUtils.h"
#include "nnapi_android/cpu_executor.h"
