// Breaks the rules of graphs of ONNX, or makes one thing large.
#include <vector>

#include "importers/graphs/onnx_attributes.h"
#include "importers/graphs/onnx_graphs.h"
#include "importers/onnx/operators.h"

namespace nn::graphs {
namespace {

namespace file = nnapi::onnx_file;

// All messages of one kind in a file, at any depth.
struct Everything {
    std::vector<file::Graph*> graphs{};
    std::vector<file::Node*> nodes{};
    std::vector<file::Attribute*> attributes{};
    std::vector<file::Tensor*> tensors{};
    std::vector<file::Value*> values{};

    explicit Everything(file::Graph& graph) { add(graph); }

   private:
    void add(file::Graph& graph) {
        graphs.push_back(&graph);
        for (file::Tensor& tensor : *graph.mutable_initializer()) tensors.push_back(&tensor);
        for (file::Value& input : *graph.mutable_input()) values.push_back(&input);
        for (file::Node& node : *graph.mutable_node()) {
            nodes.push_back(&node);
            for (file::Attribute& attribute : *node.mutable_attribute()) {
                attributes.push_back(&attribute);
                if (attribute.has_t()) tensors.push_back(attribute.mutable_t());
                if (attribute.has_g()) add(*attribute.mutable_g());
            }
        }
    }
};

template <class List>
void dropAny(List& list, Choices& choices) {
    if (list.empty()) return;
    list.SwapElements(static_cast<int>(choices.below(std::size(list))), list.size() - 1);
    list.RemoveLast();
}

// A list of numbers with an extreme one, without one, empty, or much longer.
template <class List>
void breakList(List& list, Choices& choices, auto draw) {
    switch (choices.below(6)) {
        case 0:
            list.Clear();
            break;
        case 1:
            dropAny(list, choices);
            break;
        case 2: {
            const auto value = list.empty() ? draw() : list.Get(0);
            for (size_t n = size_t{1} << choices.below(13); n > 0; --n) list.Add(value);
            break;
        }
        case 3:
            list.Add(draw());
            break;
        default:
            if (!list.empty()) choices.any(list) = draw();
    }
}

std::string longText(Choices& choices) {
    if (choices.coin()) return "\x1b[31m\n\xff";
    return std::string(size_t{1} << choices.below(14), 'n');
}

void breakAttribute(file::Attribute& attribute, Choices& choices) {
    const auto number = [&] { return choices.extreme(); };
    const auto real = [&] { return choices.real(); };
    switch (choices.below(6)) {
        case 0:
            attribute = anyAttribute(attribute.name(), choices);
            return;
        case 1:
            attribute.set_type(static_cast<int32_t>(choices.below(12)));
            return;
        case 2:
            attribute.set_name(longText(choices));
            return;
        default:
            if (attribute.ints_size() > 0)
                return breakList(*attribute.mutable_ints(), choices, number);
            if (attribute.floats_size() > 0)
                return breakList(*attribute.mutable_floats(), choices, real);
            if (attribute.has_s()) return attribute.set_s(longText(choices));
            if (attribute.has_f()) return attribute.set_f(choices.real());
            attribute.set_i(choices.extreme());
    }
}

void breakTensor(file::Tensor& tensor, Choices& choices) {
    switch (choices.below(6)) {
        case 0:
            tensor.set_data_type(static_cast<int32_t>(choices.below(25)));
            return;
        case 1:
            tensor.mutable_raw_data()->resize(choices.below(2 * tensor.raw_data().size() + 9));
            return;
        case 2:
            tensor.clear_raw_data();
            for (size_t n = choices.below(5); n > 0; --n) {
                tensor.add_int64_data(choices.extreme());
                tensor.add_float_data(choices.real());
            }
            return;
        case 3:
            breakList(*tensor.mutable_dims(), choices, [&] { return choices.extreme(); });
            return;
        case 4:  // any numbers
            return fill(tensor, choices);
        default:
            breakList(*tensor.mutable_dims(), choices, [&] { return choices.extreme(); });
            fill(tensor, choices);
    }
}

void breakValue(file::Value& value, Choices& choices) {
    file::TensorType& tensor = *value.mutable_type()->mutable_tensor_type();
    file::Shape& shape = *tensor.mutable_shape();
    switch (choices.below(6)) {
        case 0:
            tensor.set_elem_type(static_cast<int32_t>(choices.below(25)));
            return;
        case 1:
            tensor.clear_shape();
            return;
        case 2:
            if (shape.dim_size() > 0) choices.any(*shape.mutable_dim()).set_dim_param("N");
            return;
        case 3:
            shape.add_dim()->set_dim_value(choices.small());
            return;
        case 4:
            if (shape.dim_size() > 0) shape.mutable_dim()->RemoveLast();
            return;
        default:
            if (shape.dim_size() > 0)
                choices.any(*shape.mutable_dim()).set_dim_value(choices.extreme());
    }
}

// Another name: empty, of another value, unknown or long.
void breakName(std::string& name, const Everything& all, Choices& choices) {
    const file::Node& other = *all.nodes[choices.below(all.nodes.size())];
    switch (choices.below(5)) {
        case 0:
            name = longText(choices);
            return;
        case 1:
            if (other.output_size() > 0) name = other.output(0);
            return;
        case 2:
            if (other.input_size() > 0) name = other.input(0);
            return;
        default:
            name.clear();
    }
}

void breakNode(file::Node& node, const Everything& all, Choices& choices) {
    auto &inputs = *node.mutable_input(), &outputs = *node.mutable_output();
    switch (choices.below(9)) {
        case 0:
        case 1:
            if (!inputs.empty()) breakName(choices.any(inputs), all, choices);
            return;
        case 2:
        case 3:
            if (!outputs.empty()) breakName(choices.any(outputs), all, choices);
            return;
        case 4:
            return dropAny(inputs, choices);
        case 5:
            if (inputs.empty()) return;
            for (size_t n = size_t{1} << choices.below(12); n > 0; --n)
                *inputs.Add() = inputs.Get(0);
            return;
        case 6:
            return dropAny(*node.mutable_attribute(), choices);
        case 7: {
            const auto rows = onnx::operatorRows();
            const onnx::OperatorRow& row = choices.any(rows);
            node.set_op_type(choices.oneIn(4) ? longText(choices) : std::string(row.type));
            node.set_domain(std::string(row.domain));
            return;
        }
        default:
            *outputs.Add() = choices.coin() ? "" : longText(choices);
    }
}

void breakGraph(file::Graph& graph, Choices& choices) {
    auto& nodes = *graph.mutable_node();
    if (nodes.empty()) return;
    const auto anyIndex = [&] { return static_cast<int>(choices.below(std::size(nodes))); };
    switch (choices.below(6)) {
        case 0:  // in another order
            for (int i = nodes.size() / 2; i >= 0; --i) nodes.SwapElements(anyIndex(), anyIndex());
            return;
        case 1:  // twice the same values
            *graph.add_node() = file::Node(nodes.Get(anyIndex()));
            return;
        case 2:
            return dropAny(nodes, choices);
        case 3:
            if (graph.output_size() > 0) graph.mutable_output()->RemoveLast();
            return;
        case 4:
            graph.set_name(longText(choices));
            return;
        default:
            return dropAny(*graph.mutable_initializer(), choices);
    }
}

}  // namespace

void breakRule(file::Model& model, Choices& choices) {
    const Everything all(*model.mutable_graph());
    if (all.nodes.empty()) return;
    switch (choices.below(12)) {
        case 0:
            for (file::OperatorSet& set : *model.mutable_opset_import()) {
                set.set_version(choices.oneIn(4) ? choices.extreme()
                                                 : static_cast<int64_t>(1 + choices.below(24)));
            }
            return;
        case 1:
            return breakGraph(*all.graphs[choices.below(all.graphs.size())], choices);
        case 2:
        case 3:
        case 4:
            return breakNode(*all.nodes[choices.below(all.nodes.size())], all, choices);
        case 5:
        case 6:
            if (!all.values.empty())
                breakValue(*all.values[choices.below(all.values.size())], choices);
            return;
        case 7:
        case 8:
        case 9:
            if (all.attributes.empty()) return;
            return breakAttribute(*all.attributes[choices.below(all.attributes.size())], choices);
        default:
            if (all.tensors.empty()) return;
            return breakTensor(*all.tensors[choices.below(all.tensors.size())], choices);
    }
}

}  // namespace nn::graphs
