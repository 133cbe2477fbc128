
#include <absl/algorithm/container.h>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/elements.h"
#include "ops/argmax_argmin/signature.h"

namespace nn::ops {
namespace argmax_argmin {
namespace {

// y[...] = the least i for which no x[..., j, ...] is better than x[..., i, ...]
template <class Better>
bool best(KernelCall& op, Better better) {
    const AxisSlices slices(op.input(kInput), *op.int32(kAxis));
    const size_t inner = slices.stride();
    const auto y = op.output(0).mutableAs<int32_t>();
    absl::c_fill(y, 0);
    visitElements(op, kInput, [&]<class E>(std::span<const E> x) {
        // Reads in the order of memory: across slices, not along each.
        for (size_t outer = 0; outer < slices.count() / inner; ++outer) {
            const E* slab = x.data() + outer * slices.size() * inner;
            int32_t* index = y.data() + outer * inner;
            for (size_t i = 1; i < slices.size(); ++i) {
                for (size_t j = 0; j < inner; ++j) {
                    const E best = slab[static_cast<size_t>(index[j]) * inner + j];
                    if (better(slab[i * inner + j], best)) index[j] = static_cast<int32_t>(i);
                }
            }
        }
    });
    return true;
}

}  // namespace
}  // namespace argmax_argmin

bool kernels::ARGMAX(KernelCall& op) {
    return argmax_argmin::best(op, [](auto a, auto b) { return a > b; });
}

bool kernels::ARGMIN(KernelCall& op) {
    return argmax_argmin::best(op, [](auto a, auto b) { return a < b; });
}

}  // namespace nn::ops
