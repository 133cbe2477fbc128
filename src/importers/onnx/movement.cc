// Operators that move elements, and change none.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <numeric>

#include "base/list_text.h"
#include "base/plurals.h"
#include "importers/common/compositions.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {

using enum OperationType;

std::optional<std::vector<int64_t>> listOf(Lowering& at, std::string_view name, size_t input) {
    if (at.hasAttribute(name)) return at.integers(name);
    if (!at.has(input)) return std::nullopt;
    return at.constantIntegers(input);
}

namespace {

// The same elements in other dimensions; empty ones do not fit.
void changeDimensions(Lowering& at, const std::optional<Dimensions>& dimensions) {
    if (!at.ok()) return;
    if (!dimensions) return at.refuseDimensions(0, "dimensions that fit");
    const Dimensions to = operandDimensions(*dimensions);
    if (operandDimensions(at.dims(0)) == to) {
        at.alias(0, at.id(0));
        at.setDimensions(0, *dimensions);
        return;
    }
    const uint32_t input = at.packedOperand(0);
    const Dimensions from = at.operandDims(input);
    if (from == to || to.size() > kMaxAxes) return at.adoptPacked(0, 0, input, *dimensions);
    // TENSOR_INT32 is reshaped by later versions only than those that add an axis.
    if (isInteger(at, 0) && to.size() == from.size() + 1) {
        for (size_t axis = 0; axis < to.size(); ++axis) {
            Dimensions without = to;
            without.erase(without.begin() + static_cast<ptrdiff_t>(axis));
            if (to[axis] != 1 || without != from) continue;
            return at.emit({EXPAND_DIMS,
                            {input, at.builder().scalar(static_cast<int32_t>(axis))},
                            {at.defineLike(0, 0, *dimensions)}});
        }
    }
    at.reshape(input, to, at.defineLike(0, 0, *dimensions));
}

}  // namespace

void lowerReshape(Lowering& at, OperationType) {
    if (!at.hasAttribute("shape") && !at.requireConstant(1)) return;
    const auto shape = listOf(at, "shape", 1);
    if (!shape) return;
    changeDimensions(at,
                     reshapedTo(at.dims(0), *shape, at.integer("allowzero", 0) != 0, at.maxRank()));
}

void lowerFlatten(Lowering& at, OperationType) {
    changeDimensions(at, flattened(at.dims(0), at.integer("axis", 1)));
}

void lowerSqueeze(Lowering& at, OperationType) {
    const auto axes = listOf(at, "axes", 1);
    if (at.ok()) changeDimensions(at, squeezed(at.dims(0), axes));
}

void lowerUnsqueeze(Lowering& at, OperationType) {
    if (!at.hasAttribute("axes") && !at.requireConstant(1)) return;
    const auto axes = listOf(at, "axes", 1);
    if (!axes) return;
    changeDimensions(at, unsqueezed(at.dims(0), *axes, at.maxRank()));
}

void emitIntegerTranspose(Lowering& at, uint32_t from, std::span<const uint32_t> axes,
                          uint32_t to) {
    const auto count = checkedProduct<uint32_t>(at.operandDims(from));
    if (!count || *count > INT32_MAX || !at.fitsConstants({*count})) return;
    importing::composeTranspose(at.builder(), from, axes, to);
}

void lowerTranspose(Lowering& at, OperationType operation) {
    const auto axes = transposition(at.integers("perm"), at.rank(0));
    if (!axes) {
        return at.refuse("", fmt::format("has perm {}", listText(at.integers("perm"))),
                         "each axis once");
    }
    Dimensions dimensions;
    std::vector<uint32_t> moving;  // axes that have more than one element, in their new order
    for (const uint32_t axis : *axes) {
        dimensions.push_back(at.dims(0)[axis]);
        if (at.dims(0)[axis] != 1) moving.push_back(axis);
    }
    if (absl::c_is_sorted(moving)) {
        changeDimensions(at, dimensions);
        return;
    }
    if (at.rank(0) > kMaxAxes) {
        const Transposition joined = joinedTransposition(at.dims(0), *axes);
        const uint32_t from = at.reshaped(at.packedOperand(0), joined.dimensions);
        return at.adoptPacked(0, 0, at.transposed(from, joined.axes), dimensions);
    }
    const uint32_t input = at.operand(0);
    if (isInteger(at, 0)) {
        return emitIntegerTranspose(at, input, *axes, at.defineLike(0, 0, dimensions));
    }
    at.emit({operation, {input, at.builder().vector(*axes)}, {at.defineLike(0, 0, dimensions)}});
}

