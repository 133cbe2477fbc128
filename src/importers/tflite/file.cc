#include "importers/tflite/file.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "nnapi/checked.h"
#include "types/limits.h"
#include "types/plurals.h"
#include "types/printable.h"

namespace nn::tflite {
namespace {

Status damaged(std::string_view what) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, fmt::format("the file is damaged: {}", what));
}

template <class T>
uint32_t sizeOfList(const flatbuffers::Vector<T>* list) {
    return list == nullptr ? 0 : list->size();
}

std::string_view textOf(const flatbuffers::String* text) {
    return text == nullptr ? std::string_view() : text->string_view();
}

// Copies a list of indexes that must be below `count`; -1 is allowed where a value may be missing.
Status checkIndexes(const flatbuffers::Vector<int32_t>* list, size_t count, bool mayMiss,
                    std::string_view what) {
    for (uint32_t i = 0; i < sizeOfList(list); ++i) {
        const int32_t index = list->Get(i);
        if (mayMiss && index == -1) continue;
        if (index < 0 || static_cast<size_t>(index) >= count) {
            return damaged(fmt::format("{} {} is tensor {}, {}", what, i, index,
                                       Below{count, "graph", "tensors"}));
        }
    }
    return absl::OkStatus();
}

// The verifier leaves open how numbers of 8 bytes in lists are aligned.
int64_t elementOf(const flatbuffers::Vector<int64_t>& list, uint32_t index) {
    int64_t element = 0;
    std::memcpy(&element, list.Data() + size_t{index} * sizeof(element), sizeof(element));
    return flatbuffers::EndianScalar(element);
}

std::vector<uint32_t> indexesOf(const flatbuffers::Vector<int32_t>* list) {
    if (list == nullptr) return {};
    return {list->begin(), list->end()};
}

}  // namespace

std::string nameOf(TensorType type) {
    const char* name = EnumNameTensorType(type);
    if (name != nullptr && *name != '\0') return name;
    return fmt::format("type {}", static_cast<int>(type));
}

uint32_t sizeOf(TensorType type) {
    switch (type) {
        case TensorType::BOOL:
        case TensorType::UINT8:
        case TensorType::INT8:
            return 1;
        case TensorType::FLOAT16:
        case TensorType::INT16:
        case TensorType::UINT16:
            return 2;
        case TensorType::FLOAT32:
        case TensorType::INT32:
        case TensorType::UINT32:
            return 4;
        case TensorType::FLOAT64:
        case TensorType::INT64:
        case TensorType::UINT64:
            return 8;
        default:
            return 0;
    }
}

Result<File> File::open(std::span<const uint8_t> bytes, const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::fileBytes, bytes.size(), "file"));
    if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) return damaged("it has 2^31 bytes or more");
    constexpr size_t kIdentifierEnd = 8;
    if (bytes.size() < kIdentifierEnd || !ModelBufferHasIdentifier(bytes.data())) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "the file is not one of TensorFlow Lite: it lacks the identifier TFL3");
    }
    constexpr flatbuffers::uoffset_t kDepth = 64;
    const auto tables = saturatingCast<flatbuffers::uoffset_t>(limits.fileObjects);
    flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kDepth, tables);
    if (!VerifyModelBuffer(verifier)) return damaged("its tables do not lie in it");
    File file;
    file.mBytes = bytes;
    const Model& model = *GetModel(bytes.data());
    NNAPI_RETURN_IF_ERROR(file.readKinds(model, limits));
    NNAPI_RETURN_IF_ERROR(file.readGraphs(model, limits));
    return file;
}

// Tables may share lists and names: each that is read counts.
Status File::spend(uint64_t bytes) {
    constexpr uint64_t kForAnyFile = 1 << 20, kForEachByte = 16;
    mRead += bytes;  // of at most 2^31 tables with lists of at most 2^31 bytes
    if (mRead <= kForAnyFile + kForEachByte * mBytes.size()) return absl::OkStatus();
    return damaged("its tables share lists or names out of proportion to its size");
}

Status File::readKinds(const Model& model, const Limits& limits) {
    for (uint32_t i = 0; i < sizeOfList(model.operator_codes()); ++i) {
        const OperatorCode* code = model.operator_codes()->Get(i);
        // Files older than 2020 have only the byte.
        const auto number = std::max(static_cast<int32_t>(code->builtin_code()),
                                     int32_t{code->deprecated_builtin_code()});
        FileOperatorKind kind{.code = static_cast<BuiltinOperator>(number),
                              .version = code->version()};
        kind.name = EnumNameBuiltinOperator(kind.code);
        if (kind.name.empty()) kind.name = fmt::format("operator {}", number);
        if (kind.code == BuiltinOperator::CUSTOM) {
            const UntrustedView name = textOf(code->custom_code());
            NNAPI_RETURN_IF_ERROR(within(limits, &Limits::nameBytes, name.size(), "operator"));
            NNAPI_RETURN_IF_ERROR(spend(name.size()));
            kind.name += fmt::format(" {}", name);
        }
        mKinds.push_back(std::move(kind));
    }
    return absl::OkStatus();
}

Status File::readGraphs(const Model& model, const Limits& limits) {
    const uint32_t count = sizeOfList(model.subgraphs());
    if (count == 0) return damaged("it has no graph");
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::subgraphs, count - 1, "file"));
    mGraphs.resize(count);
    uint64_t tensors = 0, operators = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const SubGraph& table = *model.subgraphs()->Get(i);
        tensors += sizeOfList(table.tensors());
        operators += sizeOfList(table.operators());
        NNAPI_RETURN_IF_ERROR(within(limits, &Limits::operands, tensors, "file"));
        NNAPI_RETURN_IF_ERROR(within(limits, &Limits::operations, operators, "file"));
        NNAPI_RETURN_IF_ERROR(readGraph(model, table, mGraphs[i], limits));
    }
    return absl::OkStatus();
}

