#include <algorithm>
#include <span>
#include <string>

#include "base/plurals.h"
#include "op_support/rules/graph_call.h"
#include "op_support/rules/specs.h"
#include "ops/if_while/signature.h"

namespace nn::ops::if_while {
namespace {

// One of two lists of operands that must match at the boundary of a subgraph: arguments of the
// operation, or inputs or outputs of a referenced subgraph.
struct Side {
    static constexpr int64_t kOperation = -1;

    const Model::Subgraph& graph;
    std::span<const uint32_t> indexes;
    bool isOutput;
    size_t first = 0;                 // the index of the first one in the operation
    int64_t referenced = kOperation;  // the index of the subgraph

    // Null beyond the last one, and for an operand that does not exist, which the subgraph's own
    // check reports.
    const Operand* operand(size_t i) const {
        return i < indexes.size() && indexes[i] < graph.operands.size()
                       ? &graph.operands[indexes[i]]
                       : nullptr;
    }

    std::string name(size_t i) const {
        std::string text = fmt::format("{} {}", isOutput ? "output" : "input", first + i);
        return text + (referenced == kOperation ? fmt::format(" (operand {})", indexes[i])
                                                : fmt::format(" of referenced[{}]", referenced));
    }
};

// The rules of one IF or WHILE.
class ControlFlow {
   public:
    explicit ControlFlow(const GraphCall& op)
        : mOperation(op.operation),
          mSubgraph(op.subgraph),
          mModel(op.model),
          mChecker(op.checker) {}

    void checkIf() {
        if (!requireOperands()) return;
        requireCondition(inputsFrom(branch::kCondition));
        for (const size_t input : {branch::kThen, branch::kElse}) {
            const Model::Subgraph* graph = subgraphAt(input);
            if (graph == nullptr) continue;
            const Side inputs = inputsOf(input, *graph);
            const Side outputs = outputsOf(input, *graph);
            if (requireCount(inputs, mOperation.inputs.size() - branch::kFirst,
                             "the operation passes") &&
                requireCount(outputs, mOperation.outputs.size(), "the operation has")) {
                requireCompatible(inputsFrom(branch::kFirst), inputs);
                requireCompatible(outputs, outputsOfOperation());
            }
        }
    }

    void checkWhile() {
        if (!requireOperands()) return;
        const Side arguments = inputsFrom(loop::kFirst);
        const size_t passed = arguments.indexes.size();
        if (const Model::Subgraph* graph = subgraphAt(loop::kCondition)) {
            const Side inputs = inputsOf(loop::kCondition, *graph);
            const Side outputs = outputsOf(loop::kCondition, *graph);
            if (requireCount(inputs, passed, "the operation passes") &&
                requireCount(outputs, 1, "a condition has")) {
                requireCompatible(arguments, inputs);
                requireCondition(outputs);  // one boolean, so its size is known
            }
            if (mChecker.hasUnknownInput(indexAt(loop::kCondition))) needUnknownSizes();
        }
        if (const Model::Subgraph* graph = subgraphAt(loop::kBody)) {
            const Side inputs = inputsOf(loop::kBody, *graph);
            const Side outputs = outputsOf(loop::kBody, *graph);
            const size_t least = mOperation.outputs.size();
            const size_t found = outputs.indexes.size();
            if (requireCount(inputs, passed, "the operation passes") &&
                mChecker.require(found >= least && found <= passed, "if_while.subgraph",
                                 "referenced[{}] has {}, allowed {} to {}: as many as the "
                                 "operation has outputs to as many as the body has inputs",
                                 outputs.referenced, Plural{found, "outputs"}, least, passed)) {
                requireCompatible(arguments, inputs);
                requireCompatible(outputs, outputsOfOperation());
                requireCompatible(outputs, inputs);
            }
            const size_t body = indexAt(loop::kBody);
            if (mChecker.hasUnknownInput(body) || mChecker.hasUnknownOutput(body))
                needUnknownSizes();
        }
        const auto isUnknown = [&](uint32_t i) { return hasUnknownSize(mSubgraph.operands[i]); };
        const auto& outputs = mOperation.outputs;
        if (std::any_of(arguments.indexes.begin(), arguments.indexes.end(), isUnknown) ||
            std::any_of(outputs.begin(), outputs.end(), isUnknown)) {
            needUnknownSizes();
        }
    }

