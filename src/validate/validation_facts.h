// Facts that validation finds out and later steps reuse.
#pragma once

#include <absl/container/inlined_vector.h>

#include <memory>
#include <optional>
#include <vector>

#include "nnapi/validate.h"
#include "nnapi/validated_model.h"
#include "op_support/rules/signature.h"
#include "types/work_budget.h"
#include "validate/report.h"

namespace nn {

struct FoundOperation {
    // The form that its operands match, even if the operation breaks other rules; null without one,
    // as for extensions, IF and WHILE.
    const ops::Form* form = nullptr;

    Version version{};     // required by the operation; its operands may require a later one
    bool isLegal = false;  // it fits its signature, and its rules
};

// For one graph, by index.
struct GraphFacts {
    std::vector<Version> operands{};  // required by each operand; its pool may require a later one
    std::vector<FoundOperation> operations{};
};

struct ValidationFacts {
    // The requirements that no earlier one covers, in the order of validation: the first error
    // against a target is the first requirement beyond it.
    std::vector<Step> steps{};

    absl::InlinedVector<GraphFacts, 1> graphs{};  // the main one, then the referenced ones

    const GraphFacts& main() const { return graphs.front(); }
};

// Makes a ValidatedModel.
class ModelValidator {
   public:
    // Like check(model, limits), as part of work that is watched as a whole.
    static Result<ValidatedModel> run(std::shared_ptr<const Model> model,
                                      std::optional<Version> target, const Limits& limits,
                                      WorkBudget& watched);

    // For a model that the caller keeps alive as long as the result.
    static Result<ValidatedModel> borrow(const Model& model, const Limits& limits = {});

    // Replaces the model; the caller guarantees that the facts still hold.
    static ValidatedModel replace(const ValidatedModel& checked, Model model);
};

}  // namespace nn
