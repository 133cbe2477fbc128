// cutils/log.h -- the logging macros; see log/log.h.
#pragma once

#include "log/log.h"
