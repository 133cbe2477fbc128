// recipes.h -- How to draw a random instance of an operation that can be prepared and executed:
// shapes that fit each other, and values of parameters. recipes.cc has one row for each operand:
//
//   {"fully_connected", "input", {n, c}},
//   {"fully_connected", "weights", {u, c}},
//   {"fully_connected", "bias", {u}},
//
// The first row that fits an operand is its recipe.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "nnapi/type_utils.h"

namespace nn::testing {

// ---- shapes

// A size shared by several dimensions of one operation. It is drawn when first needed: usually at
// most 2 above the minimum, occasionally as large as a kernel's vector or tile, or one more or
// less.
struct Size {
    uint8_t id;
    uint8_t least = 1;
    bool isOfDirection = false;  // the forward and the backward cell each have their own
    uint8_t most = 0;            // of strides, blocks and steps; 0: as large as tensors allow
};

inline constexpr size_t kMaxSizes = 32;

namespace sizes {
inline constexpr Size a{0}, b{1}, c{2}, g{3}, h{4}, k{5}, m{6}, n{7}, s{8}, v{10}, w{11}, x{12};
inline constexpr Size u{13, 1, true}, o{14, 1, true};
inline constexpr Size height{15, 4}, width{16, 4};  // of images; at least 4
inline constexpr Size wholeRank{17};                // the rank of `whole`
inline constexpr Size p{18, 1, false, 3}, q{19, 1, false, 3}, few{20, 1, false, 3};
// Of sequences. Limited, since rounding errors grow with the number of steps.
inline constexpr Size t{9, 1, false, 9};
}  // namespace sizes

// One dimension: a product.
struct Extent {
    static constexpr size_t kMaxFactors = 3;

    uint8_t factor = 1;
    uint8_t count = 0;
    std::array<Size, kMaxFactors> all{};

    constexpr Extent(int number) : factor(static_cast<uint8_t>(number)) {}
    constexpr Extent(Size size) : count(1), all{size} {}

    constexpr std::span<const Size> sizes() const { return std::span(all).first(count); }
};

consteval Extent operator*(Extent left, const Extent& right) {
    left.factor = static_cast<uint8_t>(left.factor * right.factor);
    for (const Size size : right.sizes()) left.all[left.count++] = size;
    return left;
}

// The dimensions of a tensor.
struct Extents {
    enum class Kind : uint8_t {
        LISTED,
        BY_LAYOUT,  // listed as N H W C or as n t x; the other layout has N C H W and t n x
        WHOLE,      // a shape of rank 1 to 4, shared by all operands with it
        STACK,      // the listed ones, then those of WHOLE
        BROADCAST,  // WHOLE with some dimensions replaced by 1, or without leading dimensions
        JOINED,     // WHOLE, but for the size along one axis, which is that of INDEX
        MATRIX,     // none to two dimensions that all matrices share, then the two listed ones,
                    // maybe in the other order
    };
    static constexpr size_t kMaxRank = 4;

    Kind kind = Kind::LISTED;
    uint8_t count = 0;
    std::array<Extent, kMaxRank> all{0, 0, 0, 0};

    constexpr Extents() = default;
    constexpr explicit Extents(Kind other) : kind(other) {}
    constexpr Extents(std::initializer_list<Extent> list) {
        for (const Extent& extent : list) all[count++] = extent;
    }

