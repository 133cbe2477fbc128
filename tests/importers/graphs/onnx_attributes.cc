#include "importers/graphs/onnx_attributes.h"

#include <algorithm>

#include "importers/graphs/onnx_graphs.h"
#include "importers/onnx_file.h"

namespace nn::graphs {
namespace {

namespace file = nnapi::onnx_file;

// Names by type. All others are integers.
struct Names {
    AttributeType type;
    std::string_view names;
};
constexpr Names kNames[] = {
        {kReal,
         "alpha beta gamma epsilon bias momentum ratio clip value_float cubic_coeff_a "
         "extrapolation_value min max lambd"},
        {kIntegers,
         "pads paddings strides dilations kernel_shape axes perm starts ends split output_shape "
         "output_padding shape value_ints output_sequence"},
        {kReals, "activation_alpha activation_beta scales value_floats"},
        {kText,
         "auto_pad mode direction coordinate_transformation_mode nearest_mode "
         "keep_aspect_ratio_policy approximate reduction"},
        {kTexts, "activations"},
        {kTensor, "value"},
        {kGraph, "body then_branch else_branch"},
};

constexpr std::string_view kWords[] = {"NOTSET",
                                       "SAME_UPPER",
                                       "SAME_LOWER",
                                       "VALID",
                                       "constant",
                                       "reflect",
                                       "edge",
                                       "wrap",
                                       "linear",
                                       "nearest",
                                       "cubic",
                                       "DCR",
                                       "CRD",
                                       "forward",
                                       "reverse",
                                       "bidirectional",
                                       "asymmetric",
                                       "half_pixel",
                                       "align_corners",
                                       "pytorch_half_pixel",
                                       "tf_crop_and_resize",
                                       "floor",
                                       "ceil",
                                       "round_prefer_floor",
                                       "round_prefer_ceil",
                                       "stretch",
                                       "not_larger",
                                       "none",
                                       "tanh",
                                       "add",
                                       "max",
                                       "mean",
                                       "sum",
                                       "Relu",
                                       "Tanh",
                                       "Sigmoid",
                                       "Affine",
                                       "",
                                       "\x1b[2J\n"};

AttributeType typeOf(std::string_view name) {
    for (const Names& row : kNames) {
        const std::vector<std::string> names = attributeNames(row.names);
        if (std::ranges::find(names, name) != names.end()) return row.type;
    }
    return kInteger;
}

int64_t anyInteger(Choices& choices) {
    if (choices.oneIn(8)) return choices.extreme();
    return choices.pick<int64_t>({0, 1, 1, 2, 3, -1, -2, 4});
}

// Numbers of TensorProto.DataType, and bytes of an element.
struct Element {
    int32_t type;
    size_t bytes;
};
constexpr Element kElements[] = {{1, 4}, {2, 1},  {3, 1},  {4, 2},  {5, 2},  {6, 4}, {7, 8},
                                 {9, 1}, {10, 2}, {11, 8}, {12, 4}, {13, 8}, {16, 2}};

size_t elementBytes(int32_t type) {
    for (const Element& element : kElements) {
        if (element.type == type) return element.bytes;
    }
    return 1;
}

std::string anyElement(int32_t type, Choices& choices) {
    const auto bytesOf = [&]<class T>(T value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    if (type == onnx::kFloatType) return bytesOf(choices.real());
    if (type == onnx::kDoubleType) return bytesOf(static_cast<double>(choices.real()));
    const int64_t value = anyInteger(choices);
    if (type == onnx::kBoolType) return bytesOf(static_cast<uint8_t>(value & 1));
    return bytesOf(value).substr(0, elementBytes(type));  // the lowest bytes
}

}  // namespace

std::vector<std::string> attributeNames(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        if (end > 0) names.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

file::Attribute anyAttribute(const std::string& name, Choices& choices) {
    file::Attribute made;
    made.set_name(name);
    const AttributeType type = typeOf(name);
    made.set_type(type);
    const size_t count = choices.pick<size_t>({1, 2, 2, 4, 0, 3, 6, 8});
    switch (type) {
        case kReal:
            made.set_f(choices.real());
            break;
        case kIntegers:
            for (size_t i = 0; i < count; ++i) made.add_ints(anyInteger(choices));
            break;
        case kReals:
            for (size_t i = 0; i < count; ++i) made.add_floats(choices.real());
            break;
        case kText:
            made.set_s(std::string(choices.any(kWords)));
            break;
        case kTexts:
            for (size_t i = 0; i < count; ++i) made.add_strings(std::string(choices.any(kWords)));
            break;
        case kTensor:
            made.mutable_t()->set_data_type(choices.any(kElements).type);
            for (size_t i = choices.below(3); i > 0; --i)
                made.mutable_t()->add_dims(choices.small());
            fill(*made.mutable_t(), choices);
            break;
        case kGraph:
            made.mutable_g();
            break;
        default:
            made.set_i(anyInteger(choices));
    }
    return made;
}

void setAttribute(file::Node& node, file::Attribute attribute) {
    for (file::Attribute& old : *node.mutable_attribute()) {
        if (old.name() != attribute.name()) continue;
        old = std::move(attribute);
        return;
    }
    *node.add_attribute() = std::move(attribute);
}

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

}  // namespace nn::graphs
