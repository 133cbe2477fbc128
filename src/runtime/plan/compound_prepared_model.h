// A plan over several devices as one prepared model.
#pragma once

#include <memory>

#include "runtime/plan/compound.h"

namespace nn::runtime {

// Steps that fail are executed on the CPU where the plan allows it; what fails nevertheless is
// the answer.
SharedPreparedModel compoundPreparedModel(std::shared_ptr<const Compound> plan);

}  // namespace nn::runtime
