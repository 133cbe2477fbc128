// Operators that read or write elements by their numbers, and those that compare numbers with the
// places of elements.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "importers/common/compositions.h"
#include "importers/onnx/doubles.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {

using enum OperationType;

std::optional<uint32_t> requireAxis(Lowering& at, int64_t axis, size_t rank) {
    const auto found = axisOf(axis, rank);
    if (!found) at.refuse("", fmt::format("has the axis {}", axis), "an axis of its input");
    return found;
}

// Dimensions of 1 except along one axis.
static Dimensions alongAxis(size_t rank, size_t axis, uint32_t size) {
    Dimensions dimensions(rank, 1);
    dimensions[axis] = size;
    return dimensions;
}

uint32_t places(Lowering& at, size_t rank, size_t axis, uint32_t size) {
    std::vector<int32_t> values(size);
    std::iota(values.begin(), values.end(), 0);
    return importing::integersOf(at.builder(), alongAxis(rank, axis, size), values);
}

uint32_t filledLike(Lowering& at, size_t input, float value, const Dimensions& dimensions) {
    const Dimensions ones(dimensions.size(), 1);
    const uint32_t number =
            at.isFloat(input) ? at.reals(at.operand(input), {&value, 1}, ones) : [&] {
                const auto element = static_cast<int64_t>(value);
                return at.constantOperand(makeIntegers(at.in(input).type, ones, {&element, 1}),
                                          at.in(input).quantization);
            }();
    return expandedTo(at, number, dimensions);
}

namespace {

using importing::RowIndices;

// A number of rows or elements that indices of 32 bits count; empty after a refusal.
std::optional<uint32_t> requireCount(Lowering& at, size_t input, std::span<const uint32_t> sizes) {
    const auto count = checkedProduct<uint32_t>(sizes);
    if (count && *count > 0 && *count <= INT32_MAX) return count;
    at.refuseDimensions(input, "less than 2^31 elements");
    return std::nullopt;
}

uint32_t booleans(Lowering& at, const Dimensions& dimensions, std::span<const int64_t> values) {
    return at.constantOperand(makeIntegers(ElementType::BOOL, dimensions, values));
}

// The numbers of elements that GatherElements and ScatterElements name: index i at the place of the
// indices stands for the element at that place, but at i along the axis. A list for small ranks has
// the dimensions of the indices. Empty after a refusal.
struct ElementNumbers {
    std::vector<int32_t> constants{};  // where they are known
    uint32_t operand = 0;              // where they are not
    bool isKnown = false;
    Dimensions dimensions{};
};

std::optional<ElementNumbers> elementNumbers(Lowering& at, uint32_t axis) {
    const Dimensions& from = at.dims(0);
    const Dimensions& listed = at.dims(1);
    bool fits = listed.size() == from.size() && isInteger(at, 1);
    for (size_t i = 0; fits && i < from.size(); ++i) fits = i == axis || listed[i] <= from[i];
    if (!fits) {
        at.refuse(1, fmt::format("has the dimensions {}", shapeText(listed)),
                  fmt::format("integers, and those of {} except along axis {}", shapeText(from),
                              axis));
        return std::nullopt;
    }
    const auto count = requireCount(at, 1, listed);
    if (!count || !requireCount(at, 0, from) || !at.fitsConstants(listed)) return std::nullopt;
    const auto given = at.in(1).constant ? at.constantIntegers(1)
                                         : std::optional<std::vector<int64_t>>(std::in_place);
    if (!given) return std::nullopt;
    const auto strides = Shape::of(from, from.size())->strides();
    ElementNumbers numbers{
            .isKnown = at.in(1).constant.has_value(),
            .dimensions = from.size() > kMaxAxes ? Dimensions{*count} : Dimensions(listed)};
    std::vector<uint32_t> index(from.size(), 0);
    for (size_t i = 0; i < *count; ++i) {
        size_t position = 0;
        for (size_t k = 0; k < index.size(); ++k) position += k == axis ? 0 : index[k] * strides[k];
        if (numbers.isKnown) {
            int64_t along = (*given)[i];
            if (along < 0) along += from[axis];
            if (along < 0 || along >= from[axis]) {
                at.refuse(1, "has an index that is not in the input",
                          fmt::format("below {}", from[axis]));
                return std::nullopt;
            }
            position += static_cast<size_t>(along) * strides[axis];
        }
        numbers.constants.push_back(static_cast<int32_t>(position));
        for (size_t k = index.size(); k-- > 0 && ++index[k] == listed[k];) index[k] = 0;
    }
    if (numbers.isKnown) return numbers;
    const uint32_t indices = at.reshaped(at.packedOperand(1), numbers.dimensions);
    const uint32_t size = from[axis];
    const uint32_t along = importing::composeFromStart(at.builder(), indices, {&size, 1});
    const int32_t stride = static_cast<int32_t>(strides[axis]);
    const uint32_t factor = importing::integersOf(at.builder(), {1}, {&stride, 1});
    const uint32_t product = arithmetic(at, MUL, along, factor);
    const uint32_t rest =
            importing::integersOf(at.builder(), numbers.dimensions, numbers.constants);
    numbers.operand = arithmetic(at, ADD, product, rest);
    return numbers;
}

uint32_t operandOf(Lowering& at, const ElementNumbers& numbers) {
    if (!numbers.isKnown) return numbers.operand;
    return importing::integersOf(at.builder(), numbers.dimensions, numbers.constants);
}

}  // namespace

