// Draws the dimensions that the operands of one operation share, when first needed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model_generation/recipes.h"
#include "nnapi/generate/generate.h"

namespace nn::testing {

// The optional parts of an operation, each present or not at random.
class Parts {
   public:
    explicit Parts(Source& source) : mSource(source) {}

    bool has(std::span<const Part> parts, bool isBackward);

   private:
    Source& mSource;
    std::array<std::optional<bool>, 2 * kParts> mChosen{};
};

// The sizes of an operation, and the dimensions made of them.
class Shapes {
   public:
    // The product of all sizes is at most `room`, unless the minimal sizes exceed it. With
    // unknownDimensions, the first dimension of tensors may be unknown and the batch empty.
    Shapes(Source& source, bool hasOtherLayout, uint32_t room, const ModelOptions& options)
        : mSource(source),
          mHasOtherLayout(hasOtherLayout),
          mRoom(room),
          mIsLarge(room > kUsualRoom),
          mMayBeEmpty(options.unknownDimensions),
          mIsVaried(options.varied),
          mIsHuge(options.varied && options.maxElements > UINT16_MAX) {}

    bool mayBeEmpty() const { return mMayBeEmpty; }

    void setDirection(bool isBackward) { mIsBackward = isBackward; }

    std::vector<uint32_t> make(const Recipe& recipe);
    std::vector<uint32_t> make(const Extents& extents);

    // Gives the sizes of a matrix the same value.
    void makeSquare(const Extents& extents);

    // Chooses the unknown sizes so that the extents have these dimensions; false if that is
    // impossible.
    bool solve(const Recipe& recipe, const std::vector<uint32_t>& dimensions);

    // The dimensions of kind WHOLE.
    const std::vector<uint32_t>& whole();

    // The axis along which shapes of kind JOINED differ; empty if there are none.
    std::optional<uint32_t> joinedAxis() const { return mJoinedAxis; }

    // Whether the next matrix is transposed, counting those of kind MATRIX.
    bool isNextTransposed();

    // The slice of `whole` that values of kinds BEGINS to STEPS describe, by axis. The end is
    // exclusive, and below the begin if the slice goes backwards.
    struct Slice {
        int64_t begin, end;
    };
    std::vector<Slice> slice{};

   private:
    static constexpr uint32_t kUsualRoom = 1 << 16;

    uint32_t draw(uint32_t least, uint32_t most = 0);
    void makeHuge();
    std::vector<uint32_t> broadcast();
    std::vector<uint32_t> joined();
    const std::vector<uint32_t>& stacked();
    uint32_t& slotOf(const Size& size);
    uint32_t valueOf(const Size& size);
    bool solveExtent(const Extent& extent, uint32_t dimension);

    Source& mSource;
    bool mHasOtherLayout;
    uint32_t mRoom;
    bool mIsLarge;
    bool mMayBeEmpty;
    bool mIsVaried;
    bool mIsHuge;
    bool mIsBackward = false;
    std::array<uint32_t, 2 * kMaxSizes> mSizes{};  // 0 until chosen
    std::vector<uint32_t> mWhole;                  // empty until chosen
    std::optional<uint32_t> mJoinedAxis;
    std::optional<std::vector<uint32_t>> mStacked;  // batch dimensions of all matrices
    std::vector<bool> mTransposed;                  // matrices not consumed yet
};

}  // namespace nn::testing
