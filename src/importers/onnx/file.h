// The messages of an .onnx file, with the fields that the importer reads, as views of its bytes.
//
// The numbers of fields are those of onnx.proto (https://onnx.ai), an ABI that does not change. The
// bytes are not copied: they must outlive the objects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/untrusted_text.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::onnx {

// TensorProto.DataType
enum class ElementType : int32_t {
    UNDEFINED = 0,
    FLOAT = 1,
    UINT8 = 2,
    INT8 = 3,
    UINT16 = 4,
    INT16 = 5,
    INT32 = 6,
    INT64 = 7,
    STRING = 8,
    BOOL = 9,
    FLOAT16 = 10,
    DOUBLE = 11,
    UINT32 = 12,
    UINT64 = 13,
    // These have names in messages; nothing reads their elements.
    COMPLEX64 = 14,
    COMPLEX128 = 15,
    BFLOAT16 = 16,
    FLOAT8E4M3FN = 17,
    FLOAT8E4M3FNUZ = 18,
    FLOAT8E5M2 = 19,
    FLOAT8E5M2FNUZ = 20,
    UINT4 = 21,
    INT4 = 22,
    FLOAT4E2M1 = 23,
    FLOAT8E8M0 = 24,
    // No type of the file: that of a sparse tensor, whatever its elements are.
    SPARSE = -1,
};

// "float16"; "type 99" for unknown ones.
std::string toString(ElementType type);
// Bytes of one element; 0 for types that cannot be read.
size_t elementSize(ElementType type);

// TensorProto
struct TensorMessage {
    UntrustedView name{};
    ElementType type = ElementType::UNDEFINED;
    std::vector<int64_t> dimensions{};
    std::optional<std::string_view> raw{};
    std::vector<float> floats{};
    std::vector<int64_t> integers{};  // int32_data, int64_data or uint64_data
    std::vector<double> doubles{};
    bool isExternal = false;
    std::vector<std::pair<UntrustedView, UntrustedView>> external{};
};

struct GraphMessage;

// AttributeProto
struct AttributeMessage {
    UntrustedView name{};
    std::optional<float> real{};
    std::optional<int64_t> integer{};
    std::optional<UntrustedView> text{};
    std::vector<float> reals{};
    std::vector<int64_t> integers{};
    std::vector<UntrustedView> texts{};
    std::shared_ptr<const TensorMessage> tensor{};
    std::shared_ptr<const GraphMessage> graph{};
    bool isReference = false;  // to an attribute of a function
};

// NodeProto
struct NodeMessage {
    UntrustedView type{}, name{}, domain{};
    std::vector<UntrustedView> inputs{}, outputs{};
    std::vector<AttributeMessage> attributes{};
};

// The attribute of that name; null if there is none.
const AttributeMessage* attributeOf(const NodeMessage& node, std::string_view name);

// ValueInfoProto
struct ValueMessage {
    struct Dimension {
        std::optional<int64_t> value{};
        UntrustedView name{};
    };
    UntrustedView name{};
    bool isTensor = false;
    ElementType type = ElementType::UNDEFINED;
    std::optional<std::vector<Dimension>> dimensions{};
};

// GraphProto
struct GraphMessage {
    UntrustedView name{};
    std::vector<NodeMessage> nodes{};
    std::vector<TensorMessage> initializers{};  // sparse ones have the type SPARSE
    std::vector<ValueMessage> inputs{}, outputs{}, values{};
};

// Domain and name of each FunctionProto of the model.
using Functions = std::set<std::pair<std::string_view, std::string_view>>;

// ModelProto
struct FileMessage {
    struct OperatorSet {
        UntrustedView domain{};
        int64_t version = 0;
    };
    int64_t version = 0;
    std::vector<OperatorSet> operatorSets{};
    Functions functions{};
    GraphMessage graph{};
    bool hasGraph = false;
};

// INVALID_ARGUMENT for bytes that are no such message.
Result<FileMessage> parseFile(std::string_view bytes, const Limits& limits);
Result<TensorMessage> parseTensor(std::string_view bytes, const Limits& limits);

}  // namespace nn::onnx
