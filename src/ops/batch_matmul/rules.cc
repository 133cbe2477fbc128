#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/batch_matmul/signature.h"

namespace nn::ops {
namespace batch_matmul {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    constexpr std::string_view kRank = "batch_matmul.rank";
    constexpr std::string_view kShapes = "batch_matmul.shapes";
    if (!requireRank(op, kRank, kX, 2, 4) || !requireRank(op, kRank, kY, 2, 4)) return false;
    const auto rank = op.input(kX).rank();
    const auto rankY = op.input(kY).rank();
    if (!rank || !rankY) return true;
    if (!requireRank(op, kRank, kY, *rank, *rank)) return false;

    const size_t row = *rank - 2;
    const size_t column = *rank - 1;
    Dims shape(*rank);
    for (size_t i = 0; i < row; ++i) {
        if (!requireSameDim(op, kShapes, kY, i, kX, i)) return false;
        shape[i] = op.input(kX).dim(i) ? op.input(kX).dim(i) : op.input(kY).dim(i);
    }
    const auto adjointX = op.boolean(kAdjointX);
    const auto adjointY = op.boolean(kAdjointY);
    if (adjointX) shape[row] = op.input(kX).dim(*adjointX ? column : row);
    if (adjointY) shape[column] = op.input(kY).dim(*adjointY ? row : column);
    outputs[0] = std::move(shape);
    return !adjointX || !adjointY ||
           requireSameDim(op, kShapes, kY, *adjointY ? column : row, kX, *adjointX ? row : column);
}

}  // namespace
}  // namespace batch_matmul

const OperationSpec specs::BATCH_MATMUL{.type = OperationType::BATCH_MATMUL,
                                        .types = batch_matmul::kTypes,
                                        .forms = batch_matmul::kForms,
                                        .ruleTexts = batch_matmul::kRules,
                                        .inferShapes = batch_matmul::inferShapes};

}  // namespace nn::ops
