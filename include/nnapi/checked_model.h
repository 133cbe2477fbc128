// nnapi/checked_model.h -- A validated model, so that it is not validated again.
//
//   nn::Result<nn::CheckedModel> checked = nn::check(std::move(model));
//   if (!checked.ok()) return checked.status();   // as nn::validate
//   nn::Version needed = checked->version();
//   auto versioned = nn::V1_2::utils::convert(*checked);
//   auto support = nn::supportedOperations(*checked, device);
//   auto prepared = nn::prepare(*checked);
//
// Functions that take a CheckedModel neither validate it again nor match its operations with
// signatures again. Overloads that take a Model do both themselves.
//
// Immutable. A copy shares the model and the findings, so any number of threads may use copies at
// once. Never throws and never aborts on bad input.
#pragma once

#include <memory>
#include <utility>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/until.h"

namespace nn {

struct Found;

// A model that is legal in version() and all later ones.
class CheckedModel {
   public:
    // Copies share the model. A moved-from object stays valid, since moving copies.
    CheckedModel(const CheckedModel&) = default;
    CheckedModel& operator=(const CheckedModel&) = default;

    // The model, which no longer changes; valid while a copy of this object lives.
    const Model& model() const { return *mModel; }
    // The same, to keep it without this object.
    const std::shared_ptr<const Model>& shared() const { return mModel; }

    // The lowest version that can represent the model.
    Version version() const { return mVersion; }

    // Findings of the validation; for internal use.
    const Found& found() const { return *mFound; }

   private:
    friend class ModelCheck;
    CheckedModel(std::shared_ptr<const Model> model, std::shared_ptr<const Found> found,
                 Version version)
        : mModel(std::move(model)), mFound(std::move(found)), mVersion(version) {}

    std::shared_ptr<const Model> mModel;
    std::shared_ptr<const Found> mFound;
    Version mVersion;
};

// Validates a model. Fails as validate(model, limits, until) does. The limits are checked here
// once: functions that take the result do not count operands, operations, graphs and constants
// again.
Result<CheckedModel> check(Model model, const Limits& limits = {}, const Until& until = {});

// The same for a shared model, which must not change from here on. The pointer need not own the
// model if the model outlives all copies of the result. INVALID_ARGUMENT for null.
Result<CheckedModel> check(std::shared_ptr<const Model> model, const Limits& limits = {},
                           const Until& until = {});

// Validates a model for a version. Fails as validateFor(model, target, limits, until) does.
Result<CheckedModel> checkFor(Model model, Version target, const Limits& limits = {},
                              const Until& until = {});

// Same result as validateFor(model.model(), target), without reading the model.
Status validateFor(const CheckedModel& model, Version target);

}  // namespace nn
