#include "nnapi/import/onnx.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "importers/common/parts.h"
#include "importers/onnx/lowering.h"
#include "importers/onnx/wire.h"
#include "nnapi/print.h"
#include "nnapi/validate.h"
#include "types/printable.h"
#include "types/status_message.h"

namespace nn::onnx {
namespace {

using importing::ConstantStore;
using importing::GraphBuilder;

// Reasons to refuse nodes, by their index.
using Refusals = std::map<uint32_t, std::vector<ImportRefusal>>;

// One pass over the nodes of a graph.
class Pass {
   public:
    Pass(Graph graph, const OnnxOptions& options)
        : mOptions(options),
          mGraph(std::move(graph)),
          mBuilder(mStore, options.common.limits),
          mLowering(mGraph, mBuilder, options.common.target, mLosses) {}

    // Refuses the nodes that are refused already, and lowers the others.
    Status run(const Refusals& before);

    // The reasons that this pass has found: of nodes, then of their operations.
    Refusals takeRefusals() { return std::move(mRefusals); }
    // Models, where nothing or all that is refused was refused before.
    Status finish(Import& import);
    std::vector<ImportedOperator> takeOperators() { return std::move(mOperators); }

   private:
    Status node(uint32_t index, const Refusals& before);
    void addParts();
    void addRefused(uint32_t index);
    void checkOperations();
    void addInputIndexes();
    uint32_t levelOf(ValueId id) const;
    void addOutputs();
    void listOperations();
    void finishWhole(Import& import);
    Status finishParts(Import& import);

    const OnnxOptions& mOptions;
    Graph mGraph;
    ConstantStore mStore;
    GraphBuilder mBuilder;
    Losses mLosses;
    Lowering mLowering;
    std::vector<ImportedOperator> mOperators;
    Refusals mRefusals;
    bool mIsWhole = true;

