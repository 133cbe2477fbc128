// Adds asynchronous fenced executions to devices whose own would block the launching thread.
#pragma once

#include <memory>
#include <vector>

#include "driver/fences/fence_watch.h"
#include "driver/threads/thread_pool.h"
#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

// The threads that wait for fences and then compute.
struct FencedThreads {
    explicit FencedThreads(size_t max) : threads(max) {}

    driver::FenceWatch fences{};
    driver::ThreadPool threads;
};

// The same prepared model, except that executeFenced returns without waiting for fences.
//   outputs   of its model (driver/wrap/output_shapes.h)
//   priority  of its fenced executions
SharedPreparedModel withFencedThreads(SharedPreparedModel inner,
                                      std::vector<driver::OutputSignature> outputs,
                                      Priority priority, std::shared_ptr<FencedThreads> threads);

}  // namespace nn::runtime
