// Shortens dimensions. Which dimensions of an operation hang together is not written down anywhere
// but in its rules: so sets of dimensions that may are tried, and validation and the reference say
// which of them do. Dimensions of results follow.
#include <algorithm>
#include <cstring>
#include <set>

#include "device_test/shrink/shrinker.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

// A dimension of a tensor, and how much of it remains.
struct Cut {
    size_t tensor = 0;  // of editableTensors()
    size_t axis = 0;
    uint32_t from = 0;
    uint32_t count = 0;
    auto operator<=>(const Cut&) const = default;
};
using Cuts = std::vector<Cut>;

void cutData(EditableTensor& tensor, const Cut& cut) {
    std::vector<uint32_t>& dimensions = *tensor.dimensions;
    size_t inner = elementSize(tensor.type);
    for (size_t i = cut.axis + 1; i < dimensions.size(); ++i) inner *= dimensions[i];
    const size_t row = inner * dimensions[cut.axis];
    std::vector<uint8_t> kept;
    for (size_t at = 0; row != 0 && at + row <= tensor.data->size(); at += row) {
        const auto begin = tensor.data->begin() + static_cast<ptrdiff_t>(at + cut.from * inner);
        kept.insert(kept.end(), begin, begin + static_cast<ptrdiff_t>(cut.count * inner));
    }
    *tensor.data = std::move(kept);
    dimensions[cut.axis] = cut.count;
}

void cutScales(Operand& operand, const Cut& cut) {
    auto* channels = std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
    if (channels == nullptr || channels->channelDim != cut.axis) return;
    std::vector<float>& scales = channels->scales;
    if (cut.from + cut.count > scales.size()) return;
    scales = {scales.begin() + cut.from, scales.begin() + cut.from + cut.count};
}

bool apply(EditableCase& candidate, const Cuts& cuts) {
    std::vector<EditableTensor> tensors = editableTensors(candidate);
    for (const Cut& cut : cuts) {
        if (cut.tensor >= tensors.size()) return false;
        EditableTensor& tensor = tensors[cut.tensor];
        if (cut.axis >= tensor.dimensions->size()) return false;
        if (cut.from + cut.count > (*tensor.dimensions)[cut.axis]) return false;
        Operand& operand = *tensor.operand;
        cutData(tensor, cut);
        cutScales(operand, cut);
        if (cut.axis < operand.dimensions.size() && operand.dimensions[cut.axis] != 0) {
            operand.dimensions[cut.axis] = cut.count;
        }
    }
    candidate.isInferred = true;
    return true;
}

uint64_t productOf(const std::vector<uint32_t>& dimensions) {
    uint64_t product = 1;
    for (const uint32_t each : dimensions) product *= each;
    return product;
}

// Integers that stand for a dimension: shapes of RESHAPE, sizes of SLICE, groups.
void replaceIntegers(EditableCase& candidate,
                     const std::vector<std::pair<int64_t, int64_t>>& news) {
    for (EditableTensor& tensor : editableTensors(candidate)) {
        const bool isInteger =
                tensor.type == OperandType::INT32 || tensor.type == OperandType::TENSOR_INT32;
        if (!isInteger || tensor.isInput) continue;
        for (size_t at = 0; at + sizeof(int32_t) <= tensor.data->size(); at += sizeof(int32_t)) {
            int32_t value;
            std::memcpy(&value, tensor.data->data() + at, sizeof(value));
            for (const auto& [before, after] : news) {
                if (value != before) continue;
                value = static_cast<int32_t>(after);
                break;
            }
            std::memcpy(tensor.data->data() + at, &value, sizeof(value));
        }
    }
}

// The sets of dimensions that are tried where a dimension shortens from `size` to `count` elements:
// all of this size; of this size and place; only this one; this one with one other; all multiples
// of this size.
std::vector<Cuts> cutsFor(const std::vector<std::vector<uint32_t>>& shapes, const Cut& own) {
    const uint32_t size = shapes[own.tensor][own.axis];
    Cuts equal, samePlace, multiples;
    for (size_t tensor = 0; tensor < shapes.size(); ++tensor) {
        for (size_t axis = 0; axis < shapes[tensor].size(); ++axis) {
            const uint32_t other = shapes[tensor][axis];
            if (other == 0 || other % size != 0) continue;
            const uint32_t factor = other / size;
            multiples.push_back({tensor, axis, own.from * factor, own.count * factor});
            if (factor != 1) continue;
            equal.push_back({tensor, axis, own.from, own.count});
            if (axis == own.axis) samePlace.push_back(equal.back());
        }
    }
    std::vector<Cuts> sets{equal, samePlace, {own}};
    for (const Cut& other : equal) {
        if (other.tensor != own.tensor || other.axis != own.axis) sets.push_back({own, other});
    }
    sets.push_back(multiples);
    std::set<Cuts> seen;
    std::erase_if(sets, [&](Cuts cuts) {
        std::ranges::sort(cuts);
        return !seen.insert(std::move(cuts)).second;
    });
    return sets;
}

}  // namespace

