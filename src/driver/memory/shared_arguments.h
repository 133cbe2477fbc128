// Requests whose arguments lie in the caller's memory, as they go to another process. One place for
// all who send requests: wrappers and services.
#pragma once

#include <optional>

#include "nnapi/relocation.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::driver {

struct SharedArguments {
    // With the arguments in shared memory; empty where none of them had to be moved.
    std::optional<Request> request{};
    RequestRelocation relocation{};
    bool hasInputs = false;
    bool hasOutputs = false;
};

// Each place is rounded up to a multiple of `padding` bytes.
Result<SharedArguments> shareArguments(const Request& request,
                                       uint32_t padding = kMinMemoryPadding);

}  // namespace nn::driver
