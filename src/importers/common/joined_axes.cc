#include "importers/common/joined_axes.h"

#include <absl/algorithm/container.h>

#include <algorithm>

#include "nnapi/checked_math.h"

namespace nn::importing {

using Dimensions = std::vector<uint32_t>;

Transposition joinedTransposition(const Dimensions& dimensions, std::span<const uint32_t> axes) {
    Transposition joined;
    std::vector<uint32_t> places;  // of axes, in the result
    for (const uint32_t dimension : dimensions) {
        places.push_back(static_cast<uint32_t>(joined.dimensions.size()));
        if (dimension != 1) joined.dimensions.push_back(dimension);
    }
    for (const uint32_t axis : axes) {
        if (dimensions[axis] != 1) joined.axes.push_back(places[axis]);
    }
    while (joined.axes.size() > kMaxAxes) {
        const auto pair = std::adjacent_find(joined.axes.begin(), joined.axes.end(),
                                             [](uint32_t a, uint32_t b) { return b == a + 1; });
        if (pair == joined.axes.end()) break;
        const uint32_t first = *pair;
        const auto size =
                checkedMul<uint32_t>(joined.dimensions[first], joined.dimensions[first + 1]);
        if (!size) break;
        joined.dimensions[first] = *size;
        joined.dimensions.erase(joined.dimensions.begin() + first + 1);
        joined.axes.erase(pair + 1);
        for (uint32_t& axis : joined.axes) axis -= axis > first ? 1 : 0;
    }
    return joined;
}

std::optional<Dimensions> aroundAxis(const Dimensions& dimensions, uint32_t axis) {
    const std::span<const uint32_t> all(dimensions);
    const auto before = checkedProduct<uint32_t>(all.first(axis));
    const auto behind = checkedProduct<uint32_t>(all.subspan(axis + 1));
    if (!before || !behind) return std::nullopt;
    return Dimensions{*before, dimensions[axis], *behind};
}

std::optional<Broadcast> joinedBroadcast(std::span<const Dimensions> inputs) {
    Broadcast joined;
    joined.inputs.resize(inputs.size());
    size_t rank = 0;
    for (const Dimensions& input : inputs) rank = std::max(rank, input.size());
    std::vector<bool> previous;  // inputs that have the last joined axis
    for (size_t axis = 0; axis < rank; ++axis) {
        Dimensions sizes;
        for (const Dimensions& input : inputs) {
            const size_t missing = rank - input.size();
            sizes.push_back(axis < missing ? 1 : input[axis - missing]);
        }
        const uint32_t size = sizes.empty() ? 1 : *absl::c_max_element(sizes);
        if (size == 0) return std::nullopt;
        const auto fits = [size](uint32_t own) { return own == size || own == 1; };
        if (!absl::c_all_of(sizes, fits)) return std::nullopt;
        joined.whole.push_back(size);
        if (size == 1) continue;
        std::vector<bool> has;
        for (const uint32_t own : sizes) has.push_back(own == size);
        const auto both = joined.result.empty() ? std::nullopt
                                                : checkedMul<uint32_t>(joined.result.back(), size);
        const bool isJoined = both && has == previous;
        if (isJoined) joined.result.back() = *both;
        if (!isJoined) joined.result.push_back(size);
        for (size_t i = 0; i < inputs.size(); ++i) {
            if (!isJoined) joined.inputs[i].push_back(1);
            if (has[i]) joined.inputs[i].back() = joined.result.back();
        }
        previous = std::move(has);
    }
    if (joined.result.empty()) joined.result.push_back(1);
    for (Dimensions& input : joined.inputs) {
        const auto first =
                std::find_if(input.begin(), input.end(), [](uint32_t size) { return size != 1; });
        input.erase(input.begin(), first);
        if (input.empty()) input.push_back(1);
    }
    return joined;
}

}  // namespace nn::importing