void lowerConcat(Lowering& at, OperationType operation) {
    const auto axis = axisOf(at.integer("axis", 1), at.rank(0));
    if (!axis) {
        return at.refuse("", fmt::format("has the axis {}", at.integer("axis", 1)),
                         "an axis of its inputs");
    }
    Dimensions dimensions = at.dims(0);
    uint64_t size = 0;
    for (size_t i = 0; i < at.inputCount(); ++i) {
        Dimensions others = at.has(i) ? at.dims(i) : Dimensions();
        if (others.size() != dimensions.size() || at.in(i).type != at.in(0).type) {
            return at.refuse(i, "has another rank or type than input 0", "the same");
        }
        size += others[*axis];
        others[*axis] = dimensions[*axis];
        if (others == dimensions) continue;
        at.refuseDimensions(i, fmt::format("those of input 0 except along axis {}", *axis));
    }
    if (size > INT32_MAX)
        at.refuse("", fmt::format("has a result of the size {}", size), "2^31 - 1");
    if (!at.ok()) return;
    if (at.inputCount() == 1) return at.alias(0, at.id(0));
    dimensions[*axis] = static_cast<uint32_t>(size);
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < at.inputCount(); ++i) inputs.push_back(at.operand(i));
    if (isInteger(at, 0)) {
        for (size_t i = 0; i < inputs.size(); ++i) {
            if (!at.fitsConstants(dimensions)) return;
        }
        const uint32_t output = at.defineLike(0, 0, dimensions);
        if (!at.ok()) return;
        return importing::composeConcatenation(at.builder(), inputs, *axis, output);
    }
    inputs.push_back(at.builder().scalar(*axis));
    at.emit({operation, std::move(inputs), {at.defineLike(0, 0, dimensions)}});
}

namespace {

// By lists of indexes, axis by axis, which any type and rank has.
void emitGathers(Lowering& at, uint32_t from, const std::vector<SliceRange>& ranges, uint32_t to) {
    std::vector<size_t> axes;
    for (size_t axis = 0; axis < ranges.size(); ++axis) {
        const bool isWhole =
                ranges[axis].count == at.operandDims(from)[axis] && ranges[axis].step == 1;
        if (!isWhole) axes.push_back(axis);
    }
    for (const size_t axis : axes) {
        if (!at.fitsConstants({ranges[axis].count})) return;
        std::vector<int32_t> indices(ranges[axis].count);
        for (size_t i = 0; i < indices.size(); ++i) {
            indices[i] = static_cast<int32_t>(ranges[axis].begin +
                                              static_cast<int64_t>(i) * ranges[axis].step);
        }
        Dimensions dimensions = at.operandDims(from);
        dimensions[axis] = ranges[axis].count;
        const uint32_t next = axis == axes.back() ? to : at.temporary(from, dimensions);
        at.emit({GATHER,
                 {from, at.builder().scalar(static_cast<int32_t>(axis)),
                  at.builder().vector(indices)},
                 {next}});
        from = next;
    }
}

}  // namespace

void emitSlice(Lowering& at, uint32_t from, const std::vector<SliceRange>& ranges, uint32_t to) {
    const bool isStepped = absl::c_any_of(ranges, [](const SliceRange& r) { return r.step != 1; });
    const OperandType type = at.builder().operand(from).type;
    std::vector<int32_t> begins, ends, steps, sizes;
    int32_t endMask = 0;
    for (size_t i = 0; i < ranges.size(); ++i) {
        const SliceRange& range = ranges[i];
        // Steps of two elements or more stay in the tensor.
        const int64_t end =
                range.begin + range.step * (int64_t{range.count} - 1) + (range.step > 0 ? 1 : -1);
        if (end < 0) endMask |= 1 << (i % 31);
        begins.push_back(static_cast<int32_t>(range.begin));
        sizes.push_back(static_cast<int32_t>(range.count));
        ends.push_back(static_cast<int32_t>(std::max<int64_t>(end, 0)));
        steps.push_back(saturatingCast<int32_t>(range.step));
    }
    auto& builder = at.builder();
    if (ranges.size() <= 4 && type != OperandType::TENSOR_INT32) {
        at.emit({STRIDED_SLICE,
                 {from, builder.vector(begins), builder.vector(ends), builder.vector(steps),
                  builder.scalar(0), builder.scalar(endMask), builder.scalar(0)},
                 {to}});
    } else if (!isStepped) {
        at.emit({SLICE, {from, builder.vector(begins), builder.vector(sizes)}, {to}});
    } else {
        emitGathers(at, from, ranges, to);
    }
}

