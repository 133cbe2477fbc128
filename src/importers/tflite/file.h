// A file of TensorFlow Lite whose offsets, indexes and lengths have been checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/untrusted_text.h"
#include "importers/tflite_generated.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::tflite {

// A tensor of a graph. Views into the file.
struct FileTensor {
    UntrustedView name{};
    TensorType type{};
    // 0 is unknown. Empty for a scalar.
    Dimensions dimensions{};
    bool hasUnknownDimension = false;
    bool mayHaveAnyRank = false;  // a scalar or of unknown rank; the file leaves open which

    // Quantization; scale is 0 without one, or with several.
    float scale = 0;
    int64_t zeroPoint = 0;
    std::span<const float> channelScales{};  // if there are several
    bool hasChannelZeroPoint = false;        // one of several that is not 0
    int32_t channelDimension = 0;

    bool hasData = false;
    std::span<const uint8_t> data{};
    bool isVariable = false;
    const SparsityParameters* sparsity = nullptr;

    bool isQuantized() const { return scale != 0 || !channelScales.empty(); }
};

// A graph: tensors, and indexes that lie in it.
struct FileGraph {
    const SubGraph* table = nullptr;
    UntrustedView name{};
    std::vector<FileTensor> tensors{};
    std::vector<uint32_t> inputs{};
    std::vector<uint32_t> outputs{};
};

// One kind of operator.
struct FileOperatorKind {
    BuiltinOperator code{};
    std::string name{};  // "CONV_2D", "CUSTOM TFLite_Detection_PostProcess", "operator 4711"
    int32_t version = 1;
};

class File {
   public:
    // The bytes outlive the file.
    static Result<File> open(std::span<const uint8_t> bytes, const Limits& limits);

    std::span<const FileGraph> graphs() const { return mGraphs; }
    const FileOperatorKind& kindOf(const Operator& op) const { return mKinds[op.opcode_index()]; }
    std::span<const uint8_t> bytes() const { return mBytes; }

   private:
    Status spend(uint64_t bytes);
    template <class T>
    Status spendList(const flatbuffers::Vector<T>* list) {
        return list == nullptr ? Status() : spend(uint64_t{list->size()} * sizeof(T));
    }
    Status readKinds(const Model& model, const Limits& limits);
    Status readGraphs(const Model& model, const Limits& limits);
    Status readGraph(const Model& model, const SubGraph& table, FileGraph& graph,
                     const Limits& limits);
    Status readTensor(const Model& model, const Tensor& table, FileTensor& tensor,
                      const Limits& limits);
    Status readData(const Model& model, const Tensor& table, FileTensor& tensor);

    std::span<const uint8_t> mBytes;
    uint64_t mRead = 0;  // bytes of lists and names
    std::vector<FileOperatorKind> mKinds;
    std::vector<FileGraph> mGraphs;
};

// "INT8"; "type 99" for a number without a name.
std::string nameOf(TensorType type);

// Bytes of an element; 0 if they are not fixed or not whole.
uint32_t sizeOf(TensorType type);

}  // namespace nn::tflite
