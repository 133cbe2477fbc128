// nnapi/driver/device_buffers.h -- Buffers of a device's own memory, for IDevice::allocate and for
// the executions that use them.
//
//   // in allocate: one user for each prepared model, {} for those of other devices
//   return buffers->allocate(desc, users, inputRoles, outputRoles);
//   // in execute:
//   NNAPI_ASSIGN_OR_RETURN(use, nn::BufferUse::make(*buffers, weak_from_this(), request));
//   NNAPI_RETURN_IF_ERROR(validateRequestForModel(use.request(), model).status());
//   NNAPI_ASSIGN_OR_RETURN(withMemory, use.begin());
//   return use.end(compute(withMemory));
//
// A buffer is shared memory of this process, named by a token, with permitted roles and a record of
// whether it holds a value. The tokens, roles, dimensions and states of a request are checked as
// IDevice::allocate and IBuffer demand (nnapi/driver/interfaces.h). Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// A prepared model as buffers refer to it, without owning it.
struct BufferUser {
    std::weak_ptr<const void> preparedModel{};  // expired once the prepared model is gone
    const Model* model = nullptr;  // lives as long as the prepared model; null for a model of
                                   // another device
};

class DeviceBuffer;

// All buffers of a device. Owned by a std::shared_ptr, which its buffers share.
class DeviceBuffers : public std::enable_shared_from_this<DeviceBuffers> {
   public:
    // `maxBytes` bounds all buffers together.
    explicit DeviceBuffers(uint64_t maxBytes);
    DeviceBuffers(const DeviceBuffers&) = delete;
    DeviceBuffers& operator=(const DeviceBuffers&) = delete;
    ~DeviceBuffers();

    // As IDevice::allocate. One user for each prepared model, which the caller keeps alive during
    // the call.
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc, std::span<const BufferUser> users,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles);

    // Null for a token without a living buffer.
    std::shared_ptr<const DeviceBuffer> find(Request::MemoryDomainToken token) const;

   private:
    friend DeviceBuffer;
    class Token;

    struct State;
    const std::unique_ptr<State> mState;
};

// The use of buffers by one execution. Any time may pass between make() and begin(), while fences
// are waited for.
class BufferUse {
   public:
    // True if the request names any buffer; otherwise this class is not needed.
    static bool hasBuffers(const Request& request);

    // For a legal request. INVALID_ARGUMENT for a buffer that does not exist, or has no such role
    // for this prepared model.
    static Result<BufferUse> make(const DeviceBuffers& buffers,
                                  const std::weak_ptr<const void>& preparedModel,
                                  const Request& request);

    // The request with the buffers' memory and dimensions filled in.
    const Request& request() const { return mRequest; }

    // The same at the start of the execution. GENERAL_FAILURE if an input holds no value.
    Result<Request> begin() const;

    // Records which buffers hold a value. An output that did not fit its buffer is a
    // GENERAL_FAILURE without shapes: a client cannot enlarge a buffer.
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

}  // namespace nn
