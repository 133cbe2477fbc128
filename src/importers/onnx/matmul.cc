// Products of matrices.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

using enum OperationType;

constexpr std::array<uint32_t, 2> kAsIs{0, 1}, kSwapped{1, 0};

// FULLY_CONNECTED of the rows of a matrix.
void emitConnected(Lowering& at, uint32_t data, uint32_t weights, uint32_t bias, int32_t activation,
                   uint32_t to) {
    at.emit({FULLY_CONNECTED, {data, weights, bias, at.builder().scalar(activation)}, {to}});
}

// A term that is multiplied by a number.
uint32_t times(Lowering& at, uint32_t value, float factor) {
    if (factor == 1) return value;
    return arithmetic(at, MUL, value, at.reals(value, {factor}));
}

// True if input 2 is a bias: one element for each column.
bool isBias(const Lowering& at, uint32_t columns) {
    const Dimensions& dimensions = at.dims(2);
    return !dimensions.empty() && dimensions.back() == columns &&
           std::all_of(dimensions.begin(), dimensions.end() - 1, [](uint32_t d) { return d == 1; });
}

}  // namespace

void lowerGemm(Lowering& at, OperationType) {
    if (!at.requireRank(0, 2, 2) || !at.requireRank(1, 2, 2)) return;
    const bool swapA = at.integer("transA", 0) != 0;
    const bool swapB = at.integer("transB", 0) != 0;
    const Dimensions a = at.dims(0);
    const Dimensions b = at.dims(1);
    const uint32_t rows = a[swapA ? 1 : 0];
    const uint32_t columns = b[swapB ? 0 : 1];
    const Dimensions result{rows, columns};
    if (a[swapA ? 0 : 1] != b[swapB ? 1 : 0]) {
        at.refuse(1, fmt::format("has the dimensions {}", shapeText(b)),
                  fmt::format("a factor for {}", shapeText(a)));
    }
    if (at.has(2) && broadcast(result, at.dims(2)) != result) {
        at.refuseDimensions(2, fmt::format("a term for {}", shapeText(result)));
    }
    const float alpha = at.real("alpha", 1);
    const float beta = at.real("beta", 1);
    const bool isPlain = alpha == 1 && (!at.has(2) || (beta == 1 && isBias(at, columns)));
    if (!at.isFloat(0) && (!isPlain || swapA)) {
        at.refuse(0, "is quantized", "float where there are factors, or a term that is no bias");
    }
    if (!at.ok()) return;
    uint32_t data = at.operand(0);
    if (swapA) data = at.transposed(data, kSwapped);
    const uint32_t weights = filterOperand(at, 1, b, swapB ? kAsIs : kSwapped, 0);
    if (isPlain) {
        uint32_t bias = 0;
        if (at.has(2) && at.isFloat(0)) {
            bias = at.reshaped(at.operand(2), {columns});
        } else {
            bias = biasOperand(at, 2, columns, data, weights);
        }
        const int32_t activation = at.fuseActivation();
        emitConnected(at, data, weights, bias, activation, at.defineLike(0, 0, result));
        return;
    }
    if (!at.fitsConstants({columns})) return;
    const uint32_t zeros = at.reals(data, std::vector<float>(columns, 0));
    const uint32_t product = at.temporary(data, result);
    emitConnected(at, data, weights, zeros, 0, product);
    const uint32_t scaled = times(at, product, alpha);
    if (!at.has(2)) return at.adopt(0, 0, scaled, result);
    const uint32_t term = times(at, at.operand(2), beta);
    // Before the output is defined, which is that of the activation then.
    const int32_t activation = at.fuseActivation();
    emitArithmetic(at, ADD, scaled, term, activation, at.defineLike(0, 0, result));
}

