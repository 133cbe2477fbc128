// ANeuralNetworksMemory.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/process_mutex.h"
#include "nnapi/driver/interfaces.h"
#include "runtime/compiled/compiled_model.h"
#include "runtime/objects/codes.h"
#include "runtime/objects/event.h"

namespace nn::runtime {

// A role of a memory: an input or output of a compilation.
struct MemoryRole {
    std::shared_ptr<const Compiled> compiled{};
    uint32_t index = 0;
    bool isInput = false;
    float frequency = 0;

    bool isSame(const Compiled* other, uint32_t otherIndex, bool otherIsInput) const {
        return compiled.get() == other && index == otherIndex && isInput == otherIsInput;
    }
};

// A description of a memory.
struct MemoryDescription {
    std::vector<MemoryRole> roles{};
    // The operand that all roles agree on, with the dimensions that any of them, or the
    // description, specifies.
    Operand operand{};
};

// Numbers executions and copies in the order of their starts.
uint64_t nextStart();

// Plain memory, or memory created from a description. Thread-safe.
class ApiMemory {
   public:
    explicit ApiMemory(SharedMemory memory) : mMemory(std::move(memory)) {}
    ApiMemory(SharedBuffer buffer, MemoryDescription description)
        : mBuffer(std::move(buffer)), mDescription(std::move(description)) {}
    ApiMemory(SharedMemory memory, MemoryDescription description)
        : mMemory(std::move(memory)), mDescription(std::move(description)) {}

    // Null for memory of a device.
    const SharedMemory& memory() const { return mMemory; }
    // True for memory created from a description.
    bool isDescribed() const { return mDescription.has_value(); }

    // The pool that requests name.
    Request::MemoryPool pool() const;

    // Checks its use as a constant's value, and as an argument without a role.
    ApiStatus checkPlain(size_t offset, size_t length) const;
    // Checks its use as an argument of a compilation. dimensions: of the argument, empty if it has
    // none.
    ApiStatus checkRole(const Compiled& compiled, uint32_t index, bool isInput,
                        const Dimensions& dimensions, size_t offset, size_t length) const;

    // From here on: for memory created from a description.

    // These dimensions, completed by those of the description.
    Dimensions dimensionsOf(const Dimensions& more) const;
    // Records the result of a fenced execution that has ended. Called without a lock.
    void refresh() const;
    // True if it has a value of these dimensions, or will have one after these events. Empty
    // dimensions are unknown.
    Status checkValue(const Dimensions& dimensions,
                      const std::vector<std::shared_ptr<ApiEvent>>& after) const;
    // The dimensions of its value, or the known ones before it has one.
    Dimensions dimensions() const;
    // Sets the value that it will have once the event has ended.
    void promise(const std::shared_ptr<ApiEvent>& event, const Dimensions& dimensions,
                 uint64_t start);
    // Records the result of an execution or a copy, unless a later one has already ended. Empty
    // dimensions are those of the description.
    void setValue(bool isThere, const Dimensions& dimensions, uint64_t start);

    // Copies by the rules of ANeuralNetworksMemory_copy.
    static ApiStatus copy(const ApiMemory& from, ApiMemory& to);

   private:
    static ApiStatus copyBytes(const ApiMemory& from, ApiMemory& to, const Dimensions& dimensions);
    std::optional<uint64_t> sizeFor(const Dimensions& dimensions) const;

    SharedMemory mMemory{};
    SharedBuffer mBuffer{};
    std::optional<MemoryDescription> mDescription{};

    struct Promise {
        std::weak_ptr<ApiEvent> event{};
        Dimensions dimensions{};
    };

    mutable ProcessMutex mMutex{};
    uint64_t mLastStart = 0;  // of the execution or copy that set mHasValue
    Promise mPromise{};
    bool mHasValue = false;
    Dimensions mValueDimensions{};
};

}  // namespace nn::runtime
