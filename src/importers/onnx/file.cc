#include "importers/onnx/file.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/limits.h"
#include "importers/onnx/wire.h"

namespace nn::onnx {
namespace {

// Graphs inside attributes inside each other.
constexpr size_t kMaxNesting = 16;

struct TypeRow {
    ElementType type;
    std::string_view name;
    size_t size;
};
constexpr std::array kTypes = {
        TypeRow{ElementType::FLOAT, "float", 4},
        TypeRow{ElementType::UINT8, "uint8", 1},
        TypeRow{ElementType::INT8, "int8", 1},
        TypeRow{ElementType::UINT16, "uint16", 2},
        TypeRow{ElementType::INT16, "int16", 2},
        TypeRow{ElementType::INT32, "int32", 4},
        TypeRow{ElementType::INT64, "int64", 8},
        TypeRow{ElementType::STRING, "string", 0},
        TypeRow{ElementType::BOOL, "bool", 1},
        TypeRow{ElementType::FLOAT16, "float16", 2},
        TypeRow{ElementType::DOUBLE, "double", 8},
        TypeRow{ElementType::UINT32, "uint32", 4},
        TypeRow{ElementType::UINT64, "uint64", 8},
        TypeRow{ElementType::COMPLEX64, "complex64", 0},
        TypeRow{ElementType::COMPLEX128, "complex128", 0},
        TypeRow{ElementType::BFLOAT16, "bfloat16", 0},
        TypeRow{ElementType::FLOAT8E4M3FN, "float8e4m3fn", 0},
        TypeRow{ElementType::FLOAT8E4M3FNUZ, "float8e4m3fnuz", 0},
        TypeRow{ElementType::FLOAT8E5M2, "float8e5m2", 0},
        TypeRow{ElementType::FLOAT8E5M2FNUZ, "float8e5m2fnuz", 0},
        TypeRow{ElementType::UINT4, "uint4", 0},
        TypeRow{ElementType::INT4, "int4", 0},
        TypeRow{ElementType::FLOAT4E2M1, "float4e2m1", 0},
        TypeRow{ElementType::FLOAT8E8M0, "float8e8m0", 0},
        TypeRow{ElementType::SPARSE, "sparse elements", 0},
};

class Parser {
   public:
    explicit Parser(const Limits& limits) : mLimits(limits) {}

    // Calls a function for each field; it returns false for one that is malformed.
    template <class Function>
    Status forEachField(std::string_view bytes, std::string_view message, Function function) {
        NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::fileObjects, ++mObjects, "file"));
        WireReader reader(bytes);
        WireField field;
        while (reader.next(field)) {
            if (!function(field)) {
                if (!mFailure.ok()) return mFailure;
                return malformed(fmt::format("field {} of {}", field.number, message));
            }
        }
        if (reader.isMalformed()) return malformed(message);
        return {};
    }

    Status malformed(std::string_view what) const {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("is no ONNX model: {} is malformed or truncated", what));
    }

    // For functions of fields: remembers a failure.
    bool keep(Status status) {
        if (status.ok()) return true;
        mFailure = std::move(status);
        return false;
    }

    bool text(const WireField& field, UntrustedView& text) {
        if (field.kind != WireField::Kind::BYTES) return false;
        text = field.bytes;
        return keep(within(mLimits, &Limits::nameBytes, text.size(), "name"));
    }

    bool texts(const WireField& field, std::vector<UntrustedView>& texts) {
        return keep(within(mLimits, &Limits::fileObjects, ++mObjects, "file")) &&
               text(field, texts.emplace_back());
    }

    template <class T>
    bool add(const WireField& field, std::vector<T>& list,
             Status (Parser::*parse)(std::string_view, T&)) {
        return field.kind == WireField::Kind::BYTES &&
               keep((this->*parse)(field.bytes, list.emplace_back()));
    }

    Status tensor(std::string_view bytes, TensorMessage& tensor);
    Status sparseTensor(std::string_view bytes, TensorMessage& tensor);
    Status attribute(std::string_view bytes, AttributeMessage& attribute);
    Status node(std::string_view bytes, NodeMessage& node);
    Status value(std::string_view bytes, ValueMessage& value);
    Status type(std::string_view bytes, ValueMessage& value);
    Status tensorType(std::string_view bytes, ValueMessage& value);
    Status shape(std::string_view bytes, ValueMessage& value);
    Status dimension(std::string_view bytes, ValueMessage::Dimension& dimension);
    Status graph(std::string_view bytes, GraphMessage& graph);
    Status operatorSet(std::string_view bytes, FileMessage::OperatorSet& set);
    Status entry(std::string_view bytes, std::pair<UntrustedView, UntrustedView>& entry);
    Status function(std::string_view bytes, Functions& functions);
    Status file(std::string_view bytes, FileMessage& file);

   private:
    const Limits& mLimits;
    uint64_t mObjects = 0;
    size_t mNesting = 0;
    Status mFailure;
};

