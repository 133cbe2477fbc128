// One execution of a plan over several devices.
#pragma once

#include "runtime/plan/answers.h"
#include "runtime/plan/compound.h"
#include "runtime/plan/execution_state.h"

namespace nn::runtime {

// How steps are executed: each by itself, by bursts, one behind the fence of the other.
class StepCaller {
   public:
    virtual ~StepCaller() = default;

    // Executes a step, or arranges that it is executed; then the answer has no shapes.
    virtual ExecutionResult<Executed> call(const Step& step, size_t index,
                                           const ExecutionCall& call) = 0;

    // Returns when all is computed that was arranged.
    virtual Status settle() { return {}; }

   protected:
    StepCaller() = default;
    StepCaller(const StepCaller&) = delete;
    StepCaller& operator=(const StepCaller&) = delete;
};

// By the prepared models.
class DirectCaller final : public StepCaller {
   public:
    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;
};

// Executes all steps on a state that nobody else uses meanwhile, and which is spent where any of
// them fails on its device, or all fails. The request is legal for the model; its arguments may lie
// over each other. A step that fails is executed again on the CPU, where the plan allows that.
ExecutionResult<Executed> run(const Compound& plan, const ExecutionCall& call, State& state,
                              StepCaller& caller);

// Arranges that all steps are executed. No output of the request overlaps another argument, and
// nothing falls back.
ExecutionResult<Executed> launch(const Compound& plan, const ExecutionCall& call, State& state,
                                 StepCaller& caller);

}  // namespace nn::runtime
