#include "importers/onnx/graph.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "importers/onnx/fold.h"
#include "nnapi/checked.h"
#include "types/limits.h"
#include "types/plurals.h"
#include "types/printable.h"

namespace nn::onnx {
namespace {

bool isOwnDomain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

class Resolver {
   public:
    Resolver(const FileMessage& file, const GraphInputs& given, ExternalFiles& files,
             const Limits& limits)
        : mFile(file), mGiven(given), mFiles(files), mLimits(limits) {}

    Result<Graph> resolve();

   private:
    Status error(std::string_view what) const {
        return makeError(ErrorStatus::INVALID_ARGUMENT, what);
    }
    Result<ValueId> add(std::string_view name);
    Status addInitializers(const GraphMessage& graph);
    Status addInputs();
    Status addInput(const ValueMessage& input);
    Status addNodes(const GraphMessage& graph);
    Status addNode(const NodeMessage& message);
    void addConstant(const Node& node);
    void evaluate(const Node& node);
    Status addIf(const NodeMessage& message);
    const GraphMessage* branchOf(const NodeMessage& message) const;
    Status addOutputs();
    void describeValues();
    Status requireUsed() const;

    const FileMessage& mFile;
    const GraphInputs& mGiven;
    ExternalFiles& mFiles;
    const Limits& mLimits;
    Graph mGraph;
    std::unordered_map<std::string_view, ValueId> mIds;
    std::vector<std::string_view> mNames;  // of mIds, in their order
    bool mHasBranches = false;             // the file has an If
    uint64_t mEvaluable = 1 << 20;         // bytes of constants that may still be computed
};

Result<ValueId> Resolver::add(std::string_view name) {
    NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::operands, mGraph.values.size() + 1, "graph"));
    const auto id = static_cast<ValueId>(mGraph.values.size());
    if (!mIds.emplace(name, id).second) {
        return error(fmt::format("value {} is defined twice", inQuotes(name)));
    }
    mNames.push_back(name);
    mGraph.values.push_back({.name = name});
    return id;
}

void setConstant(Value& value, Constant constant) {
    value.isKnown = true;
    value.type = constant.type;
    value.dimensions = constant.dimensions;
    value.constant = std::move(constant);
}

Status Resolver::addInitializers(const GraphMessage& graph) {
    if (graph.sparseInitializers > 0) return error("sparse initialisers, allowed dense ones");
    for (const TensorMessage& tensor : graph.initializers) {
        NNAPI_ASSIGN_OR_RETURN(id, add(tensor.name));
        NNAPI_ASSIGN_OR_RETURN(constant, readConstant(tensor, mFiles, mLimits));
        setConstant(mGraph[id], std::move(constant));
    }
    return {};
}

// The dimensions of a value, as far as all are known.
std::optional<Dimensions> knownDimensions(const ValueMessage& message) {
    if (!message.dimensions) return std::nullopt;
    Dimensions dimensions;
    for (const ValueMessage::Dimension& dimension : *message.dimensions) {
        if (!dimension.value || *dimension.value < 0 || *dimension.value > INT32_MAX) {
            return std::nullopt;
        }
        dimensions.push_back(static_cast<uint32_t>(*dimension.value));
    }
    return dimensions;
}

Status Resolver::addInput(const ValueMessage& input) {
    NNAPI_ASSIGN_OR_RETURN(id, add(input.name));
    Value& value = mGraph[id];
    const std::string name(input.name);
    if (const auto given = mGiven.values.find(name); given != mGiven.values.end()) {
        const Tensor& tensor = given->second;
        const auto count = checkedProduct<uint64_t>(tensor.dimensions);
        const uint64_t size = elementSize(input.type);
        if (size == 0 || !count || tensor.data.size() / size != *count ||
            tensor.data.size() % size != 0) {
            return error(fmt::format("input {} is of {}, but {} bytes are given for {} elements",
                                     inQuotes(name), toString(input.type), tensor.data.size(),
                                     count.value_or(0)));
        }
        setConstant(value, makeConstant(input.type, tensor.dimensions, tensor.data));
        return {};
    }
    mGraph.inputs.push_back(id);
    value.isInput = true;
    value.type = input.type;
    if (!input.isTensor) return {};
    std::optional<Dimensions> dimensions = knownDimensions(input);
    if (const auto given = mGiven.shapes.find(name); given != mGiven.shapes.end()) {
        dimensions = given->second;
        if (input.dimensions && input.dimensions->size() != dimensions->size()) {
            return error(fmt::format("input {} has rank {}, but {} given for it", inQuotes(name),
                                     input.dimensions->size(),
                                     Plural{dimensions->size(), "dimensions"}));
        }
    }
    if (!dimensions) return {};
    NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::rank, dimensions->size(), "input"));
    value.isKnown = true;
    value.dimensions = *std::move(dimensions);
    return {};
}

