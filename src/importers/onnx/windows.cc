// Operators that slide windows over images: convolutions and pools. Images keep their channels
// first; signals of one dimension are images of height 1.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/list_text.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

using enum OperationType;

// Along height and width.
struct WindowShape {
    std::array<int64_t, 2> kernel{1, 1}, strides{1, 1}, dilations{1, 1}, heads{0, 0}, tails{0, 0};
    std::array<int64_t, 2> overhangs{0, 0};  // of the last window, beyond the padding
    std::array<uint32_t, 2> output{};

    int64_t extent(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
    bool isDilated() const { return dilations[0] != 1 || dilations[1] != 1; }
    bool isPadded() const { return heads[0] + heads[1] + tails[0] + tails[1] > 0; }
    // True if the padding of one side holds a whole window, which no operation allows.
    bool isWiderThanWindow() const {
        return std::max(heads[0], tails[0]) >= extent(0) ||
               std::max(heads[1], tails[1]) >= extent(1);
    }
};

// The dimensions of a signal as those of an image.
Dimensions imageDimensions(const Dimensions& dimensions) {
    if (dimensions.size() != 3) return dimensions;
    return {dimensions[0], dimensions[1], 1, dimensions[2]};
}

Dimensions signalDimensions(const Dimensions& image, size_t rank) {
    return rank == 3 ? Dimensions{image[0], image[1], image[3]} : image;
}

constexpr int64_t kMaxParameter = INT32_MAX / 4;

// The axes of filters in the order of the operations; of TRANSPOSE_CONV_2D as of depthwise ones.
constexpr std::array<uint32_t, 4> kFilterAxes{0, 2, 3, 1}, kDepthwiseAxes{1, 2, 3, 0};

// Requires that a list which is given has that many numbers; false after a refusal.
bool requireList(Lowering& at, std::string_view name, std::span<const int64_t> given, size_t count,
                 int64_t least) {
    const bool isValid = given.size() == count && absl::c_all_of(given, [&](int64_t value) {
                             return value >= least && value <= kMaxParameter;
                         });
    if (isValid || given.empty()) return true;
    at.refuse("", fmt::format("has {} {}", name, listText(given)),
              fmt::format("{} numbers of at least {}", count, least));
    return false;
}

// Reads a list with an entry for each spatial axis; false after a refusal.
bool readAxes(Lowering& at, std::string_view name, size_t rank, int64_t least,
              std::array<int64_t, 2>& values) {
    const std::vector<int64_t> given = at.integers(name);
    if (!requireList(at, name, given, rank - 2, least)) return false;
    std::copy_backward(given.begin(), given.end(), values.end());
    return true;
}

bool readPads(Lowering& at, size_t rank, WindowShape& window) {
    const std::vector<int64_t> given = at.integers("pads");
    const size_t axes = rank - 2;
    if (!requireList(at, "pads", given, 2 * axes, 0)) return false;
    for (size_t i = 0; i < given.size() / 2; ++i) {
        window.heads[2 - axes + i] = given[i];
        window.tails[2 - axes + i] = given[axes + i];
    }
    return true;
}

// Strides, dilations and paddings; false after a refusal. The kernel is set.
bool readWindow(Lowering& at, const Dimensions& image, size_t rank, WindowShape& window) {
    if (!readAxes(at, "strides", rank, 1, window.strides) ||
        !readAxes(at, "dilations", rank, 1, window.dilations)) {
        return false;
    }
    const UntrustedText scheme = at.text("auto_pad", "NOTSET");
    const bool isSame = scheme == "SAME_UPPER" || scheme == "SAME_LOWER";
    if (scheme == "NOTSET" || scheme.raw.empty()) {
        if (!readPads(at, rank, window)) return false;
    } else if (!isSame && scheme != "VALID") {
        at.refuse("", fmt::format("has auto_pad {}", scheme.beginning()),
                  "NOTSET, VALID, SAME_UPPER, SAME_LOWER");
        return false;
    }
    for (size_t axis = 0; axis < 2; ++axis) {
        const int64_t size = image[2 + axis];
        const int64_t stride = window.strides[axis];
        if (isSame) {
            const int64_t wanted = (size + stride - 1) / stride;
            const int64_t total =
                    std::max<int64_t>(0, (wanted - 1) * stride + window.extent(axis) - size);
            const int64_t less = total / 2;
            window.heads[axis] = scheme == "SAME_UPPER" ? less : total - less;
            window.tails[axis] = total - window.heads[axis];
        }
        if (window.heads[axis] > kMaxParameter || window.tails[axis] > kMaxParameter) {
            at.refuse("",
                      fmt::format("has a padding of {} and {}", window.heads[axis],
                                  window.tails[axis]),
                      fmt::format("at most {}", kMaxParameter));
            return false;
        }
        const int64_t room = size + window.heads[axis] + window.tails[axis] - window.extent(axis);
        if (room < 0) {
            at.refuseDimensions(0, "an image into which the window fits");
            return false;
        }
        // The last window that begins in the image counts where sizes are rounded up.
        if (at.integer("ceil_mode", 0) != 0 && room % stride != 0 &&
            (room / stride + 1) * stride < size + window.heads[axis]) {
            window.overhangs[axis] = stride - room % stride;
            window.output[axis] = static_cast<uint32_t>(room / stride + 2);
        } else {
            window.output[axis] = static_cast<uint32_t>(room / stride + 1);
        }
    }
    return true;
}

void appendWindow(Lowering& at, const WindowShape& window, std::vector<uint32_t>& inputs) {
    auto& builder = at.builder();
    for (const int64_t value :
         {window.heads[1], window.tails[1] + window.overhangs[1], window.heads[0],
          window.tails[0] + window.overhangs[0], window.strides[1], window.strides[0]}) {
        inputs.push_back(builder.scalar(static_cast<int32_t>(value)));
    }
}

// The order of the data, and the dilation where there is one.
void appendDilations(Lowering& at, const WindowShape& window, std::vector<uint32_t>& inputs) {
    inputs.push_back(at.builder().scalar(true));
    if (!window.isDilated()) return;
    inputs.push_back(at.builder().scalar(static_cast<int32_t>(window.dilations[1])));
    inputs.push_back(at.builder().scalar(static_cast<int32_t>(window.dilations[0])));
}

// Emits an operation on images, and gives signals their rank back.
void emitOnImage(Lowering& at, OperationType operation, std::vector<uint32_t> inputs,
                 const Dimensions& image, size_t rank) {
    const uint32_t output = at.defineLike(0, 0, signalDimensions(image, rank));
    if (rank == 4) return at.emit({operation, std::move(inputs), {output}});
    const uint32_t wide = at.temporary(output, image);
    at.emit({operation, std::move(inputs), {wide}});
    at.reshape(wide, at.operandDims(output), output);
}

// Zeros around an image, for pools that count them and for windows that would lie in them alone.
uint32_t paddedImage(Lowering& at, uint32_t image, WindowShape& window) {
    Dimensions dimensions = at.operandDims(image);
    std::vector<int32_t> paddings(4, 0);
    for (size_t axis = 0; axis < 2; ++axis) {
        paddings.push_back(static_cast<int32_t>(window.heads[axis]));
        paddings.push_back(static_cast<int32_t>(window.tails[axis]));
        dimensions[2 + axis] += static_cast<uint32_t>(window.heads[axis] + window.tails[axis]);
    }
    window.heads = window.tails = {0, 0};
    const uint32_t padded = at.temporary(image, dimensions);
    emitPad(at, image, paddings, 0, padded);
    return padded;
}

// Checks the dimensions of a convolution's filter; false after a refusal.
bool checkFilter(Lowering& at, const Dimensions& image, const Dimensions& filter, int64_t group,
                 int64_t channels) {
    const bool isValid = group > 0 && group <= image[1] && image[1] % group == 0 &&
                         at.rank(1) == at.rank(0) && channels == image[1] &&
                         !absl::c_linear_search(filter, 0u);
    if (isValid) return true;
    at.refuse(1, fmt::format("has the dimensions {}, with {} groups", shapeText(at.dims(1)), group),
              fmt::format("a filter for {}", shapeText(at.dims(0))));
    return false;
}

struct Groups {
    uint32_t count = 1;
    uint32_t filterAxis = 0;  // along which the filter is divided
};

// The parts of an operand along an axis.
std::vector<uint32_t> partsOf(Lowering& at, uint32_t operand, uint32_t axis, uint32_t count) {
    Dimensions dimensions = at.operandDims(operand);
    dimensions[axis] /= count;
    std::vector<uint32_t> parts;
    for (uint32_t i = 0; i < count; ++i) parts.push_back(at.temporary(operand, dimensions));
    at.emit({SPLIT, {operand, at.builder().scalar(axis), at.builder().scalar(count)}, parts});
    return parts;
}

// A convolution for each group, for forms that operations with groups lack: of its part of the
// image, of the filter and of the bias.
void emitByGroups(Lowering& at, OperationType operation, std::vector<uint32_t> inputs,
                  const Groups& groups, const Dimensions& image, size_t rank) {
    if (!at.isFloat(0)) {
        at.refuseType(0, "float, float16 for such groups");
    }
    if (!at.ok() || !at.fitsSteps(groups.count)) return;
    const auto data = partsOf(at, inputs[0], 1, groups.count);
    const auto filters = partsOf(at, inputs[1], groups.filterAxis, groups.count);
    const auto biases = partsOf(at, inputs[2], 0, groups.count);
    Dimensions dimensions = image;
    dimensions[1] /= groups.count;
    std::vector<uint32_t> results;
    for (uint32_t i = 0; i < groups.count; ++i) {
        inputs[0] = data[i];
        inputs[1] = filters[i];
        inputs[2] = biases[i];
        results.push_back(at.apply(operation, inputs, data[i], dimensions));
    }
    results.push_back(at.builder().scalar(1));
    emitOnImage(at, CONCATENATION, std::move(results), image, rank);
}

}  // namespace

