#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/hashtable_lookup/signature.h"

namespace nn::ops {
namespace hashtable_lookup {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Value& hits = op.output(kHits);
    if (!requireRank(op, "hashtable_lookup.rank", kLookups, 1, 1) ||
        !requireRank(op, "hashtable_lookup.rank", kKeys, 1, 1) ||
        !requireRank(op, "hashtable_lookup.rank", kValues, 1, SIZE_MAX) ||
        !requireEqual(op, "hashtable_lookup.keys", "the number of keys", op.input(kKeys).dim(0),
                      "the number of rows of values", op.input(kValues).dim(0)) ||
        !requireSameQuantization(op, "hashtable_lookup.quantization", kValues, kOutput) ||
        !op.require(hits.scale == 1 && hits.zeroPoint == 0, "hashtable_lookup.hits",
                    "{} has scale {} and zeroPoint {}, allowed 1 and 0", op.out(kHits), hits.scale,
                    hits.zeroPoint)) {
        return false;
    }
    const Dim count = op.input(kLookups).dim(0);
    outputs[kOutput] = op.input(kValues).shape();
    if (outputs[kOutput]) outputs[kOutput]->front() = count;
    outputs[kHits] = {count};
    return true;
}

}  // namespace
}  // namespace hashtable_lookup

const OperationSpec specs::HASHTABLE_LOOKUP{.type = OperationType::HASHTABLE_LOOKUP,
                                            .types = hashtable_lookup::kTypes,
                                            .forms = hashtable_lookup::kForms,
                                            .ruleTexts = hashtable_lookup::kRules,
                                            .inferShapes = hashtable_lookup::inferShapes};

}  // namespace nn::ops