// y[..., i, ...] = x[..., indices[..., i, ...], ...]: GATHER from all elements in a row.
void lowerGatherElements(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", 0), at.rank(0));
    if (!axis) return;
    const auto numbers = elementNumbers(at, *axis);
    if (!numbers) return;
    const auto count = requireCount(at, 0, at.dims(0));
    const uint32_t row = at.reshaped(at.packedOperand(0), {*count});
    const std::vector<uint32_t> inputs{row, at.builder().scalar(0), operandOf(at, *numbers)};
    if (at.rank(1) <= kMaxAxes) {
        return at.emit({operation, inputs, {at.defineLike(0, 0, at.dims(1))}});
    }
    at.adoptPacked(0, 0, at.apply(operation, inputs, row, numbers->dimensions), at.dims(1));
}

namespace {

// What GatherND and ScatterND index: a table with a row for each index.
struct Table {
    RowIndices indices{};
    uint32_t rows = 0, width = 0;
};

std::optional<Table> tableOf(Lowering& at, int64_t batchAxes) {
    const Dimensions& from = at.dims(0);
    const Dimensions& listed = at.dims(1);
    const auto least = static_cast<int64_t>(std::min(from.size(), listed.size()));
    const bool isValid = batchAxes >= 0 && batchAxes < least && isInteger(at, 1) &&
                         listed.back() >= 1 &&
                         listed.back() + batchAxes <= static_cast<int64_t>(from.size()) &&
                         std::equal(from.begin(), from.begin() + batchAxes, listed.begin());
    if (!isValid) {
        at.refuse(1, fmt::format("has the dimensions {}", shapeText(listed)),
                  fmt::format("integers that index {}", shapeText(from)));
        return std::nullopt;
    }
    const std::span<const uint32_t> all(from);
    const size_t batches = static_cast<size_t>(batchAxes), depth = listed.back();
    const auto rows = requireCount(at, 0, all.first(batches + depth));
    const auto width = requireCount(at, 0, all.subspan(batches + depth));
    const auto count = requireCount(at, 1, std::span(listed).first(listed.size() - 1));
    if (!rows || !width || !count || !requireCount(at, 0, all)) return std::nullopt;
    if (!at.fitsConstants({*count})) return std::nullopt;
    const auto of = all.subspan(batches, depth);
    return Table{.indices = {.sizes = {of.begin(), of.end()},
                             .count = *count,
                             .batches = *checkedProduct<uint64_t>(all.first(batches))},
                 .rows = *rows,
                 .width = *width};
}

// The rows that constant indices select; empty after a refusal.
std::optional<std::vector<int32_t>> constantRows(Lowering& at, const Table& table) {
    const auto values = at.constantIntegers(1);
    if (!values) return std::nullopt;
    auto rows = importing::rowsOf(table.indices, *values);
    if (!rows) at.refuse(1, "has an index that is not in the input", "indices of its elements");
    return rows;
}

// The same of computed ones, as an operand of shape [count, 1].
uint32_t computedRows(Lowering& at, const Table& table) {
    const auto count = static_cast<uint32_t>(table.indices.count);
    const auto depth = static_cast<uint32_t>(table.indices.sizes.size());
    return importing::composeRows(at.builder(), table.indices,
                                  at.reshaped(at.packedOperand(1), {count, depth}));
}

}  // namespace

