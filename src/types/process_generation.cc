#include "types/process_generation.h"

#include <pthread.h>

namespace nn::process_internal {

std::atomic<uint64_t> generation{0};

namespace {

// There is nobody to tell that it fails, which it does without memory alone.
[[maybe_unused]] const int kIsRegistered = pthread_atfork(nullptr, nullptr, [] { ++generation; });

}  // namespace
}  // namespace nn::process_internal
