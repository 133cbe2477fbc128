#include "backends/xnnpack/lowering.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "ops/arithmetic/signature.h"
#include "ops/conv_2d/signature.h"
#include "ops/depthwise_conv_2d/signature.h"
#include "ops/grouped_conv_2d/signature.h"

namespace nn::xnnpack {
namespace {

using namespace ops;

// Convolution reads its operands at these places.
static_assert(conv_2d::kInput == 0 && depthwise_conv_2d::kInput == 0 &&
              grouped_conv_2d::kInput == 0);

constexpr LoweringRow kRows[] = {
        {OperationType::ABS, Unary{NNAPI_XNN_UNARY(abs, f32)}},
        {OperationType::ADD, Arithmetic{.activation = arithmetic::kActivation,
                                        .real = NNAPI_XNN_BINARY(add, f32),
                                        .qs8 = NNAPI_XNN_BINARY(add, qs8),
                                        .qu8 = NNAPI_XNN_BINARY(add, qu8)}},
        {OperationType::AVERAGE_POOL_2D, lowerings::AVERAGE_POOL_2D},
        {OperationType::CAST, lowerings::CAST},
        {OperationType::CHANNEL_SHUFFLE, lowerings::CHANNEL_SHUFFLE},
        {OperationType::CONV_2D, Convolution{conv_2d::kWindowRules, conv_2d::kActivation}},
        {OperationType::DEPTHWISE_CONV_2D, Convolution{.windows = depthwise_conv_2d::kWindowRules,
                                                       .activation = depthwise_conv_2d::kActivation,
                                                       .isDepthwise = true}},
        {OperationType::DEPTH_TO_SPACE, lowerings::DEPTH_TO_SPACE},
        {OperationType::DEQUANTIZE, lowerings::DEQUANTIZE},
        {OperationType::DIV,
         Arithmetic{.activation = arithmetic::kActivation, .real = NNAPI_XNN_BINARY(divide, f32)}},
        {OperationType::ELU, lowerings::ELU},
        {OperationType::EXPAND_DIMS, Copy{}},
        {OperationType::FLOOR, Unary{NNAPI_XNN_UNARY(floor, f32)}},
        {OperationType::FULLY_CONNECTED, lowerings::FULLY_CONNECTED},
        {OperationType::GROUPED_CONV_2D,
         Convolution{grouped_conv_2d::kWindowRules, grouped_conv_2d::kActivation}},
        {OperationType::HARD_SWISH, Unary{NNAPI_XNN_UNARY(hardswish, f32)}},
        {OperationType::LOGISTIC, Unary{.real = NNAPI_XNN_UNARY(sigmoid, f32),
                                        .qs8 = NNAPI_XNN_UNARY(sigmoid, qs8),
                                        .qu8 = NNAPI_XNN_UNARY(sigmoid, qu8)}},
        {OperationType::MAXIMUM, Binary{NNAPI_XNN_BINARY(maximum, f32)}},
        {OperationType::MAX_POOL_2D, lowerings::MAX_POOL_2D},
        {OperationType::MEAN, lowerings::MEAN},
        {OperationType::MINIMUM, Binary{NNAPI_XNN_BINARY(minimum, f32)}},
        {OperationType::MUL, Arithmetic{.activation = arithmetic::kActivation,
                                        .real = NNAPI_XNN_BINARY(multiply, f32),
                                        .qs8 = NNAPI_XNN_BINARY(multiply, qs8),
                                        .qu8 = NNAPI_XNN_BINARY(multiply, qu8)}},
        {OperationType::NEG, Unary{NNAPI_XNN_UNARY(negate, f32)}},
        {OperationType::PAD, lowerings::PAD},
        {OperationType::PAD_V2, lowerings::PAD},
        {OperationType::PRELU, lowerings::PRELU},
        {OperationType::QUANTIZE, lowerings::QUANTIZE},
        {OperationType::RELU, Clamp{.activation = 1}},
        {OperationType::RELU1, Clamp{.activation = 2}},
        {OperationType::RELU6, Clamp{.activation = 3}},
        {OperationType::RESHAPE, Copy{}},
        {OperationType::RESIZE_BILINEAR, lowerings::RESIZE_BILINEAR},
        {OperationType::SOFTMAX, lowerings::SOFTMAX},
        {OperationType::SQRT, Unary{NNAPI_XNN_UNARY(square_root, f32)}},
        {OperationType::SQUEEZE, Copy{}},
        {OperationType::SUB, Arithmetic{.activation = arithmetic::kActivation,
                                        .real = NNAPI_XNN_BINARY(subtract, f32),
                                        .qs8 = NNAPI_XNN_BINARY(subtract, qs8),
                                        .qu8 = NNAPI_XNN_BINARY(subtract, qu8)}},
        {OperationType::TANH, Unary{.real = NNAPI_XNN_UNARY_2024(tanh, f32),
                                    .qs8 = NNAPI_XNN_UNARY(tanh, qs8),
                                    .qu8 = NNAPI_XNN_UNARY(tanh, qu8)}},
        {OperationType::TRANSPOSE_CONV_2D, lowerings::TRANSPOSE_CONV_2D},
};

bool isSized(const Value& value) {
    if (isNonExtensionScalar(value.type)) return true;
    return !value.dimensions.empty() && !hasZero(value.dimensions);
}

bool requireSized(const OpView& op, const Value& value, OpView::Name name) {
    return isSized(value) ||
           op.require(false, "xnnpack.dimensions",
                      "{} has dimensions {}, allowed only known ones above 0", name,
                      print(Dimensions(value.dimensions.begin(), value.dimensions.end())));
}

// The preparation of a graph infers shapes without the values of long lists, which biases may be.
// This inference checks the parameters with them.
bool requireInferredShapes(const OpView& op, const KnownOperation& known) {
    absl::InlinedVector<Shape, 2> shapes(op.outputCount());
    if (!outputShapes(known, nullptr, Limits(), op, shapes)) return false;
    for (size_t i = 0; i < shapes.size(); ++i) {
        const auto isThere = [](Dim dim, uint32_t there) { return dim == there; };
        if (shapes[i] && absl::c_equal(*shapes[i], op.output(i).dimensions, isThere)) continue;
        return op.require(false, "xnnpack.dimensions", "only an execution tells the shape of {}",
                          op.out(i));
    }
    return true;
}

// For all operations: the values and shapes that a lowering needs are known before any execution.
bool requireOperands(const OpView& op, const KnownOperation& known) {
    for (size_t i = 0; i < op.inputCount(); ++i) {
        const Value& input = op.input(i);
        if (input.omitted) {
            if (op.type() == OperationType::SQUEEZE) continue;
            return op.require(false, "xnnpack.constant", "{} has no value", op.in(i));
        }
        if (isParameter(input.type) && input.data == nullptr) {
            return op.require(false, "xnnpack.constant", "{} is not a constant", op.in(i));
        }
        if (!requireSized(op, input, op.in(i))) return false;
    }
    for (size_t i = 0; i < op.outputCount(); ++i) {
        if (!requireSized(op, op.output(i), op.out(i))) return false;
    }
    return known.isSettled || requireInferredShapes(op, known);
}

// How the first 8-bit input is stored, else how the output should be.
bool usualSign(const OpView& op, const std::vector<bool>& isStoredSigned) {
    for (size_t i = 0; i < op.inputCount(); ++i) {
        const Value& input = op.input(i);
        if (!input.omitted && isQuant8(input.type)) return isStoredSigned[input.operand];
    }
    return isSigned(op.output(0).type);
}

}  // namespace

std::optional<Refusal> lower(const OpView& op, const OperationSink& sink,
                             const KnownOperation& known, const std::vector<bool>& isStoredSigned,
                             Lowering& lowering) {
    lowering.isSigned = usualSign(op, isStoredSigned);
    const LoweringRow* row = absl::c_find_if(
            kRows, [&](const LoweringRow& candidate) { return candidate.type == op.type(); });
    if (op.require(row != std::end(kRows), "xnnpack.operation",
                   "is not an operation that XNNPACK has") &&
        requireOperands(op, known) && lower(*row, Lowerer(op, lowering))) {
        return std::nullopt;
    }
    return Refusal{.rule = std::string(sink.rule()),
                   .message = sink.message(),
                   .code = ErrorStatus::INVALID_ARGUMENT};
}

Refusal refusalOf(xnn_status status, std::string_view what) {
    const auto refusal = [&](std::string_view rule, ErrorStatus code, std::string_view why) {
        return Refusal{.rule = std::string(rule),
                       .message = fmt::format("{}: {}", what, why),
                       .code = code};
    };
    switch (status) {
        case xnn_status_out_of_memory:
            return refusal("xnnpack.memory", ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                           "XNNPACK has no memory for it");
        case xnn_status_unsupported_hardware:
            return refusal("xnnpack.hardware", ErrorStatus::INVALID_ARGUMENT,
                           "XNNPACK has no code for it on this processor");
        case xnn_status_invalid_parameter:
        case xnn_status_unsupported_parameter:
            return refusal("xnnpack.value", ErrorStatus::INVALID_ARGUMENT,
                           "XNNPACK does not take these sizes, scales or values");
        default:
            return refusal("xnnpack.failure", ErrorStatus::GENERAL_FAILURE,
                           fmt::format("XNNPACK fails with {}", static_cast<int>(status)));
    }
}

}  // namespace nn::xnnpack
