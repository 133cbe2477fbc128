#include "importers/common/compositions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/half.h"

namespace nn::importing {
namespace {

using enum OperationType;

constexpr int32_t kNoActivation = 0, kRelu1 = 2;  // FusedActivationFunc

// Adds operations whose results are like one operand.
class Steps {
   public:
    Steps(GraphBuilder& builder, uint32_t like) : mBuilder(builder), mLike(like) {}

    void put(OperationType type, std::vector<uint32_t> inputs, uint32_t to) {
        mBuilder.operation({type, std::move(inputs), {to}});
    }
    uint32_t apply(OperationType type, std::vector<uint32_t> inputs) {
        const uint32_t to = temporaryLike(mBuilder, mLike);
        put(type, std::move(inputs), to);
        return to;
    }
    // ADD, SUB, MUL and DIV
    void putSum(OperationType type, uint32_t a, uint32_t b, uint32_t to) {
        put(type, {a, b, mBuilder.scalar(kNoActivation)}, to);
    }
    uint32_t sum(OperationType type, uint32_t a, uint32_t b) {
        const uint32_t to = temporaryLike(mBuilder, mLike);
        putSum(type, a, b, to);
        return to;
    }
    uint32_t sum(OperationType type, uint32_t a, float b) { return sum(type, a, number(b)); }
    uint32_t compare(OperationType type, uint32_t a, uint32_t b) {
        const uint32_t to = mBuilder.temporary(OperandType::TENSOR_BOOL8,
                                               Dimensions(mBuilder.operand(mLike).dimensions));
        put(type, {a, b}, to);
        return to;
    }
    uint32_t number(float value) { return numberLike(mBuilder, mLike, value); }

