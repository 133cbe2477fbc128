// Prepared models, executions and bursts that check what the ones beneath them answer.
//
//   const SharedPreparedModel checked = checkAnswers(preparedModel, outputs);
//   checked->execute(...)   // as the device answers; GENERAL_FAILURE where it may not answer that
//
// Adapters answer their clients through these objects alone, whatever the way of executing. See
// judge() in driver/wrap/answer_checks.h.
#pragma once

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// Whether an execution whose outputs are too small must say their shapes. HAL 1.0 has none: there
// the code is all that drivers have to say, and clients to hear.
enum class TooSmall { WITH_SHAPES, CODE_ALONE };

// Null for null. `allocate` of a device knows the prepared model alone, not this one.
SharedPreparedModel checkAnswers(SharedPreparedModel preparedModel, SharedOutputSignatures outputs,
                                 TooSmall tooSmall = TooSmall::WITH_SHAPES);
SharedBurst checkAnswers(SharedBurst burst, SharedOutputSignatures outputs);

}  // namespace nn::driver
