// The operands that tensors of a graph become, and the constants that the importer makes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "importers/common/compositions.h"
#include "importers/common/model_builder.h"
#include "importers/tflite/composites.h"
#include "importers/tflite/file.h"
#include "nnapi/import/imported_model.h"

namespace nn::tflite {

// What all graphs of a file share.
class Constants {
   public:
    //   pool  holds the file; empty: constants are copied
    Constants(std::span<const uint8_t> file, SharedMemory pool, const Limits& limits);

    importing::ConstantStore& store() { return mStore; }
    const Limits& limits() const { return mLimits; }

    // Makes the data of the file or of a folded constant the value of an operand; of a file that is
    // a pool without a copy. False if the model has no place for it.
    bool assign(std::span<const uint8_t> data, Operand& operand);

    // True as long as all made constants together are in proportion to the file, so that the same
    // bytes, unpacked many times, cannot fill the memory.
    bool mayMake(uint64_t bytes);

   private:
    std::span<const uint8_t> mFile;
    const Limits& mLimits;
    importing::ConstantStore mStore;
    uint64_t mMaxMade;
    uint64_t mMade = 0;
    uint64_t mCopiedBytes = 0;  // of the file; at most its size
    std::map<std::pair<const uint8_t*, size_t>, DataLocation> mCopied;
};

// Why a constant is refused for which mayMake() is false.
inline constexpr std::string_view kOutOfProportion =
        "makes the constants of the model out of proportion to the file";

using importing::shapeOf;

class GraphTensors {
   public:
    GraphTensors(const FlatGraph& graph, Constants& constants, Version target);

    // Gives inputs other dimensions, by name. Dimensions of computed tensors are then unknown,
    // except the last one or, if the file marks the open ones, except all others.
    Status reshape(const std::map<std::string, Dimensions>& shapes,
                   std::span<const uint32_t> inputs);

    const FileTensor& operator[](uint32_t tensor) const { return mTensors[tensor]; }
    importing::GraphBuilder& builder() { return mBuilder; }
    Constants& constants() { return mConstants; }

    // Name or number of a tensor for messages.
    std::string nameOf(uint32_t tensor) const;

    // The data of a constant, dense; empty if the tensor is none.
    Result<std::optional<std::span<const uint8_t>>> dataOf(uint32_t tensor);

    // The tensor as an operand, without a value; or the reason why it cannot be one.
    std::variant<Operand, ImportRefusal> describe(uint32_t tensor) const;

    // The operand of a tensor; created at the first use.
    std::variant<uint32_t, ImportRefusal> operandOf(uint32_t tensor);

    // The same elements in one axis, for a tensor of more axes than most operations have; otherwise
    // the operand of the tensor. An operand in all axes of one that only has one axis is a RESHAPE
    // of it.
    std::variant<uint32_t, ImportRefusal> packedOperandOf(uint32_t tensor);
    bool isPackable(uint32_t tensor) const;

    // Gives an operand the elements of another one. False where constants get out of proportion.
    bool emitReshape(uint32_t from, uint32_t to);

    // Marks an output of an operator, also of one that is refused.
    void markWritten(uint32_t tensor) { mIsWritten[tensor] = true; }
    // True if it has a value: as an input, a constant, a variable, or from an operator.
    bool isWritten(uint32_t tensor) const;

    // The same without creating it.
    std::optional<uint32_t> knownOperandOf(uint32_t tensor) const {
        return mOperands[tensor] ? mOperands[tensor] : mPacked[tensor];
    }

    // Gives a tensor an operand: a state after its operator, or the same value as another tensor.
    void setOperand(uint32_t tensor, uint32_t operand);

    // Replaces dimensions that the file leaves open.
    void setDimensions(uint32_t tensor, Dimensions dimensions);

    // Makes a tensor a constant.
    // A tensor of INT64 that an operator computes gets the type INT32.
    void narrow(uint32_t tensor) { mTensors[tensor].type = TensorType::INT32; }
    void fold(uint32_t tensor, TensorType type, std::vector<uint8_t> data);

    // The transaction of an operator.
    void begin();
    void rollBack();

   private:
    Result<std::vector<uint8_t>> expand(const FileTensor& tensor);
    // One slot of a tensor: its operand, or the packed one.
    using Slots = std::vector<std::optional<uint32_t>>;
    std::variant<uint32_t, ImportRefusal> makeOperand(uint32_t tensor, Slots& slots);
    std::variant<uint32_t, ImportRefusal> constantOperandOf(uint32_t tensor, Operand operand,
                                                            std::span<const uint8_t> data,
                                                            Slots& slots);
    void set(Slots& slots, uint32_t tensor, uint32_t operand);

    std::vector<FileTensor> mTensors;
    Constants& mConstants;
    importing::GraphBuilder mBuilder;
    Slots mOperands;
    Slots mPacked;
    std::vector<bool> mIsWritten;  // by an operator, or from outside
    std::map<uint32_t, std::vector<uint8_t>> mFolded;
    std::map<uint32_t, Status> mUnreadable;  // sparse ones
    struct Change {
        Slots* slots;
        uint32_t tensor;
        std::optional<uint32_t> before;
    };
    std::vector<Change> mChanges;  // since begin()
};

}  // namespace nn::tflite