    constexpr std::span<const Extent> list() const { return std::span(all).first(count); }
};

inline constexpr Extents whole{Extents::Kind::WHOLE};
inline constexpr Extents broadcastable{Extents::Kind::BROADCAST};
inline constexpr Extents joinable{Extents::Kind::JOINED};
inline constexpr Extents noExtents{};  // a scalar

consteval Extents byLayout(Extents extents) {
    extents.kind = Extents::Kind::BY_LAYOUT;
    return extents;
}
consteval Extents image(Extent batches, Extent rows, Extent columns, Extent channels) {
    return byLayout({batches, rows, columns, channels});
}
consteval Extents sequence(Extent batches, Extent steps, Extent features) {
    return byLayout({batches, steps, features});
}

consteval Extents matrix(Extent rows, Extent columns) {
    Extents extents{rows, columns};
    extents.kind = Extents::Kind::MATRIX;
    return extents;
}

consteval Extents stack(Extent count) {
    Extents extents{count};
    extents.kind = Extents::Kind::STACK;
    return extents;
}

// One of two shapes.
struct Either {
    Extents first;
    Extents other;
};
consteval Either either(const Extents& first, const Extents& other) { return {first, other}; }

// ---- values

struct Values {
    enum class Kind : uint8_t {
        ANY,
        RANGE,        // each from least to most
        CHOICE,       // each one of `choices`
        AXIS,         // of `whole`, counted from either end
        INDEX,        // of an axis of `whole`, counted from the first
        PERMUTATION,  // of the axes of `whole`
        ASCENDING,    // 0, 1, 2 ...
        BELOW,        // each less than the sizes of `extents`, in ascending order
        BOXES,        // corners from 0 to 4, from `least` apart on
        SIZES,       // those of `extents`; of `whole`, those of another shape with as many elements
        BEGINS,      // of a part of `whole`, along each axis
        LENGTHS,     // of the part that begins there; -1: all of the rest; 0 if none may be there
        STARTS,      // the same for a part in steps: the first index along each axis, from either
        ENDS,        // end; where it ends, perhaps beyond the tensor or before the start; the
        STEPS,       // steps from the one to the other
        TRANSPOSED,  // whether the matrix, in the order of those of kind MATRIX, has columns first
        OUTPUTS,     // as many as the operation has outputs
        ODD_OUTPUTS,  // whether the operation has an odd number of outputs
        IDENTITY,     // any; if left out, it means the identity matrix, which is square
        LAYOUT,       // whether images and sequences have the other layout
    };

    Kind kind = Kind::ANY;
    float least = 0;
    float most = 0;
    Extents extents{};
    std::array<int8_t, 5> choices{};

    constexpr Values() = default;
    constexpr explicit Values(Kind other) : kind(other) {}
};

inline constexpr Values anyAxis{Values::Kind::AXIS};
inline constexpr Values anyIndex{Values::Kind::INDEX};
inline constexpr Values permutation{Values::Kind::PERMUTATION};
inline constexpr Values ascending{Values::Kind::ASCENDING};
inline constexpr Values begins{Values::Kind::BEGINS};
inline constexpr Values lengths{Values::Kind::LENGTHS};
inline constexpr Values starts{Values::Kind::STARTS};
inline constexpr Values ends{Values::Kind::ENDS};
inline constexpr Values steps{Values::Kind::STEPS};
inline constexpr Values isTransposed{Values::Kind::TRANSPOSED};
inline constexpr Values outputCount{Values::Kind::OUTPUTS};
inline constexpr Values hasOddOutputs{Values::Kind::ODD_OUTPUTS};
inline constexpr Values identity{Values::Kind::IDENTITY};
inline constexpr Values isOtherLayout{Values::Kind::LAYOUT};

consteval Values between(float least, float most) {
    Values values(Values::Kind::RANGE);
    values.least = least;
    values.most = most;
    return values;
}
consteval Values always(float value) { return between(value, value); }
consteval Values oneOf(const std::array<int8_t, 5>& choices) {
    Values values(Values::Kind::CHOICE);
    values.choices = choices;
    return values;
}
consteval Values boxesFrom(float least) {
    Values values(Values::Kind::BOXES);
    values.least = least;
    return values;
}
// The overlap of two boxes without area is 0 / 0, which the specification does not define.
inline constexpr Values someBoxes = boxesFrom(0.5f), thinBoxes = boxesFrom(0);
consteval Values indexesOf(const Extents& extents) {
    Values values(Values::Kind::BELOW);
    values.extents = extents;
    return values;
}
consteval Values sizesOf(const Extents& extents) {
    Values values(Values::Kind::SIZES);
    values.extents = extents;
    return values;
}

// ---- recipes

// Optional parts of a recurrent cell; one coin is tossed for each.
enum class Part : uint8_t {
    INPUT_GATE,
    PEEPHOLE,
    PROJECTION,
    PROJECTION_BIAS,
    LAYER_NORM,
    AUXILIARY,       // input
    CROSS_AUXILIARY  // weights for it
};
inline constexpr size_t kParts = 7;

// True for parts that the forward and the backward cell each have: all but the auxiliary input.
constexpr bool isOfDirection(Part part) {
    return part != Part::AUXILIARY && part != Part::CROSS_AUXILIARY;
}

// True for operands of the backward cell of an operation that has two.
constexpr bool isBackward(std::string_view operand) {
    return operand.starts_with("bw") || operand.starts_with("backward");
}

// How to draw one operand.
struct Recipe {
    std::string_view operations;  // the stem of their folder, or the name of one; "*": all
    std::string_view operand;     // its name in the signature; '*' matches any text, and the
                                  // direction of a cell is ignored: "cell*" matches "bwCellBias"
    Extents extents = whole;
    std::optional<Extents> other{};  // an alternative to `extents`
    Values values{};

