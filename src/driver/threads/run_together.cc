#include "driver/threads/run_together.h"

#include <atomic>
#include <latch>
#include <memory>

#include "driver/threads/cancellation.h"

namespace nn::driver {
namespace {

// Of one call. Threads may come to it after the call has returned; then no task is left.
struct Shared {
    explicit Shared(std::span<const Task> all)
        : tasks(all), left(static_cast<std::ptrdiff_t>(all.size())) {}

    void work() {
        for (size_t i = next++; i < tasks.size(); i = next++) {
            const AdoptedScope adopted(scope);
            try {
                tasks[i]();
            } catch (...) {  // the caller detects the missing result of the task
            }
            left.count_down();
        }
    }

    std::span<const Task> tasks;
    const CancellationScope* scope = currentScope();
    std::atomic<size_t> next = 0;
    std::latch left;
};

}  // namespace

void runTogether(ThreadPool& pool, std::span<const Task> tasks) {
    const auto shared = std::make_shared<Shared>(tasks);
    for (size_t i = 1; i < tasks.size(); ++i) {
        try {
            pool.run([shared] { shared->work(); });
        } catch (...) {
            break;  // no thread, or no memory: this thread does the rest
        }
    }
    shared->work();
    shared->left.wait();
}

}  // namespace nn::driver