// y[i, ...] = x[indices[i, 0], indices[i, 1], ..., ...]: GATHER from a table with a row for each
// index.
void lowerGatherNd(Lowering& at, OperationType operation) {
    const int64_t batchAxes = at.integer("batch_dims", 0);
    const auto table = tableOf(at, batchAxes);
    if (!table) return;
    const auto depth = table->indices.sizes.size();
    Dimensions dimensions(at.dims(1).begin(), at.dims(1).end() - 1);
    const auto rest = at.dims(0).begin() + batchAxes + static_cast<ptrdiff_t>(depth);
    dimensions.insert(dimensions.end(), rest, at.dims(0).end());
    uint32_t rows = 0;
    if (at.in(1).constant) {
        const auto constants = constantRows(at, *table);
        if (!constants) return;
        rows = at.builder().vector(*constants);
    } else {
        rows = computedRows(at, *table);
    }
    const uint32_t data = at.reshaped(at.packedOperand(0), {table->rows, table->width});
    Dimensions taken = at.operandDims(rows);
    taken.push_back(table->width);
    at.adoptPacked(0, 0, at.apply(operation, {data, at.builder().scalar(0), rows}, data, taken),
                   dimensions);
}

namespace {

// Updates of rows of a table.
struct Scatter {
    uint32_t rows = 0, width = 0, updates = 0;
};

// The result of combining old and new rows.
std::optional<OperationType> reductionOf(Lowering& at) {
    const UntrustedText reduction = at.text("reduction", "none");
    if (reduction == "none") return SELECT;
    if (reduction == "add") return ADD;
    if (reduction == "mul") return MUL;
    if (reduction == "max") return MAXIMUM;
    if (reduction == "min") return MINIMUM;
    at.refuse("", fmt::format("has the reduction {}", reduction.beginning()),
              "none, add, mul, max, min");
    return std::nullopt;
}

uint32_t combined(Lowering& at, OperationType reduction, uint32_t before, uint32_t update) {
    if (reduction == SELECT) return update;
    if (reduction == ADD || reduction == MUL) return arithmetic(at, reduction, before, update);
    return at.apply(reduction, {before, update}, before, Dimensions(at.operandDims(before)));
}

// One round: rows where `isWritten`, an operand of the shape of the table, get update `which`.
uint32_t written(Lowering& at, const Scatter& scatter, OperationType reduction, uint32_t before,
                 uint32_t updates, uint32_t which, uint32_t isWritten) {
    const Dimensions dimensions{scatter.rows, scatter.width};
    const uint32_t update =
            at.apply(GATHER, {updates, at.builder().scalar(0), which}, before, dimensions);
    return at.apply(SELECT, {isWritten, combined(at, reduction, before, update), before}, before,
                    dimensions);
}

// For each row in turn the updates that name it: one round for each that a row gets, or one for the
// last of all. Empty after a refusal.
std::optional<uint32_t> scatteredByConstants(Lowering& at, const Scatter& scatter,
                                             OperationType reduction, uint32_t table,
                                             uint32_t updates, std::span<const int32_t> rows) {
    std::map<int32_t, std::vector<int32_t>> updatesOf;  // of the rows that have any
    size_t rounds = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
        auto& list = updatesOf[rows[i]];
        if (reduction == SELECT) list.clear();
        list.push_back(static_cast<int32_t>(i));
        rounds = std::max(rounds, list.size());
    }
    if (!at.fitsSteps(static_cast<uint32_t>(rounds))) return std::nullopt;
    for (size_t round = 0; round < rounds; ++round) {
        if (!at.fitsConstants({scatter.rows, scatter.width})) return std::nullopt;
        std::vector<int32_t> which(scatter.rows);
        std::vector<int64_t> isWritten(size_t{scatter.rows} * scatter.width);
        for (const auto& [row, list] : updatesOf) {
            if (round >= list.size()) continue;
            const auto place = static_cast<size_t>(row);
            which[place] = list[round];
            std::fill_n(isWritten.begin() + static_cast<ptrdiff_t>(place * scatter.width),
                        scatter.width, 1);
        }
        table = written(at, scatter, reduction, table, updates, at.builder().vector(which),
                        booleans(at, {scatter.rows, scatter.width}, isWritten));
    }
    return table;
}

