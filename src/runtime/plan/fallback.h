// Executes on the CPU in place of devices that fail.
#pragma once

#include <memory>

#include "runtime/plan/compound.h"

namespace nn::runtime {

// Executes as the prepared model does, and checks what it answers: exceptions, null, shapes and
// times that cannot be are failures. With a CPU, what fails is executed once more, the whole model
// there, where it is prepared when that is first needed; what may not be repeated is the answer.
//   model     that was prepared
//   options   it was prepared with
//   takesOverlaps   whether outputs of its requests may lie over other arguments; others get them
//             apart
//   hasFences whether the prepared model is on devices of HAL 1.3 or newer; on others it executes
//             when the fences are signalled
//   name      of the device that the prepared model is on, for the listener; empty where it is on
//             several, whose failures say of which they are (failed_devices.h)
SharedPreparedModel checkedWithFallback(SharedPreparedModel preparedModel,
                                        std::shared_ptr<const Model> model,
                                        const std::optional<PlanDevice>& cpu, const Sizes& sizes,
                                        const PlanOptions& options, bool takesOverlaps,
                                        bool hasFences, std::string name);

}  // namespace nn::runtime
