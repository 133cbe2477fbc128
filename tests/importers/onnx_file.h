// Writes files of ONNX for tests, field by field.
//
//   OnnxFile file(13);
//   file.input("x", {1, 3, 8, 8}).floats("w", {4, 3, 3, 3}, weights);
//   file.node("Conv", {"x", "w"}, {"y"}, {{"strides", {2, 2}}});
//   const std::string bytes = file.output("y").bytes();
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nn::onnx {

inline std::span<const uint8_t> bytesOf(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A message in protobuf's encoding.
class WireMessage {
   public:
    WireMessage& number(uint32_t field, int64_t value);
    WireMessage& real(uint32_t field, float value);
    WireMessage& text(uint32_t field, std::string_view bytes);
    WireMessage& message(uint32_t field, const WireMessage& inner) {
        return text(field, inner.mBytes);
    }
    const std::string& bytes() const { return mBytes; }

   private:
    void varint(uint64_t value);
    std::string mBytes;
};

// A graph inside an attribute.
struct OnnxBranch {
    WireMessage graph;
};

struct OnnxAttribute {
    using Value = std::variant<int64_t, float, std::string, std::vector<int64_t>,
                               std::vector<float>, WireMessage, OnnxBranch>;
    std::string name;
    Value value;

    OnnxAttribute(std::string of, int is) : name(std::move(of)), value(int64_t{is}) {}
    OnnxAttribute(std::string of, float is) : name(std::move(of)), value(is) {}
    OnnxAttribute(std::string of, const char* is) : name(std::move(of)), value(std::string(is)) {}
    OnnxAttribute(std::string of, std::vector<int64_t> is)
        : name(std::move(of)), value(std::move(is)) {}
    OnnxAttribute(std::string of, WireMessage is) : name(std::move(of)), value(std::move(is)) {}
    OnnxAttribute(std::string of, OnnxBranch is) : name(std::move(of)), value(std::move(is)) {}
};

// Numbers of TensorProto.DataType.
inline constexpr int kFloatType = 1, kUint8Type = 2, kInt8Type = 3, kInt32Type = 6, kInt64Type = 7,
                     kBoolType = 9, kDoubleType = 11;

WireMessage tensorMessage(std::string_view name, int type, const std::vector<int64_t>& dimensions,
                          std::string_view raw);

// One operator that reads and computes a value, as a graph.
OnnxBranch branchOf(std::string_view type, std::string_view input, std::string_view output);

class OnnxFile {
   public:
    explicit OnnxFile(int64_t version) : mVersion(version) {}

    OnnxFile& input(std::string_view name, const std::vector<int64_t>& dimensions,
                    int type = kFloatType);
    OnnxFile& output(std::string_view name);
    OnnxFile& floats(std::string_view name, const std::vector<int64_t>& dimensions,
                     const std::vector<float>& values);
    OnnxFile& integers(std::string_view name, const std::vector<int64_t>& values);
    OnnxFile& bytes(std::string_view name, int type, const std::vector<int64_t>& dimensions,
                    const std::vector<uint8_t>& values);
    OnnxFile& initializer(const WireMessage& tensor);
    OnnxFile& sparseInitializer(std::string_view name, const std::vector<int64_t>& dimensions);
    OnnxFile& node(std::string_view type, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs,
                   const std::vector<OnnxAttribute>& attributes = {}, std::string_view domain = {});

    std::string bytes() const;
    // Only the graph, for an attribute.
    OnnxBranch graph() const;

   private:
    int64_t mVersion;
    WireMessage mGraph;
};

}  // namespace nn::onnx
