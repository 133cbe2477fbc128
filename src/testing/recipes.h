// What the operands of operations must be so that an operation can be prepared and executed: shapes
// that fit each other, and values of parameters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "nnapi/testing/generate.h"
#include "nnapi/type_utils.h"

namespace nn::testing {

// One operand of one room. A tensor without a recipe has dimensions "*", a scalar any value.
struct Recipe {
    enum class Values : uint8_t {
        ANY,
        RANGE,        // each from least to most
        AXIS,         // of "*", counted from either end
        INDEX,        // of an axis of "*", counted from the first
        PERMUTATION,  // of the axes of "*"
        ASCENDING,    // 0, 1, 2 ...
        BOXES,        // corners (0, 0) and (2, 2)
        DIMENSIONS,   // those of `text`
        OUTPUTS,      // as many as the operation has outputs
        ODD_OUTPUTS,  // whether the operation has an odd number of outputs
        IDENTITY,     // any; left away, it stands for the identity, which is as wide as high
    };

    // The operation or the stem; empty: all that have an operand of that name.
    std::string_view of;
    std::string_view operand;  // its name in the signature, without "fw" and "bw"; '*' is any text
    std::string_view dimensions = "*";
    Values values = Values::ANY;
    float least = 0;
    float most = 0;
    std::string_view text{};
    std::string_view parts{};  // optional parts of the operation that all need the operand
    float scale = 0;           // that the operand must have; 0: any
    int32_t zeroPoint = 0;     // with that scale
};

// Of the operation before that of the stem before that of all. Null where there is none.
const Recipe* recipeOf(const OperationTypeInfo& operation, std::string_view operand);

// True for operands of the backward cell of an operation that has two.
bool isBackward(std::string_view operand);

// Which optional parts an operation has: a coin for each letter, once.
class Parts {
   public:
    explicit Parts(Source& source) : mSource(source) {}

    bool has(std::string_view parts, bool isBackward);

   private:
    Source& mSource;
    std::array<std::optional<bool>, 128> mChosen{};
};

// The dimensions that a text stands for, with the same sizes for the same letters in all texts of
// one operation. Dimensions are separated by '.', each is a product of a number and letters: "2h"
// is twice h. Letters are 1 to 3, H and W are 4 to 6. "*" is a whole shape of rank 1 to 4, also
// after other dimensions, "r" its rank.
// "~N H W C" is an image, which the other layout turns into N C H W, and "~n t x" a sequence, which
// it turns into t n x. '|' separates alternatives. The cell of each direction has its own sizes.
class Shapes {
   public:
    Shapes(Source& source, bool hasOtherLayout)
        : mSource(source), mHasOtherLayout(hasOtherLayout) {}

    void setDirection(bool isBackward) { mIsBackward = isBackward; }

    std::vector<uint32_t> make(std::string_view text);

    // Gives the letters of "a b" the same size.
    void makeSquare(std::string_view text);

    // True, and the letters keep it, if the text can stand for these dimensions.
    bool fits(std::string_view text, const std::vector<uint32_t>& dimensions);

    const std::vector<uint32_t>& whole();

   private:
    uint32_t& slotOf(char letter);
    uint32_t& sizeOf(char letter);
    bool fitsDimension(std::string_view text, uint32_t dimension);

    Source& mSource;
    bool mHasOtherLayout;
    bool mIsBackward = false;
    std::array<uint32_t, 128> mSizes{};  // 0 while not chosen
    std::vector<uint32_t> mWhole;        // empty while not chosen
};

}  // namespace nn::testing
