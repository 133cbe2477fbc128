// Per-process state: a forked process starts with a new object.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/process_generation.h"

namespace nn {

// State shared by the threads of one process. A forked process starts with a new object, since its
// parent's threads are gone and may have held locks; the parent's object stays in memory,
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
        // If several threads race, the first one wins.
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
