// Wraps devices that take no pointer arguments, and moves such arguments into shared memory.
#pragma once

#include <chrono>

#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

// A device that does what another one does. Where its prepared models refuse a request with
// pointers (INVALID_ARGUMENT), they get it once more with shared memory in their place, and from
// then on at once. A fenced execution that was moved so is done when its launch returns, which
// waits for its fences, copies the inputs, and waits for its end: until its deadline, or without
// one for the ceiling each time.
SharedDevice takingPointers(SharedDevice device, Duration ceiling = std::chrono::minutes(5));

}  // namespace nn::runtime