void lowerSlice(Lowering& at, OperationType) {
    for (size_t i = 1; i < at.inputCount(); ++i) {
        if (at.has(i)) at.requireConstant(i);
    }
    if (!at.ok()) return;
    const auto starts = listOf(at, "starts", 1);
    const auto ends = listOf(at, "ends", 2);
    const auto axes = listOf(at, "axes", 3);
    const auto steps = listOf(at, "steps", 4);
    if (!at.ok()) return;
    const auto ranges =
            starts && ends ? sliceRanges(at.dims(0), *starts, *ends, axes, steps) : std::nullopt;
    if (!ranges) {
        return at.refuse("", "has bounds that do not fit its input",
                         "one for each axis, and no step of 0");
    }
    Dimensions dimensions;
    for (const SliceRange& range : *ranges) dimensions.push_back(range.count);
    const bool isWhole =
            dimensions == at.dims(0) &&
            absl::c_all_of(*ranges, [](const SliceRange& range) { return range.step > 0; });
    if (isWhole) return at.alias(0, at.id(0));
    if (at.rank(0) > kMaxAxes) {
        const JoinedSlice joined = joinedSlice(at.dims(0), *ranges);
        const uint32_t from = at.reshaped(at.packedOperand(0), joined.dimensions);
        const uint32_t to = at.temporary(from, joined.taken());
        emitSlice(at, from, joined.ranges, to);
        return at.adoptPacked(0, 0, to, dimensions);
    }
    const uint32_t input = at.operand(0);
    emitSlice(at, input, *ranges, at.defineLike(0, 0, dimensions));
}

// The sizes of the parts; empty after a refusal.
static std::optional<std::vector<int64_t>> splitSizes(Lowering& at, int64_t size) {
    const auto count = static_cast<int64_t>(at.outputCount());
    if (at.has(1) && !at.requireConstant(1)) return std::nullopt;
    auto sizes = listOf(at, "split", 1);
    if (!at.ok()) return std::nullopt;
    if (!sizes) {
        // The last part is smaller where the size is no multiple.
        const int64_t part = (size + count - 1) / count;
        sizes.emplace(count, part);
        sizes->back() = size - part * (count - 1);
    }
    const bool fits = static_cast<int64_t>(sizes->size()) == count &&
                      absl::c_all_of(*sizes, [&](int64_t one) { return one > 0 && one <= size; }) &&
                      std::accumulate(sizes->begin(), sizes->end(), int64_t{0}) == size;
    if (fits) return sizes;
    at.refuse("", fmt::format("has parts of the sizes {}", listText(*sizes)),
              fmt::format("{} sizes above 0 that sum to {}", count, size));
    return std::nullopt;
}

void lowerSplit(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", 0), at.rank(0));
    if (!axis) return;
    const auto sizes = splitSizes(at, at.dims(0)[*axis]);
    if (!sizes) return;
    const auto around = at.rank(0) > kMaxAxes ? aroundAxis(at.dims(0), *axis) : std::nullopt;
    const uint32_t input = around ? at.reshaped(at.packedOperand(0), *around) : at.operand(0);
    const uint32_t where = around ? 1 : *axis;
    std::vector<uint32_t> outputs;
    for (size_t i = 0; i < sizes->size(); ++i) {
        const auto size = static_cast<uint32_t>((*sizes)[i]);
        Dimensions dimensions = at.dims(0);
        dimensions[*axis] = size;
        if (around) {
            outputs.push_back(at.temporary(input, {(*around)[0], size, (*around)[2]}));
            at.adoptPacked(i, 0, outputs.back(), dimensions);
        } else {
            outputs.push_back(at.defineLike(i, 0, dimensions));
        }
    }
    const bool isEven =
            absl::c_all_of(*sizes, [&](int64_t size) { return size == sizes->front(); });
    if (isEven) {
        const auto count = static_cast<int32_t>(sizes->size());
        return at.emit({operation,
                        {input, at.builder().scalar(where), at.builder().scalar(count)},
                        std::move(outputs)});
    }
    int64_t begin = 0;
    for (size_t i = 0; i < sizes->size(); begin += (*sizes)[i++]) {
        auto ranges = *sliceRanges(at.operandDims(input), {}, {}, std::nullopt, std::nullopt);
        ranges[where] = {.begin = begin, .count = static_cast<uint32_t>((*sizes)[i])};
        emitSlice(at, input, ranges, outputs[i]);
    }
}

