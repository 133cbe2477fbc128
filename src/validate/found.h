// Facts that validation finds out and later steps reuse.
#pragma once

#include <absl/container/inlined_vector.h>

#include <memory>
#include <optional>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/validate.h"
#include "op_support/rules/signature.h"
#include "types/deadline_checks.h"
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
struct FoundGraph {
    std::vector<Version> operands{};  // required by each operand; its pool may require a later one
    std::vector<FoundOperation> operations{};
};

struct Found {
    // The requirements that no earlier one covers, in the order of validation: the first error
    // against a target is the first requirement beyond it.
    std::vector<Step> steps{};

    absl::InlinedVector<FoundGraph, 1> graphs{};  // the main one, then the referenced ones

    const FoundGraph& main() const { return graphs.front(); }
};

// Makes a CheckedModel.
class ModelCheck {
   public:
    // Like check(model, limits), as part of work that is watched as a whole.
    static Result<CheckedModel> run(std::shared_ptr<const Model> model,
                                    std::optional<Version> target, const Limits& limits,
                                    DeadlineChecks& watched);

    // For a model that the caller keeps alive as long as the result.
    static Result<CheckedModel> borrow(const Model& model, const Limits& limits = {});

    // Replaces the model; the caller guarantees that the facts still hold.
    static CheckedModel replace(const CheckedModel& checked, Model model);
};

}  // namespace nn
