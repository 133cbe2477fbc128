#include "interpreter/execution.h"
#include "interpreter/moves.h"
#include "ops/squeeze/signature.h"

namespace nn::ops {
// y = x, element by element
bool kernels::SQUEEZE(Execution& op) {
    copyElements(op.input(squeeze::kInput), op.output(0));
    return true;
}

}  // namespace nn::ops