// hit[r, i] = (rows[i] == r). Row r gets the update of the largest i with a hit, where it has one.
std::optional<uint32_t> scatteredByOperand(Lowering& at, const Scatter& scatter, uint32_t table,
                                           uint32_t updates, uint32_t rows) {
    auto& builder = at.builder();
    const Dimensions pairs{scatter.rows, scatter.updates};
    if (!at.fitsConstants(pairs)) return std::nullopt;
    const uint32_t hit = builder.temporary(OperandType::TENSOR_BOOL8, pairs);
    at.emit({EQUAL,
             {at.reshaped(rows, {1, scatter.updates}), places(at, 2, 0, scatter.rows)},
             {hit}});
    std::vector<int32_t> numbers(scatter.updates);
    std::iota(numbers.begin(), numbers.end(), 1);
    const uint32_t number =
            expandedTo(at, importing::integersOf(builder, {1, scatter.updates}, numbers), pairs);
    const std::vector<int32_t> none{0};
    const uint32_t zero = expandedTo(at, importing::integersOf(builder, {1, 1}, none), pairs);
    const uint32_t hits = at.apply(SELECT, {hit, number, zero}, number, pairs);
    const uint32_t which = builder.temporary(OperandType::TENSOR_INT32, {scatter.rows});
    at.emit({ARGMAX, {hits, builder.scalar(1)}, {which}});
    const uint32_t isHit = builder.temporary(OperandType::TENSOR_BOOL8, {scatter.rows, 1});
    at.emit({REDUCE_ANY, {hit, builder.vector({1}), builder.scalar(true)}, {isHit}});
    const uint32_t isWritten = expandedTo(at, isHit, {scatter.rows, scatter.width});
    return written(at, scatter, SELECT, table, updates, which, isWritten);
}

// Emits what updates the table; `constants` where the rows are known.
void emitScatter(Lowering& at, const Scatter& scatter,
                 const std::optional<std::vector<int32_t>>& constants, uint32_t rows) {
    const auto reduction = reductionOf(at);
    if (!reduction || !requireNumbers(at, 0)) return;
    if (!constants && *reduction != SELECT) {
        at.refuse(1, "is computed, or an input", "a constant where updates are combined");
    }
    if (at.in(2).type != at.in(0).type) {
        at.refuseType(2, toString(at.in(0).type));
    }
    if (!at.ok()) return;
    const uint32_t table = at.reshaped(at.packedOperand(0), {scatter.rows, scatter.width});
    const uint32_t updates = at.reshaped(at.packedOperand(2), {scatter.updates, scatter.width});
    const auto result =
            constants ? scatteredByConstants(at, scatter, *reduction, table, updates, *constants)
                      : scatteredByOperand(at, scatter, table, updates, rows);
    if (result) at.adoptPacked(0, 0, *result, at.dims(0));
}

}  // namespace

