#include "validate/control_flow.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "nnapi/type_utils.h"
#include "opkit/rules/call.h"
#include "validate/checks.h"

namespace nn {
namespace {

// A list of operands that meets another at the boundary of a subgraph: arguments of the operation,
// or inputs or outputs of a referenced subgraph.
struct Side {
    static constexpr int64_t kOperation = -1;

    const Model::Subgraph& graph;
    std::span<const uint32_t> indexes;
    bool isOutput;
    size_t first = 0;                 // the index of the first one in the operation
    int64_t referenced = kOperation;  // the index of the subgraph

    // Null behind the last one, and where the subgraph lists an operand that does not exist, which
    // its own check reports.
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

// The bytes that extra parameters consist of, so that they can be put in an order.
struct ParamBytes {
    size_t kind = 0;
    uint32_t channelDim = 0;
    std::span<const uint8_t> bytes{};

    explicit ParamBytes(const Operand::ExtraParams& params) : kind(params.index()) {
        if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
            channelDim = quant->channelDim;
            bytes = {reinterpret_cast<const uint8_t*>(quant->scales.data()),
                     quant->scales.size() * sizeof(float)};
        } else if (const auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
            bytes = *extension;
        }
    }

    // Below 0, 0 or above; in time that is linear in the shorter one, and only looks at bytes where
    // there are as many of them.
    int compare(const ParamBytes& other) const {
        const auto order = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; };
        if (kind != other.kind) return order(kind, other.kind);
        if (channelDim != other.channelDim) return order(channelDim, other.channelDim);
        if (bytes.size() != other.bytes.size()) return order(bytes.size(), other.bytes.size());
        return bytes.empty() ? 0 : std::memcmp(bytes.data(), other.bytes.data(), bytes.size());
    }
};

bool hasExtraParams(const Operand& operand) {
    return !std::holds_alternative<Operand::NoParams>(operand.extraParams);
}

class ControlFlow {
   public:
    ControlFlow(const Operation& operation, const Model::Subgraph& subgraph, const Model& model,
                ModelFacts& facts, const Place& place, Report& report)
        : mOperation(operation),
          mSubgraph(subgraph),
          mModel(model),
          mFacts(facts),
          mPlace(place),
          mReport(report) {}

    void check() {
        if (!mReport.require(mOperation.inputs.size() >= 3, mPlace, "if_while.inputs",
                             "has {}, allowed 3 or more",
                             Counted{mOperation.inputs.size(), "inputs"}) ||
            !mReport.require(!mOperation.outputs.empty(), mPlace, "if_while.outputs",
                             "has 0 outputs, allowed 1 or more")) {
            return;
        }
        if (mOperation.type == OperationType::IF) {
            checkIf();
        } else {
            checkWhile();
        }
    }

   private:
    void checkIf() {
        const Side condition = inputsFrom(0);
        requireCondition(condition);
        for (const size_t branch : {size_t{1}, size_t{2}}) {
            const Model::Subgraph* graph = subgraphAt(branch);
            if (graph == nullptr) continue;
            const Side inputs = inputsOf(branch, *graph);
            const Side outputs = outputsOf(branch, *graph);
            if (requireCount(inputs, mOperation.inputs.size() - 3, "the operation passes") &&
                requireCount(outputs, mOperation.outputs.size(), "the operation has")) {
                requireCompatible(inputsFrom(3), inputs);
                requireCompatible(outputs, outputsOfOperation());
            }
        }
    }

