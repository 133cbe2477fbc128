// utils/Trace.h -- slices of atrace that end with a scope; see cutils/trace.h.
#pragma once

#include "cutils/trace.h"

#define ATRACE_NAME(name) ATRACE_BEGIN(name)
#define ATRACE_CALL() ATRACE_NAME(__func__)
