// One operation as one operator of XNNPACK, or the reason why there is none.
//
// XNNPACK has two kinds of 8-bit values, signed and unsigned ones, and not each of its operators
// for both. They differ in the uppermost bit of each byte and in the zero point by 128, so that
// every value of the model can be stored in either way, whatever its type says. An operator reads
// and writes the one that it has; where it has both, that in which its first input is stored.
#pragma once

#include <absl/container/inlined_vector.h>
#include <xnnpack.h>

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "opkit/rules/call.h"
#include "validate/preparation.h"

namespace nn::xnnpack {

// True for types whose values can be stored in both ways.
constexpr bool isQuant8(OperandType type) {
    return ops::isQuant8Asymm(type) || type == OperandType::TENSOR_QUANT8_SYMM;
}

// What signed and unsigned values of 8 bits differ in.
inline constexpr uint8_t kUppermostBit = 0x80;

// How the model gives and wants values of a type.
constexpr bool isSigned(OperandType type) {
    return type != OperandType::TENSOR_QUANT8_ASYMM && isQuant8(type);
}

struct Lowering {
    // Makes the operator; weights are packed here, and not read afterwards. An operator keeps the
    // addresses that it was set up with, so that each of several executions at one time has its
    // own. Null where the bytes of the input are those of the output.
    std::function<xnn_status(xnn_operator_t*)> create{};

    // Tells an operator where its inputs and its output lie.
    std::function<xnn_status(xnn_operator_t, std::span<const uint8_t* const> inputs,
                             uint8_t* output, pthreadpool_t)>
            setUp{};

    // What it reads while it runs, by position among the inputs of the operation.
    absl::InlinedVector<uint32_t, 2> inputs{};

    // How 8-bit inputs and outputs are stored.
    bool isSigned = false;
};

// `sink` is that of the operation; `isStoredSigned` tells of each operand of the graph how it is
// stored. The data of constants must outlive the result.
std::optional<Refusal> lower(const ops::Call& op, const OperationSink& sink,
                             const KnownOperation& known, const std::vector<bool>& isStoredSigned,
                             Lowering& lowering);

// Why an operator could not be made or set up.
Refusal refusalOf(xnn_status status, std::string_view what);

}  // namespace nn::xnnpack