    void checkWhile() {
        const Side arguments = inputsFrom(2);
        const size_t passed = arguments.indexes.size();
        if (const Model::Subgraph* graph = subgraphAt(0)) {
            const Side inputs = inputsOf(0, *graph);
            const Side outputs = outputsOf(0, *graph);
            if (requireCount(inputs, passed, "the operation passes") &&
                requireCount(outputs, 1, "a condition has")) {
                requireCompatible(arguments, inputs);
                requireCondition(outputs);  // one boolean, so its size is known
            }
            if (mFacts.hasUnknownInput(indexAt(0))) needUnknownSizes();
        }
        if (const Model::Subgraph* graph = subgraphAt(1)) {
            const Side inputs = inputsOf(1, *graph);
            const Side outputs = outputsOf(1, *graph);
            const size_t least = mOperation.outputs.size();
            const size_t found = outputs.indexes.size();
            if (requireCount(inputs, passed, "the operation passes") &&
                mReport.require(found >= least && found <= passed, mPlace, "if_while.subgraph",
                                "referenced[{}] has {}, allowed {} to {}: as many as the "
                                "operation has outputs to as many as the body has inputs",
                                outputs.referenced, Counted{found, "outputs"}, least, passed)) {
                requireCompatible(arguments, inputs);
                requireCompatible(outputs, outputsOfOperation());
                requireCompatible(outputs, inputs);
            }
            const size_t body = indexAt(1);
            if (mFacts.hasUnknownInput(body) || mFacts.hasUnknownOutput(body)) needUnknownSizes();
        }
        const auto isUnknown = [&](uint32_t i) { return hasUnknownSize(mSubgraph.operands[i]); };
        const auto& outputs = mOperation.outputs;
        if (std::any_of(arguments.indexes.begin(), arguments.indexes.end(), isUnknown) ||
            std::any_of(outputs.begin(), outputs.end(), isUnknown)) {
            needUnknownSizes();
        }
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

    // Of the subgraph that an input names, among those of the model.
    size_t indexAt(size_t input) const { return inputOperand(input).location.offset; }

    // The subgraph that an input names; null after a report, and where the operand's own check
    // reports that there is none.
    const Model::Subgraph* subgraphAt(size_t input) {
        const Operand& operand = inputOperand(input);
        if (!mReport.require(operand.type == OperandType::SUBGRAPH, mPlace, "if_while.types",
                             "input {} (operand {}) is {}, allowed SUBGRAPH", input,
                             mOperation.inputs[input], operand.type)) {
            return nullptr;
        }
        const uint32_t index = operand.location.offset;
        return index < mModel.referenced.size() ? &mModel.referenced[index] : nullptr;
    }

    bool requireCount(const Side& side, size_t count, std::string_view why) {
        return mReport.require(side.indexes.size() == count, mPlace, "if_while.subgraph",
                               "referenced[{}] has {}, allowed {}: {} {}", side.referenced,
                               Counted{side.indexes.size(), side.isOutput ? "outputs" : "inputs"},
                               count, why, count);
    }

    // The first operand of a side decides: one boolean.
    void requireCondition(const Side& side) {
        const Operand* operand = side.operand(0);
        if (operand == nullptr) return;
        if (operand->type == OperandType::TENSOR_BOOL8 && operand->dimensions.size() == 1 &&
            operand->dimensions[0] == 1) {
            return;
        }
        mReport.fail(mPlace, "if_while.condition",
                     fmt::format("{} is {}{}, allowed TENSOR_BOOL8[1]", side.name(0), operand->type,
                                 DimensionList{operand->dimensions}));
    }

    // The operands of both sides, as far as both have some, can hold each other's values.
    void requireCompatible(const Side& from, const Side& to) {
        for (size_t i = 0; i < from.indexes.size() && !mReport.done(); ++i) {
            const Operand* found = from.operand(i);
            const Operand* allowed = to.operand(i);
            if (found == nullptr || allowed == nullptr) continue;
            std::string why = differenceButExtraParams(*found, *allowed);
            if (why.empty() && !mFacts.haveSameExtraParams(*found, *allowed, mSubgraph)) {
                why = kOtherExtraParams;
            }
            if (why.empty()) continue;
            mReport.fail(mPlace, "if_while.operands",
                         fmt::format("{} {} as {}", from.name(i), why, to.name(i)));
        }
    }

    // A loop over values of unknown size needs memory that grows, which no driver interface has.
    void needUnknownSizes() {
        mReport.needs(mPlace,
                      {.level = Version::Level::FEATURE_LEVEL_4, .runtimeOnlyFeatures = true},
                      "an operand of unknown size");
    }

    const Operation& mOperation;
    const Model::Subgraph& mSubgraph;
    const Model& mModel;
    ModelFacts& mFacts;
    const Place& mPlace;
    Report& mReport;
};

}  // namespace

bool hasUnknownSize(const Operand& operand) {
    return !isExtension(operand.type) && operandSize(operand) == uint64_t{0};
}

bool ModelFacts::haveSameExtraParams(const Operand& a, const Operand& b,
                                     const Model::Subgraph& other) {
    if (!hasExtraParams(a) || !hasExtraParams(b)) return hasExtraParams(a) == hasExtraParams(b);
    if (!mNumbered) number(other);
    return numberOf(a) == numberOf(b);
}

// Sorting compares n log n times, each time not longer than one of the two is; a hash could be made
// to collide.
void ModelFacts::number(const Model::Subgraph& other) {
    std::vector<Numbered>& numbered = mNumbered.emplace();
    const auto add = [&](const Model::Subgraph& graph) {
        for (const Operand& operand : graph.operands) {
            if (hasExtraParams(operand)) numbered.push_back({&operand, 0});
        }
    };
    add(mModel.main);
    for (const Model::Subgraph& graph : mModel.referenced) add(graph);
    add(other);
    const auto compare = [](const Numbered& a, const Numbered& b) {
        return ParamBytes(a.operand->extraParams).compare(ParamBytes(b.operand->extraParams));
    };
    std::sort(numbered.begin(), numbered.end(),
              [&](const Numbered& a, const Numbered& b) { return compare(a, b) < 0; });
    for (size_t i = 1; i < numbered.size(); ++i) {
        const bool isNew = compare(numbered[i - 1], numbered[i]) != 0;
        numbered[i].number = numbered[i - 1].number + (isNew ? 1 : 0);
    }
    std::sort(numbered.begin(), numbered.end(), [](const Numbered& a, const Numbered& b) {
        return std::less<>()(a.operand, b.operand);
    });
}

size_t ModelFacts::numberOf(const Operand& operand) const {
    const auto found = std::lower_bound(
            mNumbered->begin(), mNumbered->end(), &operand,
            [](const Numbered& a, const Operand* b) { return std::less<>()(a.operand, b); });
    return found->number;
}

bool ModelFacts::hasUnknown(std::vector<Answer>& answers, size_t i,
                            std::vector<uint32_t> Model::Subgraph::*list) {
    answers.resize(mModel.referenced.size(), Answer::NOT_ASKED);
    if (answers[i] == Answer::NOT_ASKED) {
        const Model::Subgraph& graph = mModel.referenced[i];
        const auto isUnknown = [&](uint32_t index) {
            return index < graph.operands.size() && hasUnknownSize(graph.operands[index]);
        };
        const std::vector<uint32_t>& indexes = graph.*list;
        answers[i] =
                std::any_of(indexes.begin(), indexes.end(), isUnknown) ? Answer::YES : Answer::NO;
    }
    return answers[i] == Answer::YES;
}

void checkControlFlow(const Operation& operation, const Model::Subgraph& subgraph,
                      const Model& model, ModelFacts& facts, const Place& place, Report& report) {
    report.needs(place, operationTypeInfo(operation.type)->since,
                 operationTypeInfo(operation.type)->name);
    ControlFlow(operation, subgraph, model, facts, place, report).check();
}

}  // namespace nn
