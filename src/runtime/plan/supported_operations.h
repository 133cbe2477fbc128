// Which operations of a model a device supports.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/slice.h"
#include "runtime/plan/plan.h"

namespace nn::runtime {

// Asks devices about one model. Not thread-safe.
class Support {
   public:
    explicit Support(CheckedModel model) : mModel(std::move(model)) {}

    // One answer for each operation of the main graph. A driver is asked about the part of the
    // model that its version carries; where it fails, or answers for another number of operations,
    // it supports none.
    std::vector<bool> of(const PlanDevice& device);

   private:
    std::vector<bool> ofSlice(const IDevice& device);

    CheckedModel mModel;
    std::map<Version::Level, std::optional<Slice>> mSlices{};  // empty: there is none
};

}  // namespace nn::runtime
