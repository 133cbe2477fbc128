// Draws the dimensions that the operands of one operation share, when they are first needed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/testing/generate.h"
#include "opkit/recipes/recipe.h"

namespace nn::testing {

// The optional parts that an operation has: one coin is tossed for each part.
class Parts {
   public:
    explicit Parts(Source& source) : mSource(source) {}

    bool has(std::span<const ops::Part> parts, bool isBackward);

   private:
    Source& mSource;
    std::array<std::optional<bool>, 2 * ops::kParts> mChosen{};
};

// The sizes of an operation, and the dimensions made of them.
class Shapes {
   public:
    // The product of all sizes is at most `room`, and more only where the least ones are. The first
    // dimension of tensors may be unknown, and nothing be there, where `mayBeEmpty` says so.
    Shapes(Source& source, bool hasOtherLayout, uint32_t room, bool mayBeEmpty)
        : mSource(source),
          mHasOtherLayout(hasOtherLayout),
          mRoom(room),
          mIsLarge(room > kUsualRoom),
          mMayBeEmpty(mayBeEmpty) {}

    bool mayBeEmpty() const { return mMayBeEmpty; }

    void setDirection(bool isBackward) { mIsBackward = isBackward; }

    std::vector<uint32_t> make(const ops::Recipe& recipe);
    std::vector<uint32_t> make(const ops::Extents& extents);

    // Gives the sizes of a matrix the same value.
    void makeSquare(const ops::Extents& extents);

    // True where the extents can stand for these dimensions; then the sizes are set accordingly.
    bool fits(const ops::Recipe& recipe, const std::vector<uint32_t>& dimensions);

    const std::vector<uint32_t>& whole();

    // The axis along which shapes of kind JOINED differ; empty where there are none.
    std::optional<uint32_t> joinedAxis() const { return mJoinedAxis; }

    // Of the next matrix, in the order of those of kind MATRIX.
    bool isNextTransposed();

    // The part of `whole` that values of kind BEGINS to STEPS are about: of each axis where it
    // begins, and on which index before or after that it ends, not included.
    struct Part {
        int64_t begin, end;
    };
    std::vector<Part> part{};

   private:
    static constexpr uint32_t kUsualRoom = 1 << 16;

    uint32_t draw(uint32_t least, uint32_t most = 0);
    std::vector<uint32_t> broadcast();
    std::vector<uint32_t> joined();
    const std::vector<uint32_t>& stacked();
    uint32_t& slotOf(const ops::Size& size);
    uint32_t valueOf(const ops::Size& size);
    bool fitsExtent(const ops::Extent& extent, uint32_t dimension);

    Source& mSource;
    bool mHasOtherLayout;
    uint32_t mRoom;
    bool mIsLarge;
    bool mMayBeEmpty;
    bool mIsBackward = false;
    std::array<uint32_t, 2 * ops::kMostSizes> mSizes{};  // 0 while not chosen
    std::vector<uint32_t> mWhole;                        // empty while not chosen
    std::optional<uint32_t> mJoinedAxis;
    std::optional<std::vector<uint32_t>> mStacked;  // dimensions around all matrices
    std::vector<bool> mTransposed;                  // matrices of which nobody has asked
};

}  // namespace nn::testing
