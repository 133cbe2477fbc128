#include "nnapi/slice.h"

#include <absl/algorithm/container.h>
#include <absl/strings/str_cat.h>

#include <algorithm>

#include "base/no_throw.h"
#include "convert/common/enums.h"
#include "convert/common/numbers.h"
#include "nnapi/convert.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"
#include "validate/validation_facts.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;

// False for features that no version of AIDL has and that validation does not check: OEM types,
// prefixes of more than 15 bits, dimensions above the signed range, memory of unknown kind.
namespace aidl {

bool canRepresent(const Operand& operand) {
    return conversion::aidlHas(operand.type) && conversion::haveClearSignBits(operand.dimensions);
}
bool canRepresent(const Operation& operation) { return conversion::aidlHas(operation.type); }
bool canRepresent(const SharedMemory& pool) {
    return !std::holds_alternative<Memory::Unknown>(pool->handle);
}
bool canRepresent(const ExtensionNameAndPrefix& name) { return name.prefix <= INT16_MAX; }
bool canRepresent(const Model& model) {
    const auto all = [](const auto& range) {
        return absl::c_all_of(range, [](const auto& each) { return canRepresent(each); });
    };
    const auto graph = [&](const Model::Subgraph& each) {
        return all(each.operands) && all(each.operations);
    };
    return graph(model.main) && absl::c_all_of(model.referenced, graph) && all(model.pools) &&
           all(model.extensionNameToPrefix);
}

}  // namespace aidl

bool isAidl(HalVersion version) {
    const HalVersionInfo* info = halVersionInfo(version);
    return info != nullptr && info->family == HalFamily::AIDL;
}

// The parts of a model that a version can represent. Graphs are numbered: main is 0, referenced[i]
// i + 1.
class Compliance {
   public:
    // `found` is null for a model that has not been validated.
    Compliance(const Model& model, const ValidationFacts* found, HalVersion version)
        : mModel(model),
          mFound(found),
          mFacts(model),
          mTarget(toVersion(version)),
          mIsAidl(isAidl(version)) {
        for (const SharedMemory& pool : model.pools) {
            mPools.push_back(complies([&](Report& report) { nn::check(pool, Place{}, report); }) &&
                             isRepresentable(pool));
        }
        for (size_t graph = 0; graph <= model.referenced.size(); ++graph) checkGraph(graph);
        followReferences();
    }

    // By operation of the graph.
    const std::vector<bool>& operations(size_t graph) const { return mOperations[graph]; }

   private:
    const Model::Subgraph& graphAt(size_t graph) const {
        return graph == 0 ? mModel.main : mModel.referenced[graph - 1];
    }

    template <class Check>
    bool complies(Check&& check) const {
        Report report({.target = mTarget});
        check(report);
        return report.ok();
    }

    template <class Part>
    bool isRepresentable(const Part& part) const {
        return !mIsAidl || aidl::canRepresent(part);
    }

    void checkGraph(size_t graph) {
        const Model::Subgraph& subgraph = graphAt(graph);
        const GraphFacts* found = mFound == nullptr ? nullptr : &mFound->graphs[graph];
        mOperands.clear();
        for (size_t i = 0; i < subgraph.operands.size(); ++i) {
            const Operand& operand = subgraph.operands[i];
            const bool isAlone = found == nullptr ? complies([&](Report& r) {
                checkOperand(operand, mModel, Place{}, r);
            })
                                                  : isCompliantVersion(found->operands[i], mTarget);
            mOperands.push_back(isAlone && isRepresentable(operand) &&
                                (operand.lifetime != LifeTime::CONSTANT_REFERENCE ||
                                 mPools[operand.location.poolIndex]));
        }
        std::vector<bool>& operations = mOperations.emplace_back();
        for (size_t i = 0; i < subgraph.operations.size(); ++i) {
            const Operation& operation = subgraph.operations[i];
            const bool isAlone =
                    found == nullptr ? complies(operation, subgraph)
                                     : isCompliantVersion(found->operations[i].version, mTarget);
            operations.push_back(isAlone && isRepresentable(operation) &&
                                 operandsComply(operation.inputs) &&
                                 operandsComply(operation.outputs));
        }
    }

    bool operandsComply(const std::vector<uint32_t>& operands) const {
        return absl::c_all_of(operands, [&](uint32_t i) { return mOperands[i]; });
    }

