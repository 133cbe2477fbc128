// Fences whose descriptors cannot go to another process.
#pragma once

#include <kj/async-unix.h>

#include <functional>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/service.capnp.h"
#include "nnapi/types.h"

namespace nn::service {

// Succeeds when the fence is signalled.
kj::Promise<GeneralResult<void>> signalled(kj::UnixEventPort& port, const SyncFence& fence);

// Fences of this side, for all of which the other waits by one call. It ends when `then` has, which
// begins when they are signalled.
rpc::Descriptor::Client fenceToWaitFor(kj::UnixEventPort& port, std::vector<SyncFence> fences,
                                       std::function<kj::Promise<Status>()> then);

}  // namespace nn::service
