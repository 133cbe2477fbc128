// Operators that several operations compute, and forms that an operation lacks.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/list_text.h"
#include "importers/common/compositions.h"
#include "importers/common/joined_axes.h"
#include "importers/tflite/constants.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/converters.h"
#include "nnapi/checked_math.h"

namespace nn::tflite::converters {
namespace {

using enum OperationType;

using Composition = void (*)(importing::GraphBuilder& builder, uint32_t x, uint32_t to);

// Of floats; of quantized numbers between DEQUANTIZE and QUANTIZE, as TensorFlow Lite computes its
// tables.
void compose(Conversion& op, Composition composition) {
    const uint32_t in = op.operand(0), out = op.result();
    if (op.isRefused()) return;
    if (!op.input(0).isQuantized()) return composition(op.builder(), in, out);
    const uint32_t floats = op.floatLike(in), results = op.floatLike(out);
    op.emit({DEQUANTIZE, {in}, {floats}});
    composition(op.builder(), floats, results);
    op.emit({QUANTIZE, {results}, {out}});
    op.lose("a table of quantized numbers", "DEQUANTIZE and QUANTIZE",
            "TensorFlow Lite rounds otherwise, by one unit at most");
}

void composeClampToOne(importing::GraphBuilder& builder, uint32_t x, uint32_t to) {
    const uint32_t positive = importing::temporaryLike(builder, x);
    builder.operation({RELU, {x}, {positive}});
    builder.operation({MINIMUM, {positive, importing::numberLike(builder, x, 1)}, {to}});
}

// The number of elements of all dimensions, which constants of operands have; empty after a
// refusal.
std::optional<uint64_t> countOf(Conversion& op, const Dimensions& dimensions,
                                uint64_t bytesOfEach) {
    const auto count = checkedProduct<uint64_t>(dimensions);
    const auto bytes = checkedMul<uint64_t>(count, bytesOfEach);
    if (!bytes || *count == 0 || *count > INT32_MAX) {
        op.refuse(fmt::format("has a tensor of the dimensions {}", listText(dimensions)),
                  "known dimensions above 0");
        return std::nullopt;
    }
    if (!op.mayMake(*bytes)) return std::nullopt;
    return count;
}

// Bytes of constants for each element of a tensor that is broadcast.
uint64_t bytesOfBroadcast(Conversion& op, uint32_t operand) {
    const OperandType type = op.builder().operand(operand).type;
    if (type == OperandType::TENSOR_BOOL8) return 1;
    return type == OperandType::TENSOR_INT32 ? sizeof(int32_t) : 0;
}

// Refuses other dimensions than those to which the operand can be broadcast.
bool checkBroadcast(Conversion& op, uint32_t from, const Dimensions& dimensions) {
    const Dimensions source = op.builder().operand(from).dimensions;
    bool fits = source.size() <= dimensions.size();
    for (size_t i = 0; fits && i < source.size(); ++i) {
        const uint32_t size = dimensions[dimensions.size() - source.size() + i];
        fits = source[i] == 1 || (source[i] == size && size != 0);
    }
    if (!fits) {
        op.refuse(fmt::format("broadcasts {} to {}", listText(source), listText(dimensions)),
                  "dimensions that it can be broadcast to");
        return false;
    }
    return countOf(op, dimensions, bytesOfBroadcast(op, from)).has_value();
}

// The operand in dimensions to which it is broadcast; kNoOperand after a refusal.
uint32_t broadcastTo(Conversion& op, uint32_t from, const Dimensions& dimensions) {
    if (from == kNoOperand) return kNoOperand;
    if (op.builder().operand(from).dimensions == dimensions) return from;
    if (!checkBroadcast(op, from, dimensions)) return kNoOperand;
    const uint32_t to = op.like(from, dimensions);
    if (to != kNoOperand) importing::composeBroadcast(op.builder(), from, to);
    return to;
}

}  // namespace

void sign(Conversion& op) {
    if (op.input(0).isQuantized()) {
        return op.refuseInput(0, "is " + nameOf(op.input(0).type), "FLOAT32, FLOAT16, INT32");
    }
    compose(op, importing::composeSign);
}

void roundToEven(Conversion& op) { compose(op, importing::composeRound); }

void reluToOne(Conversion& op) { compose(op, composeClampToOne); }

void gelu(Conversion& op) {
    const bool isApproximate = op.flag("approximate");
    compose(op, isApproximate ? importing::composeTanhGelu : importing::composeGelu);
    if (!isApproximate) {
        op.lose("GELU", "a polynomial and EXP", "the error function differs by at most 1e-6");
    }
}

void floorRemainder(Conversion& op) {
    if (op.input(0).type != TensorType::INT32) {
        return op.refuseInput(0, "is " + nameOf(op.input(0).type),
                              "INT32: a real quotient is rounded, and the remainder may be wrong "
                              "by the divisor");
    }
    const uint32_t a = op.operand(0), b = op.operand(1), out = op.result();
    if (op.isRefused()) return;
    importing::composeRemainder(op.builder(), importing::Division::FLOOR, a, b, out);
}

// A constant of zeros.
void zerosLike(Conversion& op) {
    const FileTensor& like = op.input(0);
    const uint32_t size = sizeOf(like.type);
    if (size == 0 || like.isQuantized()) {
        return op.refuseInput(0, "is " + nameOf(like.type), "FLOAT32, FLOAT16, INT32, INT64, BOOL");
    }
    const auto count = countOf(op, like.dimensions, size);
    if (count) op.fold(0, like.type, std::vector<uint8_t>(*count * size, 0));
}

void broadcast(Conversion& op) {
    const uint32_t in = op.operand(0), out = op.result();
    if (op.isRefused()) return;
    const Dimensions dimensions = op.builder().operand(out).dimensions;
    if (op.builder().operand(in).dimensions != dimensions) {
        if (checkBroadcast(op, in, dimensions)) importing::composeBroadcast(op.builder(), in, out);
        return;
    }
    op.emit({RESHAPE, {in, op.builder().vector(dimensions)}, {out}});
}

void select(Conversion& op) {
    const uint32_t out = op.result();
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < 3; ++i) inputs.push_back(op.operand(i));
    if (op.isRefused()) return;
    const Dimensions dimensions = op.builder().operand(out).dimensions;
    const bool isSame = absl::c_all_of(inputs, [&](uint32_t input) {
        return op.builder().operand(input).dimensions == op.builder().operand(inputs[0]).dimensions;
    });
    for (uint32_t& input : inputs) {
        if (!isSame) input = broadcastTo(op, input, dimensions);
    }
    op.emit({SELECT, std::move(inputs), {out}});
}

