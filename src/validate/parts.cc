// Parts of a model, and the parts they depend on.
#include <set>

#include "base/no_throw.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/subgraph.h"

namespace nn {
namespace {

// Subgraphs that operands name, directly and through others, each once.
class Dependencies {
   public:
    explicit Dependencies(const Model& model)
        : mModel(model), mIsListed(model.referenced.size(), false) {}

    void add(const Operand& operand) {
        const uint32_t index = operand.location.offset;
        if (operand.lifetime != Operand::LifeTime::SUBGRAPH || index >= mIsListed.size()) return;
        if (!mIsListed[index]) mList.push_back(index);
        mIsListed[index] = true;
    }

    void check(Report& report) {
        if (mList.empty()) return;
        ModelFacts facts(mModel);
        SubgraphChecker checker(mModel, nullptr, facts, report);
        for (size_t i = 0; i < mList.size() && !report.done(); ++i) {  // the list grows in the loop
            const Model::Subgraph& subgraph = mModel.referenced[mList[i]];
            checker.check(subgraph, Place{nullptr, "referenced", int64_t{mList[i]}});
            for (const Operand& operand : subgraph.operands) add(operand);
        }
        checkCycles(mModel, mList, report);
    }

   private:
    const Model& mModel;
    std::vector<bool> mIsListed;
    std::vector<uint32_t> mList;
};

Place placeOf(const Operation& operation) {
    const OperationTypeInfo* info = operationTypeInfo(operation.type);
    return {nullptr, "", -1, info == nullptr ? std::string_view() : info->name};
}

}  // namespace

Result<Version> validateOperand(const Operand& operand, const Model& model) NNAPI_TRY {
    Report report;
    checkOperand(operand, model, Place{}, report);
    Dependencies dependencies(model);
    dependencies.add(operand);
    dependencies.check(report);
    return report.result();
}
NNAPI_CATCH

Result<Version> validateOperation(const Operation& operation, const Model::Subgraph& subgraph,
                                  const Model& model) NNAPI_TRY {
    Report report;
    ModelFacts facts(model);
    SubgraphChecker(model, nullptr, facts, report)
            .checkAlone(operation, subgraph, placeOf(operation));
    if (!report.ok()) return report.result();
    Dependencies dependencies(model);
    std::set<uint32_t> checked;
    for (const auto* indexes : {&operation.inputs, &operation.outputs}) {
        for (const uint32_t index : *indexes) {
            if (!checked.insert(index).second) continue;
            const Operand& operand = subgraph.operands[index];
            checkOperand(operand, model, Place{nullptr, "operands", int64_t{index}}, report);
            dependencies.add(operand);
        }
    }
    dependencies.check(report);
    return report.result();
}
NNAPI_CATCH

Result<Version> validateOperationButNotOperands(const Operation& operation,
                                                const Model::Subgraph& subgraph,
                                                const Model& model) NNAPI_TRY {
    Report report;
    ModelFacts facts(model);
    SubgraphChecker(model, nullptr, facts, report)
            .checkAlone(operation, subgraph, placeOf(operation));
    return report.result();
}
NNAPI_CATCH

}  // namespace nn