namespace {

// Matrices with the leading dimensions of the result.
uint32_t withBatches(Lowering& at, uint32_t operand, const Dimensions& batches) {
    const Dimensions& own = at.operandDims(operand);
    Dimensions dimensions = batches;
    dimensions.insert(dimensions.end(), own.end() - 2, own.end());
    return expandedTo(at, operand, dimensions);
}

// The rows of all matrices of the first factor, multiplied by one matrix.
void multiplyByMatrix(Lowering& at, const Dimensions& a, const Dimensions& b,
                      const Dimensions& result) {
    const auto rows = checkedProduct<uint32_t>(std::span(a).first(a.size() - 1));
    if (!rows) return at.refuseDimensions(0, "less than 2^32 rows");
    const uint32_t data = at.reshaped(at.operand(0), a);
    const uint32_t weights = filterOperand(at, 1, b, kSwapped, 0);
    const uint32_t columns = b[1];
    const uint32_t bias = biasOperand(at, 2, columns, data, weights);
    const int32_t activation = at.isFloat(0) ? 0 : at.fuseActivation();
    const uint32_t output = at.defineLike(0, 0, result);
    const Dimensions flat{*rows, columns};
    const uint32_t to = at.operandDims(output) == flat ? output : at.temporary(output, flat);
    emitConnected(at, data, weights, bias, activation, to);
    if (to != output) at.reshape(to, at.operandDims(output), output);
}

}  // namespace

void lowerMatMul(Lowering& at, OperationType operation) {
    if (!requireScaled(at, 0) || !requireScaled(at, 1)) return;
    Dimensions a = at.dims(0);
    Dimensions b = at.dims(1);
    if (a.empty() || b.empty()) return at.refuse(a.empty() ? 0 : 1, "is a scalar", "a tensor");
    // A vector is a matrix of one row or column, which the result lacks.
    const bool isRow = a.size() == 1, isColumn = b.size() == 1;
    if (isRow) a.insert(a.begin(), 1);
    if (isColumn) b.push_back(1);
    const Dimensions ofA(a.begin(), a.end() - 2), ofB(b.begin(), b.end() - 2);
    const auto batches = broadcast(ofA, ofB);
    if (a.back() != b[b.size() - 2] || !batches) {
        return at.refuseDimensions(1, fmt::format("a factor for {}", shapeText(at.dims(0))));
    }
    Dimensions result = *batches;
    if (!isRow) result.push_back(a[a.size() - 2]);
    if (!isColumn) result.push_back(b.back());
    if (b.size() == 2 && a.size() <= 4) return multiplyByMatrix(at, a, b, result);
    if (at.in(0).type != at.in(1).type) return at.refuseType(1, toString(at.in(0).type));
    auto& builder = at.builder();
    const uint32_t x = withBatches(at, at.reshaped(at.operand(0), a), *batches);
    const uint32_t y = withBatches(at, at.reshaped(at.operand(1), b), *batches);
    const uint32_t output = at.defineLike(0, 0, result);
    Dimensions whole = *batches;
    whole.insert(whole.end(), {a[a.size() - 2], b.back()});
    const uint32_t to = whole == at.operandDims(output) ? output : at.temporary(output, whole);
    at.emit({operation, {x, y, builder.scalar(false), builder.scalar(false)}, {to}});
    if (to != output) at.reshape(to, at.operandDims(output), output);
}

// alpha * A' * B', where each factor may have its last two axes swapped.
void lowerFusedMatMul(Lowering& at, OperationType operation) {
    at.require("transBatchA", at.integer("transBatchA", 0), 0);
    at.require("transBatchB", at.integer("transBatchB", 0), 0);
    if (!at.requireRank(0, 2, kMaxAxes) || !at.requireRank(1, 2, kMaxAxes) || !at.ok()) return;
    const bool swapA = at.integer("transA", 0) != 0, swapB = at.integer("transB", 0) != 0;
    const std::span<const uint32_t> a(at.dims(0)), b(at.dims(1));
    const auto batches = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    const uint32_t rows = a[a.size() - (swapA ? 1 : 2)], depth = a[a.size() - (swapA ? 2 : 1)];
    if (!batches || b[b.size() - (swapB ? 1 : 2)] != depth || !at.isFloat(0) ||
        at.in(1).type != at.in(0).type) {
        return at.refuseDimensions(1, fmt::format("a factor for {}", shapeText(at.dims(0))));
    }
    const uint32_t columns = b[b.size() - (swapB ? 2 : 1)];
    Dimensions result = *batches;
    result.insert(result.end(), {rows, columns});
    auto& builder = at.builder();
    const uint32_t x = withBatches(at, at.operand(0), *batches);
    const uint32_t y = withBatches(at, at.operand(1), *batches);
    const uint32_t product =
            at.apply(operation, {x, y, builder.scalar(swapA), builder.scalar(swapB)}, x, result);
    at.adopt(0, 0, times(at, product, at.real("alpha", 1)), result);
}

