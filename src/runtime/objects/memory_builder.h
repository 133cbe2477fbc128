// ANeuralNetworksMemoryDesc.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/objects/memory.h"
#include "base/process_mutex.h"

namespace nn::runtime {

// Methods correspond to the C API functions of the same names; pointers must not be null.
// Thread-safe.
class MemoryBuilder {
   public:
    Answer addRole(std::shared_ptr<const Compiled> compiled, uint32_t index, bool isInput,
                   float frequency);
    // BAD_STATE once it is finished, before other checks of the role.
    Answer checkOpen() const;
    Answer setDimensions(uint32_t rank, const uint32_t* dimensions);
    Answer finish();

    // BAD_STATE before finish().
    Answer allocate(std::shared_ptr<ApiMemory>& memory) const;

   private:
    Answer checkOpenLocked() const;

    mutable ProcessMutex mMutex{};
    bool mIsFinished = false;
    MemoryDescription mDescription{};
    Dimensions mDimensions{};  // as set by the application
};

}  // namespace nn::runtime
