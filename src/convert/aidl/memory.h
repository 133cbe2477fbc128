// Conversion of AIDL handles and shared memory. Descriptors are always duplicated, so that both
// sides own theirs.
#pragma once

#include "convert/common/context.h"

namespace nn NNAPI_BINDING::conversion {

Status translate(const SharedHandle& handle, ::ndk::ScopedFileDescriptor& hal,
                 const Context& context);
Status translate(const ::ndk::ScopedFileDescriptor& hal, SharedHandle& handle,
                 const Context& context);

Status translate(const SyncFence& fence, ::ndk::ScopedFileDescriptor& hal, const Context& context);

Status translate(const SharedMemory& memory, aidl_hal::Memory& hal, const Context& context);
Status translate(const aidl_hal::Memory& hal, SharedMemory& memory, const Context& context);

}  // namespace NNAPI_BINDING::conversion
