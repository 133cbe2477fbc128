#include "validate/subgraph.h"

#include <absl/algorithm/container.h>

#include <cstring>

#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/control_flow.h"

namespace nn {
namespace {

bool isWrittenByOperations(Operand::LifeTime lifetime) {
    return lifetime == Operand::LifeTime::TEMPORARY_VARIABLE ||
           lifetime == Operand::LifeTime::SUBGRAPH_OUTPUT;
}

std::string_view ruleOfList(Operand::LifeTime lifetime) {
    return lifetime == Operand::LifeTime::SUBGRAPH_INPUT ? "graph.inputs" : "graph.outputs";
}

}  // namespace

bool checkListed(uint32_t index, const Model::Subgraph& subgraph, std::string_view rule,
                 const Place& place, Report& report) {
    return report.require(index < subgraph.operands.size(), place, rule,
                          "operand {} does not exist, {}", index,
                          Below{subgraph.operands.size(), "the graph", "operands"});
}

void SubgraphChecker::check(const Model::Subgraph& subgraph, const Place& place,
                            GraphFacts* found) {
    mFound = found;
    if (!mReport.require(!subgraph.operands.empty(), place, "graph.empty",
                         "has no operands, allowed 1 or more") ||
        !mReport.require(!subgraph.operations.empty(), place, "graph.empty",
                         "has no operations, allowed 1 or more")) {
        return;
    }
    mCycles.reset();
    mLifetimes.resize(subgraph.operands.size());
    checkOperands(subgraph, mModel, mPrefixes, place, mFound,
                  {mLifetimes.data(), mLifetimes.size()}, mReport);
    if (mReport.done()) return;
    listOperands();
    checkInputsAndOutputs(subgraph, place);
    if (!mReport.done()) checkOperations(subgraph, place);
}

void DeclaredPrefixes::checkExtension(uint32_t type, const Place& place, Report& report) {
    const uint16_t prefix = getExtensionPrefix(type);
    if (allows(prefix)) return;
    std::string message = fmt::format(
            "prefix {} of extension type {:#010x} is not in extensionNameToPrefix", prefix, type);
    if (mIsRequired) {
        report.fail(place, "extension.prefix", std::move(message));
    } else {
        report.warn(place, "extension.prefix", std::move(message));
    }
}

// Before anything is executed.
void SubgraphChecker::listOperands() {
    const size_t count = mLifetimes.size();
    mListed.resize(count);
    mHasValue.resize(count);
    const Operand::LifeTime* lifetimes = mLifetimes.data();
    Listed* listed = mListed.data();
    uint8_t* hasValue = mHasValue.data();
    size_t missing = 0;
    for (size_t i = 0; i < count; ++i) {
        const bool isListed = lifetimes[i] == Operand::LifeTime::SUBGRAPH_INPUT ||
                              lifetimes[i] == Operand::LifeTime::SUBGRAPH_OUTPUT;
        listed[i] = isListed ? Listed::MISSING : Listed::NO;
        missing += isListed ? 1 : 0;
        hasValue[i] = !isWrittenByOperations(lifetimes[i]);
    }
    mMissing = missing;
}

void SubgraphChecker::checkList(const Model::Subgraph& subgraph,
                                const std::vector<uint32_t>& indexes, Operand::LifeTime lifetime,
                                std::string_view field, const Place& place) {
    const std::string_view rule = ruleOfList(lifetime);
    if (indexes.empty()) {
        mReport.warn(place, rule, fmt::format("{} is empty, the HAL wants 1 or more", field));
    }
    for (size_t i = 0; i < indexes.size() && !mReport.done(); ++i) {
        const Place entry{&place, field, static_cast<int64_t>(i)};
        const uint32_t index = indexes[i];
        mReport.spend(entry, 1);
        if (!checkListed(index, subgraph, rule, entry, mReport)) continue;
        const Operand& operand = subgraph.operands[index];
        mReport.require(operand.lifetime == lifetime, entry, rule,
                        "operand {} has lifetime {}, allowed {}", index, operand.lifetime,
                        lifetime);
        mReport.require(mListed[index] != Listed::YES, entry, rule,
                        "operand {} is listed twice, allowed once", index);
        mMissing -= mListed[index] == Listed::MISSING ? 1 : 0;
        mListed[index] = Listed::YES;
    }
}

void SubgraphChecker::checkInputsAndOutputs(const Model::Subgraph& subgraph, const Place& place) {
    checkList(subgraph, subgraph.inputIndexes, Operand::LifeTime::SUBGRAPH_INPUT, "inputIndexes",
              place);
    checkList(subgraph, subgraph.outputIndexes, Operand::LifeTime::SUBGRAPH_OUTPUT, "outputIndexes",
              place);
    for (size_t i = 0; mMissing != 0 && i < mListed.size() && !mReport.done(); ++i) {
        if (mListed[i] != Listed::MISSING) continue;
        const Operand::LifeTime lifetime = subgraph.operands[i].lifetime;
        const bool isInput = lifetime == Operand::LifeTime::SUBGRAPH_INPUT;
        mReport.fail(Place{&place, "operands", static_cast<int64_t>(i)}, ruleOfList(lifetime),
                     fmt::format("lifetime is {}, but the operand is not in {}", lifetime,
                                 isInput ? "inputIndexes" : "outputIndexes"));
    }
}

void SubgraphChecker::checkOperations(const Model::Subgraph& subgraph, const Place& place) {
    for (size_t i = 0; i < subgraph.operations.size() && !mReport.done(); ++i) {
        const Operation& operation = subgraph.operations[i];
        const OperationTypeInfo* info = operationTypeInfo(operation.type);
        const Place at{&place, "operations", static_cast<int64_t>(i),
                       info == nullptr ? std::string_view() : info->name};
        mReport.spend(at, 1 + operation.inputs.size() + operation.outputs.size());
        if (!mReport.done()) checkOne(operation, subgraph, at);
    }
    if (std::memchr(mHasValue.data(), 0, mHasValue.size()) == nullptr) return;
    for (size_t i = 0; i < mHasValue.size() && !mReport.done(); ++i) {
        if (mHasValue[i]) continue;
        mReport.fail(Place{&place, "operands", static_cast<int64_t>(i)}, "graph.unwritten",
                     fmt::format("lifetime is {}, but no operation writes the operand",
                                 subgraph.operands[i].lifetime));
    }
}

void SubgraphChecker::checkOne(const Operation& operation, const Model::Subgraph& subgraph,
                               const Place& place) {
    if (mPrefixes != nullptr)
        mPrefixes->check(static_cast<uint32_t>(operation.type), place, mReport);
    if (!lookUp(operation, subgraph, place)) return;
    checkOrder(operation, subgraph, place);
    if (mReport.done()) return;
    const FoundOperation found = checkCall(operation, subgraph, place);
    if (mFound != nullptr) mFound->operations[static_cast<size_t>(place.index)] = found;
}

void SubgraphChecker::checkAlone(const Operation& operation, const Model::Subgraph& subgraph,
                                 const Place& place) {
    if (lookUp(operation, subgraph, place)) checkCall(operation, subgraph, place);
}

FoundOperation SubgraphChecker::checkCall(const Operation& operation,
                                          const Model::Subgraph& subgraph, const Place& place) {
    const size_t brokenBefore = mReport.broken();
    mReport.takePart();
    FoundOperation found;
    if (isControlFlow(operation.type)) {
        checkControlFlow(operation, subgraph, mModel, mFacts, place, mReport);
    } else {
        found.form = checkOperation(operation.type, mDeclared.inputs(), mDeclared.outputs(), place,
                                    mReport, &mPlainCalls);
    }
    found.version = mReport.takePart();
    found.isLegal = mReport.broken() == brokenBefore;
    return found;
}

bool SubgraphChecker::lookUp(const Operation& operation, const Model::Subgraph& subgraph,
                             const Place& place) {
    if (mDeclared.take(operation, subgraph)) [[likely]]
        return true;
    failIndexes(operation, subgraph, place);
    return false;
}

void SubgraphChecker::failIndexes(const Operation& operation, const Model::Subgraph& subgraph,
                                  const Place& place) {
    const size_t operands = subgraph.operands.size();
    const auto failWhere = [&](const std::vector<uint32_t>& indexes, std::string_view what,
                               std::string_view rule) {
        for (size_t i = 0; i < indexes.size(); ++i) {
            if (indexes[i] < operands) continue;
            mReport.failWith(place, rule, "{} {} is operand {}, {}", what, i, indexes[i],
                             Below{operands, "the graph", "operands"});
        }
    };
    failWhere(operation.inputs, "input", "operation.input_index");
    failWhere(operation.outputs, "output", "operation.output_index");
}

// Another order would do, or none at all.
void SubgraphChecker::failOrder(size_t input, uint32_t operand, const Model::Subgraph& subgraph,
                                const Place& place) {
    if (!mCycles) mCycles.emplace(subgraph);
    const auto reader = static_cast<uint32_t>(place.index);
    const auto writer = mCycles->writerOf(operand);
    std::string why;
    if (!writer) {
        why = "is read, but no operation writes it";
    } else if (*writer == reader) {
        why = "is an output of the operation itself, allowed no cycles";
    } else if (mCycles->waitForEachOther(*writer, reader)) {
        why = fmt::format("closes a cycle, allowed none: {} wait for each other",
                          mCycles->groupOf(reader));
    } else {
        why = "is read before an operation writes it";
    }
    mReport.fail(place, "graph.execution_order",
                 fmt::format("input {} (operand {}) {}", input, operand, why));
}

void SubgraphChecker::checkOrder(const Operation& operation, const Model::Subgraph& subgraph,
                                 const Place& place) {
    const std::vector<uint32_t>& inputs = operation.inputs;
    uint8_t* hasValue = mHasValue.data();
    uint8_t arePresent = true;  // without a branch for each: one seldom is not
    for (const uint32_t input : inputs) arePresent &= hasValue[input];
    for (size_t i = 0; !arePresent && i < inputs.size() && !mReport.done(); ++i) {
        if (!hasValue[inputs[i]]) failOrder(i, inputs[i], subgraph, place);
    }
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
        const uint32_t index = operation.outputs[i];
        const Operand& operand = subgraph.operands[index];
        if (!isWrittenByOperations(operand.lifetime)) [[unlikely]] {
            mReport.failWith(place, "graph.writers",
                             "output {} (operand {}) has lifetime {}, allowed TEMPORARY_VARIABLE "
                             "and SUBGRAPH_OUTPUT",
                             i, index, operand.lifetime);
        } else if (hasValue[index]) [[unlikely]] {
            mReport.failWith(place, "graph.writers",
                             "output {} (operand {}) is written already, allowed once", i, index);
        }
        hasValue[index] = true;
    }
}

}  // namespace nn
