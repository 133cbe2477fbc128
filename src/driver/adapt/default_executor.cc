#include "driver/adapt/default_executor.h"

#include <utility>

#include "driver/adapt/launch.h"
#include "driver/threads/thread_pool.h"

namespace nn::hal::adapter {

Executor defaultExecutor(size_t numberOfThreads) {
    return [pool = std::make_shared<driver::ThreadPool>(numberOfThreads)](
                   Task task, const OptionalTimePoint&) { pool->run(std::move(task)); };
}

bool launchWork(const Executor& executor, const OptionalTimePoint& deadline,
                const std::shared_ptr<OwedWork>& owed) {
    // Drops the work once the executor has destroyed the last copy of the task.
    struct Ticket {
        explicit Ticket(std::shared_ptr<OwedWork> work) : owed(std::move(work)) {}
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        ~Ticket() { owed->drop(); }
        std::shared_ptr<OwedWork> owed;
    };
    try {
        executor([ticket = std::make_shared<Ticket>(owed)] { ticket->owed->run(); }, deadline);
    } catch (...) {
        owed->drop();
    }
    return !owed->wasDropped();
}

}  // namespace nn::hal::adapter