    std::vector<uint32_t> mOwners;  // node, by operation
    std::vector<uint32_t> mPartOfOperation;
    std::vector<uint32_t> mPartOfOperand;  // of those that are computed
    std::vector<uint32_t> mLevels;         // by value: parts that come before it
    std::vector<ValueId> mReadElsewhere;   // by refused nodes
};

// ---------------------------------------------------------------------------------------------

uint32_t Pass::levelOf(ValueId id) const {
    const Value& value = mGraph[id];
    uint32_t level = mLevels[id];
    if (value.dequantizes != kNoValue) level = std::max(level, mLevels[value.dequantizes]);
    if (value.operand && *value.operand < mPartOfOperand.size()) {
        level = std::max(level, mPartOfOperand[*value.operand]);
    }
    return level;
}

// Divides the operations that were added into parts: one reads what parts before it compute.
void Pass::addParts() {
    const auto& operations = mBuilder.graph().operations;
    mPartOfOperand.resize(mBuilder.graph().operands.size(), 0);
    for (size_t i = mPartOfOperation.size(); i < operations.size(); ++i) {
        uint32_t part = 0;
        for (const uint32_t input : operations[i].inputs)
            part = std::max(part, mPartOfOperand[input]);
        for (const uint32_t output : operations[i].outputs) mPartOfOperand[output] = part;
        mPartOfOperation.push_back(part);
    }
}

// What a refused node computes comes after all that it reads.
void Pass::addRefused(uint32_t index) {
    mIsWhole = false;
    uint32_t level = 0;
    for (const ValueId input : mGraph.nodes[index].inputs) {
        if (input == kNoValue) continue;
        level = std::max(level, levelOf(input));
        mReadElsewhere.push_back(input);
    }
    for (const ValueId output : mGraph.nodes[index].outputs) {
        if (output != kNoValue) mLevels[output] = level + 1;
    }
}

Status Pass::node(uint32_t index, const Refusals& before) {
    const Node& node = mGraph.nodes[index];
    const NodeMessage& message = *node.message;
    ImportedOperator& op = mOperators.emplace_back();
    op.index = index;
    op.type = message.domain.empty() || message.domain == "ai.onnx"
                      ? std::string(message.type)
                      : fmt::format("{}.{}", message.domain, message.type);
    op.name = message.name.empty() && !message.outputs.empty() ? message.outputs[0] : message.name;
    op.version = static_cast<int32_t>(mGraph.version);
    if (node.isFolded) return {};
    const auto found = before.find(index);
    const size_t operands = mBuilder.graph().operands.size();
    if (found != before.end()) {
        mLowering.refuseNode(index, found->second);
    } else {
        mLowering.lower(index);
    }
    NNAPI_RETURN_IF_ERROR(mBuilder.status());
    op.refusals = mLowering.takeRefusals();
    // Operands of inputs that refused nodes compute have their level.
    mPartOfOperand.resize(mBuilder.graph().operands.size(), 0);
    for (const ValueId input : node.inputs) {
        if (input == kNoValue || !mGraph[input].operand || *mGraph[input].operand < operands)
            continue;
        mPartOfOperand[*mGraph[input].operand] = mLevels[input];
    }
    addParts();
    mOwners.resize(mBuilder.graph().operations.size(), index);
    if (op.refusals.empty()) return {};
    addRefused(index);
    if (found == before.end()) mRefusals[index] = op.refusals;
    return {};
}

// Copies of inputs and constants that are outputs belong to the node that gives them their name.
void Pass::addOutputs() {
    for (const ValueId id : mGraph.outputs) {
        const Value& value = mGraph[id];
        if (!value.operand && !value.constant && value.dequantizes == kNoValue) continue;
        mBuilder.begin();
        mLowering.addOutput(id);
        const uint32_t owner = value.producer.value_or(0);
        mOwners.resize(mBuilder.graph().operations.size(), owner);
        for (ImportRefusal& refusal : mLowering.takeRefusals()) {
            mIsWhole = false;
            if (owner < mOperators.size()) mOperators[owner].refusals.push_back(refusal);
            mRefusals[owner].push_back(std::move(refusal));
        }
        addParts();
    }
}

// Whatever the signatures of operations do not allow refuses the node.
void Pass::checkOperations() {
    const Model::Subgraph& graph = mBuilder.graph();
    for (size_t i = 0; i < graph.operations.size(); ++i) {
        const Operation& operation = graph.operations[i];
        ImportedOperator& op = mOperators[mOwners[i]];
        const Result<Version> version = validateOperation(operation, graph, mStore.model());
        ImportRefusal refusal;
        if (!version.ok()) {
            const std::optional<Diagnostic> why = diagnostic(version.status());
            refusal.found = fmt::format("becomes {}: {}", toString(operation.type),
                                        why ? why->message : messageOf(version.status()));
            if (why) refusal.since = why->since;
        } else if (!isCompliantVersion(*version, mOptions.common.target)) {
            refusal.found = fmt::format("becomes {}, which {} lacks", toString(operation.type),
                                        toString(mOptions.common.target));
            refusal.since = *version;
        } else {
            op.since = combineVersions(op.since, *version);
            continue;
        }
        mIsWhole = false;
        op.refusals.push_back(refusal);
        mRefusals[mOwners[i]].push_back(std::move(refusal));
    }
}

// Those of the file in their order, then what refused nodes compute.
void Pass::addInputIndexes() {
    Model::Subgraph& graph = mBuilder.graph();
    std::vector<bool> isListed(graph.operands.size(), false);
    for (const ValueId id : mGraph.inputs) {
        const Value& value = mGraph[id];
        if (!value.operand) {
            mLosses.push_back({.path = std::string(value.name),
                               .before = "an input",
                               .after = "none",
                               .why = "no operation reads it"});
            continue;
        }
        isListed[*value.operand] = true;
        graph.inputIndexes.push_back(*value.operand);
    }
    for (uint32_t i = 0; i < graph.operands.size(); ++i) {
        const bool isInput = graph.operands[i].lifetime == Operand::LifeTime::SUBGRAPH_INPUT;
        if (isInput && !isListed[i]) graph.inputIndexes.push_back(i);
    }
}

Status Pass::run(const Refusals& before) {
    if (mGraph.nodes.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the graph has no operators");
    }
    mLevels.resize(mGraph.values.size(), 0);
    mLowering.addInputs();
    for (uint32_t i = 0; i < mGraph.nodes.size(); ++i) NNAPI_RETURN_IF_ERROR(node(i, before));
    addOutputs();
    NNAPI_RETURN_IF_ERROR(mBuilder.status());
    if (mBuilder.graph().operations.empty() && mIsWhole) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the graph computes nothing");
    }
    checkOperations();
    addInputIndexes();
    return {};
}

// Of the whole graph, whether it is imported or not.
void Pass::listOperations() {
    const auto& operations = mBuilder.graph().operations;
    for (uint32_t i = 0; i < operations.size(); ++i) {
        mOperators[mOwners[i]].operations.push_back(
                {.index = {.operation = i}, .type = operations[i].type});
    }
}

void Pass::finishWhole(Import& import) {
    listOperations();
    ImportedPart part{.model = std::move(mStore.model())};
    part.model.main = std::move(mBuilder.graph());
    part.operandNames = std::move(mBuilder.names());
    import.parts.push_back(std::move(part));
}

Status Pass::finishParts(Import& import) {
    importing::IncompleteModel whole{.model = std::move(mStore.model()),
                                     .operandNames = std::move(mBuilder.names()),
                                     .partOfOperation = mPartOfOperation};
    whole.model.main = std::move(mBuilder.graph());
    whole.isReadElsewhere.resize(whole.model.main.operands.size(), false);
    for (const ValueId id : mReadElsewhere) {
        if (mGraph[id].operand) whole.isReadElsewhere[*mGraph[id].operand] = true;
    }
    NNAPI_ASSIGN_OR_RETURN(parts, importing::divide(whole, mOptions.common.limits));
    for (size_t i = 0; i < mPartOfOperation.size(); ++i) {
        mOperators[mOwners[i]].operations.push_back({.part = parts.partOfOperation[i],
                                                     .index = {.operation = parts.operations[i]},
                                                     .type = whole.model.main.operations[i].type});
    }
    import.parts = std::move(parts.parts);
    return {};
}

Status Pass::finish(Import& import) {
    if (mIsWhole) {
        finishWhole(import);
    } else if (mOptions.common.partial && !mPartOfOperation.empty()) {
        NNAPI_RETURN_IF_ERROR(finishParts(import));
    } else {
        listOperations();
    }
    for (const ImportedPart& part : import.parts) {
        const Result<Version> legal = validate(part.model, mOptions.common.limits);
        if (legal.ok()) continue;
        return makeError(errorStatus(legal.status()),
                         fmt::format("what becomes of the graph is no legal model: {}",
                                     messageOf(legal.status())));
    }
    import.operators = std::move(mOperators);
    if (!import.parts.empty()) import.losses = std::move(mLosses);
    return {};
}

}  // namespace
}  // namespace nn::onnx

