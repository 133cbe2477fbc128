// The operations that the driver claims to support.
#include <algorithm>
#include <atomic>

#include "device_testing/bugs/parts.h"
#include "nnapi/testing/faulty_device.h"

namespace nn::bugs {
namespace support {
namespace {

bool has(const Model& model, OperationType type) {
    const auto is = [&](const Operation& each) { return each.type == type; };
    return std::ranges::any_of(model.main.operations, is);
}

class SupportPart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = inner()->getSupportedOperations(model);
        if (!supported.has_value()) return supported;
        const auto refuse = [&](OperationType type) {
            for (size_t i = 0; i < supported->size(); ++i) {
                if (model.main.operations[i].type == type) (*supported)[i] = false;
            }
        };
        if (has(Bug::supports_referenced)) {
            for (const Model::Subgraph& graph : model.referenced) {
                supported->insert(supported->end(), graph.operations.size(), true);
            }
        }
        if (has(Bug::supports_by_order)) {
            refuse(OperationType::TANH);
            std::reverse(supported->begin(), supported->end());
        }
        if (has(Bug::supports_differs) && support::has(model, OperationType::MUL) &&
            mQuestions++ > 0) {
            refuse(OperationType::MUL);
        }
        if (has(Bug::prepares_unsupported)) refuse(OperationType::TANH);
        return supported;
    }

   protected:
    using DevicePart::has;

    Prepared prepare(const Preparation& preparation) const override {
        const bool isRefused = (has(Bug::supports_then_refuses) &&
                                support::has(preparation.model, OperationType::SOFTMAX)) ||
                               (has(Bug::supports_by_order) &&
                                support::has(preparation.model, OperationType::TANH));
        if (isRefused) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "there is an operation without a kernel";
        }
        return preparation.on(*inner());
    }

   private:
    mutable std::atomic<int> mQuestions = 0;
};

}  // namespace
}  // namespace support

SharedDevice withSupportBugs(SharedDevice device, Bug bug) {
    using nn::testing::DeviceFault;
    switch (bug) {
        case Bug::supports_count:
            return nn::testing::faultyDevice(std::move(device),
                                             {DeviceFault::ANSWERS_FOR_TOO_FEW_OPERATIONS})
                    .value();
        case Bug::supports_invalid:
            return nn::testing::faultyDevice(std::move(device), {DeviceFault::ACCEPTS_ANY_MODEL})
                    .value();
        case Bug::supports_referenced:
        case Bug::supports_then_refuses:
        case Bug::supports_by_order:
        case Bug::supports_differs:
        case Bug::prepares_unsupported:
            return std::make_shared<const support::SupportPart>(std::move(device), bug);
        default:
            return device;
    }
}

}  // namespace nn::bugs
