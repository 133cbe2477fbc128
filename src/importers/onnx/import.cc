#include "nnapi/import/onnx.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "base/float_environment.h"
#include "base/list_text.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "importers/common/model_check.h"
#include "importers/common/parts.h"
#include "importers/onnx/lowering.h"
#include "importers/onnx/unrolling.h"
#include "importers/onnx/wire.h"
#include "nnapi/checked_math.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/validate.h"
#include "types/file_copy.h"

namespace nn::onnx {
namespace {

using importing::ConstantStore;
using importing::GraphBuilder;

// Why a node is refused, and the operators of graphs inside of it.
struct RefusedNode {
    std::vector<ImportRefusal> reasons{};
    std::vector<ImportedOperator> called{};
};
using Refusals = std::map<const NodeMessage*, RefusedNode>;

// The name of a graph inside of a node, which each of its operators has a copy of.
std::string nameOfInner(std::string_view node, std::string_view graph) {
    constexpr size_t kMaxName = 96;
    const std::string_view shown = beginningOf(node, kMaxName);
    return fmt::format("{}{}.{}", shown, shown.size() < node.size() ? "..." : "", graph);
}

// What the passes over a graph, and over those inside of its nodes, share.
struct Shared {
    const OnnxOptions& options;
    const Refusals& before;  // nodes that are refused already
    ConstantStore store{};
    Budget& budget;
};

// One pass over the nodes of a graph: the main one, or with a name one inside of a node.
class Pass {
   public:
    Pass(Graph graph, Shared& shared, std::string name = {})
        : mShared(shared),
          mOptions(shared.options),
          mName(std::move(name)),
          mGraph(std::move(graph)),
          mStore(shared.store),
          mBuilder(mStore, mOptions.common.limits, mOptions.common.target),
          mLowering(mGraph, mBuilder, mOptions.common.target, mLosses, shared.budget,
                    [this](Graph inner, std::string_view node, std::string_view attribute) {
                        return call(std::move(inner), nameOfInner(node, attribute));
                    }) {}

    // Refuses the nodes that are refused already, and lowers the others.
    Status run();

    // The reasons that this pass has found: of nodes, then of their operations.
    Refusals takeRefusals() { return std::move(mRefusals); }
    // Models, where nothing or all that is refused was refused before. Their operations may show
    // further reasons.
    Status finish(Import& import);
    std::vector<ImportedOperator> takeOperators();

   private:
    Status nodesFrom(uint32_t begin, const std::string& graph);
    Status node(uint32_t index, ImportedOperator op);
    Status replaceByBranch(uint32_t index, const std::string& name);
    Status replaceByIterations(uint32_t index, const std::string& name);
    std::variant<CalledGraph, std::string> call(Graph graph, std::string name);
    Status lowerAll();
    void addParts();
    void addRefused(uint32_t index);
    void refuse(uint32_t position, ImportRefusal refusal);
    void checkOperations();
    void addInputIndexes();
    uint32_t levelOf(ValueId id) const;
    void addOutputs();
    void listOperations(std::optional<uint32_t> graph = {});
    void finishWhole(Import& import);
    Status finishParts(Import& import);

    Shared& mShared;
    const OnnxOptions& mOptions;
    std::string mName;
    Graph mGraph;
    ConstantStore& mStore;
    GraphBuilder mBuilder;
    Losses mLosses;
    Lowering mLowering;
    std::vector<ImportedOperator> mOperators, mCalled;  // of this graph, and of those inside
    std::vector<const NodeMessage*> mMessages;          // of mOperators
    Refusals mRefusals;
    bool mIsWhole = true;
    Status mFailure;  // of a graph inside