// Indices below 0 count from the end, which NNAPI does not know.
static uint32_t countedFromFront(Lowering& at, uint32_t indices, uint32_t size) {
    const Dimensions dimensions = at.operandDims(indices);
    const auto number = [&](int64_t value) {
        return at.constantOperand(makeIntegers(ElementType::INT32, {1}, {&value, 1}));
    };
    const uint32_t isBelow = at.builder().temporary(OperandType::TENSOR_BOOL8, dimensions);
    at.emit({LESS, {indices, number(0)}, {isBelow}});
    const uint32_t fromEnd = at.apply(ADD, {indices, number(size), at.builder().scalar(int32_t{0})},
                                      indices, dimensions);
    return at.apply(SELECT, {isBelow, fromEnd, indices}, indices, dimensions);
}

// The elements along an axis, or of all axes in one, where the condition is true.
void lowerCompress(Lowering& at, OperationType operation) {
    const auto isChosen = at.constantIntegers(1);
    const auto count = checkedProduct<uint32_t>(at.dims(0));
    if (!count) at.refuse(0, "has too many elements", "less than 2^32");
    if (!isChosen || !count) return;
    const bool isFlat = !at.hasAttribute("axis");
    Dimensions dimensions = isFlat ? Dimensions{*count} : at.dims(0);
    const auto axis = axisOf(at.integer("axis", 0), dimensions.size());
    if (!axis) return at.refuse("", "has an axis that its input lacks", "an axis of its input");
    if (isChosen->size() > dimensions[*axis]) {
        return at.refuse(1, fmt::format("has {}", Plural{isChosen->size(), "elements"}),
                         fmt::format("at most {}", dimensions[*axis]));
    }
    std::vector<int32_t> indices;
    for (size_t i = 0; i < isChosen->size(); ++i) {
        if ((*isChosen)[i] != 0) indices.push_back(static_cast<int32_t>(i));
    }
    if (indices.empty()) return at.refuse(1, "is false", "a condition that is true somewhere");
    const auto chosen = static_cast<uint32_t>(indices.size());
    if (!at.fitsConstants({chosen})) return;
    const uint32_t from = isFlat ? at.reshaped(at.packedOperand(0), dimensions) : at.operand(0);
    dimensions[*axis] = chosen;
    const uint32_t along = at.builder().scalar(*axis);
    at.emit({operation,
             {from, along, at.builder().vector(indices)},
             {at.defineLike(0, 0, dimensions)}});
}

// The first elements of each sequence in the other order: rows of [time, batch] or [batch, time].
void lowerReverseSequence(Lowering& at, OperationType operation) {
    const int64_t time = at.integer("time_axis", 0), batch = at.integer("batch_axis", 1);
    const auto lengths = at.constantIntegers(1);
    const Dimensions whole = at.dims(0);
    if (!lengths) return;
    if (time < 0 || time > 1 || batch != 1 - time || whole.size() < 2) {
        return at.refuse("", fmt::format("has time_axis {} and batch_axis {}", time, batch),
                         "the first two axes");
    }
    const bool isTimeFirst = time == 0;
    const uint32_t steps = whole[isTimeFirst ? 0 : 1], sequences = whole[isTimeFirst ? 1 : 0];
    const bool fits = lengths->size() == sequences && absl::c_all_of(*lengths, [&](int64_t each) {
                          return each >= 0 && each <= steps;
                      });
    if (!fits) at.refuse(1, "has other lengths", "one of 0 to the steps for each sequence");
    const auto matrix = flattened(whole, 2);
    if (!matrix) at.refuse(0, "has too many elements", "less than 2^32 in two and all other axes");
    if (!at.ok() || !at.fitsConstants({(*matrix)[0]})) return;
    std::vector<int32_t> rows;
    for (uint32_t i = 0; i < whole[0]; ++i) {
        for (uint32_t j = 0; j < whole[1]; ++j) {
            const auto step = static_cast<int64_t>(isTimeFirst ? i : j);
            const int64_t length = (*lengths)[isTimeFirst ? j : i];
            const int64_t from = step < length ? length - 1 - step : step;
            rows.push_back(static_cast<int32_t>(isTimeFirst ? from * whole[1] + j
                                                            : int64_t{i} * whole[1] + from));
        }
    }
    const uint32_t input = at.reshaped(at.packedOperand(0), *matrix);
    at.adoptPacked(0, 0,
                   at.apply(operation, {input, at.builder().scalar(0), at.builder().vector(rows)},
                            input, *matrix),
                   whole);
}