Status File::readGraph(const Model& model, const SubGraph& table, FileGraph& graph,
                       const Limits& limits) {
    graph.table = &table;
    graph.name = textOf(table.name());
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::nameBytes, graph.name.size(), "graph"));
    graph.tensors.resize(sizeOfList(table.tensors()));
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(readTensor(model, *table.tensors()->Get(static_cast<uint32_t>(i)),
                                         graph.tensors[i], limits));
    }
    const size_t count = graph.tensors.size();
    NNAPI_RETURN_IF_ERROR(spendList(table.inputs()));
    NNAPI_RETURN_IF_ERROR(spendList(table.outputs()));
    NNAPI_RETURN_IF_ERROR(checkIndexes(table.inputs(), count, false, "input"));
    NNAPI_RETURN_IF_ERROR(checkIndexes(table.outputs(), count, false, "output"));
    graph.inputs = indexesOf(table.inputs());
    graph.outputs = indexesOf(table.outputs());
    for (uint32_t i = 0; i < sizeOfList(table.operators()); ++i) {
        const Operator& op = *table.operators()->Get(i);
        if (op.opcode_index() >= mKinds.size()) {
            return damaged(fmt::format("operator {} has kind {}, {}", i, op.opcode_index(),
                                       Below{mKinds.size(), "file", "kinds"}));
        }
        NNAPI_RETURN_IF_ERROR(spendList(op.inputs()));
        NNAPI_RETURN_IF_ERROR(spendList(op.outputs()));
        NNAPI_RETURN_IF_ERROR(
                checkIndexes(op.inputs(), count, true, fmt::format("operator {}: input", i)));
        NNAPI_RETURN_IF_ERROR(
                checkIndexes(op.outputs(), count, true, fmt::format("operator {}: output", i)));
        // What names an operator in messages.
        NNAPI_RETURN_IF_ERROR(spend(graph.name.size() + mKinds[op.opcode_index()].name.size()));
        if (sizeOfList(op.outputs()) > 0 && op.outputs()->Get(0) >= 0) {
            NNAPI_RETURN_IF_ERROR(spend(graph.tensors[op.outputs()->Get(0)].name.size()));
        }
    }
    return absl::OkStatus();
}

Status File::readTensor(const Model& model, const Tensor& table, FileTensor& tensor,
                        const Limits& limits) {
    tensor.name = textOf(table.name());
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::nameBytes, tensor.name.size(), "tensor"));
    NNAPI_RETURN_IF_ERROR(spend(tensor.name.size()));
    tensor.type = table.type();
    tensor.isVariable = table.is_variable();
    tensor.sparsity = table.sparsity();
    const uint32_t rank = sizeOfList(table.shape());
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::rank, rank, "tensor"));
    NNAPI_RETURN_IF_ERROR(spendList(table.shape()));
    const bool isSigned = sizeOfList(table.shape_signature()) == rank;
    for (uint32_t i = 0; i < rank; ++i) {
        const int32_t size = table.shape()->Get(i);
        if (size < 0 && size != -1) {
            return damaged(
                    fmt::format("dimension {} of tensor {} is {}", i, inQuotes(tensor.name), size));
        }
        const bool isOpen = size == -1 || (isSigned && table.shape_signature()->Get(i) == -1);
        tensor.dimensions.push_back(isOpen ? 0 : static_cast<uint32_t>(size));
        tensor.hasUnknownDimension |= isOpen;
    }
    if (const QuantizationParameters* quantization = table.quantization()) {
        const uint32_t scales = sizeOfList(quantization->scale());
        const auto* zeroPoints = quantization->zero_point();
        NNAPI_RETURN_IF_ERROR(spendList(quantization->scale()));
        NNAPI_RETURN_IF_ERROR(spendList(zeroPoints));
        if (scales == 1) {
            tensor.scale = quantization->scale()->Get(0);
            if (sizeOfList(zeroPoints) > 0) tensor.zeroPoint = elementOf(*zeroPoints, 0);
        } else if (scales > 1) {
            tensor.channelScales = {quantization->scale()->data(), scales};
            tensor.channelDimension = quantization->quantized_dimension();
            for (uint32_t i = 0; i < sizeOfList(zeroPoints); ++i) {
                tensor.hasChannelZeroPoint |= elementOf(*zeroPoints, i) != 0;
            }
        }
    }
    return readData(model, table, tensor);
}

Status File::readData(const Model& model, const Tensor& table, FileTensor& tensor) {
    if (table.buffer() == 0) return absl::OkStatus();
    if (table.buffer() >= sizeOfList(model.buffers())) {
        return damaged(fmt::format("tensor {} has buffer {}, {}", inQuotes(tensor.name),
                                   table.buffer(),
                                   Below{sizeOfList(model.buffers()), "file", "buffers"}));
    }
    const Buffer& buffer = *model.buffers()->Get(table.buffer());
    if (buffer.offset() > 1) {
        if (!fits(buffer.offset(), buffer.size(), mBytes.size())) {
            return damaged(fmt::format("buffer {} does not lie in it", table.buffer()));
        }
        tensor.data = mBytes.subspan(buffer.offset(), buffer.size());
    } else if (buffer.data() != nullptr) {
        tensor.data = {buffer.data()->data(), buffer.data()->size()};
    }
    tensor.hasData = !tensor.data.empty();
    return absl::OkStatus();
}

}  // namespace nn::tflite
