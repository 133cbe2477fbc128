// nnapi/validated_model.h -- A validated model, so that it is not validated again.
//
//   nn::Result<nn::ValidatedModel> checked = nn::validateModel(std::move(model));
//   if (!checked.ok()) return checked.status();   // as nn::validate
//   nn::Version needed = checked->version();
//   auto versioned = nn::V1_2::utils::convert(*checked);
//   auto support = nn::supportedOperations(*checked, device);
//   auto prepared = nn::prepare(*checked);
//
// Functions that take a ValidatedModel neither validate it again nor match its operations with
// signatures again. Overloads that take a Model do both themselves.
//
// Immutable. A copy shares the model and the findings, so any number of threads may use copies at
// once. Never throws and never aborts on bad input.
#pragma once

#include <memory>
#include <utility>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"
#include "nnapi/types.h"

namespace nn {

struct ValidationFacts;

// A model that is legal in version() and all later ones.
class ValidatedModel {
   public:
    // Copies share the model. A moved-from object stays valid, since moving copies.
    ValidatedModel(const ValidatedModel&) = default;
    ValidatedModel& operator=(const ValidatedModel&) = default;

    // The model, which no longer changes; valid while a copy of this object lives.
    const Model& model() const { return *mModel; }
    // The same, to keep it without this object.
    const std::shared_ptr<const Model>& shared() const { return mModel; }

    // The lowest version that can represent the model.
    Version version() const { return mVersion; }

    // Findings of the validation; for internal use.
    const ValidationFacts& found() const { return *mFound; }

   private:
    friend class ModelValidator;
    ValidatedModel(std::shared_ptr<const Model> model, std::shared_ptr<const ValidationFacts> found,
                   Version version)
        : mModel(std::move(model)), mFound(std::move(found)), mVersion(version) {}

    std::shared_ptr<const Model> mModel;
    std::shared_ptr<const ValidationFacts> mFound;
    Version mVersion;
};

// Validates a model. Fails as validate(model, limits, until) does. The limits are checked here
// once: functions that take the result do not count operands, operations, graphs and constants
// again.
Result<ValidatedModel> validateModel(Model model, const Limits& limits = {},
                                     const StopCondition& until = {});

// The same for a shared model, which must not change from here on. The pointer need not own the
// model if the model outlives all copies of the result. INVALID_ARGUMENT for null.
Result<ValidatedModel> validateModel(std::shared_ptr<const Model> model, const Limits& limits = {},
                                     const StopCondition& until = {});

// Validates a model for a version. Fails as validateFor(model, target, limits, until) does.
Result<ValidatedModel> checkFor(Model model, Version target, const Limits& limits = {},
                                const StopCondition& until = {});

// Same result as validateFor(model.model(), target), without reading the model.
Status validateFor(const ValidatedModel& model, Version target);

}  // namespace nn