// True if the dimension, with or without others, has become shorter.
bool Shrinker::shrinkAxis(size_t tensor, size_t axis) {
    EditableCase now = edit();
    std::vector<std::vector<uint32_t>> shapes;
    std::vector<uint64_t> counts;
    for (const EditableTensor& each : editableTensors(now)) {
        shapes.push_back(*each.dimensions);
        counts.push_back(productOf(shapes.back()));
    }
    if (tensor >= shapes.size() || axis >= shapes[tensor].size()) return false;
    const uint32_t size = shapes[tensor][axis];
    if (size < 2) return false;
    std::set<std::pair<uint32_t, uint32_t>> tried;  // from and count
    for (const uint32_t count : {1u, size / 2, size - 1}) {
        for (const uint32_t from : {0u, size - count}) {
            if (!tried.insert({from, count}).second) continue;
            for (const Cuts& cuts : cutsFor(shapes, {tensor, axis, from, count})) {
                if (acceptsChange([&](EditableCase& e) { return apply(e, cuts); })) return true;
                const auto replaced = [&](EditableCase& e) {
                    if (!apply(e, cuts)) return false;
                    const uint64_t all = counts[tensor];
                    replaceIntegers(e, {{size, count}, {all, all / size * count}});
                    return true;
                };
                if (acceptsChange(replaced)) return true;
                if (isOver()) return false;
            }
        }
    }
    return false;
}

// Removes dimensions of 1: at one place of all tensors that have as many, or of a single tensor.
bool Shrinker::dropUnitAxes() {
    constexpr size_t kAll = SIZE_MAX, kMaxRank = 8;
    const auto drop = [](EditableCase& candidate, size_t rank, size_t axis, size_t only) {
        bool isChanged = false;
        std::vector<EditableTensor> tensors = editableTensors(candidate);
        for (size_t i = 0; i < tensors.size(); ++i) {
            if (only != kAll && i != only) continue;
            std::vector<uint32_t>& dimensions = *tensors[i].dimensions;
            Operand& operand = *tensors[i].operand;
            const bool hasChannels =
                    !std::holds_alternative<Operand::NoParams>(operand.extraParams);
            if (dimensions.size() != rank || dimensions[axis] != 1 || hasChannels) continue;
            dimensions.erase(dimensions.begin() + static_cast<ptrdiff_t>(axis));
            operand.dimensions = dimensions;
            isChanged = true;
        }
        candidate.isInferred = true;
        return isChanged;
    };
    bool isSmaller = false;
    EditableCase now = edit();
    const size_t count = editableTensors(now).size();
    for (size_t rank = kMaxRank; rank > 1; --rank) {
        for (size_t axis = 0; axis < rank && !isOver(); ++axis) {
            const auto accepted = [&](size_t only) {
                return acceptsChange([&](EditableCase& e) { return drop(e, rank, axis, only); });
            };
            isSmaller |= accepted(kAll);
            for (size_t i = 0; i < count; ++i) isSmaller |= accepted(i);
        }
    }
    return isSmaller;
}

bool Shrinker::shrinkDimensions() {
    bool isSmaller = false;
    for (bool isAgain = true; isAgain && !isOver();) {
        isAgain = false;
        EditableCase now = edit();
        std::vector<size_t> ranks;
        for (const EditableTensor& each : editableTensors(now)) {
            ranks.push_back(each.dimensions->size());
        }
        for (size_t tensor = 0; tensor < ranks.size(); ++tensor) {
            for (size_t axis = 0; axis < ranks[tensor]; ++axis) {
                while (shrinkAxis(tensor, axis)) isAgain = true;
            }
        }
        isSmaller = isSmaller || isAgain;
    }
    return dropUnitAxes() || isSmaller;
}

}  // namespace nn::testing
