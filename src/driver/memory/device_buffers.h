// The memory of a device that requests name by tokens: shared memory of this process, with the
// roles that it may have and whether it holds a value.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "types/process_mutex.h"

namespace nn::driver {

// A prepared model as buffers see it. They keep neither.
struct BufferUser {
    std::weak_ptr<const void> preparedModel{};
    const Model* model = nullptr;  // lives as long as the prepared model; null for a foreign one
};

class DeviceBuffer;

// All buffers of a device. Thread-safe.
class DeviceBuffers : public std::enable_shared_from_this<DeviceBuffers> {
   public:
    // At most so many bytes at one time.
    explicit DeviceBuffers(uint64_t mostBytes) : mBytesLeft(mostBytes) {}

    // As IDevice::allocate; one user for each prepared model, whom the caller keeps meanwhile.
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc, std::span<const BufferUser> users,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles);

    // Null for a token that no living buffer has.
    std::shared_ptr<const DeviceBuffer> find(Request::MemoryDomainToken token) const;

   private:
    friend DeviceBuffer;
    class Token;

    mutable ProcessMutex mMutex{};
    uint64_t mBytesLeft;
    std::vector<std::weak_ptr<const DeviceBuffer>> mBuffers{};  // by token, from 1
    std::vector<uint32_t> mFree{};                              // tokens; the last one goes first
};

// What one execution does to buffers. Between make() and begin() any time may pass, as it does
// while fences are waited for.
class BufferUse {
   public:
    // True where there is no need for all this.
    static bool hasBuffers(const Request& request);

    // Of a legal request, perhaps not for this prepared model. INVALID_ARGUMENT for a buffer that
    // is not there, or has no such role for this prepared model.
    static Result<BufferUse> make(const DeviceBuffers& buffers,
                                  const std::weak_ptr<const void>& preparedModel,
                                  const Request& request);

    // The request with the memory and the dimensions of its buffers.
    const Request& request() const { return mRequest; }

    // The same. GENERAL_FAILURE where an input holds no value.
    Result<Request> begin() const;

    // Sets which buffers hold a value. An output that did not fit its buffer is a GENERAL_FAILURE
    // without shapes: a client cannot give a buffer more room.
    ExecutionResult<Executed> end(ExecutionResult<Executed> executed) const;

   private:
    struct Output {
        size_t index = 0;  // in the request
        std::shared_ptr<const DeviceBuffer> buffer{};
    };

    Status addArguments(const std::weak_ptr<const void>& preparedModel, bool areOutputs);

    Request mRequest{};
    std::vector<std::shared_ptr<const DeviceBuffer>> mByPool{};  // null for other pools
    std::vector<std::shared_ptr<const DeviceBuffer>> mInputs{};
    std::vector<Output> mOutputs{};
};

}  // namespace nn::driver
