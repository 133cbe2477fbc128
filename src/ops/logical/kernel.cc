
#include <absl/algorithm/container.h>

#include "op_support/kernels/broadcast.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/logical/signature.h"

namespace nn::ops {
namespace logical {
namespace {

// y = f(a, b); any byte except 0 is true
template <class F>
bool combine(KernelCall& op, F f) {
    broadcastInto(op, op.input(kInput0).as<uint8_t>(), op.input(kInput1).as<uint8_t>(),
                  op.output(0).mutableAs<uint8_t>(),
                  [f](uint8_t a, uint8_t b) { return static_cast<uint8_t>(f(a != 0, b != 0)); });
    return true;
}

}  // namespace
}  // namespace logical

bool kernels::LOGICAL_AND(KernelCall& op) {
    return logical::combine(op, [](bool a, bool b) { return a && b; });
}

bool kernels::LOGICAL_OR(KernelCall& op) {
    return logical::combine(op, [](bool a, bool b) { return a || b; });
}

// y = not x
bool kernels::LOGICAL_NOT(KernelCall& op) {
    absl::c_transform(op.input(logical::kInput0).as<uint8_t>(),
                      op.output(0).mutableAs<uint8_t>().begin(),
                      [](uint8_t x) { return static_cast<uint8_t>(x == 0); });
    return true;
}

}  // namespace nn::ops
