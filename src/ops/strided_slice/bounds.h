// The elements that STRIDED_SLICE selects along one axis.
#pragma once

#include <algorithm>
#include <cstdint>

namespace nn::ops::strided_slice {

struct Bounds {
    int64_t begin;   // the first index, within the axis unless length is 0
    int64_t length;  // the number of indexes, `stride` apart
};

// A bit of a mask; false from the 33rd axis on.
inline bool hasBit(int32_t mask, size_t axis) {
    return axis < 32 && ((static_cast<uint32_t>(mask) >> axis) & 1u) != 0;
}

// Negative indexes count from the end. Indexes are clamped to the axis; with a negative stride the
// end may be before the first element. A masked bound is the outermost one. The stride must not be
// 0.
inline Bounds boundsOf(int64_t size, int64_t begin, int64_t end, int64_t stride, bool isBeginMasked,
                       bool isEndMasked) {
    const int64_t least = stride > 0 ? 0 : -1;
    const int64_t most = stride > 0 ? size : size - 1;
    const auto cut = [&](int64_t i) { return std::clamp(i < 0 ? i + size : i, least, most); };
    begin = isBeginMasked ? (stride > 0 ? least : most) : cut(begin);
    end = isEndMasked ? (stride > 0 ? most : least) : cut(end);
    const int64_t distance = stride > 0 ? end - begin : begin - end;
    const int64_t step = stride > 0 ? stride : -stride;
    return {begin, distance <= 0 ? 0 : (distance - 1) / step + 1};
}

}  // namespace nn::ops::strided_slice