   private:
    GraphBuilder& mBuilder;
    uint32_t mLike;
};

// 1 - erf(y) for y of at least 0, by formula 7.1.26 of Abramowitz and Stegun:
// (a1 t + a2 t^2 + ... + a5 t^5) * exp(-y^2), t = 1 / (1 + p y)
uint32_t complementOfErf(Steps& steps, uint32_t y) {
    constexpr float kP = 0.3275911f;
    constexpr float kCoefficients[] = {1.061405429f, -1.453152027f, 1.421413741f, -0.284496736f,
                                       0.254829592f};
    const uint32_t below = steps.sum(ADD, steps.sum(MUL, y, kP), 1.0f);
    const uint32_t t = steps.sum(DIV, steps.number(1), below);
    uint32_t polynomial = steps.sum(MUL, t, kCoefficients[0]);
    for (size_t i = 1; i < std::size(kCoefficients); ++i) {
        polynomial = steps.sum(MUL, steps.sum(ADD, polynomial, kCoefficients[i]), t);
    }
    const uint32_t square = steps.sum(MUL, y, y);
    return steps.sum(MUL, polynomial, steps.apply(EXP, {steps.apply(NEG, {square})}));
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Parts

uint32_t temporaryLike(GraphBuilder& builder, uint32_t like) {
    return temporaryLike(builder, like, Dimensions(builder.operand(like).dimensions));
}

uint32_t temporaryLike(GraphBuilder& builder, uint32_t like, Dimensions dimensions) {
    const Operand& of = builder.operand(like);
    return builder.temporary(of.type, std::move(dimensions), of.scale, of.zeroPoint);
}

uint32_t numberLike(GraphBuilder& builder, uint32_t like, float value) {
    const auto constant = [&]<class T>(OperandType type, T element) {
        return builder.constant({.type = type, .dimensions = {1}}, bytesOf(element));
    };
    switch (builder.operand(like).type) {
        case OperandType::TENSOR_INT32: {
            // A number from a file may be beyond integers; the operation rejects the type then.
            const double inRange = std::clamp<double>(value, INT32_MIN, INT32_MAX);
            return constant(OperandType::TENSOR_INT32,
                            std::isnan(value) ? 0 : static_cast<int32_t>(inRange));
        }
        case OperandType::TENSOR_FLOAT16:
            return constant(OperandType::TENSOR_FLOAT16, floatToHalf(value));
        default:
            return constant(OperandType::TENSOR_FLOAT32, value);
    }
}

std::vector<int32_t> shapeOf(const Dimensions& dimensions) {
    std::vector<int32_t> shape;
    for (const uint32_t size : dimensions) {
        shape.push_back(size == 0 ? -1 : saturatingCast<int32_t>(size));
    }
    return shape;
}

uint32_t integersOf(GraphBuilder& builder, Dimensions dimensions, std::span<const int32_t> values) {
    return builder.constant(
            {.type = OperandType::TENSOR_INT32, .dimensions = std::move(dimensions)},
            bytesOf(values));
}

// ---------------------------------------------------------------------------------------------
// Elementwise

// clamp(clamp(x * 2^k) * 2^k) to -1 and 1: the smallest subnormal numbers, 2^-149 and 2^-24, are
// above 2^-2k. Of integers clamp(x).
void composeSign(GraphBuilder& builder, uint32_t x, uint32_t to) {
    Steps steps(builder, x);
    const OperandType type = builder.operand(x).type;
    if (type == OperandType::TENSOR_INT32) {
        const uint32_t above = steps.apply(MAXIMUM, {x, steps.number(-1)});
        return steps.put(MINIMUM, {above, steps.number(1)}, to);
    }
    const uint32_t factor = steps.number(type == OperandType::TENSOR_FLOAT16 ? 0x1p15f : 0x1p126f);
    const uint32_t clamp = builder.scalar(kRelu1);
    steps.put(MUL, {steps.apply(MUL, {x, factor, clamp}), factor, clamp}, to);
}

// With f = FLOOR(x) and d = x - f: f where d is below 1/2, f + 1 where it is above, and between
// both the even one, 2 FLOOR((f + 1) / 2).
void composeRound(GraphBuilder& builder, uint32_t x, uint32_t to) {
    Steps steps(builder, x);
    const uint32_t below = steps.apply(FLOOR, {x});
    const uint32_t distance = steps.sum(SUB, x, below);
    const uint32_t above = steps.sum(ADD, below, 1.0f);
    const uint32_t half = steps.number(0.5f);
    const uint32_t even = steps.sum(MUL, steps.apply(FLOOR, {steps.sum(MUL, above, half)}), 2.0f);
    const uint32_t isAbove = steps.compare(GREATER, distance, half);
    const uint32_t nearest = steps.apply(SELECT, {isAbove, above, below});
    steps.put(SELECT, {steps.compare(EQUAL, distance, half), even, nearest}, to);
}

// sign(x) * (1 - (1 - erf(|x|)))
void composeErf(GraphBuilder& builder, uint32_t x, uint32_t to) {
    Steps steps(builder, x);
    const uint32_t rest = complementOfErf(steps, steps.apply(ABS, {x}));
    const uint32_t size = steps.sum(SUB, steps.number(1), rest);
    const uint32_t sign = temporaryLike(builder, x);
    composeSign(builder, x, sign);
    steps.putSum(MUL, sign, size, to);
}

// max(x, 0) - y (1 - erf(y / sqrt(2))) / 2, y = min(|x|, 16). Beyond 16 the product is below the
// smallest number, and infinity times 0 would be NaN.
void composeGelu(GraphBuilder& builder, uint32_t x, uint32_t to) {
    Steps steps(builder, x);
    const uint32_t size = steps.apply(MINIMUM, {steps.apply(ABS, {x}), steps.number(16)});
    const uint32_t rest = complementOfErf(steps, steps.sum(MUL, size, 0.70710678f));
    const uint32_t product = steps.sum(MUL, steps.sum(MUL, size, rest), 0.5f);
    steps.putSum(SUB, steps.apply(RELU, {x}), product, to);
}

// x * sigmoid(x (c + d x^2)), c = 2 sqrt(2 / pi), d = 0.044715 c, since (1 + tanh(u)) / 2 =
// sigmoid(2u)
void composeTanhGelu(GraphBuilder& builder, uint32_t x, uint32_t to) {
    constexpr float kC = 1.5957691216f;
    Steps steps(builder, x);
    const uint32_t square = steps.sum(MUL, x, x);
    const uint32_t factor = steps.sum(ADD, steps.sum(MUL, square, 0.044715f * kC), kC);
    const uint32_t gate = steps.apply(LOGISTIC, {steps.sum(MUL, x, factor)});
    steps.putSum(MUL, x, gate, to);
}

void composeSwish(GraphBuilder& builder, uint32_t x, float alpha, uint32_t to) {
    Steps steps(builder, x);
    const uint32_t scaled = alpha == 1 ? x : steps.sum(MUL, x, alpha);
    steps.putSum(MUL, x, steps.apply(LOGISTIC, {scaled}), to);
}

namespace {

// The sign of an integer, with its dimensions.
uint32_t signOf(GraphBuilder& builder, uint32_t x) {
    const uint32_t sign = temporaryLike(builder, x);
    composeSign(builder, x, sign);
    return sign;
}

uint32_t sizeOf(GraphBuilder& builder, uint32_t x) { return Steps(builder, x).apply(ABS, {x}); }

}  // namespace

// DIV rounds down. Towards zero: sign(a) * sign(b) * DIV(|a|, |b|).
void composeQuotient(GraphBuilder& builder, Division division, uint32_t a, uint32_t b,
                     uint32_t to) {
    Steps steps(builder, to);
    if (division == Division::FLOOR) return steps.putSum(DIV, a, b, to);
    const uint32_t x = sizeOf(builder, a), y = sizeOf(builder, b);
    const uint32_t size = steps.sum(DIV, x, y);
    const uint32_t signOfA = signOf(builder, a), signOfB = signOf(builder, b);
    steps.putSum(MUL, size, steps.sum(MUL, signOfA, signOfB), to);
}

// a - b * DIV(a, b). Towards zero: the same of |a| and |b|, with the sign of a.
void composeRemainder(GraphBuilder& builder, Division division, uint32_t a, uint32_t b,
                      uint32_t to) {
    Steps steps(builder, to);
    const bool isFloor = division == Division::FLOOR;
    const uint32_t x = isFloor ? a : sizeOf(builder, a);
    const uint32_t y = isFloor ? b : sizeOf(builder, b);
    const uint32_t product = steps.sum(MUL, steps.sum(DIV, x, y), y);
    if (isFloor) return steps.putSum(SUB, a, product, to);
    const uint32_t rest = steps.sum(SUB, x, product);
    steps.putSum(MUL, rest, signOf(builder, a), to);
}

// ---------------------------------------------------------------------------------------------
// Elements by their numbers

uint64_t RowIndices::rowsOfBatch() const {
    uint64_t rows = 1;
    for (const uint32_t size : sizes) rows *= size;
    return rows;
}

std::optional<std::vector<int32_t>> rowsOf(const RowIndices& indices,
                                           std::span<const int64_t> values) {
    std::vector<int32_t> rows;
    rows.reserve(indices.count);
    const uint64_t listsOfBatch = indices.count / indices.batches;
    auto next = values.begin();
    for (uint64_t list = 0; list < indices.count; ++list) {
        uint64_t row = list / listsOfBatch;
        for (const uint32_t size : indices.sizes) {
            int64_t index = *next++;
            if (index < 0) index += size;
            if (index < 0 || index >= size) return std::nullopt;
            row = row * size + static_cast<uint64_t>(index);
        }
        rows.push_back(static_cast<int32_t>(row));
    }
    return rows;
}

uint32_t composeFromStart(GraphBuilder& builder, uint32_t indices,
                          std::span<const uint32_t> sizes) {
    Steps steps(builder, indices);
    const std::vector<int32_t> added(sizes.begin(), sizes.end());
    const uint32_t isBelow = steps.compare(LESS, indices, steps.number(0));
    const uint32_t size = integersOf(builder, {static_cast<uint32_t>(added.size())}, added);
    return steps.apply(SELECT, {isBelow, steps.sum(ADD, indices, size), indices});
}

// The sum of index times the number of rows in a step along its axis, and the first row of the
// batch.
uint32_t composeRows(GraphBuilder& builder, const RowIndices& indices, uint32_t values) {
    const size_t width = indices.sizes.size();
    const auto count = static_cast<uint32_t>(indices.count);
    std::vector<int32_t> strides(width, 1);
    for (size_t i = width; i-- > 1;) {
        strides[i - 1] = strides[i] * static_cast<int32_t>(indices.sizes[i]);
    }
    Steps wide(builder, values);
    uint32_t products = composeFromStart(builder, values, indices.sizes);
    if (width > 1) {
        const uint32_t factors = integersOf(builder, {static_cast<uint32_t>(width)}, strides);
        products = wide.sum(MUL, products, factors);
    }
    uint32_t rows = products;
    if (width > 1) {
        std::vector<uint32_t> parts;
        for (size_t i = 0; i < width; ++i) {
            parts.push_back(temporaryLike(builder, values, {count, 1}));
        }
        builder.operation(
                {SPLIT,
                 {products, builder.scalar(1), builder.scalar(static_cast<int32_t>(width))},
                 parts});
        rows = parts[0];
        for (size_t i = 1; i < width; ++i) rows = Steps(builder, rows).sum(ADD, rows, parts[i]);
    }
    if (indices.batches == 1) return rows;
    std::vector<int32_t> first;
    const uint64_t listsOfBatch = indices.count / indices.batches;
    for (uint64_t list = 0; list < indices.count; ++list) {
        first.push_back(static_cast<int32_t>(list / listsOfBatch * indices.rowsOfBatch()));
    }
    return Steps(builder, rows).sum(ADD, rows, integersOf(builder, {count, 1}, first));
}

// ---------------------------------------------------------------------------------------------
// Shapes

namespace {

uint32_t bools(GraphBuilder& builder, Dimensions dimensions, std::span<const uint8_t> values) {
    return builder.constant(
            {.type = OperandType::TENSOR_BOOL8, .dimensions = std::move(dimensions)}, values);
}

// The number of elements if the builder has space for a constant of as many, or of several;
// otherwise it fails.
std::optional<size_t> countIfFits(GraphBuilder& builder, const Dimensions& dimensions,
                                  uint64_t bytesOfEach) {
    const auto visited = visitedElements(dimensions);
    if (!builder.hasSpaceFor(checkedMul<uint64_t>(visited, bytesOfEach))) return std::nullopt;
    return static_cast<size_t>(*checkedProduct<uint64_t>(dimensions));
}

}  // namespace

// Of booleans LOGICAL_OR with false, and of integers that get more axes MAXIMUM with the smallest
// one, since RESHAPE lacks both; other types use RESHAPE and TILE.
void composeBroadcast(GraphBuilder& builder, uint32_t from, uint32_t to) {
    const Dimensions source = builder.operand(from).dimensions;
    const Dimensions result = builder.operand(to).dimensions;
    const OperandType type = builder.operand(from).type;
    if (type == OperandType::TENSOR_BOOL8) {
        const auto count = countIfFits(builder, result, 1);
        if (!count) return;
        const std::vector<uint8_t> no(*count, 0);
        return builder.operation({LOGICAL_OR, {from, bools(builder, result, no)}, {to}});
    }
    if (type == OperandType::TENSOR_INT32 && source.size() != result.size()) {
        const auto count = countIfFits(builder, result, sizeof(int32_t));
        if (!count) return;
        const std::vector<int32_t> least(*count, INT32_MIN);
        return builder.operation({MAXIMUM, {from, integersOf(builder, result, least)}, {to}});
    }
    if (source.size() > result.size()) return;  // beyond a limit of the builder
    Dimensions padded(result.size() - source.size(), 1);
    padded.insert(padded.end(), source.begin(), source.end());
    if (padded == result) {
        return builder.operation({RESHAPE, {from, builder.vector(padded)}, {to}});
    }
    uint32_t wide = from;
    if (padded != source) {
        wide = temporaryLike(builder, from, padded);
        builder.operation({RESHAPE, {from, builder.vector(padded)}, {wide}});
    }
    Dimensions multiples;
    for (size_t i = 0; i < result.size(); ++i) multiples.push_back(result[i] / padded[i]);
    builder.operation({TILE, {wide, builder.vector(multiples)}, {to}});
}

// Of booleans SELECT(x, 1, 0), RESHAPE, and NOT_EQUAL with 0.
void composeReshape(GraphBuilder& builder, uint32_t from, uint32_t to) {
    const Dimensions source = builder.operand(from).dimensions;
    const Dimensions result = builder.operand(to).dimensions;
    const uint32_t shape = builder.vector(result);
    if (builder.operand(from).type != OperandType::TENSOR_BOOL8) {
        return builder.operation({RESHAPE, {from, shape}, {to}});
    }
    const auto count = countIfFits(builder, source, 2 * sizeof(float));
    if (!count) return;
    const auto filled = [&](float value) {
        const std::vector<float> values(*count, value);
        return builder.constant({.type = OperandType::TENSOR_FLOAT32, .dimensions = source},
                                bytesOf(values));
    };
    const uint32_t one = filled(1), zero = filled(0);
    const uint32_t number = temporaryLike(builder, one),
                   moved = temporaryLike(builder, one, result);
    builder.operation({SELECT, {from, one, zero}, {number}});
    builder.operation({RESHAPE, {number, shape}, {moved}});
    builder.operation({NOT_EQUAL, {moved, numberLike(builder, one, 0)}, {to}});
}

void composeCopy(GraphBuilder& builder, uint32_t from, uint32_t to) {
    const OperandType type = builder.operand(from).type;
    const std::vector<int32_t> shape = shapeOf(builder.operand(to).dimensions);
    if (type == OperandType::TENSOR_BOOL8) {
        builder.operation({LOGICAL_OR, {from, from}, {to}});
    } else if (type == OperandType::TENSOR_INT32) {
        builder.operation({MAXIMUM, {from, from}, {to}});
    } else if (!shape.empty() && std::ranges::count(shape, -1) <= 1) {
        builder.operation({RESHAPE, {from, builder.vector(shape)}, {to}});
    } else {  // RESHAPE allows one unknown size
        builder.operation({CONCATENATION, {from, builder.scalar(0)}, {to}});
    }
}

// ---------------------------------------------------------------------------------------------
// Integers

// GATHER from all elements in a row, by their numbers.
void composeTranspose(GraphBuilder& builder, uint32_t from, std::span<const uint32_t> axes,
                      uint32_t to) {
    const Dimensions source = builder.operand(from).dimensions;
    const Dimensions result = builder.operand(to).dimensions;
    const auto count = countIfFits(builder, source, sizeof(int32_t));
    if (!count || *count > INT32_MAX) return;
    std::vector<int32_t> strides(source.size(), 1), order;
    for (size_t i = source.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * static_cast<int32_t>(source[i]);
    }
    std::vector<uint32_t> index(result.size(), 0);
    for (size_t i = 0; i < *count; ++i) {
        int32_t number = 0;
        for (size_t k = 0; k < axes.size(); ++k) {
            number += static_cast<int32_t>(index[k]) * strides[axes[k]];
        }
        order.push_back(number);
        for (size_t k = index.size(); k-- > 0 && ++index[k] == result[k];) index[k] = 0;
    }
    const uint32_t row = temporaryLike(builder, from, {static_cast<uint32_t>(*count)});
    builder.operation({RESHAPE, {from, builder.vector({-1})}, {row}});
    builder.operation({GATHER, {row, builder.scalar(0), integersOf(builder, result, order)}, {to}});
}

// For each part in turn: SELECT(place >= its first one, part at place, result before)
void composeConcatenation(GraphBuilder& builder, std::span<const uint32_t> parts, uint32_t axis,
                          uint32_t to) {
    const Dimensions result = builder.operand(to).dimensions;
    const auto size = static_cast<int64_t>(result[axis]);
    const auto count = countIfFits(builder, result, parts.size());
    if (!count) return;
    uint64_t inner = 1;
    for (size_t i = axis + size_t{1}; i < result.size(); ++i) inner *= result[i];
    int64_t first = 0;
    uint32_t value = 0;
    for (size_t part = 0; part < parts.size(); ++part) {
        const auto length = static_cast<int64_t>(builder.operand(parts[part]).dimensions[axis]);
        std::vector<int32_t> places;
        for (int64_t i = 0; i < size; ++i) {
            places.push_back(static_cast<int32_t>(
                    std::clamp<int64_t>(i - first, 0, std::max<int64_t>(length - 1, 0))));
        }
        const bool isOnly = parts.size() == 1;
        const uint32_t wide = isOnly ? to : temporaryLike(builder, to);
        builder.operation(
                {GATHER, {parts[part], builder.scalar(axis), builder.vector(places)}, {wide}});
        if (part > 0) {
            std::vector<uint8_t> isBehind(*count);
            for (size_t i = 0; i < *count; ++i) {
                isBehind[i] = static_cast<int64_t>(i / inner % result[axis]) >= first;
            }
            const bool isLast = part + 1 == parts.size();
            const uint32_t next = isLast ? to : temporaryLike(builder, to);
            builder.operation({SELECT, {bools(builder, result, isBehind), wide, value}, {next}});
            value = next;
        } else {
            value = wide;
        }
        first += length;
    }
}

}  // namespace nn::importing
