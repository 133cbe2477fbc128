#include "importers/onnx/graph.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/limits.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

bool isOwnDomain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// Resolves one graph. A value that it does not define belongs to the enclosing graph, if there is
// one.
class Resolver {
   public:
    Resolver(const GraphMessage& message, int64_t version, const Functions* functions,
             const GraphInputs& given, ExternalFiles& files, const Limits& limits,
             Resolver* outer = nullptr)
        : mMessage(message), mGiven(given), mFiles(files), mLimits(limits), mOuter(outer) {
        mGraph.version = version;
        mGraph.functions = functions;
    }

    Result<Graph> resolve();

   private:
    Status error(std::string_view what) const {
        return makeError(ErrorStatus::INVALID_ARGUMENT, what);
    }
    Result<ValueId> add(std::string_view name);
    std::optional<ValueId> find(std::string_view name);
    std::vector<Capture> takeCaptures();
    Status addInitializers();
    Status addInputs();
    Status addInput(const ValueMessage& input);
    Status addNodes();
    Status addNode(uint32_t position);
    Status resolveNode(uint32_t position, Node& node);
    bool waits(uint32_t position);
    bool isComputed(std::string_view name);
    std::vector<uint32_t> nodesThatWaitedFor(const NodeMessage& message);
    Status waitsForever() const;
    void dropUnread();
    Status addGraphs(Node& node);
    void addConstant(const Node& node);
    Status addOutputs();
    void describeValues();
    bool hasGivenShapes() const {
        return mOuter == nullptr ? !mGiven.shapes.empty() : mOuter->hasGivenShapes();
    }
    Status requireUsed() const;

    const GraphMessage& mMessage;
    const GraphInputs& mGiven;
    ExternalFiles& mFiles;
    const Limits& mLimits;
    Resolver* mOuter;
    Graph mGraph;
    std::vector<Capture> mCaptures;
    std::unordered_map<std::string_view, ValueId> mIds;

    // Nodes that read what later ones compute: by such a name, and how many names each waits for.
    std::unordered_map<std::string_view, std::vector<uint32_t>> mWaiting;
    std::map<uint32_t, size_t> mMissing;
    std::unordered_set<std::string_view> mComputed;  // by all nodes, once one has waited
};

// The values of enclosing graphs that an inner graph reads.
std::vector<std::string_view> namesFromOutside(const GraphMessage& graph) {
    std::unordered_set<std::string_view> own;
    for (const TensorMessage& tensor : graph.initializers) own.insert(tensor.name);
    for (const ValueMessage& input : graph.inputs) own.insert(input.name);
    for (const NodeMessage& node : graph.nodes)
        own.insert(node.outputs.begin(), node.outputs.end());
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && own.insert(name).second) names.push_back(name);
    };
    for (const NodeMessage& node : graph.nodes) {
        for (const std::string_view name : node.inputs) add(name);
        for (const AttributeMessage& attribute : node.attributes) {
            if (!attribute.graph) continue;
            for (const std::string_view name : namesFromOutside(*attribute.graph)) add(name);
        }
    }
    for (const ValueMessage& output : graph.outputs) add(output.name);
    return names;
}

// The inputs of a node, and the values that its graphs read.
std::vector<std::string_view> namesReadBy(const NodeMessage& node) {
    std::vector<std::string_view> names(node.inputs.begin(), node.inputs.end());
    for (const AttributeMessage& attribute : node.attributes) {
        if (attribute.graph)
            absl::c_copy(namesFromOutside(*attribute.graph), std::back_inserter(names));
    }
    return names;
}

Result<ValueId> Resolver::add(std::string_view name) {
    NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::operands, mGraph.values.size() + 1, "graph"));
    const auto id = static_cast<ValueId>(mGraph.values.size());
    if (!mIds.emplace(name, id).second) {
        return error(fmt::format("value {} is defined twice", inQuotes(name)));
    }
    mGraph.values.push_back({.name = name});
    return id;
}

std::optional<ValueId> Resolver::find(std::string_view name) {
    if (const auto found = mIds.find(name); found != mIds.end()) return found->second;
    const auto outer = mOuter == nullptr ? std::nullopt : mOuter->find(name);
    if (!outer) return std::nullopt;
    const auto id = static_cast<ValueId>(mGraph.values.size());
    mIds.emplace(name, id);
    mGraph.values.push_back({.name = name});
    mCaptures.push_back({.outer = *outer, .inner = id});
    return id;
}

std::vector<Capture> Resolver::takeCaptures() {
    absl::c_stable_sort(mCaptures,
                        [](const Capture& a, const Capture& b) { return a.outer < b.outer; });
    return std::move(mCaptures);
}