void lowerConv(Lowering& at, OperationType) {
    if (!requireScaled(at, 0) || !at.requireRank(0, 3, 4) || !at.requireRank(1, 3, 4)) return;
    const size_t rank = at.rank(0);
    const Dimensions image = imageDimensions(at.dims(0));
    const Dimensions filter = imageDimensions(at.dims(1));
    const int64_t group = at.integer("group", 1);
    WindowShape window{.kernel = {filter[2], filter[3]}};
    // Of one group; more groups than channels are refused.
    const int64_t groups = std::min<int64_t>(std::max<int64_t>(group, 1), image[1]);
    const bool fits = checkFilter(at, image, filter, group, filter[1] * groups);
    if (!fits || !readWindow(at, image, rank, window)) return;
    if (filter[0] % group != 0) {
        return at.refuse(1, fmt::format("has {} output channels", filter[0]),
                         "a multiple of the groups");
    }
    const bool isDepthwise = group > 1 && filter[1] == 1;
    const bool isSplit = group > 1 && !isDepthwise && window.isDilated();
    uint32_t data = at.reshaped(at.operand(0), image);
    if (window.isWiderThanWindow()) data = paddedImage(at, data, window);
    const uint32_t weights = filterOperand(
            at, 1, filter, isDepthwise ? kDepthwiseAxes : kFilterAxes, isDepthwise ? 3 : 0);
    std::vector<uint32_t> inputs{data, weights, biasOperand(at, 2, filter[0], data, weights)};
    appendWindow(at, window, inputs);
    auto& builder = at.builder();
    const Dimensions result{image[0], filter[0], window.output[0], window.output[1]};
    OperationType operation = CONV_2D;
    if (isDepthwise) {
        operation = DEPTHWISE_CONV_2D;
        inputs.push_back(builder.scalar(static_cast<int32_t>(filter[0] / group)));
    } else if (group > 1 && !isSplit) {
        operation = GROUPED_CONV_2D;
        inputs.push_back(builder.scalar(static_cast<int32_t>(group)));
    }
    inputs.push_back(builder.scalar(at.fuseActivation()));
    appendDilations(at, window, inputs);
    if (isSplit) {
        return emitByGroups(at, operation, std::move(inputs), {static_cast<uint32_t>(group), 0},
                            result, rank);
    }
    emitOnImage(at, operation, std::move(inputs), result, rank);
}