void lowerGather(Lowering& at, OperationType operation) {
    const auto axis = requireAxis(at, at.integer("axis", 0), at.rank(0));
    if (!axis) return;
    const Dimensions& from = at.dims(0);
    const Dimensions listed = operandDimensions(at.dims(1));
    uint32_t indices = 0;
    if (at.in(1).constant) {
        auto values = at.constantIntegers(1);
        if (!values) return;
        for (int64_t& value : *values) {
            if (value < 0) value += from[*axis];
            if (value >= 0 && value < from[*axis]) continue;
            return at.refuse(1, "has an index that is not in the input",
                             fmt::format("below {}", from[*axis]));
        }
        if (!at.fitsModel(values->size(), sizeof(int32_t))) return;
        indices = at.constantOperand(makeIntegers(ElementType::INT32, listed, *values));
    } else {
        indices = countedFromFront(at, at.operand(1), from[*axis]);
    }
    const auto joined = [&](const Dimensions& middle) {
        Dimensions dimensions(from.begin(), from.begin() + *axis);
        dimensions.insert(dimensions.end(), middle.begin(), middle.end());
        dimensions.insert(dimensions.end(), from.begin() + *axis + 1, from.end());
        return dimensions;
    };
    const auto around =
            from.size() > kMaxAxes && listed.size() == 1 ? aroundAxis(from, *axis) : std::nullopt;
    if (around) {
        const uint32_t narrow = at.reshaped(at.packedOperand(0), *around);
        const Dimensions taken{(*around)[0], listed[0], (*around)[2]};
        return at.adoptPacked(
                0, 0, at.apply(operation, {narrow, at.builder().scalar(1), indices}, narrow, taken),
                joined(at.dims(1)));
    }
    const uint32_t input = at.operand(0);
    const uint32_t where = at.builder().scalar(*axis);
    const uint32_t output = at.defineLike(0, 0, joined(at.dims(1)));
    if (!at.dims(1).empty() || from.size() == 1) {
        return at.emit({operation, {input, where, indices}, {output}});
    }
    const uint32_t wide = at.temporary(input, joined(listed));
    at.emit({operation, {input, where, indices}, {wide}});
    at.reshape(wide, at.operandDims(output), output);
}

void lowerExpand(Lowering& at, OperationType) {
    const auto shape = at.constantIntegers(1);
    if (!shape) return;
    const auto wanted = dimensionsFrom(*shape, at.maxRank());
    const auto dimensions = wanted ? broadcast(at.dims(0), *wanted) : std::nullopt;
    if (!dimensions || absl::c_linear_search(*dimensions, 0u)) {
        return at.refuse(1, fmt::format("is {}", listText(*shape)),
                         fmt::format("a shape to which {} is broadcast", shapeText(at.dims(0))));
    }
    const uint32_t expanded = expandedTo(at, at.operand(0), operandDimensions(*dimensions));
    at.adopt(0, 0, expanded, *dimensions);
}

void lowerTile(Lowering& at, OperationType operation) {
    const auto repeats = at.constantIntegers(1);
    if (!repeats) return;
    Dimensions dimensions = at.dims(0);
    const bool isValid =
            repeats->size() == dimensions.size() && at.version() >= 6 &&
            absl::c_all_of(*repeats, [](int64_t n) { return n > 0 && n <= INT32_MAX; });
    if (!isValid) {
        return at.refuse(1, fmt::format("is {}", listText(*repeats)),
                         "a number above 0 for each axis");
    }
    std::vector<int32_t> multiples;
    for (size_t i = 0; i < dimensions.size(); ++i) {
        const uint64_t size = uint64_t{dimensions[i]} * static_cast<uint64_t>((*repeats)[i]);
        if (size > INT32_MAX) return at.refuse(1, "makes a dimension above 2^31 - 1");
        dimensions[i] = static_cast<uint32_t>(size);
        multiples.push_back(static_cast<int32_t>((*repeats)[i]));
    }
    if (dimensions.empty()) multiples = {1};
    const uint32_t input = at.operand(0);
    at.emit({operation,
             {input, at.builder().vector(multiples)},
             {at.defineLike(0, 0, dimensions)}});
}

}  // namespace nn::onnx
