// ANeuralNetworksMemoryDesc.
#pragma once

#include <memory>
#include <mutex>

#include "base/process_mutex.h"
#include "runtime/objects/memory.h"

namespace nn::runtime {

// Methods correspond to the C API functions of the same names; pointers must not be null.
// Thread-safe.
class MemoryBuilder {
   public:
    ApiStatus addRole(std::shared_ptr<const Compiled> compiled, uint32_t index, bool isInput,
                      float frequency);
    // BAD_STATE once it is finished, before other checks of the role.
    ApiStatus checkOpen() const;
    ApiStatus setDimensions(uint32_t rank, const uint32_t* dimensions);
    ApiStatus finish();

    // BAD_STATE before finish().
    ApiStatus allocate(std::shared_ptr<ApiMemory>& memory) const;

   private:
    ApiStatus checkOpenLocked() const;

    mutable ProcessMutex mMutex{};
    bool mIsFinished = false;
    MemoryDescription mDescription{};
    Dimensions mDimensions{};  // as set by the application
};

}  // namespace nn::runtime
