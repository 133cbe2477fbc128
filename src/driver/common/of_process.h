// What threads of a process share.
#pragma once

#include <unistd.h>

#include <atomic>
#include <memory>

namespace nn::driver {

// Something that a process has for itself: one that was forked begins with a new one, since its
// threads are not there and one of them may have held a lock. What it had before stays where it is,
// untouched. Thread-safe.
template <class T>
class OfProcess {
   public:
    OfProcess() : mCurrent(new Part) {}
    OfProcess(const OfProcess&) = delete;
    OfProcess& operator=(const OfProcess&) = delete;
    ~OfProcess() {
        const Part* part = mCurrent.load();
        if (part->process == getpid()) delete part;
    }

    const std::shared_ptr<T>& get() const {
        Part* part = mCurrent.load();
        if (part->process == getpid()) return part->value;
        auto made = std::make_unique<Part>();
        // Of several threads the first.
        if (mCurrent.compare_exchange_strong(part, made.get())) part = made.release();
        return part->value;
    }

   private:
    struct Part {
        std::shared_ptr<T> value = std::make_shared<T>();
        pid_t process = getpid();
    };
    mutable std::atomic<Part*> mCurrent;
};

}  // namespace nn::driver
