#include "importers/tflite/constants.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "nnapi/checked_math.h"
#include "op_support/kernels/vector_kernels.h"

namespace nn::tflite {
namespace {

// Data in a file need not be aligned for its elements.
template <class T>
T elementAt(std::span<const uint8_t> data, size_t index) {
    T value;
    std::memcpy(&value, data.data() + index * sizeof(T), sizeof(T));
    return value;
}

// The scale of each element, one after the other.
class Scales {
   public:
    static std::optional<Scales> of(const FileTensor& tensor) {
        Scales scales;
        scales.mScales = tensor.channelScales;
        if (tensor.channelScales.empty()) return scales;
        const auto axis = static_cast<size_t>(tensor.channelDimension);
        if (tensor.channelDimension < 0 || axis >= tensor.dimensions.size() ||
            tensor.dimensions[axis] != tensor.channelScales.size()) {
            return std::nullopt;
        }
        const auto inner = checkedProduct<uint64_t>(std::span(tensor.dimensions).subspan(axis + 1));
        if (!inner || *inner == 0) return std::nullopt;
        scales.mInner = *inner;
        return scales;
    }

    float at(size_t element, float common) const {
        if (mScales.empty()) return common;
        return mScales[element / mInner % mScales.size()];
    }

   private:
    std::span<const float> mScales;
    uint64_t mInner = 1;
};

template <class T>
std::optional<std::vector<uint8_t>> dequantized(const FileTensor& tensor,
                                                std::span<const uint8_t> data) {
    const std::optional<Scales> scales = Scales::of(tensor);
    if (!scales || tensor.hasChannelZeroPoint) return std::nullopt;
    const size_t count = data.size() / sizeof(T);
    std::vector<uint8_t> floats(count * sizeof(float));
    const double zeroPoint = tensor.channelScales.empty() ? double(tensor.zeroPoint) : 0.0;
    for (size_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>((elementAt<T>(data, i) - zeroPoint) *
                                              scales->at(i, tensor.scale));
        std::memcpy(floats.data() + i * sizeof(float), &value, sizeof(float));
    }
    return floats;
}

std::vector<uint8_t> widened(std::span<const uint8_t> halves) {
    constexpr size_t kMany = 512;
    std::array<uint16_t, kMany> from;
    std::array<float, kMany> to;
    const size_t count = halves.size() / sizeof(uint16_t);
    std::vector<uint8_t> floats(count * sizeof(float));
    for (size_t i = 0; i < count; i += kMany) {
        const size_t some = std::min(kMany, count - i);
        std::memcpy(from.data(), halves.data() + i * sizeof(uint16_t), some * sizeof(uint16_t));
        ops::vectorKernels().realsOfHalves(std::span(from).first(some), to.data());
        std::memcpy(floats.data() + i * sizeof(float), to.data(), some * sizeof(float));
    }
    return floats;
}

// ---------------------------------------------------------------------------------------------
// Sparse constants: a tree with a level for each dimension in the order of storage. A block is a
// dimension of its own, behind all others.

class SparseReader {
   public:
    SparseReader(const FileTensor& tensor, std::vector<uint8_t>& dense)
        : mTensor(tensor), mElement(sizeOf(tensor.type)), mDense(dense) {}

    // False if the tree does not fit the tensor.
    bool read() { return readLevels() && visit(0, 0); }

   private:
    struct Level {
        bool isSparse = false;
        uint32_t size = 0;  // of the dimension
        uint64_t step = 0;  // elements of the dense tensor from one index to the next
        const DimensionMetadata* table = nullptr;
    };

    bool readLevels();
    bool visit(size_t level, uint64_t position, uint64_t element = 0);

    // The number at a place of an index list; empty beyond its end.
    static std::optional<uint64_t> number(SparseIndexVector kind, const void* list, uint64_t at);

