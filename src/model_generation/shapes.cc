#include "model_generation/shapes.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

namespace nn::testing {
namespace {

// N H W C -> N C H W and n t x -> t n x, or the reverse.
void toOtherLayout(std::vector<uint32_t>& dimensions) {
    if (dimensions.size() == 3) return std::swap(dimensions[0], dimensions[1]);
    std::rotate(dimensions.begin() + 1, dimensions.begin() + 3, dimensions.end());
}
void fromOtherLayout(std::vector<uint32_t>& dimensions) {
    if (dimensions.size() == 3) return std::swap(dimensions[0], dimensions[1]);
    std::rotate(dimensions.begin() + 1, dimensions.begin() + 2, dimensions.end());
}

bool isRank(const Size& size) { return size.id == sizes::wholeRank.id; }

// Sizes near which kernels switch code paths: vector widths (4 to 64 elements), panels (8 and 16
// columns), tiles (6 to 12 rows) and blocks (32 and 64 elements); these, their doubles, and one
// more and less.
constexpr uint32_t kAround[] = {4,  5,  6,  7,  8,  9,  11, 12, 13, 15, 16, 17,
                                23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65};

constexpr uint32_t kMinImageSize = sizes::height.least;

// Rarer: sizes near which matrices are split for the cache, or sums of products exceed 32 bits.
constexpr uint32_t kFar[] = {127, 128, 129, 255, 256, 257, 300, 1025, 32769};

// True if the shape equals the whole, except for ones and missing leading dimensions.
bool canBroadcast(const std::vector<uint32_t>& dimensions, const std::vector<uint32_t>& whole) {
    if (dimensions.size() > whole.size()) return false;
    const size_t missing = whole.size() - dimensions.size();
    for (size_t i = 0; i < dimensions.size(); ++i) {
        if (dimensions[i] != 1 && dimensions[i] != whole[missing + i]) return false;
    }
    return true;
}

}  // namespace

bool Parts::has(std::span<const Part> parts, bool isBackward) {
    bool all = true;
    for (const Part part : parts) {
        const bool isOther = isBackward && isOfDirection(part);
        auto& chosen = mChosen[static_cast<size_t>(part) + (isOther ? kParts : 0)];
        if (!chosen) chosen = mSource.coin();
        all = all && *chosen;
    }
    return all;
}

const std::vector<uint32_t>& Shapes::whole() {
    if (mWhole.empty()) {
        mWhole.resize(mSource.oneIn(24) ? 5 + mSource.below(3) : 4 - mSource.below(4));
        for (uint32_t& size : mWhole) size = draw(1);
        if (mIsHuge) makeHuge();
    }
    return mWhole;
}

// More elements than 16 bits can count, and rarely a multiple of 2^16.
void Shapes::makeHuge() {
    uint32_t& size = mWhole[mSource.below(mWhole.size())];
    size = 1;
    uint32_t others = 1;
    for (const uint32_t each : mWhole) others *= each;
    size = (UINT16_MAX + 1) / others + 1 + static_cast<uint32_t>(mSource.below(64));
}

uint32_t Shapes::draw(uint32_t least, uint32_t most) {
    auto value = static_cast<uint32_t>(least + mSource.below(3));
    if (mSource.oneIn(mIsLarge ? 2 : mIsVaried ? 3 : 6)) {
        const bool isFar = mSource.oneIn(mIsLarge ? 3 : 12);
        value = mSource.pick<uint32_t>(isFar ? std::span<const uint32_t>(kFar)
                                             : std::span<const uint32_t>(kAround));
    }
    if (least == kMinImageSize && mSource.oneIn(5)) {  // possibly smaller than a window
        least = 1;
        value = static_cast<uint32_t>(1 + mSource.below(2));
    }
    if (most != 0) value = std::min(value, most);
    value = std::clamp(value, least, std::max(least, mRoom));
    mRoom = std::max(mRoom / value, 1u);
    return value;
}

std::vector<uint32_t> Shapes::broadcast() {
    std::vector<uint32_t> dimensions = whole();
    if (!mSource.coin()) return dimensions;
    for (uint32_t& dimension : dimensions) {
        if (mSource.oneIn(3)) dimension = 1;
    }
    const uint64_t dropped = mSource.coin() ? mSource.below(dimensions.size()) : 0;
    dimensions.erase(dimensions.begin(), dimensions.begin() + static_cast<ptrdiff_t>(dropped));
    return dimensions;
}

std::vector<uint32_t> Shapes::joined() {
    std::vector<uint32_t> dimensions = whole();
    if (!mJoinedAxis) mJoinedAxis = static_cast<uint32_t>(mSource.below(dimensions.size()));
    if (mSource.coin()) dimensions[*mJoinedAxis] = draw(1);
    return dimensions;
}

const std::vector<uint32_t>& Shapes::stacked() {
    if (!mStacked) {
        mStacked.emplace(mSource.below(3));
        for (uint32_t& size : *mStacked) size = draw(1);
    }
    return *mStacked;
}

bool Shapes::isNextTransposed() {
    if (mTransposed.empty()) return false;
    const bool isTransposed = mTransposed.front();
    mTransposed.erase(mTransposed.begin());
    return isTransposed;
}

uint32_t& Shapes::slotOf(const Size& size) {
    const bool isOther = mIsBackward && size.isOfDirection;
    return mSizes[size.id + (isOther ? kMaxSizes : 0)];
}

uint32_t Shapes::valueOf(const Size& size) {
    uint32_t& value = slotOf(size);
    if (value == 0) {
        value = isRank(size) ? static_cast<uint32_t>(whole().size()) : draw(size.least, size.most);
    }
    return value;
}

std::vector<uint32_t> Shapes::make(const Recipe& recipe) {
    return make(recipe.other && mSource.below(2) != 0 ? *recipe.other : recipe.extents);
}

std::vector<uint32_t> Shapes::make(const Extents& extents) {
    if (extents.kind == Extents::Kind::WHOLE) return whole();
    if (extents.kind == Extents::Kind::BROADCAST) return broadcast();
    if (extents.kind == Extents::Kind::JOINED) return joined();
    std::vector<uint32_t> dimensions;
    for (const Extent& extent : extents.list()) {
        uint32_t product = extent.factor;
        for (const Size& size : extent.sizes()) product *= valueOf(size);
        dimensions.push_back(product);
    }
    if (extents.kind == Extents::Kind::STACK) {
        dimensions.insert(dimensions.end(), whole().begin(), whole().end());
    }
    if (extents.kind == Extents::Kind::MATRIX) {
        mTransposed.push_back(mSource.coin());
        if (mTransposed.back()) std::swap(dimensions[0], dimensions[1]);
        dimensions.insert(dimensions.begin(), stacked().begin(), stacked().end());
    }
    if (extents.kind == Extents::Kind::BY_LAYOUT && mHasOtherLayout) toOtherLayout(dimensions);
    return dimensions;
}

void Shapes::makeSquare(const Extents& extents) {
    slotOf(extents.list().front().all[0]) = valueOf(extents.list().back().all[0]);
}

bool Shapes::solveExtent(const Extent& extent, uint32_t dimension) {
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

bool Shapes::solve(const Recipe& recipe, const std::vector<uint32_t>& dimensions) {
    const Extents& extents = recipe.extents;
    const bool mayBeEmpty = mMayBeEmpty && recipe.mayBeEmpty;
    using Kind = Extents::Kind;
    if (extents.kind == Kind::WHOLE || extents.kind == Kind::BROADCAST) {
        const bool isEmpty = mayBeEmpty && mWhole.empty() && !dimensions.empty() &&
                             dimensions[0] == 0 && dimensions.size() <= 4;
        if (isEmpty && absl::c_count(dimensions, 0u) == 1) {
            mWhole = dimensions;
            mWhole[0] = 1;
            return true;
        }
        if (dimensions.empty() || absl::c_count(dimensions, 0u) != 0) return false;
        if (mWhole.empty() && dimensions.size() <= 4) mWhole = dimensions;
        return mWhole == dimensions ||
               (extents.kind == Kind::BROADCAST && canBroadcast(dimensions, mWhole));
    }
    if (extents.kind == Kind::JOINED) {
        const bool isEmpty = mayBeEmpty && !dimensions.empty() && dimensions[0] == 0;
        if (isEmpty && mWhole.empty()) {
            mWhole = dimensions;
            absl::c_replace(mWhole, 0u, 1u);
            mJoinedAxis = 0;
        }
        if (!mJoinedAxis || mWhole.size() != dimensions.size()) return false;
        std::vector<uint32_t> rest = dimensions;
        const uint32_t size = std::exchange(rest[*mJoinedAxis], mWhole[*mJoinedAxis]);
        return rest == mWhole && (size != 0 || isEmpty);
    }
    const bool isList = extents.kind == Kind::LISTED || extents.kind == Kind::BY_LAYOUT;
    if (!isList || dimensions.size() != extents.count) return false;
    std::vector<uint32_t> rest = dimensions;
    if (extents.kind == Extents::Kind::BY_LAYOUT && mHasOtherLayout) fromOtherLayout(rest);
    const auto sizes = mSizes;
    // An unknown batch size may turn out to be 0 at execution.
    const std::span<const Size> first = extents.all[0].sizes();
    const bool isFirstUnknown = mayBeEmpty && !rest.empty() && rest[0] == 0 && first.size() == 1 &&
                                first[0].id == sizes::n.id && slotOf(first[0]) == 0;
    bool fit = true;
    for (size_t i = isFirstUnknown ? 1 : 0; fit && i < rest.size(); ++i) {
        fit = solveExtent(extents.all[i], rest[i]);
    }
    if (!fit) mSizes = sizes;
    if (fit && mSizes != sizes) {
        for (const uint32_t dimension : dimensions) {
            mRoom = std::max(mRoom / std::max(dimension, 1u), 1u);
        }
    }
    return fit;
}

}  // namespace nn::testing
