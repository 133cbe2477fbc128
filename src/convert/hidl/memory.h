// Conversion of HIDL handles and shared memory. Descriptors are always duplicated, so that both
// sides own theirs.
#pragma once

#include "convert/common/context.h"

namespace nn NNAPI_BINDING::conversion {

Status translate(const SharedHandle& handle, hidl::hidl_handle& hal, const Context& context);
Status translate(const hidl::hidl_handle& hal, SharedHandle& handle, const Context& context);

Status translate(const SyncFence& fence, hidl::hidl_handle& hal, const Context& context);

Status translate(const SharedMemory& memory, hidl::hidl_memory& hal, const Context& context);
Status translate(const hidl::hidl_memory& hal, SharedMemory& memory, const Context& context);

}  // namespace NNAPI_BINDING::conversion