Status Resolver::addInputs() {
    for (const ValueMessage& input : mFile.graph.inputs) {
        // Old files list initialisers among the inputs, too.
        if (mIds.contains(input.name)) {
            if (!mGraph[mIds[input.name]].constant) {
                return error(fmt::format("input {} is defined twice", inQuotes(input.name)));
            }
            continue;
        }
        NNAPI_RETURN_IF_ERROR(addInput(input));
    }
    return {};
}

// Constants are known before all others, wherever they stand.
void Resolver::addConstant(const Node& node) {
    if (node.message->type != "Constant" || node.outputs.size() != 1) return;
    Value& value = mGraph[node.outputs[0]];
    for (const AttributeMessage& attribute : node.message->attributes) {
        if (attribute.name == "value" && attribute.tensor) {
            const Result<Constant> constant = readConstant(*attribute.tensor, mFiles, mLimits);
            if (constant.ok()) setConstant(value, *constant);
        } else if (attribute.name == "value_float" && attribute.real) {
            setConstant(value, makeFloats({}, {&*attribute.real, 1}));
        } else if (attribute.name == "value_floats") {
            setConstant(value, makeFloats({static_cast<uint32_t>(attribute.reals.size())},
                                          attribute.reals));
        } else if (attribute.name == "value_int" && attribute.integer) {
            setConstant(value, makeIntegers(ElementType::INT64, {}, {&*attribute.integer, 1}));
        } else if (attribute.name == "value_ints") {
            setConstant(value, makeIntegers(ElementType::INT64,
                                            {static_cast<uint32_t>(attribute.integers.size())},
                                            attribute.integers));
        }
    }
}

bool isIf(const NodeMessage& message) {
    return message.type == "If" && isOwnDomain(message.domain);
}

Status Resolver::addNode(const NodeMessage& message) {
    const auto index = static_cast<uint32_t>(mGraph.nodes.size());
    Node node{.message = &message,
              .row = operatorRow(isOwnDomain(message.domain) ? "" : message.domain, message.type)};
    for (const std::string_view name : message.inputs) {
        const auto found = name.empty() ? mIds.end() : mIds.find(name);
        if (!name.empty() && found == mIds.end()) {
            return error(fmt::format("node {} {} reads {}, which nothing before it computes", index,
                                     printable(message.type), inQuotes(name)));
        }
        node.inputs.push_back(name.empty() ? kNoValue : found->second);
        if (!name.empty()) mGraph[found->second].consumers.push_back(index);
    }
    for (const std::string_view name : message.outputs) {
        if (name.empty()) {
            node.outputs.push_back(kNoValue);
            continue;
        }
        NNAPI_ASSIGN_OR_RETURN(id, add(name));
        mGraph[id].producer = index;
        node.outputs.push_back(id);
    }
    addConstant(node);
    if (mHasBranches) evaluate(node);
    mGraph.nodes.push_back(std::move(node));
    return {};
}

Status Resolver::addNodes(const GraphMessage& graph) {
    for (const NodeMessage& message : graph.nodes) {
        NNAPI_RETURN_IF_ERROR(
                within(mLimits, &Limits::operations, mGraph.nodes.size() + 1, "graph"));
        NNAPI_RETURN_IF_ERROR(isIf(message) ? addIf(message) : addNode(message));
    }
    return {};
}

// Conditions follow from constants and from dimensions of inputs, which are few bytes.
void Resolver::evaluate(const Node& node) {
    const bool isOwn = node.row != nullptr && node.row->domain.empty();
    if (!isOwn || node.outputs.size() != 1 || node.outputs[0] == kNoValue) return;
    Value& output = mGraph[node.outputs[0]];
    std::vector<const Constant*> inputs;
    uint64_t bytes = 0;
    for (const ValueId id : node.inputs) {
        if (id == kNoValue) return;
        const Value& input = mGraph[id];
        if (node.row->type == "Shape" && input.isKnown) {
            return setConstant(output, shapeConstant(*node.message, input.dimensions));
        }
        if (!input.constant) return;
        inputs.push_back(&*input.constant);
        bytes += input.constant->bytes.size();
    }
    if (inputs.empty() || output.constant || bytes > mEvaluable) return;
    const auto results = fold({.message = *node.message,
                               .version = mGraph.version,
                               .inputs = inputs,
                               .outputs = node.outputs.size()});
    if (!results || results->empty()) return;
    bytes += results->front().bytes.size();
    // Much is not computed for nothing again and again.
    mEvaluable = bytes > mEvaluable ? 0 : mEvaluable - bytes;
    if (mEvaluable > 0) setConstant(output, results->front());
}

