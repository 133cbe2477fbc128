// Executes on the CPU instead of devices that fail.
#pragma once

#include <memory>

#include "runtime/plan/compiled_plan.h"

namespace nn::runtime {

// Wraps a prepared model and checks its results: exceptions, null, and impossible shapes and times
// are failures. With a CPU, a failed execution is repeated there with the whole model, which is
// prepared on first use, unless the failure is final.
//   model          that was prepared
//   options        of its preparation
//   allowsAliasing  outputs of its requests may overlap other arguments; otherwise they are staged
//   hasFences      its devices have HAL 1.3 or newer; otherwise it executes once the fences are
//                  signaled
//   name           of its device, for the listener; empty if it has several, which their failures
//                  name (failed_devices.h)
SharedPreparedModel checkedWithFallback(SharedPreparedModel preparedModel,
                                        std::shared_ptr<const Model> model,
                                        const std::optional<PlanDevice>& cpu, const Sizes& sizes,
                                        const PlanOptions& options, bool allowsAliasing,
                                        bool hasFences, std::string name);

}  // namespace nn::runtime
