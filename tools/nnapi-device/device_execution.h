// Executes models on a device with tensors as inputs and outputs.
//
//   NNAPI_ASSIGN_OR_RETURN(prepared, DeviceExecution::prepare(device, model));
//   NNAPI_ASSIGN_OR_RETURN(outputs, prepared.run(inputs));
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn::cli {

class DeviceExecution {
   public:
    // Fails if the device does not support the model; the message names the first unsupported
    // operation.
    static Result<DeviceExecution> prepare(const SharedDevice& device, Model model);

    // The outputs, with the dimensions that the device returns. An output whose size the model
    // leaves open gets the size that the device requests, within the limits.
    Result<std::vector<Tensor>> run(const std::vector<Tensor>& inputs, const Limits& limits) const;

   private:
    DeviceExecution(SharedPreparedModel prepared, Model model)
        : mPrepared(std::move(prepared)), mModel(std::move(model)) {}

    SharedPreparedModel mPrepared;
    Model mModel;
};

}  // namespace nn::cli
