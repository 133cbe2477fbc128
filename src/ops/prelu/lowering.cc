// PRELU by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/prelu/signature.h"

namespace nn::ops {

bool lowerings::PRELU(const xnnpack::Lowerer& l) {
    using namespace prelu;
    if (!l.requireFloat(kInput) || !l.requireConstant(kAlpha)) return false;
    const Value &x = l.op.input(kInput), &alpha = l.op.input(kAlpha);
    const size_t channels = xnnpack::lastOf(x), slopes = xnnpack::count(alpha);
    const bool isPerChannel = slopes == channels && xnnpack::lastOf(alpha) == channels;
    if ((slopes != 1 && !isPerChannel) || xnnpack::count(l.op.output(0)) != xnnpack::count(x)) {
        return l.refuse("xnnpack.dimensions",
                        "{} has {} elements in {} dimensions, allowed one, or one for each of "
                        "the {} channels of {}",
                        l.op.in(kAlpha), slopes, alpha.dimensions.size(), channels,
                        l.op.in(kInput));
    }
    std::vector<float> all(channels);
    for (size_t c = 0; c < channels; ++c) all[c] = alpha.as<float>()[slopes == 1 ? 0 : c];
    return l.prelu(std::move(all));
}

}  // namespace nn::ops
