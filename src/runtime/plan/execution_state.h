// The memory of one execution, and where the values of its graphs are.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "nnapi/memory.h"
#include "runtime/plan/compound.h"
#include "runtime/plan/overlapping_arguments.h"
#include "types/process_mutex.h"

namespace nn::runtime {

// Where a value is.
struct Value {
    enum class Kind : uint8_t { NONE, OMITTED, INPUT, OUTPUT, REGION, DYNAMIC };
    Kind kind = Kind::NONE;
    uint32_t index = 0;       // of the argument, of the dynamic temporary
    Region region{};          // REGION
    Dimensions dimensions{};  // those that the model leaves open; else empty
};

// For one execution at one time.
class State {
   public:
    static Result<std::unique_ptr<State>> make(const Compound& plan);

    // By number of the graph and operand.
    std::vector<std::vector<Value>> values{};

    // Of all regions; null where there are none. Nobody can shorten it.
    SharedMemory memory{};
    uint8_t* at(const Region& region) const { return mBytes.mutableData() + region.offset; }

    // Of a value of unknown size: what it takes now.
    struct Dynamic {
        SharedMemory memory{};
        uint32_t capacity = 0;
    };
    std::vector<Dynamic> dynamics{};

    // Of outputs that lie over other arguments.
    OutputStage stage{};
    KnownFiles files{};

    // A device has failed on it, and may use the memory still: nobody gets it again.
    bool isSpent = false;

    // Room for at least so many bytes; more than that, so that it does not grow each time.
    Status grow(uint32_t dynamic, uint32_t bytes);

   private:
    Mapping mBytes{};
};

// Objects for one user at one time, kept for the next. Thread-safe.
template <class T>
class ObjectPool {
   public:
    std::unique_ptr<T> take() {
        const std::lock_guard lock(mMutex);
        if (mFree.empty()) return nullptr;
        auto seat = std::move(mFree.back());
        mFree.pop_back();
        return seat;
    }
    void giveBack(std::unique_ptr<T> seat) {
        const std::lock_guard lock(mMutex);
        if (mFree.size() < kMost) mFree.push_back(std::move(seat));
    }

   private:
    static constexpr size_t kMost = 4;
    ProcessMutex mMutex{};
    std::vector<std::unique_ptr<T>> mFree{};
};

}  // namespace nn::runtime
