#include "base/process_generation.h"

#include <pthread.h>

namespace nn::process_internal {

std::atomic<uint64_t> generation{0};

namespace {

// Fails only without memory, and has no way to report it.
[[maybe_unused]] const int kIsRegistered = pthread_atfork(nullptr, nullptr, [] { ++generation; });

}  // namespace
}  // namespace nn::process_internal
