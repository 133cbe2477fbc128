// The cost of an operation on a device, from the device's capabilities.
#pragma once

#include <map>
#include <utility>

#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

// The costs of one model. Graphs are numbered: main is 0, referenced[i] is i + 1. Not thread-safe.
class Costs {
   public:
    // The model is legal and outlives this.
    Costs(const Model& model, ExecutionPreference preference)
        : mModel(model), mPreference(preference) {}

    // The device's figure for the type of the first input; less is better. For IF, the figure for
    // IF and the mean of both branches; for WHILE, that for WHILE and both graphs.
    double of(const IDevice& device, const Model::Subgraph& graph, const Operation& operation);

   private:
    double ofGraph(const IDevice& device, size_t number);
    double figure(const Capabilities::PerformanceInfo& info) const;

    const Model& mModel;
    ExecutionPreference mPreference;
    std::map<std::pair<const IDevice*, size_t>, double> mGraphs{};
};

}  // namespace nn::runtime