void lowerScatterNd(Lowering& at, OperationType) {
    const auto table = tableOf(at, 0);
    if (!table) return;
    const auto depth = static_cast<ptrdiff_t>(table->indices.sizes.size());
    Dimensions expected(at.dims(1).begin(), at.dims(1).end() - 1);
    expected.insert(expected.end(), at.dims(0).begin() + depth, at.dims(0).end());
    if (at.dims(2) != expected) return at.refuseDimensions(2, shapeText(expected));
    const Scatter scatter{.rows = table->rows,
                          .width = table->width,
                          .updates = static_cast<uint32_t>(table->indices.count)};
    if (!at.in(1).constant) return emitScatter(at, scatter, {}, computedRows(at, *table));
    auto rows = constantRows(at, *table);
    if (rows) emitScatter(at, scatter, rows, 0);
}

void lowerScatterElements(Lowering& at, OperationType) {
    const auto axis = requireAxis(at, at.integer("axis", 0), at.rank(0));
    if (!axis) return;
    if (at.dims(2) != at.dims(1)) return at.refuseDimensions(2, shapeText(at.dims(1)));
    auto numbers = elementNumbers(at, *axis);
    if (!numbers) return;
    const Scatter scatter{.rows = *requireCount(at, 0, at.dims(0)),
                          .width = 1,
                          .updates = *requireCount(at, 1, at.dims(1))};
    if (numbers->isKnown) return emitScatter(at, scatter, std::move(numbers->constants), 0);
    emitScatter(at, scatter, {}, numbers->operand);
}

// ---------------------------------------------------------------------------------------------
// Places

// x where j - i >= k (upper) or j - i <= k (lower), else 0
void lowerTrilu(Lowering& at, OperationType operation) {
    if (!at.requireRank(0, 2, kMaxAxes) || (at.has(1) && !at.requireConstant(1))) return;
    int64_t k = 0;
    if (at.has(1)) {
        const auto given = at.constantIntegers(1);
        if (given && given->size() == 1) k = given->front();
        if (given && given->size() != 1) at.refuse(1, "is no number", "one");
    }
    const Dimensions& dimensions = at.dims(0);
    if (!at.ok() || !at.fitsConstants(dimensions)) return;
    const bool isUpper = at.integer("upper", 1) != 0;
    const int64_t rows = dimensions[dimensions.size() - 2], columns = dimensions.back();
    k = std::clamp(k, -rows, columns);
    std::vector<int64_t> isKept;
    for (uint64_t n = 0; n < *checkedProduct<uint64_t>(dimensions); ++n) {
        const int64_t j = static_cast<int64_t>(n) % columns;
        const int64_t i = static_cast<int64_t>(n) / columns % rows;
        isKept.push_back(isUpper ? j - i >= k : j - i <= k);
    }
    const uint32_t input = at.operand(0);
    const uint32_t mask = booleans(at, dimensions, isKept);
    if (at.in(0).type == ElementType::BOOL) {
        return at.emit({LOGICAL_AND, {input, mask}, {at.defineLike(0, 0, dimensions)}});
    }
    if (!requireNumbers(at, 0)) return;
    const uint32_t zeros = filledLike(at, 0, 0, dimensions);
    at.emit({operation, {mask, input, zeros}, {at.defineLike(0, 0, dimensions)}});
}

// A constant: 1 where j - i = k, else 0
void lowerEyeLike(Lowering& at, OperationType) {
    if (!at.requireRank(0, 2, 2) || !at.fitsConstants(at.dims(0))) return;
    const auto type =
            at.hasAttribute("dtype")
                    ? static_cast<ElementType>(static_cast<int32_t>(at.integer("dtype", 0)))
                    : at.in(0).type;
    const int64_t k = at.integer("k", 0);
    std::vector<int64_t> values;
    for (int64_t i = 0; i < at.dims(0)[0]; ++i) {
        for (int64_t j = 0; j < at.dims(0)[1]; ++j) {
            values.push_back(checkedSub<int64_t>(j, i) == k ? 1 : 0);
        }
    }
    if (elementSize(type) == 0) {
        at.refuse("", "has elements of " + toString(type), "numbers");
    } else if (isReal(type)) {
        at.defineConstant(0, ofDoubles(type, at.dims(0), {values.begin(), values.end()}));
    } else {
        at.defineConstant(0, makeIntegers(type, at.dims(0), values));
    }
}