   private:
    bool requireOperands() {
        return mChecker.require(mOperation.inputs.size() >= 3, "if_while.inputs",
                                "has {}, allowed 3 or more",
                                Plural{mOperation.inputs.size(), "inputs"}) &&
               mChecker.require(!mOperation.outputs.empty(), "if_while.outputs",
                                "has 0 outputs, allowed 1 or more");
    }

    Side inputsFrom(size_t first) const {
        return {.graph = mSubgraph,
                .indexes = std::span(mOperation.inputs).subspan(first),
                .isOutput = false,
                .first = first};
    }
    Side outputsOfOperation() const {
        return {.graph = mSubgraph, .indexes = mOperation.outputs, .isOutput = true};
    }
    Side inputsOf(size_t input, const Model::Subgraph& graph) const {
        return {.graph = graph,
                .indexes = graph.inputIndexes,
                .isOutput = false,
                .referenced = inputOperand(input).location.offset};
    }
    Side outputsOf(size_t input, const Model::Subgraph& graph) const {
        return {.graph = graph,
                .indexes = graph.outputIndexes,
                .isOutput = true,
                .referenced = inputOperand(input).location.offset};
    }

    const Operand& inputOperand(size_t i) const { return mSubgraph.operands[mOperation.inputs[i]]; }

    // The index of the subgraph that an input names.
    size_t indexAt(size_t input) const { return inputOperand(input).location.offset; }

    // The subgraph that an input names. Null after a report, and if there is no such subgraph,
    // which the operand's own check reports.
    const Model::Subgraph* subgraphAt(size_t input) {
        const Operand& operand = inputOperand(input);
        if (!mChecker.require(operand.type == OperandType::SUBGRAPH, "if_while.types",
                              "input {} (operand {}) is {}, allowed SUBGRAPH", input,
                              mOperation.inputs[input], operand.type)) {
            return nullptr;
        }
        const uint32_t index = operand.location.offset;
        return index < mModel.referenced.size() ? &mModel.referenced[index] : nullptr;
    }

    bool requireCount(const Side& side, size_t count, std::string_view why) {
        return mChecker.require(side.indexes.size() == count, "if_while.subgraph",
                                "referenced[{}] has {}, allowed {}: {} {}", side.referenced,
                                Plural{side.indexes.size(), side.isOutput ? "outputs" : "inputs"},
                                count, why, count);
    }

    // The first operand of a side must be the condition, one boolean.
    void requireCondition(const Side& side) {
        const Operand* operand = side.operand(0);
        if (operand == nullptr) return;
        if (operand->type == OperandType::TENSOR_BOOL8 && operand->dimensions.size() == 1 &&
            operand->dimensions[0] == 1) {
            return;
        }
        mChecker.fail("if_while.condition",
                      fmt::format("{} is {}{}, allowed TENSOR_BOOL8[1]", side.name(0),
                                  operand->type, DimensionList{operand->dimensions}));
    }

    // Each operand of one side must be able to take the value of its counterpart on the other.
    void requireCompatible(const Side& from, const Side& to) {
        for (size_t i = 0; i < from.indexes.size() && !mChecker.done(); ++i) {
            const Operand* found = from.operand(i);
            const Operand* allowed = to.operand(i);
            if (found == nullptr || allowed == nullptr) continue;
            const std::string why = mChecker.difference(*found, *allowed);
            if (why.empty()) continue;
            mChecker.fail("if_while.operands",
                          fmt::format("{} {} as {}", from.name(i), why, to.name(i)));
        }
    }

    // Values of unknown size in a loop would need growing memory, which no driver interface offers.
    void needUnknownSizes() {
        mChecker.requireVersion(
                {.level = Version::Level::FEATURE_LEVEL_4, .runtimeOnlyFeatures = true},
                "an operand of unknown size");
    }

    const Operation& mOperation;
    const Model::Subgraph& mSubgraph;
    const Model& mModel;
    GraphChecker& mChecker;
};

void ifRules(const GraphCall& op) { ControlFlow(op).checkIf(); }
void whileRules(const GraphCall& op) { ControlFlow(op).checkWhile(); }

}  // namespace
}  // namespace nn::ops::if_while

namespace nn::ops {

const OperationSpec specs::IF{.type = OperationType::IF,
                              .types = {},
                              .forms = if_while::kIfForms,
                              .ruleTexts = if_while::kRules,
                              .graphRules = if_while::ifRules};
const OperationSpec specs::WHILE{.type = OperationType::WHILE,
                                 .types = {},
                                 .forms = if_while::kWhileForms,
                                 .ruleTexts = if_while::kRules,
                                 .graphRules = if_while::whileRules};

}  // namespace nn::ops
