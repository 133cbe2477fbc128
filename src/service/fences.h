// Fences whose descriptors another process cannot have.
#pragma once

#include <kj/async-unix.h>

#include "nnapi/driver/result.h"
#include "nnapi/service.capnp.h"
#include "nnapi/types.h"

namespace nn::service {

// Succeeds when the fence is signalled.
kj::Promise<GeneralResult<void>> signalled(kj::UnixEventPort& port, const SyncFence& fence);

// A fence of this side, for which the other waits by a call.
rpc::Descriptor::Client fenceToWaitFor(kj::UnixEventPort& port, const SyncFence& fence);

}  // namespace nn::service
