// Replaces the device buffers of a request by plain memory, for devices that cannot read them.
#pragma once

#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "runtime/plan/value_sizes.h"

namespace nn::runtime {

// True if an argument may be in a device buffer.
bool hasBuffers(const Request& request);

class PlainRequest {
   public:
    // The same request with plain shared memory instead of device buffers; inputs are copied now.
    // GENERAL_FAILURE for a buffer that is named only by its token, and for one whose size is in
    // neither model nor request.
    static Result<PlainRequest> of(const Request& request, const Model& model, const Sizes& sizes);

    const Request& request() const { return mRequest; }

    // Copies outputs to their buffers after a successful execution.
    Status finish() const;

   private:
    Status replace(Request::Argument& argument, const Operand& operand, const Sizes& sizes,
                   bool isOutput);

    Request mRequest{};
    std::vector<std::pair<SharedBuffer, SharedMemory>> mOutputs{};
};

}  // namespace nn::runtime
