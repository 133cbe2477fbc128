// Wraps devices that take no pointer arguments, and moves such arguments into shared memory.
#pragma once

#include <chrono>

#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

// Wraps a device. If one of its prepared models rejects a request with pointers (INVALID_ARGUMENT),
// it receives that request and all later ones with shared memory instead. The launch of a fenced
// execution with moved arguments is synchronous: it waits for the fences, copies the inputs, and
// waits for the end, each until the deadline or, without one, for the ceiling.
SharedDevice takingPointers(SharedDevice device, Duration ceiling = std::chrono::minutes(5));

}  // namespace nn::runtime
