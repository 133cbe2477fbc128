// CHANNEL_SHUFFLE by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/channel_shuffle/signature.h"

namespace nn::ops {

bool lowerings::CHANNEL_SHUFFLE(const xnnpack::Lowerer& l) {
    using namespace channel_shuffle;
    if (!l.requireFloatOrQuant8(kInput) || !l.requireLastAxis(kAxis, *l.op.int32(kAxis))) {
        return false;
    }
    const Value& x = l.op.input(kInput);
    const size_t channels = xnnpack::lastOf(x), groups = static_cast<size_t>(*l.op.int32(kGroups));
    if (groups == 1 || groups == channels) return l.copy();
    const auto shuffle = [&](const auto& functions) {
        return l.create(functions, groups, channels / groups, channels, channels, 0) &&
               l.setUp(functions, xnnpack::count(x) / channels);
    };
    return l.isQuant8() ? shuffle(NNAPI_XNN(channel_shuffle_nc_x8))
                        : shuffle(NNAPI_XNN(channel_shuffle_nc_x32));
}

}  // namespace nn::ops
