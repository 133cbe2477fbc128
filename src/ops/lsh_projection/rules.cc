#include "nnapi/checked_math.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/lsh_projection/signature.h"

namespace nn::ops {
namespace lsh_projection {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    constexpr std::string_view kShapes = "lsh_projection.shapes";
    const auto rank = op.input(kInput).rank();
    if (!requireRank(op, "lsh_projection.rank", kHash, 2, 2) ||
        !op.require(!rank || *rank > 0, "lsh_projection.rank", "{} has rank 0, allowed 1 or more",
                    op.in(kInput)) ||
        !requireDimAtLeast(op, kShapes, kInput, 0, 1)) {
        return false;
    }
    const Dim bits = op.input(kHash).dim(1);
    if (!op.require(!bits || (*bits >= 1 && *bits <= 32), "lsh_projection.bits",
                    "dimension 1 of {} is {}, allowed 1 to 32", op.in(kHash), bits.value_or(0))) {
        return false;
    }

    outputs[0] = Dims{std::nullopt};
    const auto type = op.int32(kType);
    if (!type) return true;
    if (!op.require(*type >= 1 && *type <= 3, "lsh_projection.type",
                    "{} is {}, allowed 1 (SPARSE_DEPRECATED), 2 (DENSE) or 3 (SPARSE)",
                    op.in(kType), *type)) {
        return false;
    }
    const Dim hashes = op.input(kHash).dim(0);
    if (static_cast<Projection>(*type) != Projection::DENSE) {
        outputs[0] = Dims{hashes};
        return op.require(!op.has(kWeights), "lsh_projection.weights",
                          "{} has a value, allowed only for type 2 (DENSE)", op.in(kWeights));
    }
    const Dim size = checkedMul<uint32_t>(hashes, bits);
    outputs[0] = Dims{size};
    return op.require(size || !hashes || !bits, kShapes, "{} has {} bits, allowed up to 4294967295",
                      op.in(kHash), uint64_t{hashes.value_or(0)} * bits.value_or(0)) &&
           op.require(op.has(kWeights), "lsh_projection.weights",
                      "{} has no value, allowed only for types 1 and 3", op.in(kWeights)) &&
           requireRank(op, "lsh_projection.rank", kWeights, 1, 1) &&
           requireSameDim(op, kShapes, kWeights, 0, kInput, 0);
}

}  // namespace
}  // namespace lsh_projection

const OperationSpec specs::LSH_PROJECTION{.type = OperationType::LSH_PROJECTION,
                                          .types = lsh_projection::kTypes,
                                          .forms = lsh_projection::kForms,
                                          .ruleTexts = lsh_projection::kRules,
                                          .inferShapes = lsh_projection::inferShapes};

}  // namespace nn::ops
