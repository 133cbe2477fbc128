#include "interpreter/execution.h"
#include "interpreter/moves.h"
#include "ops/pad/signature.h"

namespace nn::ops {
namespace pad {
namespace {

// y[before + i] = x[i], and the given element everywhere else
void pad(Execution& op, const void* element) {
    const Value& input = op.input(kInput);
    const Value& output = op.output(0);
    const auto paddings = *op.ints(kPaddings);
    fillElements(output, element);
    Move move(input);
    size_t from = 1;
    size_t to = 1;
    size_t start = 0;
    for (size_t i = input.dimensions.size(); i-- > 0;) {
        move.axis(input[i], from, to);
        start += static_cast<size_t>(paddings[2 * i]) * to;
        from *= input[i];
        to *= output[i];
    }
    move.run(output, 0, start);
}

}  // namespace
}  // namespace pad

bool kernels::PAD(Execution& op) {
    const Value& input = op.input(pad::kInput);
    constexpr float kZero = 0;  // all bytes 0, also as a float16
    const auto zeroPoint = static_cast<uint8_t>(input.zeroPoint);
    if (isQuant8Asymm(input.type)) {
        pad::pad(op, &zeroPoint);
    } else {
        pad::pad(op, &kZero);
    }
    return true;
}

bool kernels::PAD_V2(Execution& op) {
    if (const auto stored = op.int32(pad::kPadValue)) {
        const auto lowByte = static_cast<uint8_t>(*stored);
        pad::pad(op, &lowByte);
    } else {
        pad::pad(op, op.input(pad::kPadValue).data);
    }
    return true;
}

}  // namespace nn::ops
