// The memory of one execution of a plan, and the places of its values.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/process_mutex.h"
#include "nnapi/memory.h"
#include "runtime/plan/compiled_plan.h"
#include "runtime/plan/overlapping_arguments.h"

namespace nn::runtime {

// The place of a value in one execution.
struct Value {
    enum class Kind : uint8_t { NONE, OMITTED, INPUT, OUTPUT, REGION, DYNAMIC };
    Kind kind = Kind::NONE;
    uint32_t index = 0;       // of the argument or the dynamic temporary
    Region region{};          // REGION
    Dimensions dimensions{};  // if the model leaves them open; otherwise empty
};

// The state of one execution. Reused, but never by two executions at once.
class State {
   public:
    static Result<std::unique_ptr<State>> make(const CompiledPlan& plan);

    // Indexed by graph and operand.
    std::vector<std::vector<Value>> values{};

    // The memory of all regions; null without regions. It cannot be truncated.
    SharedMemory memory{};
    uint8_t* at(const Region& region) const { return mBytes.mutableData() + region.offset; }

    // The current memory of a value of unknown size.
    struct Dynamic {
        SharedMemory memory{};
        uint32_t capacity = 0;
    };
    std::vector<Dynamic> dynamics{};

    // Staging memory of outputs that overlap other arguments.
    OutputStage stage{};
    KnownFiles files{};

    // Set after a device failure. The state is not reused, since the device may still use its
    // memory.
    bool isSpent = false;

    // Grows a dynamic value to at least this many bytes, and some more for the next execution.
    Status grow(uint32_t dynamic, uint32_t bytes);

    // Copies all values to other memory, and forgets the memory that they had.
    Status move();

   private:
    Mapping mBytes{};
};

// A pool of objects for exclusive use. Thread-safe.
template <class T>
class ObjectPool {
   public:
    std::unique_ptr<T> take() {
        const std::lock_guard lock(mMutex);
        if (mFree.empty()) return nullptr;
        auto object = std::move(mFree.back());
        mFree.pop_back();
        return object;
    }
    void giveBack(std::unique_ptr<T> object) {
        const std::lock_guard lock(mMutex);
        if (mFree.size() < kMaxFree) mFree.push_back(std::move(object));
    }

   private:
    static constexpr size_t kMaxFree = 4;
    ProcessMutex mMutex{};
    std::vector<std::unique_ptr<T>> mFree{};
};

}  // namespace nn::runtime