    // Checks only the operation; its operands exist wherever it does.
    bool complies(const Operation& operation, const Model::Subgraph& subgraph) {
        if (!mDeclared.take(operation, subgraph)) return false;
        return complies([&](Report& report) {
            if (isControlFlow(operation.type)) {
                checkControlFlow(operation, subgraph, mModel, mFacts, Place{}, report);
            } else {
                checkOperation(operation.type, mDeclared.inputs(), mDeclared.outputs(), Place{},
                               report);
            }
        });
    }

    // An operation over a graph that does not comply does not comply either; nor does the graph
    // that contains the operation.
    void followReferences() {
        struct User {
            size_t graph, operation;
        };
        std::vector<std::vector<User>> users(mOperations.size());  // by graph
        std::vector<size_t> toDo;                                  // graphs that do not comply
        for (size_t graph = 0; graph < mOperations.size(); ++graph) {
            const Model::Subgraph& subgraph = graphAt(graph);
            for (size_t i = 0; i < subgraph.operations.size(); ++i) {
                for (const uint32_t input : subgraph.operations[i].inputs) {
                    if (input >= subgraph.operands.size()) continue;
                    const Operand& operand = subgraph.operands[input];
                    const size_t target = size_t{operand.location.offset} + 1;
                    if (operand.lifetime == LifeTime::SUBGRAPH && target < users.size()) {
                        users[target].push_back({graph, i});
                    }
                }
            }
            const auto& operations = mOperations[graph];
            if (absl::c_find(operations, false) != operations.end()) toDo.push_back(graph);
        }
        std::vector<bool> isDone(mOperations.size());
        while (!toDo.empty()) {
            const size_t graph = toDo.back();
            toDo.pop_back();
            if (isDone[graph]) continue;
            isDone[graph] = true;
            for (const User& user : users[graph]) {
                mOperations[user.graph][user.operation] = false;
                toDo.push_back(user.graph);
            }
        }
    }

    const Model& mModel;
    const ValidationFacts* mFound;
    ModelFacts mFacts;
    Version mTarget;
    bool mIsAidl;
    std::vector<bool> mPools;
    std::vector<std::vector<bool>> mOperations;  // by graph

    std::vector<bool> mOperands;  // of one graph
    DeclaredOperands mDeclared;   // of one operation
};

// Leaves only some operations in a graph. Operands that cross the border become inputs and outputs.
class GraphSlicer {
   public:
    GraphSlicer(Model::Subgraph& graph, const std::vector<bool>& kept, SliceOutputs outputs)
        : mGraph(graph),
          mOutputs(outputs),
          mWritten(graph.operands.size()),
          mRead(graph.operands.size()),
          mNeeded(graph.operands.size()) {
        std::vector<Operation> operations;
        for (size_t i = 0; i < kept.size(); ++i) {
            Operation& operation = graph.operations[i];
            if (!kept[i]) {
                for (const uint32_t input : operation.inputs) mNeeded[input] = true;
                continue;
            }
            for (const uint32_t input : operation.inputs) mRead[input] = true;
            for (const uint32_t output : operation.outputs) mWritten[output] = true;
            operations.push_back(std::move(operation));
        }
        graph.operations = std::move(operations);
    }

    void run() {
        std::vector<bool> isInput(mGraph.operands.size()), isOutput(mGraph.operands.size());
        for (size_t i = 0; i < mGraph.operands.size(); ++i) {
            const LifeTime lifetime = mGraph.operands[i].lifetime;
            const bool isComputed = lifetime == LifeTime::TEMPORARY_VARIABLE ||
                                    lifetime == LifeTime::SUBGRAPH_OUTPUT;
            isInput[i] = mRead[i] && !mWritten[i] &&
                         (isComputed || lifetime == LifeTime::SUBGRAPH_INPUT);
            isOutput[i] = mWritten[i] && (mNeeded[i] || lifetime == LifeTime::SUBGRAPH_OUTPUT ||
                                          mOutputs == SliceOutputs::ALL);
        }
        list(isInput, LifeTime::SUBGRAPH_INPUT, mGraph.inputIndexes);
        list(isOutput, LifeTime::SUBGRAPH_OUTPUT, mGraph.outputIndexes);
    }

