// The check of the arguments of IDevice::allocate.
#include <set>
#include <tuple>

#include "base/no_throw.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"
#include "validate/checks.h"

namespace nn {
namespace {

class MemoryDescCheck {
   public:
    MemoryDescCheck(const BufferDesc& desc, std::span<const Model* const> models, Report& report)
        : mDesc(desc), mModels(models), mReport(report) {}

    Operand check(std::span<const BufferRole> inputRoles, std::span<const BufferRole> outputRoles) {
        mReport.require(!mModels.empty(), Place{}, "memory_desc.models",
                        "0 prepared models are given, allowed 1 or more");
        mReport.require(!inputRoles.empty() || !outputRoles.empty(), Place{}, "memory_desc.roles",
                        "0 roles are given, allowed 1 or more");
        checkRoles(inputRoles, /*isOutput=*/false);
        checkRoles(outputRoles, /*isOutput=*/true);
        return std::move(mShared);
    }

   private:
    using Role = std::tuple<const Model*, bool, uint32_t>;

    void checkRoles(std::span<const BufferRole> roles, bool isOutput) {
        for (size_t i = 0; i < roles.size() && !mReport.done(); ++i) {
            const Place place{nullptr, isOutput ? "outputRoles" : "inputRoles",
                              static_cast<int64_t>(i)};
            nn::check(roles[i], place, mReport);
            const Operand* operand = operandOf(roles[i], isOutput, place);
            if (operand != nullptr) combine(*operand, place);
        }
    }

    // Null after a report.
    const Operand* operandOf(const BufferRole& role, bool isOutput, const Place& place) {
        if (!mReport.require(role.modelIndex < mModels.size(), place, "memory_desc.models",
                             "modelIndex is {}, {}", role.modelIndex,
                             Below{mModels.size(), "the call", "prepared models"})) {
            return nullptr;
        }
        const Model* model = mModels[role.modelIndex];
        if (!mReport.require(model != nullptr, place, "memory_desc.models",
                             "prepared model {} is null or another device's", role.modelIndex)) {
            return nullptr;
        }
        const auto& indexes = isOutput ? model->main.outputIndexes : model->main.inputIndexes;
        if (!mReport.require(role.ioIndex < indexes.size(), place, "memory_desc.roles",
                             "ioIndex is {}, {}", role.ioIndex,
                             Below{indexes.size(), "the model", isOutput ? "outputs" : "inputs"})) {
            return nullptr;
        }
        const Role key{model, isOutput, role.ioIndex};
        if (!mReport.require(mRoles.insert(key).second, place, "memory_desc.roles",
                             "{} {} of prepared model {} is a role already, allowed once",
                             isOutput ? "output" : "input", role.ioIndex, role.modelIndex)) {
            return nullptr;
        }
        const uint32_t index = indexes[role.ioIndex];
        return mReport.require(index < model->main.operands.size(), place, "memory_desc.roles",
                               "names operand {} of prepared model {}, {}", index, role.modelIndex,
                               Below{model->main.operands.size(), "it", "operands"})
                       ? &model->main.operands[index]
                       : nullptr;
    }

    void combine(const Operand& operand, const Place& place) {
        if (mRoles.size() == 1) {
            mShared = {.type = operand.type,
                       .dimensions = mDesc.dimensions,
                       .scale = operand.scale,
                       .zeroPoint = operand.zeroPoint,
                       .extraParams = operand.extraParams};
        }
        std::string why = differenceButExtraParams(operand, mShared);
        if (why.empty() && !hasSharedExtraParams(operand)) why = kOtherExtraParams;
        if (!mReport.require(why.empty(), place, "memory_desc.operand",
                             "the operand {} as the description and the roles before it say",
                             why)) {
            return;
        }
        mReport.require(mDesc.dimensions.empty() || !isNonExtensionScalar(operand.type), place,
                        "memory_desc.operand",
                        "the operand is {}, allowed only a tensor where the description has "
                        "dimensions",
                        operand.type);
        mShared.dimensions = combineDimensions(mShared.dimensions, operand.dimensions)
                                     .value_or(std::vector<uint32_t>());
    }

    // Parameters of vendor types are opaque. Roles may refer to one operand many times, so its
    // parameters are compared once.
    bool hasSharedExtraParams(const Operand& operand) {
        return isExtension(operand.type) || !mCompared.insert(&operand).second ||
               operand.extraParams == mShared.extraParams;
    }

    const BufferDesc& mDesc;
    std::span<const Model* const> mModels;
    Report& mReport;
    std::set<Role> mRoles;
    std::set<const Operand*> mCompared;
    Operand mShared;
};

}  // namespace

Result<Operand> validateMemoryDesc(const BufferDesc& desc, std::span<const Model* const> models,
                                   std::span<const BufferRole> inputRoles,
                                   std::span<const BufferRole> outputRoles) NNAPI_TRY {
    Report report;
    Operand shared = MemoryDescCheck(desc, models, report).check(inputRoles, outputRoles);
    if (!report.ok()) return report.result().status();
    return shared;
}
NNAPI_CATCH

}  // namespace nn