namespace {

// The filter of a ConvInteger, less its zero points, as real numbers in the order of CONV_2D or
// DEPTHWISE_CONV_2D. Sums of products with 255 must be below 2^24, up to which real numbers hold
// every integer. Empty after a refusal.
std::optional<Constant> wholeFilter(Lowering& at, const Dimensions& filter, bool isDepthwise) {
    const auto elements = at.constantIntegers(1);
    auto zeroPoints = at.has(3) ? at.constantIntegers(3) : std::vector<int64_t>{0};
    if (!elements || !zeroPoints || !at.fitsConstants(filter)) return std::nullopt;
    const size_t outputs = filter[0], size = elements->size() / std::max<size_t>(outputs, 1);
    if (zeroPoints->size() == 1) zeroPoints->resize(outputs, zeroPoints->front());
    if (zeroPoints->size() != outputs) {
        at.refuse(3, fmt::format("has {} elements", zeroPoints->size()), "one for each filter");
        return std::nullopt;
    }
    std::vector<float> values;
    for (size_t i = 0; i < outputs; ++i) {
        int64_t sum = 0;
        for (size_t k = 0; k < size; ++k) {
            const int64_t value = (*elements)[i * size + k] - (*zeroPoints)[i];
            sum += std::abs(value);
            values.push_back(static_cast<float>(value));
        }
        if (sum * 255 < 1 << 24) continue;
        at.refuse(1, "has a filter whose sums reach 2^24", "sums that real numbers hold");
        return std::nullopt;
    }
    return transposed(makeFloats(filter, values), isDepthwise ? kDepthwiseAxes : kFilterAxes);
}

// An image of 8 bits, less its zero point, as real numbers.
uint32_t wholeImage(Lowering& at, const Dimensions& image, int64_t zeroPoint) {
    const uint32_t input = at.reshaped(at.operand(0), image);
    const uint32_t value = at.builder().temporary(OperandType::TENSOR_FLOAT32, image);
    at.emit({DEQUANTIZE, {input}, {value}});
    if (zeroPoint == 0) return value;
    const auto number = static_cast<float>(zeroPoint);
    return arithmetic(at, SUB, value, at.reals(value, {number}));
}

}  // namespace

