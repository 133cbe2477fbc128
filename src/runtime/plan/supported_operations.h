// Asks devices which operations of a model they support.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "nnapi/slice.h"
#include "nnapi/validated_model.h"
#include "runtime/plan/plan.h"

namespace nn::runtime {

// The supported operations of devices for one model. Not thread-safe.
class Support {
   public:
    explicit Support(const ValidatedModel& model) : mModel(model) {}

    // One entry for each operation of the main graph. A driver is queried for the part of the model
    // that its version can express. A driver that fails, or returns a result of the wrong length,
    // supports none.
    std::vector<bool> of(const PlanDevice& device);

    // The first failure of a driver.
    const Status& failure() const { return mFailure; }

   private:
    std::vector<bool> query(const IDevice& device, const Model& model);
    std::vector<bool> ofSlice(const IDevice& device);

    ValidatedModel mModel;
    std::map<Version::Level, std::optional<Slice>> mSlices{};  // empty: not expressible
    Status mFailure{};
};

}  // namespace nn::runtime
