// PAD and PAD_V2 by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/pad/signature.h"

namespace nn::ops {

bool lowerings::PAD(const xnnpack::Lowerer& l) {
    using namespace pad;
    if (!l.requireFloatOrQuant8(kInput) || !l.requireFewDimensions(kInput)) return false;
    const Value& x = l.op.input(kInput);
    const size_t rank = x.dimensions.size();
    const auto paddings = *l.op.ints(kPaddings);
    std::vector<size_t> head, tail;
    for (size_t i = 0; i < rank; ++i) {
        head.push_back(static_cast<size_t>(paddings[2 * i]));
        tail.push_back(static_cast<size_t>(paddings[2 * i + 1]));
    }
    const auto padWith = [&](const auto& functions, auto value) {
        return l.create(functions, xnnpack::Elements(std::vector{value}), 0) &&
               l.setUp(functions, rank, xnnpack::shapeOf(x), xnnpack::Sizes{head},
                       xnnpack::Sizes{tail});
    };
    const bool hasValue = l.op.type() == OperationType::PAD_V2;
    if (!l.isQuant8()) {
        const float value = hasValue ? *l.op.real(kPadValue) : 0.0f;
        return padWith(NNAPI_XNN(constant_pad_nd_x32), value);
    }
    // As stored in the model; only the lowest byte is used.
    auto value = static_cast<uint8_t>(hasValue ? *l.op.int32(kPadValue) : x.zeroPoint);
    if (l.lowering.isSigned != xnnpack::isSigned(x.type)) value ^= xnnpack::kUppermostBit;
    return padWith(NNAPI_XNN(constant_pad_nd_x8), value);
}

}  // namespace nn::ops
