#include <cmath>

#include "interpreter/broadcast.h"
#include "interpreter/execution.h"

namespace nn::ops {

// y = base ^ exponent
bool kernels::POW(Execution& op) {
    broadcastReals(op, [](float base, float exponent) { return std::pow(base, exponent); });
    return true;
}

}  // namespace nn::ops