namespace {

// The element of a list of two, everywhere.
uint32_t elementOfTwo(Lowering& at, size_t input, int64_t which, const Dimensions& dimensions) {
    const uint32_t list = at.operand(input);
    const uint32_t one = at.temporary(list, {1});
    emitSlice(at, list, {{.begin = which, .count = 1}}, one);
    return expandedTo(at, one, dimensions);
}

}  // namespace

// values[1] where the index is the place along the new axis, else values[0]
void lowerOneHot(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", -1), at.rank(0) + 1);
    if (!axis || !at.requireConstant(1)) return;
    const auto depth = doublesOf(at.in(1).constant->head());
    if (!depth || depth->empty() || !(depth->front() >= 1 && depth->front() < 1 << 24)) {
        return at.refuse(1, "is no number of at least 1", "the size of the new axis");
    }
    if (at.dims(2) != Dimensions{2}) {
        return at.refuseDimensions(2, "[2]");
    }
    const auto size = static_cast<uint32_t>(depth->front());
    Dimensions dimensions = at.dims(0);
    dimensions.insert(dimensions.begin() + *axis, size);
    if (dimensions.size() > kMaxAxes) {
        at.refuse(0, fmt::format("becomes {}", shapeText(dimensions)), "at most 4 axes");
    }
    if (!at.ok() || !at.fitsConstants(dimensions)) return;
    uint32_t indices = at.operand(0);
    if (at.isFloat(0)) {
        const uint32_t whole = at.builder().temporary(OperandType::TENSOR_INT32,
                                                      Dimensions(at.operandDims(indices)));
        at.emit({CAST, {indices}, {whole}});
        indices = whole;
    }
    indices = importing::composeFromStart(at.builder(), indices, {&size, 1});
    if (at.rank(0) > 0) {
        Dimensions wide = at.dims(0);
        wide.insert(wide.begin() + *axis, 1);
        indices = at.apply(EXPAND_DIMS, {indices, at.builder().scalar(*axis)}, indices, wide);
    }
    const uint32_t isHot = at.builder().temporary(OperandType::TENSOR_BOOL8, dimensions);
    at.emit({EQUAL, {indices, places(at, dimensions.size(), *axis, size)}, {isHot}});
    const uint32_t on = elementOfTwo(at, 2, 1, dimensions);
    const uint32_t off = elementOfTwo(at, 2, 0, dimensions);
    at.emit({operation, {isHot, on, off}, {at.defineLike(0, 2, dimensions)}});
}

// 1 at the first of the largest elements along an axis, else 0
void lowerHardmax(Lowering& at, OperationType operation) {
    const bool isFlat = at.version() < 13;
    auto axis = requireAxis(at, at.integer("axis", isFlat ? 1 : -1), at.rank(0));
    if (!axis || !at.requireRank(0, 1, kMaxAxes) || !requireNumbers(at, 0)) return;
    const uint32_t input = at.operand(0);
    Dimensions shape = at.dims(0);
    if (isFlat) {
        const auto matrix = flattened(shape, *axis);
        if (!matrix) return at.refuse(0, "has too many elements", "less than 2^32");
        shape = *matrix;
        axis = 1;
    }
    if (!at.fitsConstants({shape[*axis]})) return;
    const uint32_t from = at.reshaped(input, shape);
    const uint32_t along[] = {*axis};
    auto& builder = at.builder();
    const uint32_t where = builder.scalar(*axis);
    const uint32_t largest = builder.temporary(OperandType::TENSOR_INT32,
                                               operandDimensions(reduced(shape, along, false)));
    at.emit({ARGMAX, {from, where}, {largest}});
    const uint32_t wide = shape.size() == 1 ? largest
                                            : at.apply(EXPAND_DIMS, {largest, where}, largest,
                                                       reduced(shape, along, true));
    const uint32_t isHot = builder.temporary(OperandType::TENSOR_BOOL8, shape);
    at.emit({EQUAL, {wide, places(at, shape.size(), *axis, shape[*axis])}, {isHot}});
    const uint32_t one = filledLike(at, 0, 1, shape);
    const uint32_t zero = filledLike(at, 0, 0, shape);
    const uint32_t output = at.defineLike(0, 0, at.dims(0));
    const uint32_t to = shape == at.operandDims(output) ? output : at.temporary(output, shape);
    at.emit({operation, {isHot, one, zero}, {to}});
    if (to != output) at.reshape(to, at.operandDims(output), output);
}