bool isBytes(const WireField& field) { return field.kind == WireField::Kind::BYTES; }

bool integer(const WireField& field, int64_t& value) {
    value = field.integer();
    return field.kind == WireField::Kind::VARINT;
}

bool elementType(const WireField& field, ElementType& type) {
    type = static_cast<ElementType>(static_cast<int32_t>(field.value));
    return field.kind == WireField::Kind::VARINT;
}

Status Parser::entry(std::string_view bytes, std::pair<UntrustedView, UntrustedView>& entry) {
    return forEachField(bytes, "StringStringEntryProto", [&](const WireField& field) {
        if (field.number == 1) return text(field, entry.first);
        if (field.number == 2) return text(field, entry.second);
        return true;
    });
}

Status Parser::tensor(std::string_view bytes, TensorMessage& tensor) {
    return forEachField(bytes, "TensorProto", [&](const WireField& field) {
        switch (field.number) {
            case 1:
                return appendIntegers(field, tensor.dimensions);
            case 2:
                return elementType(field, tensor.type);
            case 4:
                return appendFloats(field, tensor.floats);
            case 5:
            case 7:
            case 11:
                return appendIntegers(field, tensor.integers);
            case 8:
                return text(field, tensor.name);
            case 9:
                tensor.raw = field.bytes;
                return isBytes(field);
            case 10:
                return appendDoubles(field, tensor.doubles);
            case 13:
                return add(field, tensor.external, &Parser::entry);
            case 14:
                tensor.isExternal = field.value == 1;
                return field.kind == WireField::Kind::VARINT;
            default:
                return true;
        }
    });
}

// Only the name, which is that of its values, and the dimensions.
Status Parser::sparseTensor(std::string_view bytes, TensorMessage& tensor) {
    tensor.type = ElementType::SPARSE;
    return forEachField(bytes, "SparseTensorProto", [&](const WireField& field) {
        if (field.number == 3) return appendIntegers(field, tensor.dimensions);
        if (field.number != 1) return true;
        TensorMessage values;
        if (!isBytes(field) || !keep(this->tensor(field.bytes, values))) return false;
        tensor.name = values.name;
        return true;
    });
}

Status Parser::attribute(std::string_view bytes, AttributeMessage& attribute) {
    return forEachField(bytes, "AttributeProto", [&](const WireField& field) {
        switch (field.number) {
            case 1:
                return text(field, attribute.name);
            case 2:
                attribute.real = field.real();
                return field.kind == WireField::Kind::FIXED32;
            case 3:
                attribute.integer = field.integer();
                return field.kind == WireField::Kind::VARINT;
            case 4:
                attribute.text = field.bytes;
                return isBytes(field);
            case 5: {
                auto held = std::make_shared<TensorMessage>();
                attribute.tensor = held;
                return isBytes(field) && keep(tensor(field.bytes, *held));
            }
            case 6: {
                auto held = std::make_shared<GraphMessage>();
                attribute.graph = held;
                return isBytes(field) && keep(graph(field.bytes, *held));
            }
            case 7:
                return appendFloats(field, attribute.reals);
            case 8:
                return appendIntegers(field, attribute.integers);
            case 9:
                return texts(field, attribute.texts);
            case 21:
                attribute.isReference = true;
                return isBytes(field);
            default:
                return true;
        }
    });
}

Status Parser::node(std::string_view bytes, NodeMessage& node) {
    return forEachField(bytes, "NodeProto", [&](const WireField& field) {
        switch (field.number) {
            case 1:
                return texts(field, node.inputs);
            case 2:
                return texts(field, node.outputs);
            case 3:
                return text(field, node.name);
            case 4:
                return text(field, node.type);
            case 5:
                return add(field, node.attributes, &Parser::attribute);
            case 7:
                return text(field, node.domain);
            default:
                return true;
        }
    });
}

Status Parser::dimension(std::string_view bytes, ValueMessage::Dimension& dimension) {
    return forEachField(bytes, "Dimension", [&](const WireField& field) {
        if (field.number == 1) return integer(field, dimension.value.emplace());
        if (field.number == 2) return text(field, dimension.name);
        return true;
    });
}