   private:
    // Operands that were in the list before keep their order.
    void list(std::vector<bool> wanted, LifeTime lifetime, std::vector<uint32_t>& indexes) {
        std::erase_if(indexes, [&](uint32_t i) { return !wanted[i]; });
        for (const uint32_t i : indexes) wanted[i] = false;
        for (size_t i = 0; i < wanted.size(); ++i) {
            if (!wanted[i]) continue;
            mGraph.operands[i].lifetime = lifetime;
            indexes.push_back(static_cast<uint32_t>(i));
        }
    }

    Model::Subgraph& mGraph;
    SliceOutputs mOutputs;
    std::vector<bool> mWritten;  // by an operation that stays
    std::vector<bool> mRead;     // by an operation that stays
    std::vector<bool> mNeeded;   // by an operation that is removed
};

Slice sliceOf(const Model& model, const std::vector<bool>& kept, SliceOutputs outputs) {
    Model cut = model;
    GraphSlicer(cut.main, kept, outputs).run();
    Minimized live = withoutDeadParts(std::move(cut));
    Slice slice{.model = std::move(live.model),
                .origin = std::move(live.origin),
                .operationCount = model.main.operations.size()};
    std::vector<uint32_t>& operations = slice.origin.main.operations;
    operations.clear();
    for (size_t i = 0; i < kept.size(); ++i) {
        if (kept[i]) operations.push_back(static_cast<uint32_t>(i));
    }
    return slice;
}

std::set<OperationIndex> nonCompliantOperations(const Model& model, const ValidationFacts* checked,
                                                HalVersion version) {
    const Compliance compliance(model, checked, version);
    std::set<OperationIndex> found;
    for (size_t graph = 0; graph <= model.referenced.size(); ++graph) {
        const std::vector<bool>& operations = compliance.operations(graph);
        for (size_t i = 0; i < operations.size(); ++i) {
            if (operations[i]) continue;
            found.insert({.graph = graph == 0 ? std::nullopt
                                              : std::optional(static_cast<uint32_t>(graph - 1)),
                          .operation = static_cast<uint32_t>(i)});
        }
    }
    return found;
}

}  // namespace

std::set<OperationIndex> nonCompliantOperations(const Model& model, HalVersion version) {
    return nonCompliantOperations(model, nullptr, version);
}

std::set<OperationIndex> nonCompliantOperations(const ValidatedModel& model, HalVersion version) {
    return nonCompliantOperations(model.model(), &model.found(), version);
}

std::vector<bool> Slice::supportedOperations(const std::vector<bool>& ofSlice) const {
    std::vector<bool> supported(operationCount, false);
    const std::vector<uint32_t>& operations = origin.main.operations;
    for (size_t i = 0; i < std::min(operations.size(), ofSlice.size()); ++i) {
        if (ofSlice[i] && operations[i] < operationCount) supported[operations[i]] = true;
    }
    return supported;
}

Result<Slice> sliceForVersion(const Model& model, HalVersion version) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(checked, ModelValidator::borrow(model));
    return sliceForVersion(checked, version);
}
NNAPI_CATCH

Result<Slice> sliceForVersion(const ValidatedModel& checked, HalVersion version) NNAPI_TRY {
    const Model& model = checked.model();
    const bool isRepresentable = !isAidl(version) || aidl::canRepresent(model);
    if (isRepresentable && isCompliantVersion(checked.version(), toVersion(version))) {
        return Slice{.model = model,
                     .origin = unchangedOrigin(model),
                     .operationCount = model.main.operations.size()};
    }
    const Compliance compliance(model, &checked.found(), version);
    Slice slice = sliceOf(model, compliance.operations(0), SliceOutputs::NEEDED);
    if (!isRepresentable) {
        std::erase_if(slice.model.extensionNameToPrefix,
                      [](const auto& name) { return !aidl::canRepresent(name); });
    }
    return slice;
}
NNAPI_CATCH

Result<Slice> sliceOfOperations(const ValidatedModel& checked, const std::vector<bool>& operations,
                                SliceOutputs outputs) NNAPI_TRY {
    const Model& model = checked.model();
    const auto wanted = static_cast<size_t>(absl::c_count(operations, true));
    if (operations.size() != model.main.operations.size() || wanted == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         absl::StrCat("main.operations: ", operations.size(), " values with ",
                                      wanted, " true, allowed one for each of the ",
                                      model.main.operations.size(), ", at least one of them true"));
    }
    return sliceOf(model, operations, outputs);
}
NNAPI_CATCH

}  // namespace nn