namespace {

// The elements moved along an axis by a number of places, with 0 where there are none. Empty after
// a refusal.
std::optional<uint32_t> movedAlong(Lowering& at, uint32_t input, uint32_t axis, uint32_t places,
                                   bool isBackward) {
    const Dimensions dimensions = at.operandDims(input);
    const uint32_t size = dimensions[axis];
    auto& builder = at.builder();
    if (builder.operand(input).type == OperandType::TENSOR_INT32) {
        if (!at.fitsConstants({size})) return std::nullopt;
        std::vector<int32_t> from(size), isThere(size);
        for (uint32_t i = 0; i < size; ++i) {
            const int64_t place = isBackward ? int64_t{i} + places : int64_t{i} - places;
            isThere[i] = place >= 0 && place < size;
            from[i] = static_cast<int32_t>(isThere[i] != 0 ? place : 0);
        }
        const uint32_t where = builder.scalar(axis);
        const uint32_t taken =
                at.apply(GATHER, {input, where, builder.vector(from)}, input, dimensions);
        return arithmetic(
                at, MUL, taken,
                importing::integersOf(builder, alongAxis(dimensions.size(), axis, size), isThere));
    }
    Dimensions kept = dimensions;
    kept[axis] = size - places;
    std::vector<SliceRange> ranges;
    for (const uint32_t count : kept) ranges.push_back({.count = count});
    ranges[axis].begin = isBackward ? places : 0;
    const uint32_t part = at.temporary(input, kept);
    emitSlice(at, input, ranges, part);
    std::vector<int32_t> paddings(2 * dimensions.size(), 0);
    paddings[2 * size_t{axis} + (isBackward ? 1 : 0)] = static_cast<int32_t>(places);
    return at.apply(PAD, {part, builder.matrix(paddings, 2)}, input, dimensions);
}

}  // namespace

// Sums of 1, 2, 4, ... elements: s' = s + (s moved by the number of elements in each sum)
void lowerCumSum(Lowering& at, OperationType operation) {
    if (!at.requireConstant(1) || !at.requireRank(0, 1, kMaxAxes) || !requireNumbers(at, 0)) return;
    const auto given = at.constantIntegers(1);
    if (!given || given->size() != 1) {
        if (given) at.refuse(1, "is no axis", "one");
        return;
    }
    const auto axis = requireAxis(at, given->front(), at.rank(0));
    if (!axis) return;
    const bool isBackward = at.integer("reverse", 0) != 0;
    const bool isExclusive = at.integer("exclusive", 0) != 0;
    const uint32_t size = at.dims(0)[*axis];
    uint32_t sums = at.operand(0);
    const uint32_t input = sums;
    if (isExclusive && size > 1) {
        const auto moved = movedAlong(at, sums, *axis, 1, isBackward);
        if (!moved) return;
        sums = *moved;
    }
    for (uint32_t done = 1; done < size; done *= 2) {
        const auto moved = movedAlong(at, sums, *axis, done, isBackward);
        if (!moved) return;
        sums = arithmetic(at, operation, sums, *moved);
        if (done > size / 2) break;
    }
    if (isExclusive && size == 1) {
        at.adopt(0, 0, filledLike(at, 0, 0, at.dims(0)), at.dims(0));
    } else if (sums == input) {
        at.alias(0, at.id(0));
    } else {
        at.adopt(0, 0, sums, at.dims(0));
    }
}

}  // namespace nn::onnx