// Factors of several ranks or batches get those of the result.
void batchMatrixProduct(Conversion& op) {
    const uint32_t out = op.result();
    std::vector<uint32_t> factors{op.operand(0), op.operand(1)};
    if (op.isRefused()) return;
    const Dimensions result = op.builder().operand(out).dimensions;
    for (uint32_t& factor : factors) {
        const Dimensions own = op.builder().operand(factor).dimensions;
        if (own.size() < 2 || result.size() < 2 || own.size() > result.size()) continue;
        if (op.output(0).hasUnknownDimension) continue;
        Dimensions wanted(result.begin(), result.end() - 2);
        wanted.insert(wanted.end(), own.end() - 2, own.end());
        factor = broadcastTo(op, factor, wanted);
    }
    op.emit({BATCH_MATMUL,
             {factors[0], factors[1], op.scalarOf(op.flag("adj_x")), op.scalarOf(op.flag("adj_y"))},
             {out}});
}

// GATHER from a table with a row for each index.
void gatherNd(Conversion& op) {
    const Dimensions from = op.input(0).dimensions, listed = op.input(1).dimensions;
    if (listed.empty() || listed.back() == 0 || listed.back() > from.size()) {
        return op.refuseInput(1, fmt::format("has the dimensions {}", listText(listed)),
                              fmt::format("lists of at most {} numbers", from.size()));
    }
    const std::span<const uint32_t> all(from);
    const size_t depth = listed.back();
    const auto rows = checkedProduct<uint32_t>(all.first(depth));
    const auto width = checkedProduct<uint32_t>(all.subspan(depth));
    const auto lists = countOf(op, Dimensions(listed.begin(), listed.end() - 1), sizeof(int32_t));
    if (!lists || !countOf(op, from, 0) || !rows || !width) return;
    const importing::RowIndices indices{.sizes = {all.begin(), all.begin() + depth},
                                        .count = *lists};
    const uint32_t in = op.operand(0), out = op.result();
    auto& builder = op.builder();
    uint32_t numbers = kNoOperand;
    if (op.isConstant(1)) {
        const auto given = op.ints(1);
        if (!given || given->size() != *lists * depth) return;
        const std::vector<int64_t> values(given->begin(), given->end());
        const auto constants = importing::rowsOf(indices, values);
        if (!constants) return op.refuseInput(1, "has an index that is not in the input");
        numbers = builder.vector(*constants);
    } else {
        const uint32_t given = op.operand(1);
        if (op.isRefused()) return;
        const uint32_t matrix =
                op.like(given, {static_cast<uint32_t>(*lists), static_cast<uint32_t>(depth)});
        importing::composeReshape(builder, given, matrix);
        numbers = importing::composeRows(builder, indices, matrix);
    }
    if (op.isRefused()) return;
    const uint32_t table = op.like(in, {*rows, *width});
    importing::composeReshape(builder, in, table);
    Dimensions taken = builder.operand(numbers).dimensions;
    taken.push_back(*width);
    const uint32_t gathered = op.like(out, taken);
    op.emit({GATHER, {table, builder.scalar(0), numbers}, {gathered}});
    importing::composeReshape(builder, gathered, out);
}

