// One execution of a plan over several devices.
#pragma once

#include "runtime/plan/compiled_plan.h"
#include "runtime/plan/device_results.h"
#include "runtime/plan/execution_state.h"

namespace nn::runtime {

// Executes steps: directly, by bursts, by reusable executions, or with fences.
class StepCaller {
   public:
    virtual ~StepCaller() = default;

    // Executes a step, or launches it; the result of a launch has no shapes. Several steps may be
    // executed at the same time, by as many threads; launches are sequential.
    virtual ExecutionResult<Executed> call(const Step& step, size_t index,
                                           const ExecutionCall& call) = 0;

    // Returns when all launched steps have ended.
    virtual Status settle() { return {}; }

   protected:
    StepCaller() = default;
    StepCaller(const StepCaller&) = delete;
    StepCaller& operator=(const StepCaller&) = delete;
};

// Executes each step by its prepared model.
class DirectCaller final : public StepCaller {
   public:
    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;
};

// Executes all steps with a state for exclusive use, which is spent if a step fails on its device.
// The request is legal for the model; its arguments may overlap. A step that fails is executed
// again on the CPU if the plan allows it.
ExecutionResult<Executed> run(const CompiledPlan& plan, const ExecutionCall& call, State& state,
                              StepCaller& caller);

// Launches all steps, without fallback. No output of the request may overlap another argument.
ExecutionResult<Executed> launch(const CompiledPlan& plan, const ExecutionCall& call, State& state,
                                 StepCaller& caller);

}  // namespace nn::runtime