    // Only some recipes set the following.
    std::array<Part, 3> parts{};  // the operand exists if the operation has all of them
    uint8_t partCount = 0;
    float scale = 0;        // the scale that the operand must have; 0: any
    uint8_t powers = 0;     // doubles that scale up to so many times, the same for all operands
    int32_t zeroPoint = 0;  // required with that scale
    uint8_t channelDim = 0;
    bool mayBeEmpty = false;  // an operand that is present may have no rows or batches

    constexpr Recipe(std::string_view of, std::string_view name, const Extents& shape,
                     const Values& allowed = {})
        : operations(of), operand(name), extents(shape), values(allowed) {}
    constexpr Recipe(std::string_view of, std::string_view name, const Either& shapes,
                     const Values& allowed = {})
        : operations(of),
          operand(name),
          extents(shapes.first),
          other(shapes.other),
          values(allowed) {}
    constexpr Recipe(std::string_view of, std::string_view name, const Values& allowed)
        : operations(of), operand(name), extents(noExtents), values(allowed) {}

    bool isFor(const OperationTypeInfo& operation, std::string_view name) const;

    constexpr std::span<const Part> neededParts() const {
        return std::span(parts).first(partCount);
    }
};

// An operand that is present only together with parts.
template <class... P>
consteval Recipe with(Recipe recipe, P... parts) {
    recipe.parts = {parts...};
    recipe.partCount = sizeof...(parts);
    return recipe;
}
consteval Recipe quantized(float scale, int32_t zeroPoint, Recipe recipe) {
    recipe.scale = scale;
    recipe.zeroPoint = zeroPoint;
    return recipe;
}
// The same for a scale that is a power of 2, from 2^least to 2^most.
consteval Recipe quantizedByPower(int least, int most, Recipe recipe) {
    recipe.scale = 1;
    for (int power = 0; power > least; --power) recipe.scale /= 2;
    recipe.powers = static_cast<uint8_t>(most - least);
    return recipe;
}
// An operand with a scale for each index of this dimension.
consteval Recipe perChannel(uint8_t dimension, Recipe recipe) {
    recipe.channelDim = dimension;
    return recipe;
}
consteval Recipe orEmpty(Recipe recipe) {
    recipe.mayBeEmpty = true;
    return recipe;
}

// All rows.
std::span<const Recipe> recipes();

const Recipe& recipeOf(const OperationTypeInfo& operation, std::string_view operand);

}  // namespace nn::testing
