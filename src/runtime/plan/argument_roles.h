// Which inputs and outputs of steps an argument of an execution becomes.
#pragma once

#include <vector>

#include "runtime/plan/compound.h"

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

RoleUses usesOf(const Compound& plan, const Role& role);

}  // namespace nn::runtime
