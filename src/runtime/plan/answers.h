// Checks the answers of devices to the executions of a plan.
#pragma once

#include <utility>
#include <vector>

#include "driver/memory/execution_call.h"
#include "driver/wrap/answer_checks.h"
#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

using driver::ExecutionCall;
using driver::OwnedCall;

// Of what a driver answers, for the judge.
inline constexpr driver::AnswerNames kDriverAnswers{"", "the driver answers times that cannot be"};

// What the callback of a fenced execution tells, once it is judged.
using FencedInfos = driver::FencedTimings;
GeneralResult<FencedInfos> checkedInfos(const ExecuteFencedInfoCallback& callback,
                                        MeasureTiming measure);

// The prepared model executes, and its answer is checked.
ExecutionResult<Executed> executeOn(const IPreparedModel& preparedModel, const ExecutionCall& call,
                                    const std::vector<driver::OutputSignature>& signature);

// True for a failure that another device would answer too, or that comes too late for one: an
// output without enough room, and a deadline or the time of a loop that has passed.
bool isFinal(ErrorStatus code, const OptionalTimePoint& deadline, bool hasLoop);

// Of two parts that are executed one after the other. What is not known of one is not known of
// both.
Timing sum(const Timing& a, const Timing& b);

}  // namespace nn::runtime
