// Runs several tasks at the same time, for a caller that waits for all of them.
#pragma once

#include <span>

#include "driver/threads/thread_pool.h"

namespace nn::driver {

// Runs the first task on this thread, the others on threads of the pool, and those that no thread
// has taken on this one. Returns when all have ended. They belong to the cancellation scope of this
// thread. Exceptions of tasks are dropped.
void runTogether(ThreadPool& pool, std::span<const Task> tasks);

}  // namespace nn::driver
