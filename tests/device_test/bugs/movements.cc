// Operations that move elements.
#include <numeric>
#include <tuple>

#include "device_test/bugs/kernels.h"

namespace nn::bugs {
namespace moves {
namespace {

using Index = std::vector<size_t>;

size_t sizeOfElement(const ExtensionOperand& tensor) {
    switch (tensor.type) {
        case OperandType::TENSOR_FLOAT32:
        case OperandType::TENSOR_INT32:
            return 4;
        case OperandType::TENSOR_FLOAT16:
        case OperandType::TENSOR_QUANT16_SYMM:
        case OperandType::TENSOR_QUANT16_ASYMM:
            return 2;
        default:
            return 1;
    }
}

void copyElement(const ExtensionOperand& from, size_t i, const ExtensionOperand& to, size_t j) {
    const size_t size = sizeOfElement(from);
    if ((i + 1) * size > from.data.size() || (j + 1) * size > to.mutableData.size()) return;
    std::memcpy(to.mutableData.data() + j * size, from.data.data() + i * size, size);
}

// Calls visit(element, its index along each axis) for each element of a tensor.
template <class Visit>
void forEachElement(std::span<const uint32_t> dimensions, const Visit& visit) {
    const size_t count = std::accumulate(dimensions.begin(), dimensions.end(), size_t{1},
                                         [](size_t a, uint32_t b) { return a * b; });
    Index index(dimensions.size(), 0);
    for (size_t i = 0; i < count; ++i) {
        visit(i, index);
        for (size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < dimensions[axis]) break;
            index[axis] = 0;
        }
    }
}

size_t flat(std::span<const uint32_t> dimensions, const Index& index) {
    size_t at = 0;
    for (size_t i = 0; i < index.size(); ++i) at = at * dimensions[i] + index[i];
    return at;
}

size_t axisOf(int32_t axis, size_t rank) {
    return static_cast<size_t>(axis < 0 ? axis + static_cast<int32_t>(rank) : axis);
}

// ---- images

struct Axis {
    size_t in = 0, out = 0;
    bool isAligned = false, isHalf = false;

