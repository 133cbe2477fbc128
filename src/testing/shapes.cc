#include "testing/shapes.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

namespace nn::testing {
namespace {

using ops::Extent;
using ops::Extents;
using ops::Part;
using ops::Size;

// N H W C -> N C H W and n t x -> t n x, or back.
void toOtherLayout(std::vector<uint32_t>& dimensions) {
    if (dimensions.size() == 3) return std::swap(dimensions[0], dimensions[1]);
    std::rotate(dimensions.begin() + 1, dimensions.begin() + 3, dimensions.end());
}
void fromOtherLayout(std::vector<uint32_t>& dimensions) {
    if (dimensions.size() == 3) return std::swap(dimensions[0], dimensions[1]);
    std::rotate(dimensions.begin() + 1, dimensions.begin() + 2, dimensions.end());
}

bool isRank(const Size& size) { return size.id == ops::sizes::wholeRank.id; }

}  // namespace

bool Parts::has(std::span<const Part> parts, bool isBackward) {
    bool all = true;
    for (const Part part : parts) {
        const bool isOther = isBackward && ops::isOfDirection(part);
        auto& chosen = mChosen[static_cast<size_t>(part) + (isOther ? ops::kParts : 0)];
        if (!chosen) chosen = mSource.coin();
        all = all && *chosen;
    }
    return all;
}

const std::vector<uint32_t>& Shapes::whole() {
    if (mWhole.empty()) {
        mWhole.resize(4 - mSource.below(4));
        for (uint32_t& size : mWhole) size = static_cast<uint32_t>(1 + mSource.below(3));
    }
    return mWhole;
}

uint32_t& Shapes::slotOf(const Size& size) {
    const bool isOther = mIsBackward && size.isOfDirection;
    return mSizes[size.id + (isOther ? ops::kMostSizes : 0)];
}

uint32_t Shapes::valueOf(const Size& size) {
    uint32_t& value = slotOf(size);
    if (value == 0) {
        value = isRank(size) ? static_cast<uint32_t>(whole().size())
                             : static_cast<uint32_t>(size.least + mSource.below(3));
    }
    return value;
}

std::vector<uint32_t> Shapes::make(const ops::Recipe& recipe) {
    return make(recipe.other && mSource.below(2) != 0 ? *recipe.other : recipe.extents);
}

std::vector<uint32_t> Shapes::make(const Extents& extents) {
    if (extents.kind == Extents::Kind::WHOLE) return whole();
    std::vector<uint32_t> dimensions;
    for (const Extent& extent : extents.list()) {
        uint32_t product = extent.factor;
        for (const Size& size : extent.sizes()) product *= valueOf(size);
        dimensions.push_back(product);
    }
    if (extents.kind == Extents::Kind::STACK) {
        dimensions.insert(dimensions.end(), whole().begin(), whole().end());
    }
    if (extents.kind == Extents::Kind::BY_LAYOUT && mHasOtherLayout) toOtherLayout(dimensions);
    return dimensions;
}

void Shapes::makeSquare(const Extents& extents) {
    slotOf(extents.list().front().all[0]) = valueOf(extents.list().back().all[0]);
}

bool Shapes::fitsExtent(const Extent& extent, uint32_t dimension) {
    uint32_t known = extent.factor;
    uint32_t* unknown = nullptr;
    for (const Size& size : extent.sizes()) {
        uint32_t& value = slotOf(size);
        if (value != 0 || isRank(size)) {
            known *= valueOf(size);
        } else if (unknown == nullptr) {
            unknown = &value;
        } else {
            return false;
        }
    }
    if (unknown == nullptr) return known == dimension;
    if (dimension == 0 || dimension % known != 0) return false;
    *unknown = dimension / known;
    return true;
}

bool Shapes::fits(const Extents& extents, const std::vector<uint32_t>& dimensions) {
    if (extents.kind == Extents::Kind::WHOLE) {
        const bool isKnown = !dimensions.empty() && absl::c_count(dimensions, 0u) == 0;
        if (mWhole.empty() && isKnown && dimensions.size() <= 4) mWhole = dimensions;
        return mWhole == dimensions && isKnown;
    }
    if (extents.kind == Extents::Kind::STACK || dimensions.size() != extents.count) return false;
    std::vector<uint32_t> rest = dimensions;
    if (extents.kind == Extents::Kind::BY_LAYOUT && mHasOtherLayout) fromOtherLayout(rest);
    const auto sizes = mSizes;
    bool fit = true;
    for (size_t i = 0; fit && i < rest.size(); ++i) fit = fitsExtent(extents.all[i], rest[i]);
    if (!fit) mSizes = sizes;
    return fit;
}

}  // namespace nn::testing
