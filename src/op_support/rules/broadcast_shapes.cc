#include "nnapi/checked_math.h"
#include "nnapi/kernel/broadcast.h"

namespace nn::kernel {

std::optional<std::vector<uint32_t>> broadcastShape(
        std::span<const std::span<const uint32_t>> shapes) {
    size_t rank = 0;
    for (const auto& shape : shapes) rank = std::max(rank, shape.size());
    std::vector<uint32_t> result(rank, 1);
    for (const auto& shape : shapes) {
        for (size_t i = 0; i < shape.size(); ++i) {
            uint32_t& dimension = result[rank - shape.size() + i];
            const auto together = broadcastDimension(dimension, shape[i]);
            if (!together) return std::nullopt;
            dimension = *together;
        }
    }
    return result;
}

std::optional<std::vector<size_t>> broadcastStrides(std::span<const uint32_t> input,
                                                    std::span<const uint32_t> result) {
    if (input.size() > result.size() || !checkedProduct<size_t>(input)) return std::nullopt;
    std::vector<size_t> strides(result.size(), 0);
    size_t elements = 1;
    for (size_t i = 0; i < input.size(); ++i) {  // from the last dimension on
        const uint32_t dimension = input[input.size() - 1 - i];
        if (broadcastDimension(dimension, result[result.size() - 1 - i]) !=
            result[result.size() - 1 - i]) {
            return std::nullopt;
        }
        if (dimension != 1) strides[result.size() - 1 - i] = elements;
        elements *= dimension;
    }
    return strides;
}

}  // namespace nn::kernel
