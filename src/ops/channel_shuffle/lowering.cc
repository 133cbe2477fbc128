// CHANNEL_SHUFFLE by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/channel_shuffle/signature.h"

namespace nn::ops::channel_shuffle {

static bool lowerChannelShuffle(const xnnpack::Lowerer& l) {
    if (!l.requireFloatOrQuant8(kInput) || !l.requireLastAxis(kAxis, *l.op.int32(kAxis))) {
        return false;
    }
    const Value& x = l.op.input(kInput);
    const size_t channels = xnnpack::lastOf(x), groups = static_cast<size_t>(*l.op.int32(kGroups));
    if (groups == 1 || groups == channels) return l.copy();
    return l.create(l.isQuant8() ? xnn_create_channel_shuffle_nc_x8
                                 : xnn_create_channel_shuffle_nc_x32,
                    groups, channels / groups, channels, channels, 0) &&
           l.setUp(l.isQuant8() ? xnn_setup_channel_shuffle_nc_x8
                                : xnn_setup_channel_shuffle_nc_x32,
                   xnnpack::count(x) / channels);
}

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::CHANNEL_SHUFFLE, lowerChannelShuffle}};

}  // namespace nn::ops::channel_shuffle

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows channel_shuffle = ops::channel_shuffle::kLowerings;
}