namespace nn {

bool isOnnx(std::span<const uint8_t> bytes) {
    onnx::WireReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    onnx::WireField field;
    bool hasGraph = false;
    bool hasOperatorSet = false;
    while (reader.next(field)) {
        const bool isBytes = field.kind == onnx::WireField::Kind::BYTES;
        const bool isNumber = field.number == 1 || field.number == 5;
        if (isBytes == isNumber) return false;
        hasGraph |= field.number == 7;
        hasOperatorSet |= field.number == 8;
    }
    return !reader.isMalformed() && hasGraph && hasOperatorSet;
}

Result<Import> importOnnx(std::span<const uint8_t> bytes, const OnnxOptions& options) {
    const Limits& limits = options.common.limits;
    NNAPI_ASSIGN_OR_RETURN(
            file,
            onnx::parseFile({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, limits));
    onnx::ExternalFiles files(options.folder, limits);
    NNAPI_ASSIGN_OR_RETURN(
            graph, onnx::resolve(file, {options.common.shapes, options.values}, files, limits));
    // Refusing a node changes what others can be folded into, so that operations are checked again.
    constexpr int kMostPasses = 4;
    onnx::Refusals refused;
    for (int i = 0;; ++i) {
        onnx::Pass pass(graph, options);
        NNAPI_RETURN_IF_ERROR(pass.run(refused));
        onnx::Refusals found = pass.takeRefusals();
        const bool isLast = found.empty() || !options.common.partial || i == kMostPasses;
        if (!isLast) {
            refused.merge(found);
            continue;
        }
        Import import;
        if (found.empty() || !options.common.partial) {
            NNAPI_RETURN_IF_ERROR(pass.finish(import));
        } else {
            import.operators = pass.takeOperators();
        }
        return import;
    }
}

}  // namespace nn