// The branch that an If with a constant condition takes.
const GraphMessage* Resolver::branchOf(const NodeMessage& message) const {
    const auto found = message.inputs.size() == 1 ? mIds.find(message.inputs[0]) : mIds.end();
    if (found == mIds.end()) return nullptr;
    const std::optional<Constant>& condition = mGraph[found->second].constant;
    if (!condition || condition->type != ElementType::BOOL || condition->bytes.size() != 1) {
        return nullptr;
    }
    const AttributeMessage* branch =
            attributeOf(message, condition->bytes[0] != 0 ? "then_branch" : "else_branch");
    const bool fits = branch != nullptr && branch->graph &&
                      branch->graph->outputs.size() == message.outputs.size();
    return fits ? branch->graph.get() : nullptr;
}

// The nodes of the branch take the place of the If. The names in it end with it.
Status Resolver::addIf(const NodeMessage& message) {
    const GraphMessage* branch = branchOf(message);
    if (branch == nullptr) return addNode(message);
    const size_t before = mNames.size();
    NNAPI_RETURN_IF_ERROR(addInitializers(*branch));
    NNAPI_RETURN_IF_ERROR(addNodes(*branch));
    std::vector<ValueId> outputs;
    for (const ValueMessage& output : branch->outputs) {
        const auto found = mIds.find(output.name);
        if (found == mIds.end()) {
            return error(
                    fmt::format("nothing computes output {} of a branch", inQuotes(output.name)));
        }
        outputs.push_back(found->second);
    }
    for (size_t i = before; i < mNames.size(); ++i) mIds.erase(mNames[i]);
    mNames.resize(before);
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (message.outputs[i].empty()) continue;
        if (!mIds.emplace(message.outputs[i], outputs[i]).second) {
            return error(fmt::format("value {} is defined twice", inQuotes(message.outputs[i])));
        }
        mNames.push_back(message.outputs[i]);
        if (mGraph[outputs[i]].producer) mGraph[outputs[i]].name = message.outputs[i];
    }
    return {};
}

Status Resolver::addOutputs() {
    for (const ValueMessage& output : mFile.graph.outputs) {
        const auto found = mIds.find(output.name);
        if (found == mIds.end()) {
            return error(fmt::format("nothing computes output {}", inQuotes(output.name)));
        }
        if (std::exchange(mGraph[found->second].isOutput, true)) {
            return error(fmt::format("output {} is listed twice", inQuotes(output.name)));
        }
        mGraph.outputs.push_back(found->second);
    }
    if (mGraph.outputs.empty()) return error("the graph has no outputs");
    return {};
}

// Types and dimensions that the file states help where an operator is refused.
void Resolver::describeValues() {
    for (const auto* list : {&mFile.graph.values, &mFile.graph.outputs}) {
        for (const ValueMessage& message : *list) {
            const auto found = mIds.find(message.name);
            if (found == mIds.end() || !message.isTensor) continue;
            Value& value = mGraph[found->second];
            const std::optional<Dimensions> dimensions = knownDimensions(message);
            // With other dimensions of inputs, those of the file do not hold.
            if (value.isKnown || value.isInput || !dimensions || !mGiven.shapes.empty()) continue;
            if (dimensions->size() > mLimits.rank) continue;
            value.isKnown = true;
            value.type = message.type;
            value.dimensions = *dimensions;
        }
    }
}

Status Resolver::requireUsed() const {
    const auto require = [&](const auto& given) -> Status {
        for (const auto& [name, unused] : given) {
            const auto found = mIds.find(name);
            if (found == mIds.end() || mGraph[found->second].producer) {
                return error(fmt::format("the model has no input {}", inQuotes(name)));
            }
        }
        return {};
    };
    NNAPI_RETURN_IF_ERROR(require(mGiven.shapes));
    return require(mGiven.values);
}

Result<Graph> Resolver::resolve() {
    for (const FileMessage::OperatorSet& set : mFile.operatorSets) {
        if (isOwnDomain(set.domain)) mGraph.version = set.version;
    }
    const bool isUsed = absl::c_any_of(
            mFile.graph.nodes, [](const NodeMessage& node) { return isOwnDomain(node.domain); });
    const bool isKnown =
            mGraph.version >= kOldestOperatorSet && mGraph.version <= kNewestOperatorSet;
    if (!isKnown && (isUsed || mGraph.version != 0)) {
        return error(fmt::format("operator set {} of ONNX, allowed {} to {}", mGraph.version,
                                 kOldestOperatorSet, kNewestOperatorSet));
    }
    mHasBranches = absl::c_any_of(mFile.graph.nodes, isIf);
    NNAPI_RETURN_IF_ERROR(addInitializers(mFile.graph));
    NNAPI_RETURN_IF_ERROR(addInputs());
    NNAPI_RETURN_IF_ERROR(addNodes(mFile.graph));
    NNAPI_RETURN_IF_ERROR(addOutputs());
    describeValues();
    NNAPI_RETURN_IF_ERROR(requireUsed());
    return std::move(mGraph);
}

}  // namespace

Result<Graph> resolve(const FileMessage& file, const GraphInputs& given, ExternalFiles& files,
                      const Limits& limits) {
    return Resolver(file, given, files, limits).resolve();
}

}  // namespace nn::onnx
