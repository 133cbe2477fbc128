// hidl/HidlInternal.h -- see hidl/HidlSupport.h.
#pragma once

#include "hidl/HidlSupport.h"
