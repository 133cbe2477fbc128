// Builds a canonical model operand by operand, for files whose operators become operations.
//
// An operator is one transaction: begin(), then operands, constants and operations, then commit()
// or rollBack(). Nothing of it stays in a graph that is rolled back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "nnapi/import/imported_model.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn::importing {

// The number of elements that loops over these axes may visit; empty if it exceeds 64 bits. An axis
// without elements counts as one, since a loop over an outer axis still runs.
std::optional<uint64_t> visitedElements(Dimensions dimensions);

// The bytes of a list of numbers, or of one.
template <class Numbers>
std::span<const uint8_t> bytesOf(const Numbers& numbers) {
    if constexpr (std::is_arithmetic_v<Numbers>) {
        return bytesOf(std::span(&numbers, 1));
    } else {
        const std::span all(numbers);
        return {reinterpret_cast<const uint8_t*>(all.data()), all.size_bytes()};
    }
}

// Where data lies in a file; empty if it lies elsewhere.
std::optional<uint64_t> offsetIn(std::span<const uint8_t> file, std::span<const uint8_t> data);

// What graphs of a model share: the bytes of constants, pools, and the graphs that are complete.
class ConstantStore {
   public:
    // The most bytes that copies may take, whatever a file repeats or converts.
    void limitCopies(uint64_t bytes) { mMaxCopied = bytes; }
    bool hasSpaceFor(std::optional<uint64_t> bytes) const;
    // The bytes of the file: as much is reserved at once for copies that are large.
    void expectCopies(uint64_t bytes) { mExpected = bytes; }

    // Copies bytes. Empty once 2^32 - 1 bytes are exceeded.
    std::optional<DataLocation> copy(std::span<const uint8_t> bytes);

    // Constants in these bytes, which are those of the memory, stay there. The bytes must be valid
    // until take().
    void keepFile(std::span<const uint8_t> bytes, SharedMemory memory);

    // The place of a constant in a file that is kept. Empty for one that lies elsewhere, is not
    // aligned for its type, or is so small that it is a parameter.
    std::optional<DataLocation> placeInFile(std::span<const uint8_t> data, OperandType type) const;

    // Takes back the copies behind the first bytes, which nothing refers to.
    void forgetCopies(size_t bytes);

    // The model with that main graph. A file is left out if constants use less than half of it;
    // they are copied then.
    Model take(Model::Subgraph main);

    // A model without a main graph, to check operations with.
    Model& model() { return mModel; }
    const Model& model() const { return mModel; }

   private:
    bool copyFrom(std::span<const uint8_t> file, std::span<Operand* const> readers);
    void reserveFor(size_t bytes);

    Model mModel;
    uint64_t mMaxCopied = UINT64_MAX;
    uint64_t mExpected = 0;
    std::vector<std::span<const uint8_t>> mFiles;  // one for each of mModel.pools
};

// A constant of one of the types that parameters of operations have.
template <class T>
inline constexpr OperandType kScalarType = OperandType::FLOAT32;
template <>
inline constexpr OperandType kScalarType<int32_t> = OperandType::INT32;
template <>
inline constexpr OperandType kScalarType<bool> = OperandType::BOOL;

// The loss of an input or output whose elements are 128 more than those of the file.
//   tensor  "input 'x'"
Loss unsignedInPlaceOfSigned(std::string tensor);

// One graph that is being built. For a version without TENSOR_QUANT8_ASYMM_SIGNED, such operands
// become TENSOR_QUANT8_ASYMM: elements and zero point are 128 more and stand for the same numbers.
class GraphBuilder {
   public:
    GraphBuilder(ConstantStore& constants, const Limits& limits, Version target)
        : mConstants(constants),
          mLimits(limits),
          mMakesUnsigned(!isCompliantVersion(kVersionFeatureLevel4, target)) {
        constexpr uint64_t kMinRank = 8, kMaxRank = 4096;
        mStandIn.dimensions.assign(std::clamp(limits.rank, kMinRank, kMaxRank), 1);
    }

