// Operators that move elements, and those whose result is a constant.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <cstring>

#include "base/plurals.h"
#include "importers/common/compositions.h"
#include "importers/tflite/constants.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/converters.h"
#include "nnapi/checked_math.h"

namespace nn::tflite::converters {
namespace {

using enum OperationType;

std::vector<uint8_t> bytesOf(const std::vector<int32_t>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(int32_t));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

uint32_t shapeOperand(Conversion& op, const Dimensions& dimensions) {
    return op.builder().vector(shapeOf(dimensions));
}

// The dimensions of an operand, which a scalar has too.
Dimensions dimensionsOf(const FileTensor& tensor) {
    return tensor.dimensions.empty() ? Dimensions{1} : tensor.dimensions;
}

void foldInts(Conversion& op, const std::vector<int32_t>& values) {
    if (op.output(0).type == TensorType::INT32 || op.output(0).type == TensorType::INT64) {
        if (op.mayMake(values.size() * sizeof(int32_t))) {
            op.fold(0, TensorType::INT32, bytesOf(values));
        }
    } else {
        op.refuseOutput(0, "is " + nameOf(op.output(0).type), "INT32, INT64");
    }
}

}  // namespace

void reshape(Conversion& op) {
    const bool isComputed = op.hasInput(1) && !op.isConstant(1) &&
                            checkedProduct<uint64_t>(op.input(1).dimensions) != 0;
    const bool isPacked = !isComputed && op.hasManyAxes(0, 0);
    const uint32_t in = isPacked ? op.packedOperand(0) : op.operand(0);
    const uint32_t out = isPacked ? op.packedResult() : op.result();
    if (isComputed) return op.emit({RESHAPE, {in, op.operand(1)}, {out}});
    std::vector<int32_t> shape;
    if (op.hasInput(1)) {
        auto values = op.ints(1);
        if (!values) return;
        shape = *std::move(values);
    } else {
        shape = op.list("new_shape");
    }
    if (op.isRefused()) return;
    if (isPacked) {
        const auto isSame = [](int32_t given, uint32_t size) {
            return given == -1 || given == static_cast<int64_t>(size);
        };
        const Dimensions& result = op.output(0).dimensions;
        if (absl::c_equal(shape, result, isSame)) return op.reshape(in, out);
        return op.refuseOutput(0, "has dimensions that do not fit its shape");
    }
    if (shape.empty()) shape = {1};  // a scalar
    if (op.input(0).type == TensorType::BOOL && !op.input(0).hasUnknownDimension) {
        const auto count = checkedProduct<uint64_t>(op.input(0).dimensions);
        const auto bytes = checkedMul<uint64_t>(count, uint64_t{2 * sizeof(float)});
        if (!bytes) return op.refuseInput(0, "has too many elements");
        if (op.mayMake(*bytes)) importing::composeReshape(op.builder(), in, out);
        return;
    }
    op.emit({RESHAPE, {in, op.builder().vector(shape)}, {out}});
}

// The dimensions of what BATCH_TO_SPACE_ND computes, where the file has them or they follow.
static std::optional<Dimensions> croppedDimensions(Conversion& op,
                                                   const std::vector<int32_t>& crops) {
    const FileTensor &in = op.input(0), &out = op.output(0);
    if (out.dimensions.size() != 4 || crops.size() != 4) return std::nullopt;
    if (!out.hasUnknownDimension) return out.dimensions;
    const auto sizes = op.ints(1);
    if (!sizes || sizes->size() != 2 || in.dimensions.size() != 4 || in.hasUnknownDimension) {
        return std::nullopt;
    }
    Dimensions kept = in.dimensions;
    for (size_t i = 0; i < 2; ++i) {
        const int64_t block = (*sizes)[i];
        if (block < 1 || kept[0] % block != 0) return std::nullopt;
        kept[0] = static_cast<uint32_t>(kept[0] / block);
        const auto whole = checkedMul<int64_t>(int64_t{kept[i + 1]}, block);
        const auto size =
                checkedAdd<int64_t>(whole, -int64_t{crops[2 * i]} - int64_t{crops[2 * i + 1]});
        if (!size || *size < 1 || !std::in_range<uint32_t>(*size)) return std::nullopt;
        kept[i + 1] = static_cast<uint32_t>(*size);
    }
    return kept;
}

void batchToSpace(Conversion& op) {
    const auto crops = op.ints(2);
    if (!crops) return;
    const uint32_t in = op.operand(0), out = op.result(), sizes = op.intTensor(1, true);
    if (absl::c_all_of(*crops, [](int32_t crop) { return crop == 0; })) {
        return op.emit({BATCH_TO_SPACE_ND, {in, sizes}, {out}});
    }
    const auto cropped = croppedDimensions(op, *crops);
    if (!cropped) {
        return op.refuseInput(
                2, "has crops of a tensor of unknown dimensions, or of a rank that is not 4",
                "crops of 0");
    }
    const Dimensions& kept = *cropped;
    Dimensions whole = kept;
    for (size_t i = 0; i < 2; ++i) {
        const auto size = checkedAdd<int64_t>(
                checkedAdd<int64_t>(int64_t{kept[i + 1]}, int64_t{(*crops)[2 * i]}),
                int64_t{(*crops)[2 * i + 1]});
        whole[i + 1] = saturatingCast<uint32_t>(*size);
    }
    const uint32_t uncropped = op.like(out, whole);
    op.emit({BATCH_TO_SPACE_ND, {in, sizes}, {uncropped}});
    op.emit({SLICE,
             {uncropped, op.builder().vector({0, (*crops)[0], (*crops)[2], 0}),
              shapeOperand(op, kept)},
             {out}});
}

void reverse(Conversion& op) {
    const auto given = op.singleInt(1);
    if (!given) return;
    const auto axis = op.axisOf(*given, op.input(0).dimensions.size());
    if (!axis) return;
    op.emit({REVERSE,
             {op.operand(0), op.builder().vector({static_cast<int32_t>(*axis)})},
             {op.result()}});
}

// NNAPI requires a begin, an end and a stride for each axis, and for an axis that is removed an end
// after one element, which files need not have: "x[-1]" is from -1 to 0.
void stridedSlice(Conversion& op) {
    const bool isKnown = op.isConstant(1) && op.isConstant(2) && op.isConstant(3);
    const bool isPlain = op.number("ellipsis_mask") == 0 && op.number("new_axis_mask") == 0 &&
                         !op.flag("offset") && op.input(0).type != TensorType::INT32;
    if (op.isRefused()) return;
    if (isKnown && !isPlain && !op.input(0).hasUnknownDimension) return gatheredSlice(op);
    if (!op.meets("ellipsis_mask=0 new_axis_mask=0 offset=0")) return;
    if (!op.isConstant(1) || !op.isConstant(2) || !op.isConstant(3)) {
        Row row{.inputs = "0 int(1) int(2) int(3) begin_mask end_mask shrink_axis_mask"};
        row.operation = STRIDED_SLICE;
        return op.apply(row);
    }
    const auto begin = op.ints(1), end = op.ints(2), strides = op.ints(3);
    if (!begin || !end || !strides) return;
    const size_t rank = op.input(0).dimensions.size(), given = begin->size();
    constexpr size_t kMaxAxes = 31;  // bits of a mask
    if (given > rank || end->size() != given || strides->size() != given || rank > kMaxAxes) {
        return op.refuseInput(1,
                              fmt::format("has {} for rank {}", Plural{given, "elements"}, rank));
    }
    std::vector<int32_t> from = *begin, to = *end, steps = *strides;
    int32_t beginMask = op.number("begin_mask"), endMask = op.number("end_mask");
    const int32_t removed = op.number("shrink_axis_mask");
    for (size_t axis = 0; axis < rank; ++axis) {
        const int32_t bit = 1 << axis;
        if (axis >= given) {
            from.push_back(0);
            to.push_back(0);
            steps.push_back(1);
            beginMask |= bit;
            endMask |= bit;
        } else if ((removed & bit) != 0) {
            const int32_t first = (beginMask & bit) != 0 ? 0 : from[axis];
            to[axis] = first == INT32_MAX ? first : first + 1;
            endMask = first == -1 ? endMask | bit : endMask & ~bit;
            steps[axis] = 1;
        }
    }
    op.emit({STRIDED_SLICE,
             {op.operand(0), op.builder().vector(from), op.builder().vector(to),
              op.builder().vector(steps), op.scalarOf(beginMask), op.scalarOf(endMask),
              op.scalarOf(removed)},
             {op.result()}});
}

void gather(Conversion& op) {
    if (!op.meets("batch_dims=0")) return;
    const Dimensions& dimensions = op.input(0).dimensions;
    const auto axis = op.axisOf(op.number("axis"), dimensions.size());
    if (!axis) return;
    const uint32_t in = op.operand(0), out = op.result();
    const uint32_t number = op.scalarOf(*axis);
    const uint32_t indexes = op.intTensor(1, false);
    // A scalar index is a tensor of one element here, and removes no axis.
    if (!op.input(1).dimensions.empty() || dimensions.size() == 1) {
        return op.emit({GATHER, {in, number, indexes}, {out}});
    }
    Dimensions kept = dimensions;
    kept[*axis] = 1;
    const uint32_t gathered = op.like(out, kept);
    op.emit({GATHER, {in, number, indexes}, {gathered}});
    op.emit({RESHAPE, {gathered, shapeOperand(op, dimensionsOf(op.output(0)))}, {out}});
}

void splitUnevenly(Conversion& op) {
    const auto sizes = op.ints(1);
    const auto number = op.singleInt(2);
    if (!sizes || !number) return;
    const Dimensions& dimensions = op.input(0).dimensions;
    const auto axis = op.axisOf(*number, dimensions.size());
    if (!axis) return;
    if (sizes->size() != op.outputCount()) {
        return op.refuseInput(1, fmt::format("has {}", Plural{sizes->size(), "sizes"}),
                              fmt::format("{}, one for each output", op.outputCount()));
    }
    int64_t given = 0;
    for (const int32_t size : *sizes) given += size < 0 ? 0 : size;
    int64_t start = 0;
    for (size_t i = 0; i < sizes->size(); ++i) {
        // The one that is -1 takes the rest.
        const int64_t rest = int64_t{dimensions[*axis]} - given;
        const int64_t size = (*sizes)[i] >= 0 ? (*sizes)[i] : rest;
        if (size < 0 || ((*sizes)[i] < 0 && dimensions[*axis] == 0)) {
            return op.refuseInput(1, "has sizes that do not fit the input");
        }
        std::vector<int32_t> begin(dimensions.size(), 0), extent(dimensions.size(), -1);
        begin[*axis] = saturatingCast<int32_t>(start);
        extent[*axis] = saturatingCast<int32_t>(size);
        op.emit({SLICE,
                 {op.operand(0), op.builder().vector(begin), op.builder().vector(extent)},
                 {op.result(i)}});
        start += size;
    }
}

void unpack(Conversion& op) {
    const Dimensions dimensions = op.input(0).dimensions;
    const auto axis = op.axisOf(op.number("axis"), dimensions.size());
    if (!axis || op.isRefused()) return;
    if (dimensions[*axis] != op.outputCount()) {
        return op.refuseInput(0, fmt::format("has size {} along axis {}", dimensions[*axis], *axis),
                              fmt::format("{}, the number of outputs", op.outputCount()));
    }
    std::vector<uint32_t> parts = {op.operand(0)};
    if (op.outputCount() > 1) {
        Dimensions part = dimensions;
        part[*axis] = 1;
        const uint32_t in = parts.front();
        parts.clear();
        for (size_t i = 0; i < op.outputCount(); ++i) parts.push_back(op.like(in, part));
        op.emit({SPLIT,
                 {in, op.scalarOf(*axis), op.scalarOf(static_cast<int32_t>(op.outputCount()))},
                 parts});
    }
    for (size_t i = 0; i < op.outputCount(); ++i) {
        op.emit({RESHAPE,
                 {parts[i], shapeOperand(op, dimensionsOf(op.output(i)))},
                 {op.result(i)}});
    }
}

void pack(Conversion& op) {
    const Dimensions dimensions = op.output(0).dimensions;
    const auto number = op.axisOf(op.number("axis"), dimensions.size());
    if (!number || op.isRefused()) return;
    const uint32_t axis = op.scalarOf(*number);
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < op.inputCount(); ++i) inputs.push_back(op.operand(i));
    // Scalars are tensors of rank 1 here, and packed ones as well.
    const bool areScalars = dimensions.size() == 1;
    if (areScalars) return concatenateAlong(op, *number);
    if (op.isForTarget(kVersionFeatureLevel6)) {
        inputs.insert(inputs.begin(), axis);
        return op.emit({PACK, std::move(inputs), {op.result()}});
    }
    Dimensions one = dimensions;
    one[*number] = 1;
    for (uint32_t& input : inputs) {
        const uint32_t reshaped = op.like(input, one);
        op.emit({RESHAPE, {input, shapeOperand(op, one)}, {reshaped}});
        input = reshaped;
    }
    inputs.push_back(axis);
    op.emit({CONCATENATION, std::move(inputs), {op.result()}});
}

void shapeOfTensor(Conversion& op) {
    if (op.input(0).hasUnknownDimension) {
        return op.refuseInput(0, "has unknown dimensions", "known ones, as --shape gives inputs");
    }
    std::vector<int32_t> shape;
    for (const uint32_t size : op.input(0).dimensions)
        shape.push_back(saturatingCast<int32_t>(size));
    foldInts(op, shape);
}

void rankOfTensor(Conversion& op) {
    foldInts(op, {static_cast<int32_t>(op.input(0).dimensions.size())});
}

void densify(Conversion& op) {
    const auto dense = op.data(0);
    if (!dense) {
        if (!op.isRefused()) op.refuseInput(0, "is computed", "a constant");
        return;
    }
    if (op.mayMake(dense->size())) op.fold(0, op.input(0).type, {dense->begin(), dense->end()});
}

}  // namespace nn::tflite::converters
