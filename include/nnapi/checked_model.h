// nnapi/checked_model.h -- a legal model, with what checking it found.
//
//   nn::Result<nn::CheckedModel> checked = nn::check(std::move(model));
//   if (!checked.ok()) return checked.status();   // as nn::validate
//   nn::Version needed = checked->version();
//   auto versioned = nn::V1_2::utils::convert(*checked);
//   auto support = nn::supportedOperations(*checked, device);
//   auto prepared = nn::prepare(*checked);
//
// Functions that take a CheckedModel neither validate it again nor search again for the form of
// each operation. The functions of the same names that take a Model check it themselves.
//
// A CheckedModel is immutable, and copying one copies neither the model nor what was found: any
// number of threads may use copies of it at once. Never throws and never aborts on bad input.
#pragma once

#include <memory>
#include <utility>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/until.h"

namespace nn {

struct Found;

class CheckedModel {
   public:
    // Copies share the model. An object that was moved from stays a copy.
    CheckedModel(const CheckedModel&) = default;
    CheckedModel& operator=(const CheckedModel&) = default;

    const Model& model() const { return *mModel; }
    const std::shared_ptr<const Model>& shared() const { return mModel; }

    // The least version that can carry it.
    Version version() const { return mVersion; }

    // What was found out about each part; for the library itself.
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

// Fails as validate(model, limits, until) does. The limits are checked here, once: functions that
// take the result do not count the operands, operations, graphs and constants of the model again.
Result<CheckedModel> check(Model model, const Limits& limits = {}, const Until& until = {});

// The same for a shared model, which nobody may change from here on. The pointer need not own the
// model where the model outlives all copies of the result. INVALID_ARGUMENT for null.
Result<CheckedModel> check(std::shared_ptr<const Model> model, const Limits& limits = {},
                           const Until& until = {});

// Checks also that a version can carry the model. Fails as
// validateFor(model, target, limits, until) does.
Result<CheckedModel> checkFor(Model model, Version target, const Limits& limits = {},
                              const Until& until = {});

// Returns what validateFor(model.model(), target) does, without reading the model.
Status validateFor(const CheckedModel& model, Version target);

}  // namespace nn
