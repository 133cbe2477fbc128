// A finished model and its compilation: immutable, with shared ownership.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"
#include "runtime/compiled/model_architecture.h"
#include "runtime/plan/plan.h"

namespace nn::runtime {

class FinishedModel {
   public:
    Model model{};  // legal, with its operations in the order of execution
    // For each operation: its index in the order in which the application added them.
    std::vector<uint32_t> addedAs{};

    // Ids of its graphs, main first. A graph has the same id in all models that contain it.
    std::vector<uint64_t> graphIds{};

    const std::vector<uint32_t>& indexes(bool areInputs) const {
        return areInputs ? model.main.inputIndexes : model.main.outputIndexes;
    }
    const Operand& operand(uint32_t index, bool isInput) const {
        return model.main.operands[indexes(isInput)[index]];
    }

    // Computed by the first call, since only telemetry needs it. Thread-safe.
    const ArchitectureHash& architecture() const {
        std::call_once(mIsHashed, [this] { mArchitecture = architectureHash(model); });
        return mArchitecture;
    }

   private:
    mutable std::once_flag mIsHashed{};
    mutable ArchitectureHash mArchitecture{};
};

struct Compiled {
    std::shared_ptr<const FinishedModel> model{};
    std::vector<PlanDevice> devices{};
    bool isExplicit = false;  // the application chose the devices
    std::shared_ptr<const Plan> plan{};
    SharedPreparedModel prepared{};
    std::vector<driver::OutputSignature> outputs{};
    bool isCachingEnabled = false;

    bool hasOneExplicitDevice() const { return isExplicit && devices.size() == 1; }
};

}  // namespace nn::runtime