    float scale() const {
        if (isAligned && out > 1) return static_cast<float>(in - 1) / static_cast<float>(out - 1);
        return static_cast<float>(in) / static_cast<float>(out);
    }
    size_t inside(float x) const { return std::min(static_cast<size_t>(std::max(x, 0.f)), in - 1); }
};

template <bool kIsNearest>
void resize(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const bool isNchw = call.integer(3) != 0 && !call.has(Bug::nchw_ignored);
    const bool isAligned = call.integer(4) != 0 && !call.has(Bug::resize_align_corners);
    const bool isHalf = call.integer(5) != 0 && !call.has(Bug::resize_half_pixel);
    const size_t h = isNchw ? 2 : 1, w = h + 1, c = isNchw ? 1 : 3;
    const auto from = in.dimensions, to = out.dimensions;
    Axis rows{from[h], to[h], isAligned, isHalf}, columns{from[w], to[w], isAligned, isHalf};
    // Width comes before height among the arguments.
    const bool isSwapped = call.has(Bug::resize_swapped);
    if (isSwapped) std::swap(rows.out, columns.out);
    std::vector<uint32_t> made(to.begin(), to.end());
    made[h] = static_cast<uint32_t>(rows.out);
    made[w] = static_cast<uint32_t>(columns.out);
    forEachElement(made, [&](size_t i, const Index& index) {
        if (i >= countOf(out)) return;
        const auto at = [&](size_t y, size_t x) {
            Index source(4);
            source[0] = index[0], source[h] = y, source[w] = x, source[c] = index[c];
            return flat(from, source);
        };
        const auto y = static_cast<float>(index[h]), x = static_cast<float>(index[w]);
        if (kIsNearest) {
            const auto position = [&](const Axis& axis, float o) {
                const float v = (o + (isHalf ? 0.5f : 0.f)) * axis.scale();
                return axis.inside(isAligned ? std::round(v) : std::floor(v));
            };
            return copyElement(in, at(position(rows, y), position(columns, x)), out, i);
        }
        const auto tap = [&](const Axis& axis, float o) {
            const float v = isHalf ? (o + 0.5f) * axis.scale() - 0.5f : o * axis.scale();
            const size_t low = axis.inside(std::floor(v));
            return std::tuple(low, axis.inside(std::ceil(v)), v - static_cast<float>(low));
        };
        const auto [top, bottom, down] = tap(rows, y);
        const auto [left, right, over] = tap(columns, x);
        putValue(out, i,
                 valueOf(in, at(top, left)) * (1 - down) * (1 - over) +
                         valueOf(in, at(top, right)) * (1 - down) * over +
                         valueOf(in, at(bottom, left)) * down * (1 - over) +
                         valueOf(in, at(bottom, right)) * down * over);
    });
}

// Batches of the output are those of a block: out[(y * blockX + x) * n + b] has every blockY-th
// row.
void spaceToBatch(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const auto block = call.in[1].as<int32_t>(), padding = call.in[2].as<int32_t>();
    const bool isNchw = call.integer(3) != 0 && !call.has(Bug::nchw_ignored);
    const size_t h = isNchw ? 2 : 1, w = h + 1;
    const size_t batches = in.dimensions[0];
    const bool isSwapped = call.has(Bug::space_to_batch_order);
    const auto inBlock = static_cast<size_t>(isSwapped ? block[0] : block[1]);
    forEachElement(out.dimensions, [&](size_t i, const Index& index) {
        const size_t place = index[0] / batches;
        const size_t down = isSwapped ? place % inBlock : place / inBlock;
        const size_t over = isSwapped ? place / inBlock : place % inBlock;
        const auto y =
                static_cast<int64_t>(index[h] * static_cast<size_t>(block[0]) + down) - padding[0];
        const auto x =
                static_cast<int64_t>(index[w] * static_cast<size_t>(block[1]) + over) - padding[2];
        const bool isInside = y >= 0 && y < in.dimensions[h] && x >= 0 && x < in.dimensions[w];
        if (!isInside) {
            if (sizeOfElement(out) == 1) out.mutableData[i] = static_cast<uint8_t>(in.zeroPoint);
            return;
        }
        Index source = index;
        source[0] = index[0] % batches;
        source[h] = static_cast<size_t>(y);
        source[w] = static_cast<size_t>(x);
        copyElement(in, flat(in.dimensions, source), out, i);
    });
}

// ---- tensors of any rank

void transpose(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const size_t rank = in.dimensions.size();
    const bool isGiven = call.isGiven(1) && !call.in[1].data.empty();
    forEachElement(out.dimensions, [&](size_t i, const Index& index) {
        Index source(rank);
        for (size_t k = 0; k < rank; ++k) {
            const size_t axis =
                    isGiven ? static_cast<size_t>(call.in[1].as<int32_t>()[k]) : rank - 1 - k;
            if (call.has(Bug::transpose_inverse)) {
                source[k] = index[axis];
            } else {
                source[axis] = index[k];
            }
        }
        copyElement(in, flat(in.dimensions, source), out, i);
    });
}

// The value around a tensor: of an operand, or what stands for 0.
template <bool kHasValue>
void pad(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const auto padding = call.in[1].as<int32_t>();
    const size_t rank = in.dimensions.size();
    forEachElement(out.dimensions, [&](size_t i, const Index& index) {
        Index source(rank);
        bool isInside = true;
        for (size_t axis = 0; axis < rank; ++axis) {
            int64_t at = static_cast<int64_t>(index[axis]) - padding[axis * 2];
            if (call.has(Bug::pad_rank_three) && rank == 3 && axis == 0) --at;
            isInside = isInside && at >= 0 && at < in.dimensions[axis];
            source[axis] = static_cast<size_t>(at);
        }
        if (isInside) return copyElement(in, flat(in.dimensions, source), out, i);
        const bool isValue = kHasValue && !call.has(Bug::pad_value_ignored);
        if (isFloat(out)) {
            put(out, i, isValue ? call.real(2) : 0);
        } else {
            // The lowest 8 bits count.
            out.mutableData[i] = static_cast<uint8_t>(isValue ? call.integer(2) : out.zeroPoint);
        }
    });
}

void concatenate(const Call& call) {
    const auto& out = call.out[0];
    const size_t rank = out.dimensions.size();
    const size_t axis = axisOf(call.integer(call.in.size() - 1), rank);
    size_t begin = 0;
    for (const ExtensionOperand& in : call.in.first(call.in.size() - 1)) {
        const bool isSame = isFloat(in) || sizeOfElement(in) != 1 ||
                            (in.scale == out.scale && in.zeroPoint == out.zeroPoint);
        forEachElement(in.dimensions, [&](size_t i, const Index& index) {
            Index target = index;
            target[axis] += begin;
            const size_t to = flat(out.dimensions, target);
            if (isSame || call.has(Bug::concat_requantize)) return copyElement(in, i, out, to);
            putValue(out, to, valueOf(in, i));
        });
        begin += in.dimensions[axis];
    }
}

void split(const Call& call) {
    const auto& in = call.in[0];
    const size_t axis = axisOf(call.integer(1), in.dimensions.size());
    size_t begin = 0;
    for (const ExtensionOperand& out : call.out) {
        forEachElement(out.dimensions, [&](size_t i, const Index& index) {
            Index source = index;
            source[axis] += begin;
            copyElement(in, flat(in.dimensions, source), out, i);
        });
        if (!call.has(Bug::split_repeats_first)) begin += out.dimensions[axis];
    }
}

void stridedSlice(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const auto begins = call.in[1].as<int32_t>(), ends = call.in[2].as<int32_t>(),
               strides = call.in[3].as<int32_t>();
    const int32_t beginMask = call.integer(4), shrinkMask = call.integer(6);
    const int32_t endMask = call.has(Bug::strided_slice_masks) ? 0 : call.integer(5);
    const size_t rank = in.dimensions.size();
    std::vector<uint32_t> counts(rank);
    std::vector<int64_t> firsts(rank), steps(rank);
    for (size_t axis = 0; axis < rank; ++axis) {
        const int64_t size = in.dimensions[axis];
        const bool isShrunk = (shrinkMask >> axis & 1) != 0;
        int64_t step = strides[axis];
        const auto bounded = [&](int64_t at) {
            if (at < 0) at += size;
            return step > 0 ? std::clamp<int64_t>(at, 0, size)
                            : std::clamp<int64_t>(at, -1, size - 1);
        };
        int64_t first =
                (beginMask >> axis & 1) != 0 ? (step > 0 ? 0 : size - 1) : bounded(begins[axis]);
        int64_t last = (endMask >> axis & 1) != 0 ? (step > 0 ? size : -1) : bounded(ends[axis]);
        if (isShrunk) last = first + (step > 0 ? 1 : -1);
        const bool isAtEnd = isShrunk && begins[axis] == -1 && (beginMask >> axis & 1) == 0;
        if (call.has(Bug::slice_shrink_minus_one) && isAtEnd) last = 0;
        const int64_t span = (last - first) / step + ((last - first) % step != 0 ? 1 : 0);
        if (call.has(Bug::strided_slice_negative)) step = std::abs(step);
        counts[axis] = static_cast<uint32_t>(std::max<int64_t>(0, span));
        firsts[axis] = first;
        steps[axis] = step;
    }
    // Axes that are shrunk have one element: the order of all stays.
    forEachElement(counts, [&](size_t i, const Index& index) {
        Index source(rank);
        for (size_t axis = 0; axis < rank; ++axis) {
            const int64_t at = firsts[axis] + static_cast<int64_t>(index[axis]) * steps[axis];
            source[axis] = static_cast<size_t>(std::clamp<int64_t>(at, 0, in.dimensions[axis] - 1));
        }
        copyElement(in, flat(in.dimensions, source), out, i);
    });
}

void gather(const Call& call) {
    const auto &in = call.in[0], &indices = call.in[2], &out = call.out[0];
    int32_t given = call.integer(1);
    if (call.has(Bug::gather_negative)) given = std::max(given, 0);
    const size_t axis = axisOf(given, in.dimensions.size());
    size_t outer = 1, inner = 1;
    for (size_t i = 0; i < in.dimensions.size(); ++i) {
        if (i < axis) outer *= in.dimensions[i];
        if (i > axis) inner *= in.dimensions[i];
    }
    const size_t count = countOf(indices), size = in.dimensions[axis];
    for (size_t o = 0; o < outer; ++o) {
        for (size_t k = 0; k < count; ++k) {
            const auto index = static_cast<size_t>(indices.as<int32_t>()[k]);
            for (size_t n = 0; n < inner; ++n) {
                copyElement(in, (o * size + index) * inner + n, out, (o * count + k) * inner + n);
            }
        }
    }
}

double numberOf(const ExtensionOperand& tensor, size_t i) {
    return isFloat(tensor) ? valueOf(tensor, i) : stored(tensor, i);
}

// Of equal values, that with the larger index comes first.
void topk(const Call& call) {
    const auto &in = call.in[0], &values = call.out[0], &indices = call.out[1];
    const size_t size = in.dimensions.back(), k = values.dimensions.back();
    for (size_t row = 0; row < countOf(in) / size; ++row) {
        std::vector<size_t> order(size);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            const double x = numberOf(in, row * size + a), y = numberOf(in, row * size + b);
            if (x != y) return x > y;
            return call.has(Bug::topk_order) ? a < b : a > b;
        });
        for (size_t i = 0; i < k; ++i) {
            copyElement(in, row * size + order[i], values, row * k + i);
            indices.mutableAs<int32_t>()[row * k + i] = static_cast<int32_t>(order[i]);
        }
    }
}

