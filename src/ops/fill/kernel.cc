#include "interpreter/execution.h"
#include "interpreter/moves.h"
#include "ops/fill/signature.h"

namespace nn::ops {
// y[i] = value
bool kernels::FILL(Execution& op) {
    fillElements(op.output(0), op.input(fill::kValue).data);
    return true;
}

}  // namespace nn::ops
