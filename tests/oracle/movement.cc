// Operations that only copy elements bit by bit, and lookups.
#include <farmhash.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "oracle/operation_view.h"

namespace nn::oracle {
namespace {

// y[at] = x[where(at)], as stored
template <class F>
void move(Call& call, size_t input, size_t output, const Index& dims, F where) {
    const Array& x = call.in(input);
    Array& y = call.out(output, dims);
    forEach(dims, [&](const Index& at) { y.putRaw(at, x.raw(where(at))); });
}

void keep(Call& call, const Index& dims) { call.out(0, dims).stored = call.in(0).stored; }

void reshape(Call& call) {
    Index dims = call.integers(1);
    const auto open = std::ranges::find(dims, -1);
    if (open != dims.end()) *open = call.in(0).count() / -product(dims);
    keep(call, dims);
}

void squeeze(Call& call) {
    const Array& x = call.in(0);
    std::vector<bool> removed(x.rank(), false);
    for (size_t d = 0; d < x.rank(); ++d) removed[d] = !call.has(1) && x.dims[d] == 1;
    if (call.has(1)) {
        for (const int64_t d : call.integers(1)) removed[x.axis(d)] = true;
    }
    Index dims;
    for (size_t d = 0; d < x.rank(); ++d) {
        if (!removed[d]) dims.push_back(x.dims[d]);
    }
    keep(call, dims.empty() ? Index{1} : dims);
}

void expandDims(Call& call) {
    Index dims = call.in(0).dims;
    const int64_t axis = call.integer(1);
    dims.insert(dims.begin() + (axis < 0 ? axis + int64_t(dims.size()) + 1 : axis), 1);
    keep(call, dims);
}

void transpose(Call& call) {
    const Array& x = call.in(0);
    Index perm(x.rank());
    for (size_t d = 0; d < x.rank(); ++d) perm[d] = int64_t(x.rank() - 1 - d);
    if (call.has(1)) perm = call.integers(1);
    Index dims;
    for (const int64_t d : perm) dims.push_back(x.dims[size_t(d)]);
    move(call, 0, 0, dims, [&](const Index& at) {
        Index from(at.size());
        for (size_t d = 0; d < at.size(); ++d) from[size_t(perm[d])] = at[d];
        return from;
    });
}

void slice(Call& call) {
    const Index begin = call.integers(1);
    Index size = call.integers(2);
    for (size_t d = 0; d < size.size(); ++d) {
        if (size[d] == -1) size[d] = call.in(0).dims[d] - begin[d];
    }
    move(call, 0, 0, size, [&](Index at) {
        for (size_t d = 0; d < at.size(); ++d) at[d] += begin[d];
        return at;
    });
}

void stridedSlice(Call& call) {
    const Array& x = call.in(0);
    Index begin = call.integers(1), end = call.integers(2);
    const Index strides = call.integers(3);
    const auto bit = [&](size_t mask, size_t d) { return (call.integer(mask) >> d & 1) != 0; };
    Index whole, dims;
    for (size_t d = 0; d < x.rank(); ++d) {
        const int64_t size = x.dims[d], stride = strides[d];
        const int64_t first = stride > 0 ? 0 : -1, last = stride > 0 ? size : size - 1;
        const auto cut = [&](int64_t v) {
            if (v >= size) return last;
            return v < -size ? first : v < 0 ? v + size : v;
        };
        begin[d] = bit(4, d) ? (stride > 0 ? 0 : size - 1) : cut(begin[d]);
        end[d] = bit(5, d) ? (stride > 0 ? size : -1) : cut(end[d]);
        const double length = std::ceil(double(end[d] - begin[d]) / double(stride));
        whole.push_back(bit(6, d) ? 1 : std::max(int64_t(length), int64_t{0}));
        if (!bit(6, d)) dims.push_back(whole.back());
    }
    move(call, 0, 0, whole, [&](Index at) {
        for (size_t d = 0; d < at.size(); ++d) at[d] = begin[d] + at[d] * strides[d];
        return at;
    });
    call.results()[0].dims = dims.empty() ? Index{1} : dims;
}

void tile(Call& call) {
    const Index &size = call.in(0).dims, multiples = call.integers(1);
    Index dims = size;
    for (size_t d = 0; d < dims.size(); ++d) dims[d] *= multiples[d];
    move(call, 0, 0, dims, [&](Index at) {
        for (size_t d = 0; d < at.size(); ++d) at[d] %= size[d];
        return at;
    });
}

void split(Call& call) {
    const size_t axis = call.in(0).axis(call.integer(1));
    Index dims = call.in(0).dims;
    dims[axis] /= call.integer(2);
    for (size_t i = 0; i < call.outputs(); ++i) {
        move(call, 0, i, dims,
             [&](const Index& at) { return with(at, axis, at[axis] + int64_t(i) * dims[axis]); });
    }
}

// Inputs whose quantization differs from the output's are requantized.
void concatenation(Call& call) {
    const size_t tensors = call.inputs() - 1, axis = call.in(0).axis(call.integer(tensors));
    Index dims = call.in(0).dims;
    for (size_t i = 1; i < tensors; ++i) dims[axis] += call.in(i).dims[axis];
    Array& y = call.out(0, dims);
    int64_t begin = 0;
    for (size_t i = 0; i < tensors; ++i) {
        const Array& x = call.in(i);
        const bool same = x.scale == y.scale && x.zeroPoint == y.zeroPoint;
        forEach(x.dims, [&](const Index& at) {
            const Index to = with(at, axis, at[axis] + begin);
            same ? y.putRaw(to, x.raw(at)) : y.put(to, x.real(at));
        });
        begin += x.dims[axis];
    }
}

void pack(Call& call) {
    const int64_t axis = call.integer(0);
    Index dims = call.in(1).dims;
    dims.insert(dims.begin() + axis, int64_t(call.inputs() - 1));
    Array& y = call.out(0, dims);
    forEach(dims, [&](const Index& at) {
        Index from = at;
        from.erase(from.begin() + axis);
        y.putRaw(at, call.in(size_t(at[size_t(axis)]) + 1).raw(from));
    });
}

// An element of the frame is the stored number `value`.
void framed(Call& call, double value) {
    const Array &x = call.in(0), &paddings = call.in(1);
    const auto pad = [&](size_t d, int64_t side) {
        return int64_t(paddings.raw({int64_t(d), side}));
    };
    Index dims = x.dims;
    for (size_t d = 0; d < dims.size(); ++d) dims[d] += pad(d, 0) + pad(d, 1);
    Array& y = call.out(0, dims);
    forEach(dims, [&](const Index& at) {
        Index from = at;
        bool inside = true;
        for (size_t d = 0; d < at.size(); ++d) {
            from[d] -= pad(d, 0);
            inside = inside && from[d] >= 0 && from[d] < x.dims[d];
        }
        y.putRaw(at, inside ? x.raw(from) : value);
    });
}
void pad(Call& call) { framed(call, double(call.in(0).zeroPoint)); }
void padV2(Call& call) {
    const OperandType type = call.in(0).type;
    if (!isQuantized(type)) return framed(call, call.number(2));
    const auto low = uint8_t(call.integer(2));
    framed(call, type == OperandType::TENSOR_QUANT8_ASYMM ? double(low) : double(int8_t(low)));
}

void mirrorPad(Call& call) {
    const Array &x = call.in(0), &paddings = call.in(1);
    const int64_t symmetric = call.integer(2);
    Index dims = x.dims;
    for (size_t d = 0; d < dims.size(); ++d) {
        dims[d] += int64_t(paddings.raw({int64_t(d), 0}) + paddings.raw({int64_t(d), 1}));
    }
    move(call, 0, 0, dims, [&](Index at) {
        for (size_t d = 0; d < at.size(); ++d) {
            const int64_t p = at[d] - int64_t(paddings.raw({int64_t(d), 0})), size = x.dims[d];
            at[d] = p < 0 ? -p - symmetric : p >= size ? 2 * size - 2 - p + symmetric : p;
        }
        return at;
    });
}

void reverse(Call& call) {
    const Index& dims = call.in(0).dims;
    const auto axis = static_cast<size_t>(call.integer(1));
    if (axis >= dims.size()) throw Refused("axis out of range");
    move(call, 0, 0, dims,
         [&](const Index& at) { return with(at, axis, dims[axis] - 1 - at[axis]); });
}

void gather(Call& call) {
    const Array &x = call.in(0), &indices = call.in(2);
    const size_t axis = x.axis(call.integer(1));
    for (const double i : indices.stored) {
        if (i < 0 || i >= double(x.dims[axis])) throw Refused("index out of range");
    }
    Index dims(x.dims.begin(), x.dims.begin() + int64_t(axis));
    dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
    dims.insert(dims.end(), x.dims.begin() + int64_t(axis) + 1, x.dims.end());
    move(call, 0, 0, dims, [&](const Index& at) {
        const auto first = at.begin() + int64_t(axis);
        const auto last = first + int64_t(indices.rank());
        Index from(at.begin(), first);
        from.push_back(int64_t(indices.raw(Index(first, last))));
        from.insert(from.end(), last, at.end());
        return from;
    });
}

// Space and depth: y at (n, h, w, c) is x at the index that the function returns; both in either
// layout.
template <class F>
void moveImage(Call& call, bool nchw, const Index& dims, F where) {
    const Image x{&call.in(0), nchw};
    Array& y = call.out(0, imageDims(nchw, dims[0], dims[1], dims[2], dims[3]));
    forEach(dims, [&](const Index& at) {
        const Index from = where(at[0], at[1], at[2], at[3]);
        const bool inside =
                from[1] >= 0 && from[1] < x.height() && from[2] >= 0 && from[2] < x.width();
        y.putRaw(imageDims(nchw, at[0], at[1], at[2], at[3]),
                 inside ? x.raw(from[0], from[1], from[2], from[3]) : double(x.array->zeroPoint));
    });
}

void depthToSpace(Call& call) {
    const Image x{&call.in(0), call.flag(2)};
    const int64_t b = call.integer(1), depth = x.channels() / (b * b);
    moveImage(call, x.nchw, {x.batches(), x.height() * b, x.width() * b, depth},
              [&](int64_t n, int64_t h, int64_t w, int64_t c) {
                  return Index{n, h / b, w / b, (h % b * b + w % b) * depth + c};
              });
}

void spaceToDepth(Call& call) {
    const Image x{&call.in(0), call.flag(2)};
    const int64_t b = call.integer(1), depth = x.channels();
    moveImage(call, x.nchw, {x.batches(), x.height() / b, x.width() / b, depth * b * b},
              [&](int64_t n, int64_t h, int64_t w, int64_t c) {
                  const int64_t block = c / depth;
                  return Index{n, h * b + block / b, w * b + block % b, c % depth};
              });
}

void batchToSpace(Call& call) {
    const Image x{&call.in(0), call.flag(2)};
    const int64_t bh = call.integers(1)[0], bw = call.integers(1)[1];
    const int64_t batches = x.batches() / (bh * bw);
    moveImage(call, x.nchw, {batches, x.height() * bh, x.width() * bw, x.channels()},
              [&](int64_t n, int64_t h, int64_t w, int64_t c) {
                  return Index{(h % bh * bw + w % bw) * batches + n, h / bh, w / bw, c};
              });
}

void spaceToBatch(Call& call) {
    const Image x{&call.in(0), call.flag(3)};
    const int64_t bh = call.integers(1)[0], bw = call.integers(1)[1];
    const Index p = call.integers(2);
    const Index dims{x.batches() * bh * bw, (x.height() + p[0] + p[1]) / bh,
                     (x.width() + p[2] + p[3]) / bw, x.channels()};
    moveImage(call, x.nchw, dims, [&](int64_t n, int64_t h, int64_t w, int64_t c) {
        const int64_t block = n / x.batches();
        return Index{n % x.batches(), h * bh + block / bw - p[0], w * bw + block % bw - p[2], c};
    });
}

void channelShuffle(Call& call) {
    const Array& x = call.in(0);
    const size_t axis = x.axis(call.integer(2));
    const int64_t groups = call.integer(1), each = x.dims[axis] / groups;
    move(call, 0, 0, x.dims, [&](const Index& at) {
        return with(at, axis, at[axis] % groups * each + at[axis] / groups);
    });
}

void embeddingLookup(Call& call) {
    const Index rows = call.integers(0);
    Index dims = call.in(1).dims;
    for (const int64_t row : rows) {
        if (row < 0 || row >= dims[0]) throw Refused("row out of range");
    }
    dims[0] = int64_t(rows.size());
    move(call, 1, 0, dims, [&](const Index& at) { return with(at, 0, rows[size_t(at[0])]); });
}

void hashtableLookup(Call& call) {
    const Index lookups = call.integers(0), keys = call.integers(1);
    Index dims = call.in(2).dims;
    dims[0] = int64_t(lookups.size());
    Array &y = call.out(0, dims), &hits = call.out(1, {dims[0]});
    forEach(dims, [&](const Index& at) {
        const auto key = std::ranges::find(keys, lookups[size_t(at[0])]);
        if (key == keys.end()) return;
        hits.putRaw(Index{at[0]}, 1);
        y.putRaw(at, call.in(2).raw(with(at, 0, key - keys.begin())));
    });
}

// bit = sum over rows j of weight[j] * fingerprint(seed as float32, bytes of row j) > 0
void lshProjection(Call& call) {
    const Array &seeds = call.in(0), &x = call.in(1);
    const int64_t functions = seeds.dims[0], bits = seeds.dims[1], type = call.integer(3);
    const std::vector<uint8_t> bytes = bytesOf(x);
    const size_t rows = size_t(x.dims[0]), size = bytes.size() / rows;
    const auto bit = [&](int64_t function, int64_t i) {
        const auto seed = float(seeds.real({function, i}));
        double score = 0;
        for (size_t row = 0; row < rows; ++row) {
            std::string key(sizeof(seed), ' ');
            std::memcpy(key.data(), &seed, sizeof(seed));
            key.append(reinterpret_cast<const char*>(bytes.data()) + row * size, size);
            const auto hash = int64_t(util::Fingerprint64(key));
            score += (call.has(2) ? call.in(2).stored[row] : 1) * double(hash);
        }
        return score > 0 ? 1 : 0;
    };
    const bool dense = type == 2;
    Array& y = call.out(0, {dense ? functions * bits : functions});
    for (int64_t f = 0; f < functions; ++f) {
        uint64_t all = type == 3 ? uint64_t(f) << bits : 0;
        for (int64_t i = 0; i < bits; ++i) {
            if (dense) y.put(f * bits + i, bit(f, i));
            if (!dense) all += uint64_t(bit(f, i)) << (bits - 1 - i);
        }
        if (!dense) y.putInt(f, all);
    }
}

}  // namespace

Functions movementFunctions() {
    using enum OperationType;
    return {{RESHAPE, reshape},
            {SQUEEZE, squeeze},
            {EXPAND_DIMS, expandDims},
            {TRANSPOSE, transpose},
            {SLICE, slice},
            {STRIDED_SLICE, stridedSlice},
            {TILE, tile},
            {SPLIT, split},
            {CONCATENATION, concatenation},
            {PACK, pack},
            {PAD, pad},
            {PAD_V2, padV2},
            {MIRROR_PAD, mirrorPad},
            {REVERSE, reverse},
            {GATHER, gather},
            {DEPTH_TO_SPACE, depthToSpace},
            {SPACE_TO_DEPTH, spaceToDepth},
            {BATCH_TO_SPACE_ND, batchToSpace},
            {SPACE_TO_BATCH_ND, spaceToBatch},
            {CHANNEL_SHUFFLE, channelShuffle},
            {EMBEDDING_LOOKUP, embeddingLookup},
            {HASHTABLE_LOOKUP, hashtableLookup},
            {LSH_PROJECTION, lshProjection}};
}

}  // namespace nn::oracle
