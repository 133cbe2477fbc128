#include "op_support/kernels/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "nnapi/type_utils.h"
#include "op_support/kernels/vector_kernels.h"

namespace nn::ops {
namespace {

// Copies a row of elements. Their size is a compile-time constant, unless it is 0.
template <size_t kBytes>
void copyRow(const uint8_t* from, uint8_t* to, const StridedWalk::Axis& row, size_t bytes) {
    for (size_t i = 0; i < row.count; ++i, from += row.from, to += row.to) {
        std::memcpy(to, from, kBytes == 0 ? bytes : kBytes);
    }
}

template <size_t kBytes>
void copyRows(const StridedWalk& walk, const uint8_t* from, uint8_t* to, size_t bytes) {
    walk.forEachRow([&](ptrdiff_t fromOffset, ptrdiff_t toOffset, const StridedWalk::Axis& row) {
        copyRow<kBytes>(from + fromOffset, to + toOffset, row, bytes);
    });
}

void copyRows(const StridedWalk& walk, const uint8_t* from, uint8_t* to, size_t bytes) {
    switch (bytes) {
        case 1:
            return copyRows<1>(walk, from, to, bytes);
        case 2:
            return copyRows<2>(walk, from, to, bytes);
        case 4:
            return copyRows<4>(walk, from, to, bytes);
        case 8:
            return copyRows<8>(walk, from, to, bytes);
        case 16:
            return copyRows<16>(walk, from, to, bytes);
        default:
            return copyRows<0>(walk, from, to, bytes);
    }
}

// True if the axes transpose single elements: columns of a matrix become rows.
bool isTransposition(const StridedWalk::Axis& row, const StridedWalk::Axis& column, size_t bytes) {
    const auto size = static_cast<ptrdiff_t>(bytes);
    return (bytes == 1 || bytes == 2 || bytes == 4) && row.to == size && column.from == size &&
           row.from > 0 && row.from % size == 0 && column.to > 0 && column.to % size == 0;
}

template <class E>
void transpose(void (*kernel)(Matrix<const E>, E*, size_t), const uint8_t* from, uint8_t* to,
               const StridedWalk::Axis& row, const StridedWalk::Axis& column) {
    kernel({reinterpret_cast<const E*>(from), row.count, column.count,
            static_cast<size_t>(row.from) / sizeof(E)},
           reinterpret_cast<E*>(to), static_cast<size_t>(column.to) / sizeof(E));
}

void transpose(size_t bytes, const uint8_t* from, uint8_t* to, const StridedWalk::Axis& row,
               const StridedWalk::Axis& column) {
    const VectorKernels& kernels = vectorKernels();
    switch (bytes) {
        case 1:
            return transpose(kernels.transpose8, from, to, row, column);
        case 2:
            return transpose(kernels.transpose16, from, to, row, column);
        default:
            return transpose(kernels.transpose32, from, to, row, column);
    }
}

// Targets get written in rows, which may jump through the source. Then a row is cut into pieces,
// and one piece of each row is copied before the next: their lines of the source stay in the cache.
constexpr size_t kPiece = 16;

size_t distance(ptrdiff_t stride) { return static_cast<size_t>(std::abs(stride)); }

}  // namespace

StridedCopy::StridedCopy(const uint8_t* source, OperandType type)
    : mSource(source), mElementSize(elementSize(type)) {}

void StridedCopy::axis(size_t count, size_t from, size_t to) {
    if (count == 1) return;
    if (count == 0 || mSize == mAxes.size()) {  // too many: one still to come has no elements
        mIsEmpty = true;
        return;
    }
    mAxes[mSize++] = {count, static_cast<ptrdiff_t>(from * mElementSize),
                      static_cast<ptrdiff_t>(to * mElementSize)};
}

void StridedCopy::run(const Value& target, size_t fromStart, size_t toStart) const {
    if (mIsEmpty) return;
    const uint8_t* from = mSource + fromStart * mElementSize;
    uint8_t* to = target.mutableData + toStart * mElementSize;

    std::array<StridedWalk::Axis, StridedWalk::kMaxAxes> axes;
    const auto end = std::copy_n(mAxes.begin(), mSize, axes.begin());
    std::sort(axes.begin(), end, [](const StridedWalk::Axis& a, const StridedWalk::Axis& b) {
        return distance(a.to) < distance(b.to);
    });

    // Axes without gaps on both sides make one larger element.
    auto axis = axes.begin();
    size_t bytes = mElementSize;
    for (; axis != end && axis->from == static_cast<ptrdiff_t>(bytes) && axis->to == axis->from;
         ++axis) {
        bytes *= axis->count;
    }
    if (axis == end) {
        std::memcpy(to, from, bytes);
        return;
    }

    const auto finest =
            std::min_element(axis, end, [](const StridedWalk::Axis& a, const StridedWalk::Axis& b) {
                return distance(a.from) < distance(b.from);
            });
    const StridedWalk::Axis row = *axis;
    if (finest != axis && isTransposition(row, *finest, bytes)) {
        StridedWalk walk;
        for (auto outer = axis + 1; outer != end; ++outer) {
            if (outer != finest) walk.outer(outer->count, outer->from, outer->to);
        }
        walk.forEachRow(
                [&](ptrdiff_t fromOffset, ptrdiff_t toOffset, const StridedWalk::Axis& matrices) {
                    for (size_t i = 0; i < matrices.count; ++i) {
                        transpose(bytes, from + fromOffset, to + toOffset, row, *finest);
                        fromOffset += matrices.from;
                        toOffset += matrices.to;
                    }
                });
        return;
    }
    if (finest != axis) std::rotate(axis + 1, finest, finest + 1);
    const size_t piece = finest == axis || finest->from == 0 ? row.count : kPiece;
    for (size_t start = 0; start < row.count; start += piece) {
        StridedWalk walk;
        walk.outer(std::min(piece, row.count - start), row.from, row.to);
        for (auto outer = axis + 1; outer != end; ++outer) {
            walk.outer(outer->count, outer->from, outer->to);
        }
        const auto offset = static_cast<ptrdiff_t>(start);
        copyRows(walk, from + offset * row.from, to + offset * row.to, bytes);
    }
}

void copyElements(const Value& source, const Value& target) {
    const auto bytes = source.elementCount().value_or(0) * elementSize(source.type);
    if (bytes != 0) std::memcpy(target.mutableData, source.data, static_cast<size_t>(bytes));
}

void copyWithin(const Value& source, const Value& target, std::span<const int32_t> paddings) {
    StridedCopy copy(source);
    size_t from = 1;
    size_t to = 1;
    size_t start = 0;
    for (size_t i = source.dimensions.size(); i-- > 0;) {
        copy.axis(source[i], from, to);
        start += static_cast<size_t>(paddings[2 * i]) * to;
        from *= source[i];
        to *= target[i];
    }
    copy.run(target, 0, start);
}

void fillElements(const Value& target, const void* element) {
    const size_t size = elementSize(target.type);
    const auto bytes = static_cast<size_t>(target.elementCount().value_or(0)) * size;
    if (bytes == 0) return;
    uint8_t* to = target.mutableData;
    std::memcpy(to, element, size);
    for (size_t done = size; done < bytes; done *= 2) {  // doubles the part that is written
        std::memcpy(to + done, to, std::min(done, bytes - done));
    }
}

void fillWithZero(const Value& target) {
    const auto zeroPoint = static_cast<uint8_t>(target.zeroPoint);
    constexpr uint64_t kZero = 0;
    if (isQuant8Asymm(target.type)) {
        fillElements(target, &zeroPoint);
    } else {
        fillElements(target, &kZero);
    }
}

}  // namespace nn::ops
