// A plan over several devices as one prepared model.
#pragma once

#include <memory>

#include "runtime/plan/compiled_plan.h"

namespace nn::runtime {

// Steps that fail are executed on the CPU if the plan allows it. If that fails too, so does the
// execution.
SharedPreparedModel compoundPreparedModel(std::shared_ptr<const CompiledPlan> plan);

}  // namespace nn::runtime