    const FileTensor& mTensor;
    const uint32_t mElement;
    std::vector<uint8_t>& mDense;
    std::vector<Level> mLevels;
};

template <class Table>
std::optional<uint64_t> numberOf(const void* list, uint64_t at) {
    const auto* values = static_cast<const Table*>(list)->values();
    if (values == nullptr || at >= values->size()) return std::nullopt;
    const auto value = values->Get(static_cast<uint32_t>(at));
    return checkedCast<uint64_t>(value);
}

std::optional<uint64_t> SparseReader::number(SparseIndexVector kind, const void* list,
                                             uint64_t at) {
    if (list == nullptr) return std::nullopt;
    switch (kind) {
        case SparseIndexVector::Int32Vector:
            return numberOf<Int32Vector>(list, at);
        case SparseIndexVector::Uint16Vector:
            return numberOf<Uint16Vector>(list, at);
        case SparseIndexVector::Uint8Vector:
            return numberOf<Uint8Vector>(list, at);
        default:
            return std::nullopt;
    }
}

bool SparseReader::readLevels() {
    const SparsityParameters& sparsity = *mTensor.sparsity;
    const auto* order = sparsity.traversal_order();
    const auto* tables = sparsity.dim_metadata();
    const auto* blocks = sparsity.block_map();
    const size_t rank = mTensor.dimensions.size();
    const size_t blockRank = blocks == nullptr ? 0 : blocks->size();
    if (order == nullptr || tables == nullptr || order->size() != tables->size() ||
        order->size() != rank + blockRank || blockRank > rank) {
        return false;
    }
    // Sizes of the blocks come first, since they divide the sizes of the dimensions.
    std::vector<uint64_t> steps(rank + blockRank, 1), sizes(rank + blockRank, 0);
    for (size_t i = rank, step = 1; i-- > 0; step *= mTensor.dimensions[i]) {
        steps[i] = step;
        sizes[i] = mTensor.dimensions[i];
    }
    std::vector<bool> isListed(rank + blockRank, false);
    for (size_t i = 0; i < rank + blockRank; ++i) {
        const int32_t dimension = order->Get(static_cast<uint32_t>(i));
        if (dimension < 0 || static_cast<size_t>(dimension) >= isListed.size() ||
            isListed[dimension]) {
            return false;
        }
        isListed[dimension] = true;
        if (static_cast<size_t>(dimension) < rank) continue;
        const int32_t of = blocks->Get(static_cast<uint32_t>(dimension - rank));
        const int32_t size = tables->Get(static_cast<uint32_t>(i))->dense_size();
        if (of < 0 || static_cast<size_t>(of) >= rank || size <= 0 || sizes[of] % size != 0) {
            return false;
        }
        sizes[dimension] = size;
        steps[dimension] = steps[of];
        steps[of] *= size;
        sizes[of] /= size;
    }
    for (size_t i = 0; i < rank + blockRank; ++i) {
        const auto dimension = static_cast<size_t>(order->Get(static_cast<uint32_t>(i)));
        const DimensionMetadata* table = tables->Get(static_cast<uint32_t>(i));
        const Level level{.isSparse = table->format() == DimensionType::SPARSE_CSR,
                          .size = static_cast<uint32_t>(sizes[dimension]),
                          .step = steps[dimension],
                          .table = table};
        if (!level.isSparse && std::cmp_not_equal(table->dense_size(), level.size)) return false;
        mLevels.push_back(level);
    }
    return true;
}

// `position` counts the nodes of a level; the leaves are the stored values.
bool SparseReader::visit(size_t depth, uint64_t position, uint64_t element) {
    if (depth == mLevels.size()) {
        if (!fits(position * mElement, mElement, mTensor.data.size())) return false;
        std::memcpy(&mDense[element * mElement], &mTensor.data[position * mElement], mElement);
        return true;
    }
    const Level& level = mLevels[depth];
    if (!level.isSparse) {
        for (uint32_t i = 0; i < level.size; ++i) {
            if (!visit(depth + 1, position * level.size + i, element + i * level.step))
                return false;
        }
        return true;
    }
    const DimensionMetadata& table = *level.table;
    const auto segment = [&table](uint64_t at) {
        return number(table.array_segments_type(), table.array_segments(), at);
    };
    const std::optional<uint64_t> first = segment(position), last = segment(position + 1);
    if (!first || !last || *first > *last) return false;
    uint64_t next = 0;  // indexes ascend, so that none is visited twice
    for (uint64_t i = *first; i < *last; ++i) {
        const auto index = number(table.array_indices_type(), table.array_indices(), i);
        if (!index || *index < next || *index >= level.size) return false;
        next = *index + 1;
        if (!visit(depth + 1, i, element + *index * level.step)) return false;
    }
    return true;
}

}  // namespace

std::optional<std::vector<int32_t>> intsOf(TensorType type, std::span<const uint8_t> data) {
    std::vector<int32_t> ints;
    if (type == TensorType::INT32) {
        ints.resize(data.size() / sizeof(int32_t));
        if (!ints.empty()) std::memcpy(ints.data(), data.data(), ints.size() * sizeof(int32_t));
        return ints;
    }
    if (type != TensorType::INT64) return std::nullopt;
    for (size_t i = 0; i < data.size() / sizeof(int64_t); ++i) {
        const auto value = checkedCast<int32_t>(elementAt<int64_t>(data, i));
        if (!value) return std::nullopt;
        ints.push_back(*value);
    }
    return ints;
}

std::optional<std::vector<uint8_t>> floatBytesOf(const FileTensor& tensor,
                                                 std::span<const uint8_t> data) {
    switch (tensor.type) {
        case TensorType::FLOAT32:
            return std::vector(data.begin(), data.end());
        case TensorType::FLOAT16:
            return widened(data);
        case TensorType::UINT8:
            return dequantized<uint8_t>(tensor, data);
        case TensorType::INT8:
            return dequantized<int8_t>(tensor, data);
        case TensorType::INT16:
            return dequantized<int16_t>(tensor, data);
        default:
            return std::nullopt;
    }
}

std::optional<std::vector<float>> floatsOf(const FileTensor& tensor,
                                           std::span<const uint8_t> data) {
    const auto bytes = floatBytesOf(tensor, data);
    if (!bytes) return std::nullopt;
    std::vector<float> floats(bytes->size() / sizeof(float));
    if (!floats.empty()) std::memcpy(floats.data(), bytes->data(), floats.size() * sizeof(float));
    return floats;
}

Result<uint64_t> denseSizeOf(const FileTensor& tensor) {
    const auto elements = checkedProduct<uint64_t>(tensor.dimensions);
    const auto bytes = checkedMul<uint64_t>(elements, uint64_t{sizeOf(tensor.type)});
    if (!bytes || *bytes == 0 || tensor.hasUnknownDimension) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "has no known size");
    }
    return *bytes;
}

Result<std::vector<uint8_t>> denseOf(const FileTensor& tensor) {
    NNAPI_ASSIGN_OR_RETURN(bytes, denseSizeOf(tensor));
    std::vector<uint8_t> dense(bytes);
    if (!SparseReader(tensor, dense).read()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "has indexes that do not fit it");
    }
    return dense;
}

}  // namespace nn::tflite
