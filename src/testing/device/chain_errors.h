// Bounds the errors of a chain of operations by those of its single operations.
#pragma once

#include <span>

#include "nnapi/io.h"
#include "nnapi/testing/compare.h"
#include "testing/device/reference_work.h"

namespace nn::testing {

// True if operations that keep their criteria can have computed these outputs of the case: one step
// of a coarse scale can be all that the next operation tells apart, and NaN can become any bound.
// The reference computes the model several times, with results that are off by what `ofEach`
// allows; an element may lie anywhere between what comes out, widened by `ofAll`. False where the
// reference cannot compute the model, true where that would be more work than a test may cost.
bool areWithinErrors(const TestCase& testCase, std::span<const Tensor> outputs,
                     const Criteria& ofEach, const Criteria& ofAll,
                     const OwnWorkHook& onOwnWork = {});

}  // namespace nn::testing
