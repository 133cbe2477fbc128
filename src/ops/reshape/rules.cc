#include <absl/algorithm/container.h>
#include <absl/container/inlined_vector.h>

#include <string>
#include <utility>
#include <vector>

#include "nnapi/checked_math.h"
#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/reshape/signature.h"

namespace nn::ops {
namespace reshape {
namespace {

// A shape with more unknown dimensions than this is treated as entirely unknown.
constexpr uint32_t kMaxUnknownDims = 32;

void rules(const OpView& op) { requireRank(op, "reshape.rank", kInput, 1, 4); }

// The sizes must be at least -1, with at most one -1.
bool requireSizes(const OpView& op, std::span<const int32_t> sizes) {
    for (const int32_t size : sizes) {
        if (!op.require(size >= -1, "reshape.size", "{} has size {}, allowed -1 or at least 0",
                        op.in(kShape), size)) {
            return false;
        }
    }
    const auto open = absl::c_count(sizes, -1);
    return op.require(open <= 1, "reshape.open", "{} has {} sizes of -1, allowed 1", op.in(kShape),
                      open);
}

// The dimensions of the output, with -1 replaced by the quotient of the element count and the
// others; empty after a report.
std::optional<Shape> outputShape(const OpView& op, std::span<const int32_t> sizes) {
    absl::InlinedVector<uint32_t, kUsualRank> given;
    for (const int32_t size : sizes) {
        if (size >= 0) given.push_back(static_cast<uint32_t>(size));
    }
    const bool isOpen = given.size() < sizes.size();
    const auto taken = checkedProduct<uint64_t>(given);
    const auto count = elementCount(op.input(kInput).shape());
    Dim rest;
    if (count) {
        const bool fits =
                taken && (isOpen ? *taken != 0 && *count % *taken == 0 : *taken == *count);
        if (!op.require(fits, "reshape.elements", "{} has {}, allowed {}{} as the sizes in {} say",
                        op.in(kInput), Plural{*count, "elements"}, isOpen ? "a multiple of " : "",
                        taken ? std::to_string(*taken) : "2^64 or more", op.in(kShape))) {
            return std::nullopt;
        }
        if (isOpen) rest = checkedCast<uint32_t>(*count / *taken);
    }
    Dims dims;
    for (const int32_t size : sizes) dims.push_back(size < 0 ? rest : Dim(size));
    return Shape(std::move(dims));
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, "reshape.shape_rank", kShape, 1, 1) ||
        !requireSameQuantization(op, "reshape.quantization", kInput, 0)) {
        return false;
    }
    const auto sizes = op.ints(kShape);
    if (!sizes) {
        const Dim rank = op.input(kShape).dim(0);
        if (rank && *rank <= kMaxUnknownDims) outputs[0] = shapeOfRank(*rank);
        return true;
    }
    if (!requireSizes(op, *sizes)) return false;
    const auto shape = outputShape(op, *sizes);
    if (!shape) return false;
    outputs[0] = *shape;
    return true;
}

}  // namespace
}  // namespace reshape

const OperationSpec specs::RESHAPE{.type = OperationType::RESHAPE,
                                   .types = reshape::kTypes,
                                   .forms = reshape::kForms,
                                   .ruleTexts = reshape::kRules,
                                   .rules = reshape::rules,
                                   .inferShapes = reshape::inferShapes};

}  // namespace nn::ops