static void concatenateOperands(Conversion& op, std::vector<uint32_t> inputs, uint32_t axis,
                                uint32_t out) {
    if (op.builder().operand(out).type == OperandType::TENSOR_INT32) {
        const Dimensions dimensions = op.builder().operand(out).dimensions;
        uint64_t size = 0;
        bool isEmpty = false;
        for (const uint32_t input : inputs) {
            const Dimensions& own = op.builder().operand(input).dimensions;
            const uint32_t part = own.size() == dimensions.size() ? own[axis] : 0;
            size += part;
            isEmpty |= part == 0;
        }
        if (isEmpty || size != dimensions[axis])
            return op.refuse("has inputs that do not fit its output");
        // A mask for each of them.
        if (!countOf(op, dimensions, inputs.size())) return;
        return importing::composeConcatenation(op.builder(), inputs, axis, out);
    }
    inputs.push_back(op.scalarOf(axis));
    op.emit({CONCATENATION, std::move(inputs), {out}});
}

void concatenateAlong(Conversion& op, uint32_t axis) {
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < op.inputCount(); ++i) inputs.push_back(op.operand(i));
    const uint32_t out = op.result();
    if (!op.isRefused()) concatenateOperands(op, std::move(inputs), axis, out);
}

// Of tensors with more axes than the operation has: in three, with the axis in the middle.
static void concatenateAround(Conversion& op, uint32_t axis) {
    const Dimensions result = op.output(0).dimensions;
    const auto whole = importing::aroundAxis(result, axis);
    // Each input is reshaped.
    if (!op.mayMake(op.inputCount() * (sizeof(Operand) + sizeof(Operation)))) return;
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < op.inputCount() && op.hasInputs(i + 1) && whole; ++i) {
        Dimensions own = op.input(i).dimensions;
        const uint32_t size = axis < own.size() ? own[axis] : 0;
        if (axis < own.size()) own[axis] = result[axis];
        if (own != result) return op.refuse("has inputs that do not fit its output");
        inputs.push_back(op.reshaped(op.packedOperand(i), {(*whole)[0], size, (*whole)[2]}));
    }
    if (!whole) return op.refuseOutput(0, "has too many elements");
    const uint32_t out = op.like(op.packedResult(), *whole);
    if (op.isRefused()) return;
    concatenateOperands(op, std::move(inputs), 1, out);
    op.reshape(out, op.packedResult());
}

void concatenate(Conversion& op) {
    if (!op.meets("fused_activation_function=0")) return;
    const auto axis = op.axisOf(op.number("axis"), op.output(0).dimensions.size());
    if (!axis) return;
    if (op.hasManyAxes(0, 0)) return concatenateAround(op, *axis);
    concatenateAlong(op, *axis);
}