template <int kSign>
void argument(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    int32_t given = call.integer(1);
    if (call.has(Bug::argmax_axis_negative)) given = std::max(given, 0);
    const size_t axis = axisOf(given, in.dimensions.size());
    size_t outer = 1, inner = 1;
    for (size_t i = 0; i < in.dimensions.size(); ++i) {
        if (i < axis) outer *= in.dimensions[i];
        if (i > axis) inner *= in.dimensions[i];
    }
    const size_t size = in.dimensions[axis], count = countOf(out);
    for (size_t o = 0; o < outer; ++o) {
        for (size_t n = 0; n < inner; ++n) {
            size_t best = 0;
            const auto value = [&](size_t i) {
                return kSign * numberOf(in, (o * size + i) * inner + n);
            };
            for (size_t i = 1; i < size; ++i) {
                const bool isBetter = call.has(Bug::argmax_last) ? value(i) >= value(best)
                                                                 : value(i) > value(best);
                if (isBetter) best = i;
            }
            if (o * inner + n < count)
                out.mutableAs<int32_t>()[o * inner + n] = static_cast<int32_t>(best);
        }
    }
}

constexpr Kernel kKernels[] = {
        {OperationType::RESIZE_BILINEAR, Takes::QUANT8_AND_FLOATS, resize<false>},
        {OperationType::RESIZE_NEAREST_NEIGHBOR, Takes::QUANT8_AND_FLOATS, resize<true>},
        {OperationType::SPACE_TO_BATCH_ND, Takes::QUANT8_AND_FLOATS, spaceToBatch},
        {OperationType::TRANSPOSE, Takes::QUANT8_AND_FLOATS, transpose},
        {OperationType::PAD, Takes::QUANT8_AND_FLOATS, pad<false>},
        {OperationType::PAD_V2, Takes::QUANT8_AND_FLOATS, pad<true>},
        {OperationType::CONCATENATION, Takes::QUANT8_AND_FLOATS, concatenate},
        {OperationType::SPLIT, Takes::QUANT8_AND_FLOATS, split},
        {OperationType::STRIDED_SLICE, Takes::QUANT8_AND_FLOATS, stridedSlice},
        {OperationType::GATHER, Takes::QUANT8_AND_FLOATS, gather},
        {OperationType::TOPK_V2, Takes::QUANT8_AND_FLOATS, topk},
        {OperationType::ARGMAX, Takes::QUANT8_AND_FLOATS, argument<1>},
        {OperationType::ARGMIN, Takes::QUANT8_AND_FLOATS, argument<-1>},
};

}  // namespace
}  // namespace moves

std::span<const Kernel> movements() { return moves::kKernels; }

}  // namespace nn::bugs
