// Fences for peers that descriptors cannot reach.
#pragma once

#include <kj/async-unix.h>

#include <functional>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/service.capnp.h"
#include "nnapi/types.h"

namespace nn::service {

// Fulfilled when the fence is signaled.
kj::Promise<GeneralResult<void>> signaled(kj::UnixEventPort& port, const SyncFence& fence);

// Fences of this side that the peer waits for with one call. When all are signaled `then` runs,
// and the call ends with it.
rpc::Descriptor::Client fenceServer(kj::UnixEventPort& port, std::vector<SyncFence> fences,
                                    std::function<kj::Promise<Status>()> then);

}  // namespace nn::service
