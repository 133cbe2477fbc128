#include "importers/tflite/composites.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/limits.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "importers/tflite/conversion.h"

namespace nn::tflite {
namespace {

std::vector<int32_t> listOf(const flatbuffers::Vector<int32_t>* list) {
    if (list == nullptr) return {};
    return {list->begin(), list->end()};
}

bool isComposite(const FileOperatorKind& kind) {
    const Row* row = rowOf(kind);
    return kind.code == BuiltinOperator::STABLEHLO_COMPOSITE && row != nullptr &&
           kind.version >= 1 && kind.version <= row->version;
}

// Open dimensions fit all.
bool haveSameDimensions(const FileTensor& a, const FileTensor& b) {
    return absl::c_equal(a.dimensions, b.dimensions, [&](uint32_t one, uint32_t other) {
        return one == other || (one == 0 && a.hasUnknownDimension) ||
               (other == 0 && b.hasUnknownDimension);
    });
}

bool haveSameType(const FileTensor& a, const FileTensor& b) {
    return a.type == b.type && a.scale == b.scale && a.zeroPoint == b.zeroPoint &&
           absl::c_equal(a.channelScales, b.channelScales) &&
           a.channelDimension == b.channelDimension;
}

class Flattening {
   public:
    Flattening(const File& file, onnx::Budget& budget, FlatGraph& flat)
        : mFile(file), mBudget(budget), mFlat(flat) {}

    // The operators of a graph, whose tensors are those of the list.
    Status add(uint32_t graph, const std::vector<int32_t>& tensors) {
        mActive.push_back(graph);
        const auto* operators = mFile.graphs()[graph].table->operators();
        for (uint32_t i = 0; operators != nullptr && i < operators->size(); ++i) {
            const Operator& table = *operators->Get(i);
            FlatOperator op{.table = &table,
                            .graph = graph,
                            .index = i,
                            .inputs = listOf(table.inputs()),
                            .outputs = listOf(table.outputs())};
            for (auto* list : {&op.inputs, &op.outputs}) {
                for (int32_t& tensor : *list) {
                    if (tensor >= 0) tensor = tensors[static_cast<size_t>(tensor)];
                }
            }
            NNAPI_RETURN_IF_ERROR(addOperator(std::move(op)));
        }
        mActive.pop_back();
        return absl::OkStatus();
    }

   private:
    Status addOperator(FlatOperator op) {
        NNAPI_RETURN_IF_ERROR(
                within(mBudget.limits(), &Limits::operations, mFlat.operators.size() + 1, "model"));
        mFlat.operators.push_back(std::move(op));
        const size_t place = mFlat.operators.size() - 1;
        const FlatOperator& added = mFlat.operators[place];
        if (!isComposite(mFile.kindOf(*added.table))) return absl::OkStatus();
        std::string refusal = callRefusalOf(*added.table);
        if (!refusal.empty()) {
            mFlat.operators[place].refusal = std::move(refusal);
            return absl::OkStatus();
        }
        const auto number = static_cast<uint32_t>(decompositionOf(*added.table));
        const FileGraph& graph = mFile.graphs()[number];
        NNAPI_RETURN_IF_ERROR(mBudget.spendCopies(weightOf(graph)));
        refusal = graphRefusal(added, number, graph);
        if (!refusal.empty()) {
            mFlat.operators[place].refusal = std::move(refusal);
            return absl::OkStatus();
        }
        mFlat.operators[place].isReplaced = true;
        NNAPI_RETURN_IF_ERROR(within(mBudget.limits(), &Limits::operands,
                                     mFlat.tensors.size() + graph.tensors.size(), "model"));
        return add(number, tensorsOf(graph, added));
    }

    // -1 without options of a composite.
    static int32_t decompositionOf(const Operator& op) {
        const auto* options = op.builtin_options_2_as_StableHLOCompositeOptions();
        return options == nullptr ? -1 : options->decomposition_subgraph_index();
    }

    static uint64_t weightOf(const FileGraph& graph) {
        uint64_t weight = graph.tensors.size() + graph.inputs.size() + graph.outputs.size();
        for (const FileTensor& tensor : graph.tensors) {
            weight += onnx::Budget::weightOfText(tensor.name.size()) + tensor.dimensions.size();
        }
        const auto* operators = graph.table->operators();
        for (uint32_t i = 0; operators != nullptr && i < operators->size(); ++i) {
            const Operator& op = *operators->Get(i);
            const std::vector<int32_t> inputs = listOf(op.inputs()), outputs = listOf(op.outputs());
            uint64_t text = graph.name.size();
            if (!outputs.empty() && outputs[0] >= 0) {
                text += graph.tensors[static_cast<size_t>(outputs[0])].name.size();
            }
            weight += 1 + inputs.size() + outputs.size() + onnx::Budget::weightOfText(text);
        }
        return weight;
    }

    std::string callRefusalOf(const Operator& op) const {
        if (op.builtin_options_2_as_StableHLOCompositeOptions() == nullptr) {
            return "has no options that name a graph";
        }
        const int32_t number = decompositionOf(op);
        std::string refusal = callRefusal(number, mFile.graphs().size());
        if (!refusal.empty()) return refusal;
        if (absl::c_linear_search(mActive, static_cast<uint32_t>(number))) {
            return recursionRefusal(number);
        }
        return mActive.size() > mBudget.limits().nesting ? nestingRefusal(mActive.size() - 1)
                                                         : std::string();
    }

