// DEPTH_TO_SPACE by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/depth_to_space/signature.h"

namespace nn::ops {

bool lowerings::DEPTH_TO_SPACE(const xnnpack::Lowerer& l) {
    using namespace depth_to_space;
    if (!l.requireFloat(kInput) || !l.requireNhwc(kIsNchw)) return false;
    const auto block = static_cast<uint32_t>(*l.op.int32(kBlock));
    if (block == 1) return l.copy();
    const size_t in = xnnpack::lastOf(l.op.input(kInput)), out = xnnpack::lastOf(l.op.output(0));
    constexpr auto kMove = NNAPI_XNN(depth_to_space_nhwc_x32);
    return l.create(kMove, xnnpack::only2022(out, in, out), block, 0) &&
           l.setUpImages(kMove, xnnpack::only2024(in));
}

}  // namespace nn::ops
