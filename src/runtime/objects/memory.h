// Memory as applications hold it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "runtime/compiled/compiled_model.h"
#include "runtime/objects/codes.h"
#include "runtime/objects/event.h"
#include "types/process_mutex.h"

namespace nn::runtime {

// An input or output of a compilation that a memory may be.
struct MemoryRole {
    std::shared_ptr<const Compiled> compiled{};
    uint32_t index = 0;
    bool isInput = false;
    float frequency = 0;

    bool isSame(const Compiled* other, uint32_t otherIndex, bool otherIsInput) const {
        return compiled.get() == other && index == otherIndex && isInput == otherIsInput;
    }
};

// What an application says of a memory before it is there.
struct MemoryDescription {
    std::vector<MemoryRole> roles{};
    // What all roles agree on, and the dimensions that any of them, or the description, knows.
    Operand operand{};
};

// Numbers executions and copies in the order of their starts.
uint64_t nextStart();

// Plain memory, or one that was made by a description. Thread-safe.
class ApiMemory {
   public:
    explicit ApiMemory(SharedMemory memory) : mMemory(std::move(memory)) {}
    ApiMemory(SharedBuffer buffer, MemoryDescription description)
        : mBuffer(std::move(buffer)), mDescription(std::move(description)) {}
    ApiMemory(SharedMemory memory, MemoryDescription description)
        : mMemory(std::move(memory)), mDescription(std::move(description)) {}

    // Null for memory of a device.
    const SharedMemory& memory() const { return mMemory; }
    // Was it made by a description?
    bool isDescribed() const { return mDescription.has_value(); }

    // What requests name.
    Request::MemoryPool pool() const;

    // As the value of a constant, and as an argument that has no role.
    Answer checkPlain(size_t offset, size_t length) const;
    // As an argument of a compilation. dimensions: of the argument, empty where it has none.
    Answer checkRole(const Compiled& compiled, uint32_t index, bool isInput,
                     const Dimensions& dimensions, size_t offset, size_t length) const;

    // Of one that was made by a description, here and below.

    // These dimensions, and what the description knows of them.
    Dimensions dimensionsOf(const Dimensions& more) const;
    // Takes note of a fenced execution that has ended meanwhile. No lock is held.
    void refresh() const;
    // Does it hold a value of these dimensions, or will it after these events? Empty ones are not
    // known.
    Status checkValue(const Dimensions& dimensions,
                      const std::vector<std::shared_ptr<ApiEvent>>& after) const;
    // The dimensions of its value, or those that are known before there is one.
    Dimensions dimensions() const;
    // What it will hold once the event has ended.
    void promise(const std::shared_ptr<ApiEvent>& event, const Dimensions& dimensions,
                 uint64_t start);
    // What a success or a failure leaves in it, unless what started later has ended. Empty
    // dimensions are those of the description.
    void setValue(bool isThere, const Dimensions& dimensions, uint64_t start);

    // By the rules of ANeuralNetworksMemory_copy.
    static Answer copy(const ApiMemory& from, ApiMemory& to);

   private:
    static Answer copyBytes(const ApiMemory& from, ApiMemory& to, const Dimensions& dimensions);
    std::optional<uint64_t> sizeFor(const Dimensions& dimensions) const;

    SharedMemory mMemory{};
    SharedBuffer mBuffer{};
    std::optional<MemoryDescription> mDescription{};

    struct Promise {
        std::weak_ptr<ApiEvent> event{};
        Dimensions dimensions{};
    };

    mutable ProcessMutex mMutex{};
    uint64_t mLastStart = 0;  // of what has left mHasValue
    Promise mPromise{};
    bool mHasValue = false;
    Dimensions mValueDimensions{};
};

}  // namespace nn::runtime
