// android/binder_interface_utils.h -- SharedRefBase, ICInterface, BnCInterface, BpCInterface.
#pragma once

#include "android/binder_auto_utils.h"
