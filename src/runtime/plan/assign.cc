#include "runtime/plan/assign.h"

#include <absl/algorithm/container.h>

#include "base/status_message.h"
#include "runtime/plan/control_flow.h"
#include "runtime/plan/costs.h"
#include "runtime/plan/supported_operations.h"

namespace nn::runtime {
namespace {

class Assignment {
   public:
    Assignment(const ValidatedModel& model, std::span<const PlanDevice> devices,
               ExecutionPreference preference, const Sizes& sizes)
        : mModel(model.model()),
          mDevices(devices),
          mSizes(sizes),
          mCosts(mModel, preference),
          mHasCpu(absl::c_any_of(devices, [](const PlanDevice& d) { return d.isCpu; })) {
        Support support(model);
        for (const PlanDevice& device : devices) mSupport.push_back(support.of(device));
        mFailure = support.failure();
    }

    Result<std::vector<size_t>> run() {
        std::vector<size_t> chosen;
        const auto& operations = mModel.main.operations;
        for (size_t i = 0; i < operations.size(); ++i) {
            const bool isGraphs = isControlFlow(operations[i].type);
            const bool isUnknown = isGraphs && hasUnknownSize(operations[i]);
            const size_t best = bestFor(i, isUnknown && mHasCpu);
            if (best == mDevices.size()) return noDevice(i);
            const bool isOfPlan = isGraphs && !isUnknown && mDevices[best].isCpu;
            chosen.push_back(isOfPlan ? mDevices.size() : best);
        }
        return chosen;
    }

   private:
    // With the code of a device whose query failed.
    Status noDevice(size_t operation) const {
        const auto code =
                mFailure.ok() ? ErrorStatus::INVALID_ARGUMENT : generalError(mFailure).code;
        return error(code) << "main.operations[" << operation << "] "
                           << mModel.main.operations[operation].type << ": no device supports it"
                           << (mFailure.ok() ? "" : ": " + messageOf(mFailure));
    }

    // The device with the least cost; among equal ones the CPU, otherwise the first.
    size_t bestFor(size_t operation, bool isOnlyForCpu) {
        size_t best = mDevices.size();
        double bestCost = 0;
        for (size_t i = 0; i < mDevices.size(); ++i) {
            if (!mSupport[i][operation] || (isOnlyForCpu && !mDevices[i].isCpu)) continue;
            const double cost =
                    mCosts.of(*mDevices[i].device, mModel.main, mModel.main.operations[operation]);
            if (best == mDevices.size() || cost < bestCost ||
                (cost == bestCost && mDevices[i].isCpu)) {
                best = i;
                bestCost = cost;
            }
        }
        return best;
    }

    // True if a value that the IF or WHILE passes in or out has an unknown size.
    bool hasUnknownSize(const Operation& operation) const {
        const auto isUnknown = [&](const Model::Subgraph& graph,
                                   std::span<const uint32_t> operands) {
            return absl::c_any_of(operands,
                                  [&](uint32_t i) { return mSizes.isUnknown(graph.operands[i]); });
        };
        if (isUnknown(mModel.main, valuesOf(operation)) ||
            isUnknown(mModel.main, operation.outputs)) {
            return true;
        }
        return absl::c_any_of(graphsOf(mModel.main, operation), [&](size_t number) {
            const Model::Subgraph& graph = graphAt(mModel, number);
            return isUnknown(graph, graph.inputIndexes) || isUnknown(graph, graph.outputIndexes);
        });
    }

    const Model& mModel;
    std::span<const PlanDevice> mDevices;
    const Sizes& mSizes;
    Costs mCosts;
    bool mHasCpu;
    std::vector<std::vector<bool>> mSupport{};  // by device and operation
    Status mFailure{};                          // of the first device whose query failed
};

}  // namespace

Result<std::vector<size_t>> assignDevices(const ValidatedModel& model,
                                          std::span<const PlanDevice> devices,
                                          ExecutionPreference preference, const Sizes& sizes) {
    return Assignment(model, devices, preference, sizes).run();
}

}  // namespace nn::runtime