    std::string graphRefusal(const FlatOperator& op, uint32_t number,
                             const FileGraph& graph) const {
        if (absl::c_any_of(graph.tensors, [](const FileTensor& t) { return t.isVariable; })) {
            return fmt::format("calls graph {}, which keeps values between executions", number);
        }
        std::string refusal = endsRefusal("input", number, op.inputs, graph, graph.inputs);
        if (refusal.empty())
            refusal = endsRefusal("output", number, op.outputs, graph, graph.outputs);
        return refusal.empty() ? outputsRefusal(number, graph) : refusal;
    }

    // The inputs or outputs of the operator are those of the graph.
    std::string endsRefusal(std::string_view kind, uint32_t number, std::span<const int32_t> ofOp,
                            const FileGraph& graph, std::span<const uint32_t> ofGraph) const {
        if (ofOp.size() != ofGraph.size()) {
            return fmt::format("has {}, and graph {} has {}",
                               Plural{ofOp.size(), fmt::format("{}s", kind)}, number,
                               ofGraph.size());
        }
        std::vector<bool> isNamed(graph.tensors.size(), false);
        for (size_t i = 0; i < ofOp.size(); ++i) {
            if (ofOp[i] < 0) return fmt::format("has no {} {}", kind, i);
            if (isNamed[ofGraph[i]]) {
                return fmt::format("calls graph {}, which has one tensor as two {}s", number, kind);
            }
            isNamed[ofGraph[i]] = true;
            const FileTensor& outer = mFlat.tensors[static_cast<size_t>(ofOp[i])];
            const FileTensor& inner = graph.tensors[ofGraph[i]];
            if (outer.isVariable) {
                return fmt::format("has {} {}, which keeps its value between executions", kind, i);
            }
            if (!haveSameType(outer, inner)) {
                return fmt::format("has {} {} of another type or scale than graph {}", kind, i,
                                   number);
            }
            if (!haveSameDimensions(outer, inner)) {
                return fmt::format("has {} {} of dimensions {}, and graph {} one of {}", kind, i,
                                   DimensionList{outer.dimensions}, number,
                                   DimensionList{inner.dimensions});
            }
        }
        return {};
    }

    // An output of the graph is what one of its operators computes.
    static std::string outputsRefusal(uint32_t number, const FileGraph& graph) {
        std::vector<bool> isComputed(graph.tensors.size(), false);
        const auto* operators = graph.table->operators();
        for (uint32_t i = 0; operators != nullptr && i < operators->size(); ++i) {
            for (const int32_t tensor : listOf(operators->Get(i)->outputs())) {
                if (tensor >= 0) isComputed[static_cast<size_t>(tensor)] = true;
            }
        }
        for (const uint32_t input : graph.inputs) isComputed[input] = false;
        for (const uint32_t output : graph.outputs) {
            if (isComputed[output]) continue;
            return fmt::format("calls graph {}, whose operators do not compute its output {}",
                               number, inQuotes(graph.tensors[output].name));
        }
        return {};
    }

    // The tensors of the graph in the flat one: those of the operator, and new ones.
    std::vector<int32_t> tensorsOf(const FileGraph& graph, const FlatOperator& op) {
        std::vector<int32_t> tensors(graph.tensors.size(), -1);
        for (size_t i = 0; i < graph.inputs.size(); ++i) tensors[graph.inputs[i]] = op.inputs[i];
        for (size_t i = 0; i < graph.outputs.size(); ++i) tensors[graph.outputs[i]] = op.outputs[i];
        for (size_t i = 0; i < tensors.size(); ++i) {
            if (tensors[i] >= 0) continue;
            tensors[i] = static_cast<int32_t>(mFlat.tensors.size());
            mFlat.tensors.push_back(graph.tensors[i]);
        }
        return tensors;
    }

    const File& mFile;
    onnx::Budget& mBudget;
    FlatGraph& mFlat;
    std::vector<uint32_t> mActive;  // graphs, each inside of the one before
};

}  // namespace

std::string callRefusal(int32_t graph, size_t graphs) {
    if (graph == 0) return "calls graph 0, which is the main one";
    if (graph > 0 && static_cast<size_t>(graph) < graphs) return {};
    return fmt::format("calls graph {}, {}", graph, Below{graphs, "file", "graphs"});
}

std::string recursionRefusal(int32_t graph) {
    return fmt::format("calls graph {}, which calls it", graph);
}

std::string nestingRefusal(size_t depth) {
    return fmt::format("calls a graph inside {} others", depth);
}

Result<FlatGraph> flatGraphOf(const File& file, uint32_t graph, onnx::Budget& budget) {
    const FileGraph& from = file.graphs()[graph];
    FlatGraph flat{.name = from.name,
                   .tensors = from.tensors,
                   .inputs = from.inputs,
                   .outputs = from.outputs};
    std::vector<int32_t> tensors(from.tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) tensors[i] = static_cast<int32_t>(i);
    NNAPI_RETURN_IF_ERROR(Flattening(file, budget, flat).add(graph, tensors));
    return flat;
}

}  // namespace nn::tflite