namespace {

// The elements of a slice along an axis of the input.
struct Range {
    int64_t begin = 0, step = 1, count = 0;
};

// The elements from `from` on by steps, before `to`, of an axis of that size.
Range rangeOf(int64_t size, std::optional<int64_t> from, std::optional<int64_t> to, int64_t step) {
    const int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
    const auto bound = [&](int64_t place) {
        return std::clamp(place < 0 ? place + size : place, least, most);
    };
    const int64_t begin = from ? bound(*from) : step > 0 ? 0 : size - 1;
    const int64_t end = to ? bound(*to) : step > 0 ? size : -1;
    const int64_t distance = step > 0 ? end - begin : begin - end;
    return {.begin = begin,
            .step = step,
            .count = distance <= 0 ? 0 : (distance - 1) / std::abs(step) + 1};
}

// The ranges that a STRIDED_SLICE of constants takes, one for each axis of the input. The ellipsis
// stands for as many axes as the other entries leave. Empty after a refusal.
std::optional<std::vector<Range>> rangesOfSlice(Conversion& op) {
    const auto begin = op.ints(1), end = op.ints(2), strides = op.ints(3);
    if (!begin || !end || !strides) return std::nullopt;
    const Dimensions& from = op.input(0).dimensions;
    const size_t entries = begin->size(), rank = from.size();
    constexpr size_t kMaxEntries = 31;  // bits of a mask
    const auto isSet = [&](std::string_view mask, size_t entry) {
        return ((op.number(mask) >> entry) & 1) != 0;
    };
    size_t used = 0;  // axes that entries name, without those of the ellipsis
    for (size_t i = 0; i < entries && i < kMaxEntries; ++i) {
        const bool isPlace = isSet("ellipsis_mask", i) || isSet("new_axis_mask", i);
        used += isPlace ? 0 : 1;
    }
    if (entries > kMaxEntries || end->size() != entries || strides->size() != entries ||
        used > rank || absl::c_linear_search(*strides, 0)) {
        op.refuseInput(1, fmt::format("has {} entries for rank {}", entries, rank));
        return std::nullopt;
    }
    std::vector<Range> ranges;
    const auto addWhole = [&] { ranges.push_back({.count = from[ranges.size()]}); };
    for (size_t i = 0; i < entries; ++i) {
        if (isSet("ellipsis_mask", i)) {
            for (size_t left = rank - used; left > 0 && ranges.size() < rank; --left) addWhole();
            used = rank;  // another ellipsis stands for no axis
            continue;
        }
        if (isSet("new_axis_mask", i) || ranges.size() == rank) continue;
        const int64_t size = from[ranges.size()];
        const bool isOne = isSet("shrink_axis_mask", i);
        std::optional<int64_t> first = (*begin)[i], last = (*end)[i];
        if (isSet("begin_mask", i)) first = std::nullopt;
        if (isSet("end_mask", i)) last = std::nullopt;
        Range range = rangeOf(size, first, last, isOne ? 1 : (*strides)[i]);
        if (isOne) range.count = range.begin < size ? 1 : 0;
        if (!isOne && last && op.flag("offset")) {
            range = rangeOf(size, range.begin, std::max<int64_t>(range.begin + *last, 0),
                            (*strides)[i]);
        }
        ranges.push_back(range);
    }
    while (ranges.size() < rank) addWhole();
    return ranges;
}

}  // namespace

// GATHER along each axis that is not taken whole, then RESHAPE.
void gatheredSlice(Conversion& op) {
    const auto ranges = rangesOfSlice(op);
    if (!ranges) return;
    uint32_t value = op.operand(0);
    const uint32_t out = op.result();
    if (op.isRefused()) return;
    auto& builder = op.builder();
    Dimensions reached = builder.operand(value).dimensions;
    const auto elements = countOf(op, builder.operand(out).dimensions, 0);
    if (!elements || !countOf(op, reached, 0) || reached.size() < ranges->size()) return;
    for (size_t axis = 0; axis < ranges->size(); ++axis) {
        const Range& range = (*ranges)[axis];
        if (range.count == reached[axis] && range.step == 1) continue;
        reached[axis] = static_cast<uint32_t>(range.count);
        if (!countOf(op, {reached[axis]}, sizeof(int32_t))) return;
        std::vector<int32_t> places;
        for (int64_t i = 0; i < range.count; ++i) {
            places.push_back(static_cast<int32_t>(range.begin + i * range.step));
        }
        const uint32_t next = op.like(value, reached);
        op.emit({GATHER,
                 {value, op.scalarOf(static_cast<int32_t>(axis)), builder.vector(places)},
                 {next}});
        value = next;
    }
    if (checkedProduct<uint64_t>(reached) != *elements) {
        return op.refuseOutput(0, "has dimensions that do not fit its slice");
    }
    if (!op.isRefused()) importing::composeReshape(builder, value, out);
}