Status Parser::shape(std::string_view bytes, ValueMessage& value) {
    value.dimensions.emplace();
    return forEachField(bytes, "TensorShapeProto", [&](const WireField& field) {
        return field.number != 1 || add(field, *value.dimensions, &Parser::dimension);
    });
}

Status Parser::tensorType(std::string_view bytes, ValueMessage& value) {
    return forEachField(bytes, "TypeProto.Tensor", [&](const WireField& field) {
        if (field.number == 1) return elementType(field, value.type);
        return field.number != 2 || (isBytes(field) && keep(shape(field.bytes, value)));
    });
}

Status Parser::type(std::string_view bytes, ValueMessage& value) {
    return forEachField(bytes, "TypeProto", [&](const WireField& field) {
        if (field.number != 1) return true;
        value.isTensor = true;
        return isBytes(field) && keep(tensorType(field.bytes, value));
    });
}

Status Parser::value(std::string_view bytes, ValueMessage& value) {
    return forEachField(bytes, "ValueInfoProto", [&](const WireField& field) {
        if (field.number == 1) return text(field, value.name);
        return field.number != 2 || (isBytes(field) && keep(type(field.bytes, value)));
    });
}

Status Parser::graph(std::string_view bytes, GraphMessage& graph) {
    if (++mNesting > kMaxNesting) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("is no ONNX model: more than {} graphs inside each other",
                                     kMaxNesting));
    }
    Status status = forEachField(bytes, "GraphProto", [&](const WireField& field) {
        switch (field.number) {
            case 1:
                return add(field, graph.nodes, &Parser::node);
            case 2:
                return text(field, graph.name);
            case 5:
                return add(field, graph.initializers, &Parser::tensor);
            case 11:
                return add(field, graph.inputs, &Parser::value);
            case 12:
                return add(field, graph.outputs, &Parser::value);
            case 13:
                return add(field, graph.values, &Parser::value);
            case 15:
                return add(field, graph.initializers, &Parser::sparseTensor);
            default:
                return true;
        }
    });
    --mNesting;
    return status;
}

Status Parser::operatorSet(std::string_view bytes, FileMessage::OperatorSet& set) {
    return forEachField(bytes, "OperatorSetIdProto", [&](const WireField& field) {
        if (field.number == 1) return text(field, set.domain);
        return field.number != 2 || integer(field, set.version);
    });
}

Status Parser::function(std::string_view bytes, Functions& functions) {
    UntrustedView name, domain;
    NNAPI_RETURN_IF_ERROR(forEachField(bytes, "FunctionProto", [&](const WireField& field) {
        if (field.number == 1) return text(field, name);
        return field.number != 10 || text(field, domain);
    }));
    functions.emplace(domain, name);
    return {};
}

Status Parser::file(std::string_view bytes, FileMessage& file) {
    return forEachField(bytes, "ModelProto", [&](const WireField& field) {
        switch (field.number) {
            case 1:
                return integer(field, file.version);
            case 7:
                // Of several, the last one counts in part only, so that there must be one.
                if (std::exchange(file.hasGraph, true)) return false;
                return isBytes(field) && keep(graph(field.bytes, file.graph));
            case 8:
                return add(field, file.operatorSets, &Parser::operatorSet);
            case 25:
                return isBytes(field) && keep(function(field.bytes, file.functions));
            default:
                return true;
        }
    });
}

}  // namespace

std::string toString(ElementType type) {
    for (const TypeRow& row : kTypes) {
        if (row.type == type) return std::string(row.name);
    }
    return fmt::format("type {}", static_cast<int32_t>(type));
}

size_t elementSize(ElementType type) {
    for (const TypeRow& row : kTypes) {
        if (row.type == type) return row.size;
    }
    return 0;
}

const AttributeMessage* attributeOf(const NodeMessage& node, std::string_view name) {
    for (const AttributeMessage& attribute : node.attributes) {
        if (attribute.name == name) return &attribute;
    }
    return nullptr;
}

Result<FileMessage> parseFile(std::string_view bytes, const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::fileBytes, bytes.size(), "file"));
    FileMessage file;
    Parser parser(limits);
    NNAPI_RETURN_IF_ERROR(parser.file(bytes, file));
    if (!file.hasGraph || file.operatorSets.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("is no ONNX model: it has no {}",
                                     file.hasGraph ? "operator set" : "graph"));
    }
    return file;
}

Result<TensorMessage> parseTensor(std::string_view bytes, const Limits& limits) {
    TensorMessage tensor;
    Parser parser(limits);
    NNAPI_RETURN_IF_ERROR(parser.tensor(bytes, tensor));
    return tensor;
}

}  // namespace nn::onnx
