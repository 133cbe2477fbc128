#include "driver/xnnpack/lowering.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "nnapi/print.h"
#include "nnapi/type_utils.h"

// The build lists the operation folders that have a lowering.cc: ROOM(conv_2d)ROOM(...)
#ifndef NNAPI_ROOMS_WITH_LOWERINGS
#error "src/CMakeLists.txt lists the rooms that have a lowering.cc"
#endif

namespace nn::xnnpack {
namespace rooms {
#define ROOM(stem) extern const LoweringRows stem;
NNAPI_ROOMS_WITH_LOWERINGS
#undef ROOM
}  // namespace rooms

namespace {

using namespace ops;

constexpr const LoweringRows* kRooms[] = {
#define ROOM(stem) &rooms::stem,
        NNAPI_ROOMS_WITH_LOWERINGS
#undef ROOM
};

// Null for operations that XNNPACK does not have.
const LoweringRow* rowOf(OperationType type) {
    for (const LoweringRows* room : kRooms) {
        const auto row = absl::c_find_if(*room, [&](const auto& it) { return it.type == type; });
        if (row != room->end()) return &*row;
    }
    return nullptr;
}

bool isSized(const Value& value) {
    if (isNonExtensionScalar(value.type)) return true;
    return !value.dimensions.empty() && !hasZero(value.dimensions);
}

bool requireSized(const Call& op, const Value& value, Call::Name name) {
    return isSized(value) ||
           op.require(false, "xnnpack.dimensions",
                      "{} has dimensions {}, allowed only known ones above 0", name,
                      print(Dimensions(value.dimensions.begin(), value.dimensions.end())));
}

// The preparation of a graph infers shapes without the values of long lists, which biases may be.
// This inference checks the parameters with them.
bool requireInferredShapes(const Call& op, const KnownOperation& known) {
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
bool requireOperands(const Call& op, const KnownOperation& known) {
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
bool usualSign(const Call& op, const std::vector<bool>& isStoredSigned) {
    for (size_t i = 0; i < op.inputCount(); ++i) {
        const Value& input = op.input(i);
        if (!input.omitted && isQuant8(input.type)) return isStoredSigned[input.operand];
    }
    return isSigned(op.output(0).type);
}

}  // namespace

std::optional<Refusal> lower(const Call& op, const OperationSink& sink, const KnownOperation& known,
                             const std::vector<bool>& isStoredSigned, Lowering& lowering) {
    lowering.isSigned = usualSign(op, isStoredSigned);
    const LoweringRow* row = rowOf(op.type());
    if (op.require(row != nullptr, "xnnpack.operation", "is not an operation that XNNPACK has") &&
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
