// hardware/hardware.h -- what drivers of neural networks have from libhardware: native handles.
//
// There are no modules (hw_get_module): drivers that include this header use none.
#pragma once

#include <stdint.h>
#include <sys/cdefs.h>

#include "cutils/native_handle.h"
