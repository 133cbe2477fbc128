// MEAN by XNNPACK: requires adjacent axes, so that it is an average over rows.
#include <absl/algorithm/container.h>

#include <algorithm>

#include "op_support/xnnpack/lowering.h"
#include "ops/mean/signature.h"

namespace nn::ops {

bool lowerings::MEAN(const xnnpack::Lowerer& l) {
    using namespace mean;
    if (!l.requireFloatOrQuant8(kInput)) return false;
    const Value& x = l.op.input(kInput);
    const auto rank = static_cast<int32_t>(x.dimensions.size());
    std::vector<bool> isReduced(x.dimensions.size(), false);
    const std::span<const int32_t> axes = *l.op.ints(kAxes);
    for (const int32_t axis : axes) {
        isReduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
    }
    const auto first = absl::c_find(isReduced, true);
    const auto end = std::find(first, isReduced.end(), false);
    if (first == isReduced.end() || std::find(end, isReduced.end(), true) != isReduced.end()) {
        return l.refuse("xnnpack.axis", "{} are not neighbors, as are height and width",
                        l.op.in(kAxes));
    }
    const auto product = [&](auto from, auto to) {
        size_t size = 1;
        for (auto at = from; at != to; ++at) size *= x[static_cast<size_t>(at - isReduced.begin())];
        return size;
    };
    return l.average(product(isReduced.begin(), first), product(first, end),
                     product(end, isReduced.end()), 0);
}

}  // namespace nn::ops
