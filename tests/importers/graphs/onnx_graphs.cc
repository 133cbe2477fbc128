#include "importers/graphs/onnx_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "fuzz/message_mutator.h"
#include "importers/onnx/file.h"
#include "importers/onnx/operators.h"
#include "importers/onnx_file.h"
#include "importers/onnx_operator_files.h"

namespace nn::graphs {
namespace {

namespace file = nnapi::onnx_file;
using onnx::kBoolType, onnx::kFloatType, onnx::kInt64Type, onnx::kInt8Type, onnx::kUint8Type;
using Sizes = std::vector<int64_t>;

constexpr int kMaxDepth = 3;

// Numbers of AttributeProto.AttributeType.
constexpr int kInteger = 2, kTensor = 4, kGraph = 5;

// A file with one operator, and the types of its operators.
struct Template {
    file::Model model{};
    int64_t version = 0;
    std::set<std::string> operators{};
};

const std::vector<Template>& templates() {
    static const std::vector<Template> kAll = [] {
        std::vector<Template> all;
        for (const onnx::OnnxOperatorFile& each : onnx::onnxOperatorFiles()) {
            Template made;
            if (!made.model.ParseFromString(each.bytes)) continue;
            made.version = made.model.opset_import(0).version();
            made.operators = operatorsOf(made.model.graph());
            all.push_back(std::move(made));
        }
        return all;
    }();
    return kAll;
}

// Those with an operator.
std::vector<const Template*> templatesOf(const onnx::OperatorRow& row) {
    const std::string name = operatorName(row.domain, row.type);
    std::vector<const Template*> found;
    for (const Template& each : templates()) {
        if (each.operators.contains(name)) found.push_back(&each);
    }
    return found;
}

// The attributes of all of them, by name.
const std::multimap<std::string, file::Attribute>& attributes() {
    static const std::multimap<std::string, file::Attribute> kAll = [] {
        std::multimap<std::string, file::Attribute> all;
        for (const Template& each : templates()) {
            for (const file::Node& node : each.model.graph().node()) {
                for (const auto& attribute : node.attribute())
                    all.emplace(attribute.name(), attribute);
            }
        }
        return all;
    }();
    return kAll;
}

// Of the attributes that an operator has.
std::vector<std::string> namesOf(const onnx::OperatorRow& row) {
    std::istringstream words{std::string(row.attributes)};
    return {std::istream_iterator<std::string>(words), {}};
}

int64_t anyInteger(Choices& choices) {
    if (choices.oneIn(8)) return choices.extreme();
    return choices.pick<int64_t>({0, 1, 1, 2, 3, -1, -2, 4});
}

size_t elementBytes(int32_t type) {
    return std::max<size_t>(onnx::elementSize(static_cast<onnx::ElementType>(type)), 1);
}

std::string anyElement(int32_t type, Choices& choices) {
    const auto bytesOf = [&]<class T>(T value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    if (type == kFloatType) return bytesOf(choices.real());
    if (type == onnx::kDoubleType) return bytesOf(static_cast<double>(choices.real()));
    const int64_t value = anyInteger(choices);
    if (type == kBoolType) return bytesOf(static_cast<uint8_t>(value & 1));
    return bytesOf(value).substr(0, elementBytes(type));  // the lowest bytes
}

// Fills a tensor with random elements as far as its type and its dimensions allow.
void fill(file::Tensor& tensor, Choices& choices) {
    constexpr uint64_t kMost = 1 << 14;
    uint64_t count = 1;
    for (const int64_t size : tensor.dims()) {
        if (size < 0 || count > kMost) return;  // no tensor has that many elements
        count = size == 0 ? 0 : count * std::min(static_cast<uint64_t>(size), kMost + 1);
    }
    if (count > kMost) return;
    std::string elements;
    for (size_t i = 0; i < std::min<uint64_t>(count, 8); ++i) {
        elements += anyElement(tensor.data_type(), choices);
    }
    std::string raw;
    const size_t size = count * elementBytes(tensor.data_type());
    while (raw.size() < size) raw.append(elements, 0, std::min(elements.size(), size - raw.size()));
    tensor.set_raw_data(std::move(raw));
}

void breakRule(google::protobuf::Message& message, Choices& choices) {
    fuzz::mutateMessage(message, message, static_cast<unsigned>(choices.source().number()));
}

// A value that is visible in all graphs: an input or a constant of the main graph.
struct Known {
    std::string name{};
    int32_t type = 0;
    Sizes sizes{};
};

// A graph, and computed values that it can read, the newest last.
struct Scope {
    file::Graph& graph;
    std::vector<std::string> computed{};
};

class GraphMaker {
   public:
    GraphMaker(Choices& choices, file::Model& model)
        : mChoices(choices), mMain(*model.mutable_graph()) {
        const auto& row = mChoices.any(mRows);
        mFirst = &row;
        const auto found = templatesOf(row);
        mVersion = found.empty() ? onnx::kNewestOperatorSet : found.front()->version;
        model.set_ir_version(8);
        file::OperatorSet& set = *model.add_opset_import();
        set.set_domain("");
        set.set_version(mVersion);
        mAllConstant = mChoices.oneIn(4);
    }

    void make() {
        Scope main{mMain};
        addOperator(main, *mFirst);
        const size_t most = mChoices.straysOneIn(8) ? 24 : mChoices.isCareful() ? 3 : 6;
        for (size_t n = mChoices.below(most); n > 0; --n) addAny(main, 0);
        if (mMain.node_size() > 0 && mChoices.oneIn(12)) repeatNode(main);
        for (const std::string& name : main.computed) mMain.add_output()->set_name(name);
    }

   private:
    std::string fresh() { return fmt::format("v{}", mNames++); }

    file::Node& addNode(Scope& at, std::string_view type, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
        file::Node& node = *at.graph.add_node();
        node.set_op_type(std::string(type));
        for (const std::string& input : inputs) node.add_input(input);
        for (const std::string& output : outputs) node.add_output(output);
        return node;
    }
    std::string add(Scope& at, std::string_view type, const std::vector<std::string>& inputs) {
        std::string output = fresh();
        addNode(at, type, inputs, {output});
        return output;
    }

    // ---- values

    std::string addInput(int32_t type, const Sizes& sizes) {
        const std::string name = fresh();
        addValue(*mMain.add_input(), name, type, sizes);
        mKnown.push_back({name, type, sizes});
        return name;
    }
    static void addValue(file::Value& value, const std::string& name, int32_t type,
                         const Sizes& sizes) {
        value.set_name(name);
        file::TensorType& tensor = *value.mutable_type()->mutable_tensor_type();
        tensor.set_elem_type(type);
        tensor.mutable_shape();
        for (const int64_t size : sizes) tensor.mutable_shape()->add_dim()->set_dim_value(size);
    }

    // A constant: an initializer of this graph or of the main one, or the operator Constant.
    std::string addConstant(Scope& at, file::Tensor tensor) {
        const std::string name = fresh();
        if (mChoices.oneIn(6)) {
            file::Attribute& value = *addNode(at, "Constant", {}, {name}).add_attribute();
            value.set_name("value");
            value.set_type(kTensor);
            *value.mutable_t() = std::move(tensor);
            return name;
        }
        tensor.set_name(name);
        if (mChoices.coin()) {
            *at.graph.add_initializer() = std::move(tensor);
        } else {
            mKnown.push_back(
                    {name, tensor.data_type(), {tensor.dims().begin(), tensor.dims().end()}});
            *mMain.add_initializer() = std::move(tensor);
        }
        return name;
    }
    std::string constant(Scope& at, int32_t type, const Sizes& sizes) {
        file::Tensor tensor;
        tensor.set_data_type(type);
        for (const int64_t size : sizes) tensor.add_dims(size);
        fill(tensor, mChoices);
        return addConstant(at, std::move(tensor));
    }
    std::string integers(Scope& at, const Sizes& values, bool isScalar = false) {
        file::Tensor tensor;
        tensor.set_data_type(kInt64Type);
        if (!isScalar) tensor.add_dims(static_cast<int64_t>(values.size()));
        tensor.set_raw_data(values.data(), values.size() * sizeof(int64_t));
        return addConstant(at, std::move(tensor));
    }
    std::string real(Scope& at, float value) {
        file::Tensor tensor;
        tensor.set_data_type(kFloatType);
        tensor.set_raw_data(&value, sizeof(value));
        return addConstant(at, std::move(tensor));
    }

    // Any computed value as a tensor of a type and of sizes: its first element, everywhere.
    std::string converted(Scope& at, const std::string& from, int32_t type, const Sizes& sizes) {
        const std::string flat =
                add(at, "Reshape", {cast(at, from, kFloatType), integers(at, {-1})});
        const std::string first = add(at, "Slice", {flat, integers(at, {0}), integers(at, {1})});
        const std::string wide = add(at, "Expand", {first, integers(at, sizes)});
        return type == kFloatType ? wide : cast(at, wide, type);
    }
    std::string cast(Scope& at, const std::string& from, int32_t type) {
        const std::string output = fresh();
        file::Attribute& to = *addNode(at, "Cast", {from}, {output}).add_attribute();
        to.set_name("to");
        to.set_i(type);
        to.set_type(kInteger);
        return output;
    }

    // A quantized tensor as a real one.
    std::string dequantized(Scope& at, const Sizes& sizes) {
        const int32_t type = mChoices.coin() ? kUint8Type : kInt8Type;
        const std::string data =
                mChoices.oneIn(3) ? constant(at, type, sizes) : addInput(type, sizes);
        return add(at, "DequantizeLinear", {data, real(at, 0.5f), constant(at, type, {})});
    }

    std::string valueFor(Scope& at, int32_t type, const Sizes& sizes) {
        if (mAllConstant || mChoices.oneIn(5)) return constant(at, type, sizes);
        if (mQuantized && type == kFloatType) return dequantized(at, sizes);
        if (!at.computed.empty() && mVersion >= 10 && mChoices.coin()) {
            return converted(at, mChoices.any(at.computed), type, sizes);
        }
        const auto same = std::ranges::find_if(mKnown, [&](const Known& known) {
            return known.type == type && known.sizes == sizes;
        });
        if (same != mKnown.end() && mChoices.coin()) return same->name;
        return addInput(type, sizes);
    }

    // ---- operators

    void addAny(Scope& at, int depth) {
        if (depth < kMaxDepth && mChoices.oneIn(7)) return addNested(at, depth);
        addOperator(at, mChoices.any(mRows));
    }

    void addOperator(Scope& at, const onnx::OperatorRow& row) {
        std::vector<const Template*> found = templatesOf(row);
        // The version is that of the first operator; most mean the same in later ones.
        std::erase_if(found, [&](const Template* each) {
            return (each->version < 13) != (mVersion < 13);
        });
        mQuantized = row.quantized != onnx::QuantizedForm::NONE && mChoices.oneIn(4);
        if (found.empty() || mChoices.straysOneIn(8)) {
            addBare(at, row);
        } else {
            addTemplate(at, *mChoices.any(found));
        }
    }

    static Sizes sizesOf(const file::Graph& graph) {
        std::set<int64_t> sizes;
        for (const file::Value& input : graph.input()) {
            for (const auto& dim : input.type().tensor_type().shape().dim())
                sizes.insert(dim.dim_value());
        }
        return {sizes.begin(), sizes.end()};
    }

    void addTemplate(Scope& at, const Template& chosen) {
        const file::Graph& graph = chosen.model.graph();
        const auto others = mChoices.otherSizes(sizesOf(graph));
        const auto sizeOf = [&](int64_t size) {
            const auto other = others.find(size);
            return other == others.end() ? size : other->second;
        };
        std::map<std::string, std::string> names;
        for (const file::Value& input : graph.input()) {
            Sizes sizes;
            const file::TensorType& tensor = input.type().tensor_type();
            for (const auto& dim : tensor.shape().dim()) sizes.push_back(sizeOf(dim.dim_value()));
            names[input.name()] = valueFor(at, tensor.elem_type(), sizes);
        }
        for (file::Tensor tensor : graph.initializer()) {
            const std::string name = tensor.name();
            const bool isList = tensor.data_type() == kInt64Type;
            Sizes sizes;
            for (int64_t& size : *tensor.mutable_dims()) {
                if (!isList) size = sizeOf(size);
                sizes.push_back(size);
            }
            if (mChoices.straysOneIn(12)) {
                names[name] = addInput(tensor.data_type(), sizes);
                continue;
            }
            if ((!isList && !others.empty()) || mChoices.straysOneIn(12)) fill(tensor, mChoices);
            names[name] = addConstant(at, std::move(tensor));
        }
        const int before = at.graph.node_size();
        for (const file::Node& node : graph.node()) {
            rename(*at.graph.add_node() = node, names);
        }
        if (mChoices.straysOneIn(3)) varyAttribute(*at.graph.mutable_node(before));
        for (const file::Value& output : graph.output()) addComputed(at, names[output.name()]);
    }

    // A computed value, perhaps quantized.
    void addComputed(Scope& at, const std::string& name) {
        if (!mQuantized) return at.computed.push_back(name);
        at.computed.push_back(
                add(at, "QuantizeLinear", {name, real(at, 0.25f), constant(at, kUint8Type, {})}));
    }

    void rename(file::Node& node, std::map<std::string, std::string>& names) {
        const auto change = [&](std::string& name) {
            if (name.empty()) return;
            std::string& other = names[name];
            if (other.empty()) other = fresh();
            name = other;
        };
        for (std::string& input : *node.mutable_input()) change(input);
        for (std::string& output : *node.mutable_output()) change(output);
        for (file::Attribute& attribute : *node.mutable_attribute()) {
            if (!attribute.has_g()) continue;
            file::Graph& inner = *attribute.mutable_g();
            for (file::Value& input : *inner.mutable_input()) change(*input.mutable_name());
            for (file::Tensor& tensor : *inner.mutable_initializer())
                change(*tensor.mutable_name());
            for (file::Node& each : *inner.mutable_node()) rename(each, names);
            for (file::Value& output : *inner.mutable_output()) change(*output.mutable_name());
        }
    }

    // One of the attributes that the operator has, with any value.
    void varyAttribute(file::Node& node) {
        const onnx::OperatorRow* row = onnx::operatorRow(node.domain(), node.op_type());
        if (row == nullptr) return;
        std::vector<std::string> names = namesOf(*row);
        if (!names.empty()) setAttribute(node, mChoices.any(names));
    }

    // As some operator has it, perhaps changed; a number where none has it. Replaces one of that
    // name.
    void setAttribute(file::Node& node, const std::string& name) {
        file::Attribute made;
        const auto [first, last] = attributes().equal_range(name);
        if (first == last) {
            made.set_type(kInteger);
            made.set_i(anyInteger(mChoices));
        } else {
            made = std::next(first, static_cast<ptrdiff_t>(mChoices.below(
                                            static_cast<size_t>(std::distance(first, last)))))
                           ->second;
        }
        if (mChoices.coin()) breakRule(made, mChoices);
        made.set_name(name);
        for (file::Attribute& old : *node.mutable_attribute()) {
            if (old.name() != name) continue;
            old = std::move(made);
            return;
        }
        *node.add_attribute() = std::move(made);
    }

    // An operator with any inputs and attributes in the numbers of its row.
    void addBare(Scope& at, const onnx::OperatorRow& row) {
        std::vector<std::string> inputs, outputs;
        const size_t most = std::min<size_t>(row.maxInputs, row.minInputs + size_t{3});
        const size_t rank = mChoices.below(7);
        Sizes sizes;
        for (size_t i = 0; i < rank; ++i)
            sizes.push_back(mChoices.oneIn(12) ? 0 : mChoices.small());
        for (size_t n = row.minInputs + mChoices.below(most - row.minInputs + 1); n > 0; --n) {
            const bool isOmitted = inputs.size() >= row.minInputs && mChoices.oneIn(3);
            const int32_t type =
                    mChoices.pick({kFloatType, kFloatType, kInt64Type, kBoolType, kUint8Type});
            inputs.push_back(isOmitted ? "" : valueFor(at, type, sizes));
        }
        for (size_t n = 1 + mChoices.below(std::min<size_t>(row.maxOutputs, 3)); n > 0; --n) {
            outputs.push_back(fresh());
            at.computed.push_back(outputs.back());
        }
        file::Node& node = addNode(at, row.type, inputs, outputs);
        if (!row.domain.empty()) node.set_domain(std::string(row.domain));
        for (const std::string& name : namesOf(row)) {
            if (mChoices.coin()) setAttribute(node, name);
        }
    }

    // Many nodes that share their inputs and attributes.
    void repeatNode(Scope& at) {
        const file::Node node = mChoices.any(*at.graph.mutable_node());
        for (size_t n = size_t{1} << mChoices.below(9); n > 0; --n) {
            file::Node& copy = *at.graph.add_node() = node;
            for (std::string& output : *copy.mutable_output()) output = fresh();
            if (copy.output_size() > 0) at.computed.push_back(copy.output(0));
        }
    }

    // ---- graphs inside of operators

    // A graph that reads enclosing values, with at most two results.
    void fillInner(const Scope& around, file::Graph& graph, int depth,
                   std::vector<std::string> more = {}) {
        graph.set_name(fresh());
        Scope inner{graph, around.computed};
        inner.computed.insert(inner.computed.end(), more.begin(), more.end());
        for (size_t n = 1 + mChoices.below(3); n > 0; --n) addAny(inner, depth + 1);
        for (size_t n = 1 + mChoices.below(2); n > 0 && !inner.computed.empty(); --n) {
            graph.add_output()->set_name(inner.computed.back());
            inner.computed.pop_back();
        }
    }

    std::string condition(Scope& at) {
        if (!mAllConstant && mChoices.coin()) {
            const std::string input = addInput(kBoolType, {});
            return mChoices.coin() ? input : add(at, "Not", {input});
        }
        return constant(at, kBoolType, {});
    }

    static file::Graph& graphAttribute(file::Node& node, const std::string& name) {
        file::Attribute& attribute = *node.add_attribute();
        attribute.set_name(name);
        attribute.set_type(kGraph);
        return *attribute.mutable_g();
    }

    void addNested(Scope& at, int depth) {
        file::Node node;
        switch (mChoices.below(8)) {
            case 5:
            case 6:
                addLoop(at, node, depth);
                break;
            case 7:
                addScan(at, node, depth);
                break;
            default:
                addIf(at, node, depth);
        }
        for (const std::string& output : node.output()) at.computed.push_back(output);
        *at.graph.add_node() = std::move(node);
    }

    void addIf(Scope& at, file::Node& node, int depth) {
        node.set_op_type("If");
        node.add_input(condition(at));
        file::Graph& branch = graphAttribute(node, "then_branch");
        fillInner(at, branch, depth);
        for (int i = 0; i < branch.output_size(); ++i) node.add_output(fresh());
        const file::Graph copy = branch;
        file::Graph& other = graphAttribute(node, "else_branch");
        if (mChoices.straysOneIn(3)) {
            fillInner(at, other, depth);
        } else {
            other = copy;
        }
    }

    void addLoop(Scope& at, file::Node& node, int depth) {
        node.set_op_type("Loop");
        const int64_t rounds = mChoices.straysOneIn(4)
                                       ? mChoices.extreme()
                                       : mChoices.pick<int64_t>({0, 1, 2, 3, 100, 5000});
        const bool isInput = mChoices.oneIn(4) && !mAllConstant;
        node.add_input(isInput ? addInput(kInt64Type, {}) : integers(at, {rounds}, true));
        node.add_input(mChoices.coin() ? "" : condition(at));
        file::Graph body;
        const std::string stays = fresh();
        addValue(*body.add_input(), fresh(), kInt64Type, {});
        addValue(*body.add_input(), stays, kBoolType, {});
        std::vector<std::string> carried;
        const Sizes sizes{2, 3};
        for (size_t n = mChoices.below(3); n > 0; --n) {
            node.add_input(valueFor(at, kFloatType, sizes));
            node.add_output(fresh());
            carried.push_back(fresh());
            addValue(*body.add_input(), carried.back(), kFloatType, sizes);
        }
        Scope inner{body};
        body.add_output()->set_name(add(inner, "Identity", {stays}));
        for (const std::string& value : carried) {
            body.add_output()->set_name(add(inner, mChoices.coin() ? "Relu" : "Neg", {value}));
        }
        const int before = body.output_size();
        fillInner(at, body, depth, carried);
        for (int i = before; i < body.output_size(); ++i) node.add_output(fresh());
        graphAttribute(node, "body") = std::move(body);
    }

    void addScan(Scope& at, file::Node& node, int depth) {
        node.set_op_type("Scan");
        node.add_input(valueFor(at, kFloatType, {4, 2}));
        file::Attribute& count = *node.add_attribute();
        count.set_name("num_scan_inputs");
        count.set_type(kInteger);
        count.set_i(1);
        file::Graph body;
        const std::string row = fresh();
        addValue(*body.add_input(), row, kFloatType, {2});
        fillInner(at, body, depth, {row});
        for (int i = 0; i < body.output_size(); ++i) node.add_output(fresh());
        graphAttribute(node, "body") = std::move(body);
    }

    Choices& mChoices;
    file::Graph& mMain;
    std::span<const onnx::OperatorRow> mRows = onnx::operatorRows();
    const onnx::OperatorRow* mFirst = nullptr;
    int64_t mVersion = 0;
    bool mAllConstant = false;
    bool mQuantized = false;
    size_t mNames = 0;
    std::vector<Known> mKnown;
};

void addOperatorsOf(const file::Graph& graph, std::set<std::string>& operators) {
    for (const file::Node& node : graph.node()) {
        operators.insert(operatorName(node.domain(), node.op_type()));
        for (const file::Attribute& attribute : node.attribute()) {
            if (attribute.has_g()) addOperatorsOf(attribute.g(), operators);
        }
    }
}

}  // namespace

std::string operatorName(std::string_view domain, std::string_view type) {
    if (domain.empty() || domain == "ai.onnx") return std::string(type);
    return fmt::format("{}.{}", domain, type);
}

std::set<std::string> operatorsOf(const file::Graph& graph) {
    std::set<std::string> operators;
    addOperatorsOf(graph, operators);
    return operators;
}

GraphFile anyOnnxGraph(testing::Source& source) {
    Choices choices(source);
    file::Model model;
    GraphMaker(choices, model).make();
    while (choices.breaksRule()) breakRule(model, choices);
    const std::string bytes = model.SerializeAsString();
    return {.bytes = {bytes.begin(), bytes.end()}, .operators = operatorsOf(model.graph())};
}

}  // namespace nn::graphs
