// A compilation of a support library as a canonical prepared model, with its executions.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/process_mutex.h"
#include "driver/support_library/library.h"
#include "driver/support_library/model.h"
#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// Memory of the library's device.
struct LibraryBuffer {
    Request::MemoryDomainToken token{};
    std::shared_ptr<ANeuralNetworksMemory> memory{};
    Operand operand{};  // type and dimensions
};

// All buffers of a device, by their tokens. Thread-safe.
class LibraryBuffers {
   public:
    // Fails once all tokens were given out.
    GeneralResult<std::shared_ptr<const LibraryBuffer>> add(
            std::shared_ptr<ANeuralNetworksMemory> memory, Operand operand);
    // Null for a token that no living buffer has.
    std::shared_ptr<const LibraryBuffer> find(Request::MemoryDomainToken token) const;

   private:
    mutable ProcessMutex mMutex{};
    uint32_t mLast = 0;
    std::map<uint32_t, std::weak_ptr<const LibraryBuffer>> mBuffers{};
};

// As long as it is needed by executions, bursts and memories.
struct LibraryCompilation {
    SharedLibrary library{};
    std::shared_ptr<const LibraryModel> model{};
    std::shared_ptr<LibraryBuffers> buffers{};
    std::vector<OutputSignature> outputs{};
    std::shared_ptr<ANeuralNetworksCompilation> compilation{};
};

SharedPreparedModel preparedModelOf(std::shared_ptr<const LibraryCompilation> compilation);

// Nanoseconds until the deadline, and at least 1, the shortest limit of the C API.
uint64_t nanosecondsUntil(TimePoint deadline);

}  // namespace nn::driver
