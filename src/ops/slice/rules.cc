#include <string>
#include <utility>

#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/slice/signature.h"

namespace nn::ops {
namespace slice {
namespace {

// Sets the size along one axis, if it is known: the given one, or the rest of the axis for -1.
// False after a report, if the box exceeds the tensor.
bool setSizeOf(const OpView& op, size_t axis, std::optional<int32_t> begin,
               std::optional<int32_t> size, Dim& dim) {
    const Dim whole = std::exchange(dim, std::nullopt);
    if (begin && !op.require(*begin >= 0 && (!whole || *begin <= int64_t{*whole}), "slice.begin",
                             "element {} of {} is {}, allowed 0 to {}", axis, op.in(kBegin), *begin,
                             whole ? std::to_string(*whole) : "the size of the dimension")) {
        return false;
    }
    if (!size) return true;
    std::optional<int64_t> rest;
    if (begin && whole) rest = int64_t{*whole} - *begin;
    if (!op.require(*size >= -1 && (!rest || *size <= *rest), "slice.size",
                    "element {} of {} is {}, allowed -1 to {}", axis, op.in(kSize), *size,
                    rest ? std::to_string(*rest) : "what is left of the dimension")) {
        return false;
    }
    if (*size >= 0) {
        dim = static_cast<uint32_t>(*size);
    } else if (rest) {
        dim = static_cast<uint32_t>(*rest);
    }
    return true;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Shape shape = op.input(kInput).shape();
    if (!requireOnePerAxis(op, "slice.begin", kBegin, kInput) ||
        !requireOnePerAxis(op, "slice.size", kSize, kInput) ||
        !requireSameQuantization(op, "slice.quantization", kInput, 0)) {
        return false;
    }
    outputs[0] = shape;
    const auto begin = op.ints(kBegin);
    const auto size = op.ints(kSize);
    for (size_t i = 0; shape && i < shape->size(); ++i) {
        const auto at = [&](const auto& list) {
            return list ? std::optional((*list)[i]) : std::nullopt;
        };
        if (!setSizeOf(op, i, at(begin), at(size), (*outputs[0])[i])) return false;
    }
    return true;
}

}  // namespace
}  // namespace slice

const OperationSpec specs::SLICE{.type = OperationType::SLICE,
                                 .types = slice::kTypes,
                                 .forms = slice::kForms,
                                 .ruleTexts = slice::kRules,
                                 .inferShapes = slice::inferShapes,
                                 .allowsZeroSizedInputs = true};

}  // namespace nn::ops
