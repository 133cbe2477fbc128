#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/random_multinomial/signature.h"

namespace nn::ops {
namespace random_multinomial {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, "random_multinomial.rank", kLogits, 2, 2) ||
        !requireRank(op, "random_multinomial.rank", kSeeds, 1, 1) ||
        !requireDim(op, "random_multinomial.seeds", kSeeds, 0, 2) ||
        !requireAtLeast(op, "random_multinomial.samples", kSamples, 0)) {
        return false;
    }
    const auto samples = op.int32(kSamples);
    outputs[0] =
            Dims{op.input(kLogits).dim(0), samples ? Dim(static_cast<uint32_t>(*samples)) : Dim()};
    return true;
}

}  // namespace
}  // namespace random_multinomial

const OperationSpec specs::RANDOM_MULTINOMIAL{.type = OperationType::RANDOM_MULTINOMIAL,
                                              .types = random_multinomial::kTypes,
                                              .forms = random_multinomial::kForms,
                                              .ruleTexts = random_multinomial::kRules,
                                              .inferShapes = random_multinomial::inferShapes};

}  // namespace nn::ops
