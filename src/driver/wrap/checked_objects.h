// Prepared models, executions and bursts that check the results of their inner objects.
//
//   const SharedPreparedModel checked = checkResults(preparedModel, outputs);
//   checked->execute(...)   // the device's result; GENERAL_FAILURE if that is not permitted
//
// Adapters always execute through these objects. See checkExecutionResult() in
// driver/wrap/result_checks.h.
#pragma once

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// Whether OUTPUT_INSUFFICIENT_SIZE requires shapes. HAL 1.0 has none, only the code.
enum class TooSmall { WITH_SHAPES, CODE_ALONE };

// Null for null. IDevice::allocate accepts the inner prepared model only, not this one.
SharedPreparedModel checkResults(SharedPreparedModel preparedModel, SharedOutputSignatures outputs,
                                 TooSmall tooSmall = TooSmall::WITH_SHAPES);
SharedBurst checkResults(SharedBurst burst, SharedOutputSignatures outputs);

}  // namespace nn::driver