namespace {

// An 8-bit input as integers of 32 bits, less its zero point: a number, or one for each row of the
// first factor or column of the second. Empty after a refusal.
std::optional<uint32_t> lessZeroPoint(Lowering& at, size_t input) {
    const auto wide = [&](size_t i) {
        const uint32_t from = at.operand(i);
        const Dimensions dimensions = at.operandDims(from);
        uint32_t value = from;
        if (at.in(i).type == ElementType::INT8) {
            value = at.builder().temporary(OperandType::TENSOR_FLOAT32, dimensions);
            at.emit({DEQUANTIZE, {from}, {value}});
        }
        const uint32_t to = at.builder().temporary(OperandType::TENSOR_INT32, dimensions);
        at.emit({CAST, {value}, {to}});
        return to;
    };
    const size_t zeroPoint = input + 2;
    for (const size_t i : {input, zeroPoint}) {
        const ElementType type = at.in(i).type;
        const bool isByte = type == ElementType::UINT8 || type == ElementType::INT8;
        if ((i == zeroPoint && !at.has(i)) || (isByte && !at.in(i).quantization)) continue;
        at.refuse(i, "is of " + toString(type), "uint8, int8 without a scale");
        return std::nullopt;
    }
    const uint32_t value = wide(input);
    if (!at.has(zeroPoint)) return value;
    const bool isRows = input == 0;
    const size_t rank = at.rank(input);
    const uint32_t size = at.dims(input)[rank - (isRows ? 2 : 1)];
    const bool isOne = checkedProduct<uint64_t>(at.dims(zeroPoint)) == 1;
    if (!isOne && at.dims(zeroPoint) != Dimensions{size}) {
        at.refuseDimensions(zeroPoint, fmt::format("[] or [{}]", size));
        return std::nullopt;
    }
    uint32_t less = wide(zeroPoint);
    if (isOne) less = at.reshaped(less, {1});
    if (!isOne && isRows) less = at.reshaped(less, {size, 1});
    return arithmetic(at, SUB, value, less);
}

}  // namespace

// Products of integers are exact.
void lowerMatMulInteger(Lowering& at, OperationType operation) {
    if (!at.requireRank(0, 2, kMaxAxes) || !at.requireRank(1, 2, kMaxAxes)) return;
    const Dimensions a = at.dims(0), b = at.dims(1);
    const auto batches = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    if (!batches || a.back() != b[b.size() - 2]) {
        return at.refuse(1, fmt::format("has the dimensions {}", shapeText(b)),
                         fmt::format("a factor for {}", shapeText(a)));
    }
    const auto x = lessZeroPoint(at, 0);
    const auto y = x ? lessZeroPoint(at, 1) : std::nullopt;
    if (!y) return;
    Dimensions result = *batches;
    result.insert(result.end(), {a[a.size() - 2], b.back()});
    auto& builder = at.builder();
    const uint32_t left = withBatches(at, *x, *batches), right = withBatches(at, *y, *batches);
    at.emit({operation,
             {left, right, builder.scalar(false), builder.scalar(false)},
             {at.define(0, ElementType::INT32, result)}});
}

}  // namespace nn::onnx
