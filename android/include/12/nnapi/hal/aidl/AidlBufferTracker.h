// nnapi/hal/aidl/AidlBufferTracker.h -- device memory of AIDL drivers: AidlManagedBuffer and
// AidlBufferTracker.
#pragma once

#include <AidlBufferTracker.h>
