// Utils.h -- what Android 11 had in this header, in trees of Android 12.
#pragma once

#include "LegacyHalUtils.h"
#include "LegacyUtils.h"
