// nnapi/hal/aidl/BufferTracker.h -- device memory of AIDL drivers: AidlManagedBuffer and
// AidlBufferTracker.
#pragma once

#include <AidlBufferTracker.h>
