// The vector loops for the instructions that every processor of the architecture has.
#define NNAPI_INSTRUCTION_SET baseline
#include "op_support/kernels/vector_loops.h"

namespace nn::ops {

const VectorKernels* baselineKernels() { return &baseline::kKernels; }

}  // namespace nn::ops