// A convolution of real numbers, which is exact for integers as small as these.
void lowerConvInteger(Lowering& at, OperationType) {
    if (!at.requireRank(0, 3, 4) || !at.requireRank(1, 3, 4)) return;
    for (size_t i = 0; i < at.inputCount(); ++i) {
        if (!at.has(i)) continue;
        const ElementType type = at.in(i).type;
        const bool isByte = type == ElementType::UINT8 || type == ElementType::INT8;
        if (!isByte || at.in(i).quantization) {
            at.refuse(i, "is of " + toString(type), "uint8, int8 without a scale");
        }
    }
    const auto zeroPoints = at.has(2) ? at.constantIntegers(2) : std::vector<int64_t>{0};
    if (!zeroPoints || !at.ok()) return;
    const size_t rank = at.rank(0);
    const Dimensions image = imageDimensions(at.dims(0)), filter = imageDimensions(at.dims(1));
    const int64_t group = at.integer("group", 1);
    WindowShape window{.kernel = {filter[2], filter[3]}};
    const bool isDepthwise = group > 1 && filter[1] == 1;
    const int64_t groups = std::min<int64_t>(std::max<int64_t>(group, 1), image[1]);
    if (!checkFilter(at, image, filter, group, filter[1] * groups)) return;
    if (zeroPoints->size() != 1 || (group > 1 && !isDepthwise) || filter[0] % group != 0) {
        return at.refuse("", "has groups of several channels, or several zero points", "one");
    }
    if (!readWindow(at, image, rank, window)) return;
    const auto values = wholeFilter(at, filter, isDepthwise);
    if (!values) return;
    auto& builder = at.builder();
    const uint32_t data = wholeImage(at, image, zeroPoints->front());
    if (!at.fitsConstants({filter[0]})) return;
    const uint32_t zeros = at.reals(data, std::vector<float>(filter[0], 0));
    std::vector<uint32_t> inputs{data, at.constantOperand(*values), zeros};
    appendWindow(at, window, inputs);
    if (isDepthwise) inputs.push_back(builder.scalar(static_cast<int32_t>(filter[0] / group)));
    inputs.push_back(builder.scalar(0));
    appendDilations(at, window, inputs);
    const Dimensions result{image[0], filter[0], window.output[0], window.output[1]};
    const uint32_t sums = at.apply(isDepthwise ? DEPTHWISE_CONV_2D : CONV_2D, inputs, data, result);
    const Dimensions shape = signalDimensions(result, rank);
    const uint32_t shaped = at.reshaped(sums, shape);
    at.emit({CAST, {shaped}, {at.define(0, ElementType::INT32, shape)}});
}

