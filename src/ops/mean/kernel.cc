
#include <absl/algorithm/container.h>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/reduction.h"
#include "ops/mean/signature.h"

namespace nn::ops {
// y[j] = sum of x[i] / number of i, over the elements i of x whose other indexes are j
bool kernels::MEAN(KernelCall& op) {
    using namespace mean;
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    const auto sums = op.scratch<double>(y.size());
    absl::c_fill(sums, 0.0);
    foldAxes(op.input(kInput), *op.ints(kAxes), x, sums, [](double a, float v) { return a + v; });
    const double count = static_cast<double>(x.size()) / static_cast<double>(y.size());
    absl::c_transform(sums, y.begin(),
                      [count](double sum) { return static_cast<float>(sum / count); });
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