Status Resolver::addInitializers() {
    for (const TensorMessage& tensor : mMessage.initializers) {
        NNAPI_ASSIGN_OR_RETURN(id, add(tensor.name));
        mGraph[id].isInitializer = true;
        if (elementSize(tensor.type) == 0) {  // whatever reads it is refused
            NNAPI_ASSIGN_OR_RETURN(dimensions, dimensionsOf(tensor, mLimits));
            mGraph[id].describe(tensor.type, std::move(dimensions));
            continue;
        }
        NNAPI_ASSIGN_OR_RETURN(constant, readConstant(tensor, mFiles, mLimits));
        mGraph[id].setConstant(std::move(constant));
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
            return error(fmt::format("input {} is of {}, but {} bytes are given for {}",
                                     inQuotes(name), toString(input.type), tensor.data.size(),
                                     Plural{count.value_or(0), "elements"}));
        }
        NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::rank, tensor.dimensions.size(), "input"));
        value.setConstant(makeConstant(input.type, tensor.dimensions, tensor.data));
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
    for (const ValueMessage& input : mMessage.inputs) {
        // Old files list initializers among the inputs, too.
        if (mIds.contains(input.name)) {
            if (!mGraph[mIds[input.name]].isInitializer) {
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
    const bool hasOutput = node.outputs.size() == 1 && node.outputs[0] != kNoValue;
    if (node.message->type != "Constant" || !hasOutput) return;
    Value& value = mGraph[node.outputs[0]];
    for (const AttributeMessage& attribute : node.message->attributes) {
        if (attribute.name == "value" && attribute.tensor) {
            const Result<Constant> constant = readConstant(*attribute.tensor, mFiles, mLimits);
            if (constant.ok()) value.setConstant(*constant);
        } else if (attribute.name == "value_float" && attribute.real) {
            value.setConstant(makeFloats({}, {&*attribute.real, 1}));
        } else if (attribute.name == "value_floats") {
            value.setConstant(
                    makeFloats({static_cast<uint32_t>(attribute.reals.size())}, attribute.reals));
        } else if (attribute.name == "value_int" && attribute.integer) {
            value.setConstant(makeIntegers(ElementType::INT64, {}, {&*attribute.integer, 1}));
        } else if (attribute.name == "value_ints") {
            value.setConstant(makeIntegers(ElementType::INT64,
                                           {static_cast<uint32_t>(attribute.integers.size())},
                                           attribute.integers));
        }
    }
}

// The graphs inside of a node; it reads the values of this graph that they read.
Status Resolver::addGraphs(Node& node) {
    static const std::map<std::string, Dimensions> kNoShapes;
    static const std::map<std::string, Tensor> kNoValues;
    const GraphInputs none{kNoShapes, kNoValues};
    std::unordered_set<ValueId> read;
    for (const AttributeMessage& attribute : node.message->attributes) {
        if (!attribute.graph) continue;
        Resolver resolver(*attribute.graph, mGraph.version, mGraph.functions, none, mFiles, mLimits,
                          this);
        NNAPI_ASSIGN_OR_RETURN(graph, resolver.resolve());
        for (const auto& [outer, inner] : resolver.mCaptures) {
            if (read.insert(outer).second) node.inputs.push_back(outer);
        }
        node.graphs[attribute.name] = {.graph = std::make_shared<const Graph>(std::move(graph)),
                                       .captures = resolver.takeCaptures()};
    }
    return {};
}

bool Resolver::isComputed(std::string_view name) {
    if (mComputed.empty()) {
        for (const NodeMessage& node : mMessage.nodes)
            mComputed.insert(node.outputs.begin(), node.outputs.end());
    }
    return mComputed.contains(name);
}

// True if the node reads names that nodes behind it compute: it is added after these.
bool Resolver::waits(uint32_t position) {
    std::unordered_set<std::string_view> missing;
    for (const std::string_view name : namesReadBy(mMessage.nodes[position])) {
        if (!name.empty() && !find(name) && isComputed(name)) missing.insert(name);
    }
    for (const std::string_view name : missing) mWaiting[name].push_back(position);
    if (!missing.empty()) mMissing[position] = missing.size();
    return !missing.empty();
}

// Those that wait for nothing else, once the node is added.
std::vector<uint32_t> Resolver::nodesThatWaitedFor(const NodeMessage& message) {
    std::vector<uint32_t> ready;
    for (const std::string_view name : message.outputs) {
        const auto waiting = mWaiting.find(name);
        if (waiting == mWaiting.end()) continue;
        for (const uint32_t position : waiting->second) {
            if (--mMissing[position] > 0) continue;
            mMissing.erase(position);
            ready.push_back(position);
        }
        mWaiting.erase(waiting);
    }
    return ready;
}

// Inputs and the graphs inside of a node.
Status Resolver::resolveNode(uint32_t position, Node& node) {
    for (const std::string_view name : node.message->inputs) {
        const auto found = name.empty() ? kNoValue : find(name);
        if (!found) {
            return error(fmt::format("node {} {} reads {}, which nothing computes", position,
                                     node.message->type, inQuotes(name)));
        }
        node.inputs.push_back(*found);
    }
    return isOwnDomain(node.message->domain) ? addGraphs(node) : Status();
}

Status Resolver::addNode(uint32_t position) {
    const NodeMessage& message = mMessage.nodes[position];
    const auto index = static_cast<uint32_t>(mGraph.nodes.size());
    Node node{.message = &message,
              .row = operatorRow(isOwnDomain(message.domain) ? "" : message.domain, message.type),
              .position = position};
    NNAPI_RETURN_IF_ERROR(resolveNode(position, node));
    for (const ValueId input : node.inputs) {
        if (input != kNoValue) mGraph[input].consumers.push_back(index);
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
    mGraph.nodes.push_back(std::move(node));
    return {};
}

Status Resolver::waitsForever() const {
    const uint32_t position = mMissing.begin()->first;
    const NodeMessage& message = mMessage.nodes[position];
    const auto names = namesReadBy(message);
    const auto name =
            absl::c_find_if(names, [&](std::string_view each) { return mWaiting.contains(each); });
    return error(fmt::format("node {} {} reads {}, which no order of the nodes computes before",
                             position, message.type,
                             inQuotes(name == names.end() ? std::string_view() : *name)));
}

Status Resolver::addNodes() {
    NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::operations, mMessage.nodes.size(), "graph"));
    const auto isReadyInOrder = [&](uint32_t position) {
        const NodeMessage& message = mMessage.nodes[position];
        const bool hasGraph = absl::c_any_of(message.attributes, [](const auto& attribute) {
            return attribute.graph != nullptr;
        });
        return !hasGraph && absl::c_all_of(message.inputs, [&](std::string_view name) {
            return name.empty() || find(name);
        });
    };
    for (uint32_t position = 0; position < mMessage.nodes.size(); ++position) {
        if (!isReadyInOrder(position) && waits(position)) continue;
        for (std::vector<uint32_t> ready{position}; !ready.empty();) {
            const uint32_t next = ready.back();
            ready.pop_back();
            NNAPI_RETURN_IF_ERROR(addNode(next));
            absl::c_move(nodesThatWaitedFor(mMessage.nodes[next]), std::back_inserter(ready));
        }
    }
    return mMissing.empty() ? Status() : waitsForever();
}

// Nodes on which no output depends compute nothing.
void Resolver::dropUnread() {
    std::vector<bool> isRead(mGraph.values.size(), false);
    for (const ValueId output : mGraph.outputs) isRead[output] = true;
    bool hasUnread = false;
    for (size_t i = mGraph.nodes.size(); i-- > 0;) {
        Node& node = mGraph.nodes[i];
        node.isUnread = absl::c_none_of(
                node.outputs, [&](ValueId output) { return output != kNoValue && isRead[output]; });
        hasUnread |= node.isUnread;
        for (const ValueId input : node.inputs) {
            if (input != kNoValue && !node.isUnread) isRead[input] = true;
        }
    }
    if (!hasUnread) return;
    for (Value& value : mGraph.values) {
        std::erase_if(value.consumers,
                      [&](uint32_t consumer) { return mGraph.nodes[consumer].isUnread; });
    }
}

Status Resolver::addOutputs() {
    for (const ValueMessage& output : mMessage.outputs) {
        const auto found = find(output.name);
        if (!found) {
            return error(fmt::format("nothing computes output {}", inQuotes(output.name)));
        }
        if (std::exchange(mGraph[*found].isOutput, true)) {
            return error(fmt::format("output {} is listed twice", inQuotes(output.name)));
        }
        mGraph.outputs.push_back(*found);
    }
    if (mGraph.outputs.empty()) return error("the graph has no outputs");
    return {};
}

// Types and dimensions that the file states help where an operator is refused.
void Resolver::describeValues() {
    // With other dimensions of inputs, those of the file do not hold.
    if (hasGivenShapes()) return;
    for (const auto* list : {&mMessage.values, &mMessage.outputs}) {
        for (const ValueMessage& message : *list) {
            const auto found = mIds.find(message.name);
            if (found == mIds.end() || !message.isTensor) continue;
            Value& value = mGraph[found->second];
            const std::optional<Dimensions> dimensions = knownDimensions(message);
            if (value.isKnown || value.isInput || !dimensions) continue;
            if (dimensions->size() > mLimits.rank) continue;
            value.describe(message.type, *dimensions);
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
    NNAPI_RETURN_IF_ERROR(addInitializers());
    NNAPI_RETURN_IF_ERROR(addInputs());
    NNAPI_RETURN_IF_ERROR(addNodes());
    NNAPI_RETURN_IF_ERROR(addOutputs());
    dropUnread();
    describeValues();
    NNAPI_RETURN_IF_ERROR(requireUsed());
    return std::move(mGraph);
}

}  // namespace

void Value::describe(ElementType newType, Dimensions newDimensions) {
    isKnown = true;
    type = newType;
    dimensions = std::move(newDimensions);
}

void Value::setConstant(Constant newConstant) {
    describe(newConstant.type, newConstant.dimensions);
    constant = std::move(newConstant);
}

Result<Graph> resolve(const FileMessage& file, const GraphInputs& given, ExternalFiles& files,
                      const Limits& limits) {
    int64_t version = 0;
    for (const FileMessage::OperatorSet& set : file.operatorSets) {
        if (isOwnDomain(set.domain)) version = set.version;
    }
    const bool isUsed = absl::c_any_of(
            file.graph.nodes, [](const NodeMessage& node) { return isOwnDomain(node.domain); });
    const bool isKnown = version >= kOldestOperatorSet && version <= kNewestOperatorSet;
    if (!isKnown && (isUsed || version != 0)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("operator set {} of ONNX, allowed {} to {}", version,
                                     kOldestOperatorSet, kNewestOperatorSet));
    }
    return Resolver(file.graph, version, &file.functions, given, files, limits).resolve();
}

std::span<const Capture> InnerGraph::capturesOf(ValueId outer) const {
    const auto first = absl::c_lower_bound(
            captures, outer, [](const Capture& capture, ValueId id) { return capture.outer < id; });
    auto last = first;
    while (last != captures.end() && last->outer == outer) ++last;
    return {first, last};
}

Result<std::vector<ValueId>> splice(Graph& graph, const InnerGraph& from,
                                    std::span<const ValueId> arguments, Budget& budget) {
    const Graph& inner = *from.graph;
    const Limits& limits = budget.limits();
    NNAPI_RETURN_IF_ERROR(budget.spendCopies(weightOf(inner)));
    NNAPI_RETURN_IF_ERROR(
            within(limits, &Limits::operands, graph.values.size() + inner.values.size(), "graph"));
    NNAPI_RETURN_IF_ERROR(
            within(limits, &Limits::operations, graph.nodes.size() + inner.nodes.size(), "graph"));
    std::vector<ValueId> ids(inner.values.size(), kNoValue);
    for (const auto& [outer, to] : from.captures) ids[to] = outer;
    for (size_t i = 0; i < inner.inputs.size(); ++i) ids[inner.inputs[i]] = arguments[i];
    for (size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] != kNoValue) continue;
        ids[i] = static_cast<ValueId>(graph.values.size());
        Value& value = graph.values.emplace_back(inner.values[i]);
        value.isOutput = false;
        value.consumers.clear();
    }
    const auto rename = [&](std::vector<ValueId>& values) {
        for (ValueId& id : values) id = id == kNoValue ? kNoValue : ids[id];
    };
    for (Node node : inner.nodes) {
        const auto index = static_cast<uint32_t>(graph.nodes.size());
        rename(node.inputs);
        rename(node.outputs);
        for (auto& [name, graphs] : node.graphs) {
            for (Capture& capture : graphs.captures) capture.outer = ids[capture.outer];
            absl::c_stable_sort(graphs.captures, [](const Capture& a, const Capture& b) {
                return a.outer < b.outer;
            });
        }
        for (const ValueId id : node.inputs)
            if (id != kNoValue && !node.isUnread) graph[id].consumers.push_back(index);
        for (const ValueId id : node.outputs)
            if (id != kNoValue) graph[id].producer = index;
        graph.nodes.push_back(std::move(node));
    }
    std::vector<ValueId> outputs = inner.outputs;
    rename(outputs);
    return outputs;
}

ValueId addNode(Graph& graph, const NodeMessage& message, std::vector<ValueId> inputs) {
    const auto index = static_cast<uint32_t>(graph.nodes.size());
    const auto output = static_cast<ValueId>(graph.values.size());
    for (const ValueId input : inputs) graph[input].consumers.push_back(index);
    graph.values.push_back({.producer = index});
    graph.nodes.push_back({.message = &message,
                           .row = operatorRow("", message.type),
                           .inputs = std::move(inputs),
                           .outputs = {output}});
    return output;
}

ValueId addConstant(Graph& graph, Constant constant) {
    const auto id = static_cast<ValueId>(graph.values.size());
    graph.values.emplace_back().setConstant(std::move(constant));
    return id;
}

}  // namespace nn::onnx
