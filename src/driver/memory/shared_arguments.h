// Moves a request's pointer arguments into shared memory, so that it can be sent to another
// process. Wrappers and services use it alike.
#pragma once

#include <optional>

#include "nnapi/relocation.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "transform/pointers.h"

namespace nn::driver {

struct SharedArguments {
    // The request with its arguments in shared memory; empty if no argument had to be moved.
    std::optional<Request> request{};
    RequestRelocation relocation{};
    bool hasInputs = false;
    bool hasOutputs = false;
};

// Each place is rounded up to a multiple of `padding` bytes.
Result<SharedArguments> shareArguments(const Request& request, uint32_t padding = kMinMemoryPadding,
                                       const MakePool& makePool = MappedMemory::create);

}  // namespace nn::driver
