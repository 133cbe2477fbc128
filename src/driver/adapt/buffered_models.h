// Device memory in plain shared memory, for prepared models that do not support it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nnapi/driver/device_buffers.h"
#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// The buffers of a device and the prepared models that use them. Thread-safe.
class BufferedModels {
   public:
    // `maxBytes` bounds all buffers together.
    explicit BufferedModels(uint64_t maxBytes)
        : mBuffers(std::make_shared<DeviceBuffers>(maxBytes)) {}

    // A prepared model that resolves the buffers of a request and forwards all else. A fenced
    // execution with buffers waits for its fences in the calling thread. getUnderlyingResource()
    // is the wrapper's own.
    SharedPreparedModel wrap(SharedPreparedModel inner, const Model& model) const;

    // As IDevice::allocate. Only prepared models of this object, or those that forward to one, are
    // known.
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles) const;

   private:
    const std::shared_ptr<DeviceBuffers> mBuffers;
};

}  // namespace nn::driver