// Sizes and paddings of the result; false after a refusal.
static bool readBackwardWindow(Lowering& at, const Dimensions& image, size_t rank,
                               WindowShape& window) {
    std::array<int64_t, 2> extra{0, 0}, wanted{0, 0};
    if (!readAxes(at, "strides", rank, 1, window.strides) ||
        !readAxes(at, "dilations", rank, 1, window.dilations) ||
        !readAxes(at, "output_padding", rank, 0, extra) || !readPads(at, rank, window)) {
        return false;
    }
    std::vector<int64_t> shape = at.integers("output_shape");
    if (shape.size() == rank) shape.erase(shape.begin(), shape.begin() + 2);
    const UntrustedText scheme = at.text("auto_pad", "NOTSET");
    for (size_t axis = 4 - rank; axis < 2; ++axis) {
        if (absl::c_any_of(shape, [](int64_t one) { return one > INT32_MAX; })) {
            at.refuse("", fmt::format("has output_shape {}", listText(shape)),
                      "sizes of at most 2^31 - 1");
            return false;
        }
        const int64_t full =
                window.strides[axis] * (image[2 + axis] - 1) + window.extent(axis) + extra[axis];
        if (!shape.empty() && shape.size() == rank - 2) wanted[axis] = shape[axis - (4 - rank)];
        if (shape.empty() && scheme.raw.starts_with("SAME")) {
            wanted[axis] = image[2 + axis] * window.strides[axis];
        }
        if (wanted[axis] > 0) {
            const int64_t total = std::max<int64_t>(0, full - wanted[axis]);
            window.heads[axis] = scheme == "SAME_UPPER" ? total / 2 : total - total / 2;
            window.tails[axis] = total - window.heads[axis];
            extra[axis] += std::max<int64_t>(0, wanted[axis] - full);
        }
        // Elements added at the end reduce the padding there.
        window.tails[axis] -= extra[axis];
        const int64_t size = window.strides[axis] * (image[2 + axis] - 1) + window.extent(axis) -
                             window.heads[axis] - window.tails[axis];
        const bool isPadding = std::in_range<int32_t>(window.heads[axis]) &&
                               std::in_range<int32_t>(window.tails[axis]);
        if (size <= 0 || size > INT32_MAX || !isPadding) {
            at.refuse("", fmt::format("has a result of the size {}", size), "1 or more");
            return false;
        }
        window.output[axis] = static_cast<uint32_t>(size);
    }
    if (rank == 3) window.output[0] = 1;
    return true;
}

// The filter with zeros between its rows and columns. Empty after a refusal.
static std::optional<Constant> dilatedFilter(Lowering& at, const Dimensions& filter,
                                             const WindowShape& window) {
    if (!at.isFloat(0) || !at.requireConstant(1)) {
        at.refuse(1, "is quantized or computed", "a constant of real numbers with dilations");
        return std::nullopt;
    }
    const Constant& from = *at.in(1).constant;
    Dimensions dimensions = filter;
    for (size_t axis = 0; axis < 2; ++axis) {
        if (window.extent(axis) > kMaxParameter) {
            at.refuse("", "has a dilated filter above 2^29", "a smaller one");
            return std::nullopt;
        }
        dimensions[2 + axis] = static_cast<uint32_t>(window.extent(axis));
    }
    if (!at.fitsConstants(dimensions)) return std::nullopt;
    const size_t size = elementSize(from.type);
    const size_t rows = filter[2], columns = filter[3];
    const size_t width = dimensions[3], area = size_t{dimensions[2]} * width;
    std::vector<uint8_t> bytes(*checkedProduct<uint64_t>(dimensions) * size, 0);
    for (size_t i = 0; i < from.count(); ++i) {
        const size_t column = i % columns, row = i / columns % rows, rest = i / columns / rows;
        const size_t to = rest * area + row * static_cast<size_t>(window.dilations[0]) * width +
                          column * static_cast<size_t>(window.dilations[1]);
        std::memcpy(bytes.data() + to * size, from.bytes.data() + i * size, size);
    }
    return makeConstant(from.type, std::move(dimensions), std::move(bytes));
}