namespace {

// The order that a constant gives of the axes of input 0; empty after a refusal.
std::optional<std::vector<uint32_t>> orderOf(Conversion& op) {
    const auto order = op.ints(1);
    if (!order) return std::nullopt;
    std::vector<uint32_t> axes;
    for (const int32_t axis : *order) {
        const auto found = op.axisOf(axis, op.input(0).dimensions.size());
        if (!found) return std::nullopt;
        axes.push_back(*found);
    }
    std::vector<uint32_t> sorted = axes;
    absl::c_sort(sorted);
    bool isOrder = axes.size() == op.input(0).dimensions.size();
    for (uint32_t i = 0; isOrder && i < sorted.size(); ++i) isOrder = sorted[i] == i;
    if (isOrder) return axes;
    op.refuseInput(1, "does not name each axis once");
    return std::nullopt;
}

void emitTranspose(Conversion& op, uint32_t from, const std::vector<uint32_t>& axes, uint32_t to) {
    if (op.isRefused()) return;
    if (op.builder().operand(from).type != OperandType::TENSOR_INT32) {
        return op.emit({TRANSPOSE, {from, op.builder().vector(axes)}, {to}});
    }
    if (!countOf(op, op.builder().operand(from).dimensions, sizeof(int32_t))) return;
    importing::composeTranspose(op.builder(), from, axes, to);
}

// Of a tensor with more axes than the operation has: in fewer, which are neighbors before and
// after.
void transposeJoined(Conversion& op, const std::vector<uint32_t>& axes) {
    const auto joined = importing::joinedTransposition(op.input(0).dimensions, axes);
    if (joined.axes.size() > importing::kMaxAxes) {
        return op.refuse(fmt::format("moves {} groups of axes", joined.axes.size()),
                         fmt::format("{}", importing::kMaxAxes));
    }
    const uint32_t in = op.packedOperand(0), out = op.packedResult();
    if (absl::c_is_sorted(joined.axes)) return op.reshape(in, out);
    Dimensions moved;
    for (const uint32_t axis : joined.axes) moved.push_back(joined.dimensions[axis]);
    const uint32_t from = op.reshaped(in, joined.dimensions), to = op.like(out, moved);
    emitTranspose(op, from, joined.axes, to);
    if (!op.isRefused()) op.reshape(to, out);
}

}  // namespace

void transpose(Conversion& op) {
    const bool hasManyAxes = op.hasManyAxes(0, 0);
    if (op.input(0).type != TensorType::INT32 && !hasManyAxes) {
        return op.emit({TRANSPOSE, {op.operand(0), op.intTensor(1, true)}, {op.result()}});
    }
    const auto axes = orderOf(op);
    if (!axes) return;
    Dimensions result;
    for (const uint32_t axis : *axes) result.push_back(op.input(0).dimensions[axis]);
    if (hasManyAxes && result == op.output(0).dimensions) return transposeJoined(op, *axes);
    const uint32_t in = op.operand(0), out = op.result();
    if (op.isRefused()) return;
    if (op.builder().operand(out).dimensions != result) {
        return op.refuseOutput(0, "has dimensions that do not fit its input");
    }
    emitTranspose(op, in, *axes, out);
}

// The index has 64 bits in most files.
static void extremeIndex(Conversion& op, OperationType operation) {
    if (op.output(0).type == TensorType::INT64) op.narrow(0);
    op.emit({operation, {op.operand(0), op.scalar(1)}, {op.result()}});
}

void largestIndex(Conversion& op) { extremeIndex(op, ARGMAX); }
void smallestIndex(Conversion& op) { extremeIndex(op, ARGMIN); }

}  // namespace nn::tflite::converters
