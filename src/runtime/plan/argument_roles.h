// Maps an argument of a plan to the inputs and outputs of its steps.
#pragma once

#include <vector>

#include "runtime/plan/compiled_plan.h"

namespace nn::runtime {

struct StepUse {
    size_t step = 0;
    uint32_t ioIndex = 0;
    bool isInput = false;
};

struct RoleUses {
    std::vector<StepUse> steps{};
    bool isOfPlan = false;  // the plan itself reads or writes it
};

RoleUses usesOf(const CompiledPlan& plan, const Role& role);

}  // namespace nn::runtime