    bool makesUnsigned() const { return mMakesUnsigned; }

    // Adds an operand and returns its index. Beyond Limits::operands or operations, status() fails.
    // Some operands are added nevertheless, so that an operator finds its own; for further ones,
    // operand() gives a stand-in.
    uint32_t add(Operand operand, std::string name = {});
    // An intermediate value.
    uint32_t temporary(OperandType type, std::vector<uint32_t> dimensions, float scale = 0,
                       int32_t zeroPoint = 0);
    // A constant, whose bytes are copied unless they lie in a file that is kept; dimensions, type
    // and quantization as in `operand`.
    uint32_t constant(Operand operand, std::span<const uint8_t> bytes, std::string name = {});
    // Parameters. Equal ones share an operand.
    uint32_t scalar(int32_t value) { return parameter(value); }
    uint32_t scalar(uint32_t value) { return parameter(static_cast<int32_t>(value)); }
    uint32_t scalar(float value) { return parameter(value); }
    uint32_t scalar(bool value) { return parameter(value); }
    uint32_t halfScalar(float value);                   // FLOAT16
    uint32_t vector(std::span<const int32_t> values);   // TENSOR_INT32 of rank 1
    uint32_t vector(std::span<const uint32_t> values);  // of numbers below 2^31
    uint32_t vector(std::initializer_list<int32_t> values) { return vector(std::span(values)); }
    uint32_t matrix(std::span<const int32_t> values, uint32_t columns);  // TENSOR_INT32 of rank 2
    uint32_t graphReference(uint32_t graph);                             // of Model::referenced
    uint32_t noValue(OperandType type, std::vector<uint32_t> dimensions = {});

    // False where constants of that many bytes, or of 2^64 or more, would be out of proportion to
    // the file, or exceed Limits::constantBytes; status() fails then.
    bool hasSpaceFor(std::optional<uint64_t> bytes);

    void operation(Operation operation);

    // The transaction of an operator.
    void begin();
    void rollBack();
    // The same with the bytes of its constants. The operator adds no graph to the model.
    void rollBackConstants();

    // Operations since begin().
    std::span<const Operation> operationsOfTransaction() const;
    uint32_t firstOperationOfTransaction() const { return mMark.operations; }
    // The version that all of them need; empty if one is not legal.
    std::optional<Version> versionOfTransaction() const;

    Operand& operand(uint32_t index) {
        return index < mGraph.operands.size() ? mGraph.operands[index] : mStandIn;
    }
    std::string& name(uint32_t index) {
        return index < mNames.size() ? mNames[index] : mNameOfStandIn;
    }
    std::vector<std::string>& names() { return mNames; }
    Model::Subgraph& graph() { return mGraph; }

    // The first limit that was exceeded.
    const Status& status() const { return mStatus; }

   private:
    struct Mark {
        uint32_t operands = 0;
        uint32_t operations = 0;
        size_t constantBytes = 0;
    };

    // Type, dimensions and bytes of a parameter.
    using SharedKey = std::pair<OperandType, std::pair<std::vector<uint32_t>, std::string>>;

    template <class T>
    uint32_t parameter(T value) {
        return shared(kScalarType<T>, {}, bytesOf(value));
    }
    bool isInProportion(std::optional<uint64_t> bytes);
    uint32_t shared(OperandType type, std::vector<uint32_t> dimensions,
                    std::span<const uint8_t> bytes);

    ConstantStore& mConstants;
    const Limits& mLimits;
    const bool mMakesUnsigned;
    Model::Subgraph mGraph;
    std::vector<std::string> mNames;
    // It has all axes that an operator may look at.
    Operand mStandIn;
    std::string mNameOfStandIn;
    size_t mBeyond = 0;  // operands that exceed the limit
    std::map<SharedKey, uint32_t> mShared;
    std::vector<std::map<SharedKey, uint32_t>::iterator> mNewShared;  // since begin()
    Mark mMark;
    Status mStatus;
};

}  // namespace nn::importing
