// Facts that validation finds out and later steps reuse.
#pragma once

#include <absl/container/inlined_vector.h>

#include <memory>
#include <optional>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/validate.h"
#include "opkit/rules/signature.h"
#include "types/deadline_checks.h"
#include "validate/report.h"

namespace nn {

struct FoundOperation {
    // The form that its operands fit, also where it breaks rules of the operation; null where there
    // is none, as for extensions, IF and WHILE.
    const ops::Form* form = nullptr;

    Version version{};     // that it needs by itself; its operands may need a later one
    bool isLegal = false;  // it fits its signature, and its rules
};

// Of one graph, by index.
struct FoundGraph {
    std::vector<Version> operands{};  // that each needs by itself; its pool may need a later one
    std::vector<FoundOperation> operations{};
};

struct Found {
    // Each need that no earlier one covers, in the order in which they were found: the first error
    // against a target is the first of these that is beyond it.
    std::vector<Step> steps{};

    absl::InlinedVector<FoundGraph, 1> graphs{};  // the main one, then the referenced ones

    const FoundGraph& main() const { return graphs.front(); }
};

// Makes a CheckedModel.
class ModelCheck {
   public:
    // As check(model, limits), as part of some work that is watched as a whole.
    static Result<CheckedModel> run(std::shared_ptr<const Model> model,
                                    std::optional<Version> target, const Limits& limits,
                                    DeadlineChecks& watched);

    // Of a model that a caller keeps for as long as the result is used.
    static Result<CheckedModel> borrow(const Model& model, const Limits& limits = {});

    // Another model, of which the same would be found.
    static CheckedModel replace(const CheckedModel& checked, Model model);
};

}  // namespace nn