    std::vector<uint32_t> mPositions;  // in mOperators, by node
    std::vector<uint32_t> mOwners;     // the same, by operation
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

void Pass::refuse(uint32_t position, ImportRefusal refusal) {
    mIsWhole = false;
    if (mOperators[position].refusals.size() >= kMaxListedEntries) return;
    mOperators[position].refusals.push_back(refusal);
    // Copies of a node, as in the iterations of a loop, share its message.
    std::vector<ImportRefusal>& reasons = mRefusals[mMessages[position]].reasons;
    if (reasons.size() < kMaxListedEntries) reasons.push_back(std::move(refusal));
}

// The nodes of a branch, and then names of its outputs, take the place of an If.
Status Pass::replaceByBranch(uint32_t index, const std::string& name) {
    const Node node = mGraph.nodes[index];
    const bool isTrue = mGraph[node.inputs[0]].constant->bytes[0] != 0;
    const std::string_view attribute = isTrue ? "then_branch" : "else_branch";
    const auto branch = node.graphs.find(attribute);
    if (branch == node.graphs.end() || !branch->second.graph->inputs.empty() ||
        branch->second.graph->outputs.size() != node.outputs.size()) {
        return {};  // is refused
    }
    const auto begin = static_cast<uint32_t>(mGraph.nodes.size());
    NNAPI_ASSIGN_OR_RETURN(outputs, splice(mGraph, branch->second, {}, mShared.budget));
    for (const ValueId output : outputs) mGraph[output].consumers.push_back(index);
    NNAPI_RETURN_IF_ERROR(nodesFrom(begin, nameOfInner(name, attribute)));
    mGraph.nodes[index].inputs = std::move(outputs);
    mGraph.nodes[index].isReplaced = true;
    return {};
}

// The nodes of all iterations, one after the other, and then the values that they collect, take the
// place of a Loop.
Status Pass::replaceByIterations(uint32_t index, const std::string& name) {
    static const NodeMessage kRow{.type = "Reshape"},
            kRows{.type = "Concat", .attributes = {{.name = "axis", .integer = 0}}};
    const Node node = mGraph.nodes[index];
    const InnerGraph& inner = node.graphs.at("body");
    const Graph& body = *inner.graph;
    const int64_t trips = mGraph[node.inputs[0]].constant->integers()->front();
    const uint64_t ofEach = std::max<uint64_t>(body.nodes.size(), 1);
    if (trips < 1 || !mShared.budget.spendSteps(static_cast<uint64_t>(trips), ofEach)) {
        return {};  // is refused
    }
    const size_t carried = body.inputs.size() - 2;
    const ValueId goesOn = addConstant(mGraph, makeConstant(ElementType::BOOL, {}, {1}));
    std::vector<ValueId> values(node.inputs.begin() + 2,
                                node.inputs.begin() + 2 + static_cast<ptrdiff_t>(carried));
    std::vector<std::vector<ValueId>> collected(node.outputs.size() - carried);
    for (int64_t i = 0; i < trips; ++i) {
        std::vector<ValueId> arguments = {
                addConstant(mGraph, makeIntegers(ElementType::INT64, {}, {&i, 1})), goesOn};
        arguments.insert(arguments.end(), values.begin(), values.end());
        const auto begin = static_cast<uint32_t>(mGraph.nodes.size());
        NNAPI_ASSIGN_OR_RETURN(outputs, splice(mGraph, inner, arguments, mShared.budget));
        NNAPI_RETURN_IF_ERROR(nodesFrom(begin, nameOfInner(name, fmt::format("body[{}]", i))));
        const auto results = outputs.begin() + 1 + static_cast<ptrdiff_t>(carried);
        values.assign(outputs.begin() + 1, results);
        for (size_t k = 0; k < collected.size(); ++k) collected[k].push_back(results[k]);
    }
    const auto begin = static_cast<uint32_t>(mGraph.nodes.size());
    for (std::vector<ValueId>& rows : collected) {
        for (ValueId& row : rows) {
            if (!mGraph[row].isKnown) return {};  // what computes it is refused
            std::vector<int64_t> shape = {1};
            absl::c_copy(mGraph[row].dimensions, std::back_inserter(shape));
            const Dimensions list{static_cast<uint32_t>(shape.size())};
            row = addNode(
                    mGraph, kRow,
                    {row, addConstant(mGraph, makeIntegers(ElementType::INT64, list, shape))});
        }
        values.push_back(addNode(mGraph, kRows, std::move(rows)));
    }
    for (const ValueId value : values) mGraph[value].consumers.push_back(index);
    NNAPI_RETURN_IF_ERROR(nodesFrom(begin, name));
    mGraph.nodes[index].inputs = std::move(values);
    mGraph.nodes[index].isReplaced = true;
    return {};
}

// The graph that an operator calls. Its operators are listed whether they are refused or not.
std::variant<CalledGraph, std::string> Pass::call(Graph graph, std::string name) {
    Pass pass(std::move(graph), mShared, std::move(name));
    Status status = pass.lowerAll();
    const auto refused = absl::c_count_if(
            pass.mOperators, [](const ImportedOperator& op) { return !op.refusals.empty(); });
    CalledGraph called{.referenced = static_cast<uint32_t>(mStore.model().referenced.size())};
    for (const ValueId id : pass.mGraph.outputs) called.outputs.push_back(pass.mGraph[id]);
    if (status.ok()) pass.listOperations(called.referenced);
    mRefusals.merge(pass.mRefusals);
    absl::c_move(pass.takeOperators(), std::back_inserter(mCalled));
    absl::c_move(pass.mLosses, std::back_inserter(mLosses));
    if (!status.ok()) {
        if (mFailure.ok()) mFailure = status;
        return messageOf(status);
    }
    if (refused > 0) {
        return fmt::format(
                "of which {} refused",
                refused == 1 ? "1 operator is" : fmt::format("{} operators are", refused));
    }
    mStore.model().referenced.push_back(std::move(pass.mBuilder.graph()));
    return called;
}

// What the file does not have, but the importer, has no outputs in its message.
std::vector<ImportedOperator> Pass::takeOperators() {
    std::vector<ImportedOperator> listed;
    for (size_t i = 0; i < mOperators.size(); ++i) {
        const bool isListed = !mMessages[i]->outputs.empty() || !mOperators[i].refusals.empty();
        if (!mOperators[i].refusals.empty()) mOperators[i].operations.clear();
        if (isListed) listed.push_back(std::move(mOperators[i]));
    }
    absl::c_move(mCalled, std::back_inserter(listed));
    return listed;
}

// Those that are there: replacing a node adds further ones.
Status Pass::nodesFrom(uint32_t begin, const std::string& graph) {
    mLevels.resize(mGraph.values.size(), 0);
    const auto end = static_cast<uint32_t>(mGraph.nodes.size());
    for (uint32_t i = begin; i < end; ++i) {
        const NodeMessage& message = *mGraph.nodes[i].message;
        ImportedOperator op{.graph = graph, .index = mGraph.nodes[i].position};
        op.type = message.domain.empty() || message.domain == "ai.onnx"
                          ? std::string(message.type.raw)
                          : fmt::format("{}.{}", message.domain.raw, message.type.raw);
        op.name = message.name.empty() && !message.outputs.empty() ? message.outputs[0]
                                                                   : message.name;
        op.version = static_cast<int32_t>(mGraph.version);
        const bool isUnread = mGraph.nodes[i].isUnread;
        const bool isChoice = op.type == "If" && !isUnread && !mGraph.nodes[i].inputs.empty() &&
                              mGraph.nodes[i].inputs[0] != kNoValue &&
                              isCondition(mGraph[mGraph.nodes[i].inputs[0]]);
        if (isChoice) NNAPI_RETURN_IF_ERROR(replaceByBranch(i, op.name));
        if (!isUnread && collectsConstantTrips(mGraph, mGraph.nodes[i])) {
            NNAPI_RETURN_IF_ERROR(replaceByIterations(i, op.name));
        }
        NNAPI_RETURN_IF_ERROR(node(i, std::move(op)));
    }
    return {};
}

Status Pass::node(uint32_t index, ImportedOperator listed) {
    const NodeMessage& message = *mGraph.nodes[index].message;
    const auto position = static_cast<uint32_t>(mOperators.size());
    mPositions.resize(mGraph.nodes.size(), 0);
    mPositions[index] = position;
    mMessages.push_back(&message);
    ImportedOperator& op = mOperators.emplace_back(std::move(listed));
    if (mGraph.nodes[index].isFolded || mGraph.nodes[index].isUnread) return {};
    const auto found = mShared.before.find(&message);
    const size_t operands = mBuilder.graph().operands.size(), called = mCalled.size();
    if (found != mShared.before.end()) {
        mLowering.refuseNode(index, found->second.reasons);
        absl::c_copy(found->second.called, std::back_inserter(mCalled));
    } else {
        mLowering.lower(index);
    }
    NNAPI_RETURN_IF_ERROR(mFailure);
    NNAPI_RETURN_IF_ERROR(mBuilder.status());
    op.refusals = mLowering.takeRefusals();
    // Operands of inputs that refused nodes compute have their level.
    mPartOfOperand.resize(mBuilder.graph().operands.size(), 0);
    for (const ValueId input : mGraph.nodes[index].inputs) {
        if (input == kNoValue || !mGraph[input].operand || *mGraph[input].operand < operands)
            continue;
        mPartOfOperand[*mGraph[input].operand] = mLevels[input];
    }
    addParts();
    mOwners.resize(mBuilder.graph().operations.size(), position);
    if (op.refusals.empty()) return {};
    addRefused(index);
    if (found == mShared.before.end()) {
        mRefusals[&message] = {
                .reasons = op.refusals,
                .called = {mCalled.begin() + static_cast<ptrdiff_t>(called), mCalled.end()}};
    }
    return {};
}

// Copies of inputs and constants that are outputs belong to the node that gives them their name.
void Pass::addOutputs() {
    for (const ValueId id : mGraph.outputs) {
        const Value& value = mGraph[id];
        if (!value.operand && !value.constant && value.dequantizes == kNoValue &&
            !value.isInitializer) {
            continue;
        }
        mBuilder.begin();
        mLowering.addOutput(id);
        const uint32_t owner = value.producer ? mPositions[*value.producer] : 0;
        mOwners.resize(mBuilder.graph().operations.size(), owner);
        for (ImportRefusal& refusal : mLowering.takeRefusals()) refuse(owner, std::move(refusal));
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
        refuse(mOwners[i], std::move(refusal));
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

Status Pass::lowerAll() {
    // A graph without operators copies what are its outputs.
    static const NodeMessage kCopies{.type = "Identity"};
    if (mGraph.nodes.empty()) {
        mOperators.push_back({.graph = mName, .type = "Identity"});
        mMessages.push_back(&kCopies);
    }
    mLowering.addInputs();
    NNAPI_RETURN_IF_ERROR(nodesFrom(0, mName));
    addOutputs();
    NNAPI_RETURN_IF_ERROR(mBuilder.status());
    checkOperations();
    addInputIndexes();
    return {};
}

Status Pass::run() {
    if (mGraph.nodes.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the graph has no operators");
    }
    NNAPI_RETURN_IF_ERROR(lowerAll());
    if (mBuilder.graph().operations.empty() && mIsWhole) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the graph computes nothing");
    }
    return {};
}

// Of the whole graph, whether it is imported or not.
void Pass::listOperations(std::optional<uint32_t> graph) {
    const auto& operations = mBuilder.graph().operations;
    for (uint32_t i = 0; i < operations.size(); ++i) {
        mOperators[mOwners[i]].operations.push_back(
                {.index = {.graph = graph, .operation = i}, .type = operations[i].type});
    }
}

void Pass::finishWhole(Import& import) {
    listOperations();
    ImportedPart part{.model = mStore.take(std::move(mBuilder.graph()))};
    part.operandNames = std::move(mBuilder.names());
    import.parts.push_back(std::move(part));
}

Status Pass::finishParts(Import& import) {
    importing::IncompleteModel whole{.model = mStore.take(std::move(mBuilder.graph())),
                                     .operandNames = std::move(mBuilder.names()),
                                     .partOfOperation = mPartOfOperation};
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
    // By the rules of preparation, too, which need the whole graph.
    NNAPI_RETURN_IF_ERROR(importing::checkParts(
            import.parts, mOperators, mOptions.common.limits,
            [&](uint32_t position, ImportRefusal why) { refuse(position, std::move(why)); }));
    import.operators = takeOperators();
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

namespace {

// Without a memory, constants are copied.
Result<Import> importOnnxFrom(std::span<const uint8_t> bytes, const SharedMemory& memory,
                              const OnnxOptions& options) {
    const DefaultFloatEnvironment environment;
    const Limits& limits = options.common.limits;
    NNAPI_ASSIGN_OR_RETURN(
            file,
            onnx::parseFile({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, limits));
    onnx::ExternalFiles files(options.folder, limits);
    NNAPI_ASSIGN_OR_RETURN(
            graph, onnx::resolve(file, {options.common.shapes, options.values}, files, limits));
    // Holes of files add nothing to the budget.
    const uint64_t ownBytes = memory != nullptr ? storedBytes(memory) : bytes.size();
    const uint64_t fileBytes =
            checkedAdd<uint64_t>(ownBytes, files.storedBytes()).value_or(UINT64_MAX);
    // Refusing a node changes what others can be folded into, so that operations are checked again.
    constexpr int kMaxPasses = 4;
    onnx::Refusals refused;
    for (int i = 0;; ++i) {
        onnx::Budget budget(limits, fileBytes);
        onnx::Shared shared{.options = options, .before = refused, .budget = budget};
        shared.store.limitCopies(budget.modelBytes());
        shared.store.expectCopies(fileBytes);
        if (memory != nullptr) {
            shared.store.keepFile(bytes, memory);
            for (const auto& [id, file] : files.keptFiles())
                shared.store.keepFile(file.bytes(), file.memory());
        }
        onnx::Pass pass(graph, shared);
        NNAPI_RETURN_IF_ERROR(pass.run());
        onnx::Refusals found = pass.takeRefusals();
        const bool mayGoOn = options.common.partial && i < kMaxPasses;
        Import import;
        if (found.empty() || !options.common.partial) {
            NNAPI_RETURN_IF_ERROR(pass.finish(import));
            found.merge(pass.takeRefusals());
        } else if (!mayGoOn) {
            import.operators = pass.takeOperators();
        }
        if (!found.empty() && mayGoOn) {
            refused.merge(found);
            continue;
        }
        if (!found.empty()) {
            import.parts.clear();
            import.losses.clear();
        }
        NNAPI_RETURN_IF_ERROR(files.seal());
        return import;
    }
}

}  // namespace

Result<Import> importOnnx(std::span<const uint8_t> bytes, const OnnxOptions& options) {
    return importOnnxFrom(bytes, nullptr, options);
}

Result<Import> importOnnx(const SharedMemory& file, const OnnxOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(sealed, sealedMemory(file));
    NNAPI_ASSIGN_OR_RETURN(mapping, map(sealed));
    return importOnnxFrom({mapping.data(), mapping.size()}, sealed, options);
}

}  // namespace nn
