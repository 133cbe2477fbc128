// nnapi/hal/aidl/common.h -- AIDL memory and handles, as aidl generates them; see
// nnapi/hal/aidl/types.h.
#pragma once

#include <aidl/android/hardware/common/Ashmem.h>
#include <aidl/android/hardware/common/MappableFile.h>
#include <aidl/android/hardware/common/NativeHandle.h>
#include <aidl/android/hardware/graphics/common/HardwareBuffer.h>
#include <aidl/android/hardware/graphics/common/HardwareBufferDescription.h>

#include "nnapi/fields.h"
#include "nnapi/hal/aidl/ndk.h"
#include "nnapi/hal/strict.h"
#include "nnapi/hal/union_members.h"

namespace aidl::android::hardware::common {
#include "nnapi/hal/aidl/common_fields.def"
}
namespace aidl::android::hardware::graphics::common {
#include "nnapi/hal/aidl/graphics_fields.def"
}
