#include "onnx_file.h"

#include <bit>
#include <cstring>

namespace nn::onnx {
namespace {

WireMessage valueMessage(std::string_view name, int type, const std::vector<int64_t>& dimensions) {
    WireMessage shape;
    for (const int64_t dimension : dimensions) {
        shape.message(1, WireMessage().number(1, dimension));
    }
    const WireMessage tensor = WireMessage().number(1, type).message(2, shape);
    return WireMessage().text(1, name).message(2, WireMessage().message(1, tensor));
}

template <class T>
std::string rawOf(const std::vector<T>& values) {
    std::string raw(values.size() * sizeof(T), '\0');
    if (!raw.empty()) std::memcpy(raw.data(), values.data(), raw.size());
    return raw;
}

// Numbers of the fields of AttributeProto, and of its types.
struct AttributeWriter {
    WireMessage& to;
    void operator()(int64_t value) const { to.number(3, value).number(20, 2); }
    void operator()(float value) const { to.real(2, value).number(20, 1); }
    void operator()(const std::string& value) const { to.text(4, value).number(20, 3); }
    void operator()(const std::vector<int64_t>& values) const {
        for (const int64_t value : values) to.number(8, value);
        to.number(20, 7);
    }
    void operator()(const std::vector<float>& values) const {
        for (const float value : values) to.real(7, value);
        to.number(20, 6);
    }
    void operator()(const WireMessage& tensor) const { to.message(5, tensor).number(20, 4); }
    void operator()(const OnnxBranch& branch) const { to.message(6, branch.graph).number(20, 5); }
};

}  // namespace

void WireMessage::varint(uint64_t value) {
    while (value >= 0x80) {
        mBytes += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    mBytes += static_cast<char>(value);
}

WireMessage& WireMessage::number(uint32_t field, int64_t value) {
    varint(field << 3);
    varint(static_cast<uint64_t>(value));
    return *this;
}

WireMessage& WireMessage::real(uint32_t field, float value) {
    varint(field << 3 | 5);
    const auto bits = std::bit_cast<uint32_t>(value);
    mBytes.append(reinterpret_cast<const char*>(&bits), sizeof(bits));
    return *this;
}

WireMessage& WireMessage::text(uint32_t field, std::string_view bytes) {
    varint(field << 3 | 2);
    varint(bytes.size());
    mBytes += bytes;
    return *this;
}

WireMessage tensorMessage(std::string_view name, int type, const std::vector<int64_t>& dimensions,
                          std::string_view raw) {
    WireMessage tensor;
    for (const int64_t dimension : dimensions) tensor.number(1, dimension);
    return tensor.number(2, type).text(8, name).text(9, raw);
}

OnnxBranch branchOf(std::string_view type, std::string_view input, std::string_view output) {
    return OnnxFile(0)
            .node(type, {std::string(input)}, {std::string(output)})
            .output(output)
            .graph();
}

OnnxFile& OnnxFile::input(std::string_view name, const std::vector<int64_t>& dimensions, int type) {
    mGraph.message(11, valueMessage(name, type, dimensions));
    return *this;
}

OnnxFile& OnnxFile::output(std::string_view name) {
    mGraph.message(12, WireMessage().text(1, name));
    return *this;
}

OnnxFile& OnnxFile::floats(std::string_view name, const std::vector<int64_t>& dimensions,
                           const std::vector<float>& values) {
    return initializer(tensorMessage(name, kFloatType, dimensions, rawOf(values)));
}

OnnxFile& OnnxFile::integers(std::string_view name, const std::vector<int64_t>& values) {
    return initializer(
            tensorMessage(name, kInt64Type, {static_cast<int64_t>(values.size())}, rawOf(values)));
}

OnnxFile& OnnxFile::bytes(std::string_view name, int type, const std::vector<int64_t>& dimensions,
                          const std::vector<uint8_t>& values) {
    return initializer(tensorMessage(name, type, dimensions, rawOf(values)));
}

OnnxFile& OnnxFile::initializer(const WireMessage& tensor) {
    mGraph.message(5, tensor);
    return *this;
}

OnnxFile& OnnxFile::sparseInitializer(std::string_view name,
                                      const std::vector<int64_t>& dimensions) {
    WireMessage tensor;
    tensor.message(1, tensorMessage(name, kFloatType, {0}, ""));
    tensor.message(2, tensorMessage("", kInt64Type, {0}, ""));
    for (const int64_t dimension : dimensions) tensor.number(3, dimension);
    mGraph.message(15, tensor);
    return *this;
}

OnnxFile& OnnxFile::node(std::string_view type, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs,
                         const std::vector<OnnxAttribute>& attributes, std::string_view domain) {
    WireMessage node;
    for (const std::string& input : inputs) node.text(1, input);
    for (const std::string& output : outputs) node.text(2, output);
    node.text(4, type);
    if (!domain.empty()) node.text(7, domain);
    for (const OnnxAttribute& attribute : attributes) {
        WireMessage message;
        message.text(1, attribute.name);
        std::visit(AttributeWriter{message}, attribute.value);
        node.message(5, message);
    }
    mGraph.message(1, node);
    return *this;
}

std::string OnnxFile::bytes() const {
    return WireMessage()
            .number(1, 8)
            .message(7, mGraph)
            .message(8, WireMessage().text(1, "").number(2, mVersion))
            .bytes();
}

OnnxBranch OnnxFile::graph() const { return {WireMessage(mGraph).text(2, "branch")}; }

}  // namespace nn::onnx
