// Per-process state: a forked process starts with a new object.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "types/process_generation.h"

namespace nn {

// Something that threads of one process share: one that was forked begins with a new one, since its
// threads are not there and one of them may have held a lock. What it had before stays where it is,
// untouched. Thread-safe.
template <class T>
class PerProcess {
   public:
    using Make = std::function<std::shared_ptr<T>()>;

    PerProcess() : PerProcess([] { return std::make_shared<T>(); }) {}
    explicit PerProcess(Make make) : mMake(std::move(make)), mCurrent(new Part{mMake()}) {}
    PerProcess(const PerProcess&) = delete;
    PerProcess& operator=(const PerProcess&) = delete;
    ~PerProcess() {
        const Part* part = mCurrent.load();
        if (part->process == processGeneration()) delete part;
    }

    const std::shared_ptr<T>& get() const {
        Part* part = mCurrent.load(std::memory_order_acquire);
        if (part->process == processGeneration()) [[likely]]
            return part->value;
        auto made = std::make_unique<Part>(Part{mMake()});
        // Of several threads the first.
        if (mCurrent.compare_exchange_strong(part, made.get())) part = made.release();
        return part->value;
    }

   private:
    struct Part {
        std::shared_ptr<T> value;
        uint64_t process = processGeneration();
    };
    const Make mMake;
    mutable std::atomic<Part*> mCurrent;
};

}  // namespace nn
