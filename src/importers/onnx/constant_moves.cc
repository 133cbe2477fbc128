#include "importers/onnx/constant_moves.h"

#include <algorithm>
#include <utility>

#include "nnapi/kernel/broadcast.h"

namespace nn::onnx {

Folded moved(const Constant& constant, Dimensions dimensions, Budget& budget,
             const std::function<size_t(std::span<const uint32_t> index)>& from) {
    const auto shape = Shape::of(dimensions, budget.limits().rank);
    if (!shape || shape->count() > kMaxElements) return std::nullopt;
    // The place of an element takes a step for each axis.
    if (!budget.spendWork(shape->count(), 8 + 2 * shape->rank())) return std::nullopt;
    const size_t size = elementSize(constant.type);
    std::vector<uint8_t> bytes(shape->count() * size);
    std::vector<uint32_t> index(dimensions.size(), 0);
    for (size_t i = 0; i < shape->count(); ++i) {
        // Not memcpy: strings have no bytes here.
        std::copy_n(constant.bytes.data() + from(index) * size, size, bytes.data() + i * size);
        for (size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < dimensions[axis]) break;
            index[axis] = 0;
        }
    }
    return makeConstant(constant.type, std::move(dimensions), std::move(bytes));
}

std::vector<size_t> stridesOf(const Constant& constant) {
    const auto shape = Shape::of(constant.dimensions, constant.dimensions.size());
    return shape ? shape->strides() : std::vector<size_t>(constant.dimensions.size(), 0);
}

Folded expanded(const Constant& constant, Dimensions dimensions, Budget& budget) {
    const auto strides = kernel::broadcastStrides(constant.dimensions, dimensions);
    if (!strides) return std::nullopt;
    return moved(constant, std::move(dimensions), budget, [&](std::span<const uint32_t> index) {
        size_t position = 0;
        for (size_t i = 0; i < index.size(); ++i) position += index[i] * (*strides)[i];
        return position;
    });
}

Folded withDimensions(const Constant& constant, std::optional<Dimensions> dimensions) {
    if (!dimensions) return std::nullopt;
    Constant other = constant;
    other.dimensions = *std::move(dimensions);
    return other;
}

Folded slicedBy(const Constant& constant, const std::vector<SliceRange>& ranges, Budget& budget) {
    Dimensions dimensions;
    for (const SliceRange& range : ranges) dimensions.push_back(range.count);
    const std::vector<size_t> strides = stridesOf(constant);
    return moved(constant, std::move(dimensions), budget, [&](std::span<const uint32_t> index) {
        size_t position = 0;
        for (size_t i = 0; i < index.size(); ++i) {
            position +=
                    static_cast<size_t>(ranges[i].begin + index[i] * ranges[i].step) * strides[i];
        }
        return position;
    });
}

}  // namespace nn::onnx