// Of several groups one after another; a dilated filter gets zeros.
void lowerConvTranspose(Lowering& at, OperationType operation) {
    if (!requireScaled(at, 0) || !at.requireRank(0, 3, 4) || !at.requireRank(1, 3, 4)) return;
    const size_t rank = at.rank(0);
    const Dimensions image = imageDimensions(at.dims(0));
    const Dimensions filter = imageDimensions(at.dims(1));
    const int64_t group = at.integer("group", 1);
    WindowShape window{.kernel = {filter[2], filter[3]}};
    if (!checkFilter(at, image, filter, group, filter[0]) ||
        !readBackwardWindow(at, image, rank, window) || !at.ok()) {
        return;
    }
    const auto channels = checkedMul<uint32_t>(filter[1], static_cast<uint32_t>(group));
    if (!channels) return at.refuse(1, "has too many channels", "less than 2^32");
    const uint32_t data = at.reshaped(at.operand(0), image);
    uint32_t weights = 0;
    if (window.isDilated()) {
        const auto dilated = dilatedFilter(at, filter, window);
        if (!dilated) return;
        weights = at.constantOperand(transposed(*dilated, kDepthwiseAxes));
    } else {
        weights = filterOperand(at, 1, filter, kDepthwiseAxes, 0);
    }
    std::vector<uint32_t> inputs{data, weights, biasOperand(at, 2, *channels, data, weights)};
    appendWindow(at, window, inputs);
    inputs.push_back(at.builder().scalar(at.fuseActivation()));
    inputs.push_back(at.builder().scalar(true));
    const Dimensions result{image[0], *channels, window.output[0], window.output[1]};
    if (group == 1) return emitOnImage(at, operation, std::move(inputs), result, rank);
    emitByGroups(at, operation, std::move(inputs), {static_cast<uint32_t>(group), 3}, result, rank);
}

void lowerPool(Lowering& at, OperationType operation) {
    if (!at.requireRank(0, 3, 4)) return;
    const size_t rank = at.rank(0);
    const Dimensions image = imageDimensions(at.dims(0));
    const bool isAverage = operation == AVERAGE_POOL_2D;
    if (isAverage && !requireScaled(at, 0)) return;
    WindowShape window;
    if (at.message().type.raw.find("Global") != std::string_view::npos) {
        at.require("channels_last", at.integer("channels_last", 0), 0);
        window.kernel = {image[2], image[3]};
        window.output = {1, 1};
    } else if (!at.hasAttribute("kernel_shape")) {
        at.refuse("", "has no kernel_shape", "one");
    } else if (readAxes(at, "kernel_shape", rank, 1, window.kernel)) {
        readWindow(at, image, rank, window);
    }
    if (window.isDilated()) at.refuse("", "has dilations", "none");
    const bool countsPadding = isAverage && at.integer("count_include_pad", 0) != 0;
    if (!at.ok()) return;
    uint32_t data = at.reshaped(at.operand(0), image);
    if (countsPadding && window.isPadded()) data = paddedImage(at, data, window);
    std::vector<uint32_t> inputs{data};
    appendWindow(at, window, inputs);
    inputs.push_back(at.builder().scalar(static_cast<int32_t>(window.kernel[1])));
    inputs.push_back(at.builder().scalar(static_cast<int32_t>(window.kernel[0])));
    inputs.push_back(at.builder().scalar(at.isFloat(0) ? at.fuseActivation() : 0));
    inputs.push_back(at.builder().scalar(true));
    emitOnImage(at, operation, std::move(inputs),
                {image[0], image[1], window.output[0], window.output[1]}, rank);
}

}  // namespace nn::onnx
