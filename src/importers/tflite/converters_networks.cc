// Convolutions, products of matrices, recurrent cells, control flow.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/list_text.h"
#include "base/plurals.h"
#include "importers/tflite/constants.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/converters.h"
#include "nnapi/checked_math.h"

namespace nn::tflite::converters {
namespace {

using enum OperationType;

// SAME and VALID are 0 and 1 in files, 1 and 2 in models.
uint32_t padding(Conversion& op) { return op.scalarOf(op.number("padding") + 1); }

// Steps along the width and the height, as all windows have them.
void addStrides(Conversion& op, std::vector<uint32_t>& inputs) {
    inputs.push_back(op.scalarOf(op.number("stride_w")));
    inputs.push_back(op.scalarOf(op.number("stride_h")));
}

// What convolutions with that many outputs begin with.
std::vector<uint32_t> windowInputs(Conversion& op, uint32_t units) {
    std::vector<uint32_t> inputs = {op.operand(0), op.weights(1), op.bias(2, 0, 1, units),
                                    padding(op)};
    addStrides(op, inputs);
    return inputs;
}

// Layout and dilation, from HAL 1.2 on, only where something is dilated.
void addDilation(Conversion& op, std::vector<uint32_t>& inputs) {
    const int32_t width = op.number("dilation_w_factor"), height = op.number("dilation_h_factor");
    if (width == 1 && height == 1) return;
    inputs.insert(inputs.end(), {op.scalarOf(false), op.scalarOf(width), op.scalarOf(height)});
}

bool hasRank(Conversion& op, size_t i, size_t rank) {
    if (op.input(i).dimensions.size() == rank) return true;
    const FileTensor& tensor = op.input(i);
    op.refuseInput(i,
                   tensor.mayHaveAnyRank && !tensor.hasData
                           ? "has no dimensions in the file"
                           : fmt::format("has rank {}", tensor.dimensions.size()),
                   fmt::format("rank {}", rank));
    return false;
}

}  // namespace

void convolution(Conversion& op) {
    if (!hasRank(op, 0, 4) || !hasRank(op, 1, 4)) return;
    const uint32_t channels = op.input(0).dimensions[3];
    const uint32_t ofGroup = op.input(1).dimensions[3], units = op.input(1).dimensions[0];
    std::vector<uint32_t> inputs = windowInputs(op, units);
    if (channels == ofGroup || channels == 0 || ofGroup == 0) {
        inputs.push_back(op.activation());
        addDilation(op, inputs);
        return op.emit({CONV_2D, std::move(inputs), {op.result()}});
    }
    if (channels % ofGroup != 0) {
        return op.refuseInput(
                1, fmt::format("has {} channels beside {} of the input", ofGroup, channels),
                "a divisor of them");
    }
    if (op.number("dilation_w_factor") != 1 || op.number("dilation_h_factor") != 1) {
        op.refuse("has a dilation and groups of channels", "one of them");
    }
    inputs.push_back(op.scalarOf(channels / ofGroup));
    inputs.push_back(op.activation());
    inputs.push_back(op.scalarOf(false));
    op.emit({GROUPED_CONV_2D, std::move(inputs), {op.result()}});
}

void depthwiseConvolution(Conversion& op) {
    if (!hasRank(op, 0, 4) || !hasRank(op, 1, 4)) return;
    const uint32_t channels = op.input(0).dimensions[3], units = op.input(1).dimensions[3];
    std::vector<uint32_t> inputs = windowInputs(op, units);
    // TensorFlow Lite ignores the option, and so do its files.
    const int32_t multiplier =
            channels != 0 ? static_cast<int32_t>(units / channels) : op.number("depth_multiplier");
    inputs.push_back(op.scalarOf(multiplier));
    inputs.push_back(op.activation());
    addDilation(op, inputs);
    op.emit({DEPTHWISE_CONV_2D, std::move(inputs), {op.result()}});
}

namespace {

constexpr int32_t kSame = 1, kValid = 2;  // padding in models

// An axis of a transposed convolution: the elements that are cut off at its begin and its end, of
// which those below 0 are added.
struct BackwardAxis {
    int64_t input = 0, filter = 0, stride = 0;
    int64_t head = 0, tail = 0;

    // Without padding. A product of 32 bits each, and a sum, are below 2^63.
    int64_t whole() const { return (input - 1) * stride + filter; }
    int64_t output() const { return whole() - head - tail; }
};

void addExplicitPadding(Conversion& op, std::vector<uint32_t>& inputs, const BackwardAxis& height,
                        const BackwardAxis& width) {
    for (const int64_t cut : {width.head, width.tail, height.head, height.tail}) {
        inputs.push_back(op.scalarOf(static_cast<int32_t>(cut)));
    }
}

// TensorFlow Lite leaves rows and columns at the end of a larger output without products if they
// are fewer than the steps. Empty for another output, as for one that is not constant.
std::optional<std::array<BackwardAxis, 2>> largerOutput(Conversion& op) {
    if (op.number("padding") + 1 != kValid || !op.isConstant(0)) return std::nullopt;
    const auto size = op.ints(0);
    const Dimensions &in = op.input(2).dimensions, &filter = op.input(1).dimensions;
    const int32_t strides[] = {op.number("stride_h"), op.number("stride_w")};
    if (!size || size->size() != 4 || in.size() != 4) return std::nullopt;
    std::array<BackwardAxis, 2> axes;
    for (size_t i = 0; i < 2; ++i) {
        axes[i] = {.input = in[i + 1], .filter = filter[i + 1], .stride = strides[i]};
        if (in[i + 1] == 0 || filter[i + 1] == 0 || strides[i] <= 0) return std::nullopt;
        axes[i].tail = axes[i].whole() - (*size)[i + 1];
        if (axes[i].tail > 0 || axes[i].tail <= -strides[i]) return std::nullopt;
    }
    return axes[0].tail != 0 || axes[1].tail != 0 ? std::optional(axes) : std::nullopt;
}

}  // namespace

// Inputs of the operator: output shape, filter, images, bias.
void transposeConvolution(Conversion& op) {
    if (!hasRank(op, 1, 4)) return;
    std::vector<uint32_t> inputs = {op.operand(2), op.weights(1, 2),
                                    op.bias(3, 2, 1, op.input(1).dimensions[0])};
    if (const auto larger = largerOutput(op)) {
        addExplicitPadding(op, inputs, (*larger)[0], (*larger)[1]);
    } else {
        inputs.insert(inputs.end(), {op.intTensor(0, true), padding(op)});
    }
    addStrides(op, inputs);
    inputs.push_back(op.activation());
    inputs.push_back(op.scalarOf(false));
    op.emit({TRANSPOSE_CONV_2D, std::move(inputs), {op.result()}});
}

namespace {

// The options of Convolution2DTransposeBias: a C struct of little-endian numbers.
struct BiasedTransposeOptions {
    int32_t padding = 0, strideWidth = 0, strideHeight = 0;
};

std::optional<BiasedTransposeOptions> biasedTransposeOptions(Conversion& op) {
    constexpr size_t kNumbers = 3;
    const std::span<const uint8_t> bytes = op.customOptions();
    if (bytes.size() != kNumbers * sizeof(int32_t)) {
        op.refuse(fmt::format("has options of {}", Plural{bytes.size(), "bytes"}), "12");
        return std::nullopt;
    }
    std::array<uint32_t, kNumbers> numbers{};
    for (size_t i = 0; i < bytes.size(); ++i) {
        numbers[i / 4] |= uint32_t{bytes[i]} << (i % 4 * 8);
    }
    const BiasedTransposeOptions options{.padding = static_cast<int32_t>(numbers[0]),
                                         .strideWidth = static_cast<int32_t>(numbers[1]),
                                         .strideHeight = static_cast<int32_t>(numbers[2])};
    if (options.padding != kSame && options.padding != kValid) {
        op.refuse(fmt::format("has padding {}", options.padding), "1 (SAME), 2 (VALID)");
    }
    for (const auto& [name, stride] : {std::pair("stride_width", options.strideWidth),
                                       std::pair("stride_height", options.strideHeight)}) {
        if (stride < 1) op.refuse(fmt::format("has {} {}", name, stride), "1 or more");
    }
    return op.isRefused() ? std::nullopt : std::optional(options);
}

// With the padding SAME, MediaPipe cuts off the rest of a window behind the last step.
BackwardAxis biasedTransposeAxis(uint32_t input, uint32_t filter, int32_t stride, bool isSame) {
    BackwardAxis axis{.input = input, .filter = filter, .stride = stride};
    if (!isSame) return axis;
    const int64_t cut = std::max<int64_t>(0, axis.filter - (axis.input - 1) % axis.stride - 1);
    axis.head = cut / 2;
    axis.tail = cut - axis.head;
    return axis;
}

}  // namespace

// Inputs of the operator: images, filter, bias.
void biasedTransposeConvolution(Conversion& op) {
    if (!hasRank(op, 0, 4) || !hasRank(op, 1, 4)) return;
    const auto options = biasedTransposeOptions(op);
    for (size_t i = 0; i < 3; ++i) {
        if (op.input(i).type == TensorType::FLOAT32) continue;
        op.refuseInput(i, "is " + nameOf(op.input(i).type), "FLOAT32");
    }
    const Dimensions in = op.input(0).dimensions, filter = op.input(1).dimensions;
    if (in[1] == 0 || in[2] == 0 || filter[1] == 0 || filter[2] == 0) {
        op.refuse("has an image or a filter of unknown size", "known sizes");
    }
    if (op.isRefused()) return;
    const bool isSame = options->padding == kSame;
    const auto height = biasedTransposeAxis(in[1], filter[1], options->strideHeight, isSame);
    const auto width = biasedTransposeAxis(in[2], filter[2], options->strideWidth, isSame);
    if (height.output() > INT32_MAX || width.output() > INT32_MAX) {
        return op.refuse(fmt::format("computes images of {} x {}", height.output(), width.output()),
                         "less than 2^31");
    }
    const Dimensions computed = {in[0], static_cast<uint32_t>(height.output()),
                                 static_cast<uint32_t>(width.output()), filter[0]};
    const FileTensor& output = op.output(0);
    if (output.mayHaveAnyRank || output.hasUnknownDimension) {
        op.setDimensions(0, computed);
    } else if (output.dimensions != computed) {
        return op.refuseOutput(0, fmt::format("has the dimensions {}", listText(output.dimensions)),
                               listText(computed));
    }
    std::vector<uint32_t> inputs = {op.operand(0), op.operand(1), op.operand(2)};
    addExplicitPadding(op, inputs, height, width);
    inputs.insert(inputs.end(),
                  {op.scalarOf(options->strideWidth), op.scalarOf(options->strideHeight),
                   op.scalarOf(0), op.scalarOf(false)});
    op.emit({TRANSPOSE_CONV_2D, std::move(inputs), {op.result()}});
}

void fullyConnected(Conversion& op) {
    if (!hasRank(op, 1, 2)) return;
    if (op.number("weights_format") != 0) {
        return op.refuse("has shuffled weights", "weights_format DEFAULT");
    }
    const uint32_t units = op.input(1).dimensions[0], width = op.input(1).dimensions[1];
    uint32_t in = op.operand(0);
    const uint32_t out = op.result();
    if (op.isRefused()) return;
    if (op.input(0).dimensions.size() < 2) {
        const Dimensions& given = op.input(0).dimensions;
        const uint32_t rows = !given.empty() && given[0] == width ? 1 : 0;  // 0: unknown
        const uint32_t matrix = op.like(in, {rows, width});
        op.emit({RESHAPE,
                 {in, op.builder().vector({-1, saturatingCast<int32_t>(width)})},
                 {matrix}});
        in = matrix;
    }
    const std::vector<uint32_t> inputs = {in, op.weights(1), op.bias(2, 0, 1, units),
                                          op.activation()};
    const Dimensions dimensions = op.builder().operand(out).dimensions;
    if (dimensions.size() == 2) return op.emit({FULLY_CONNECTED, inputs, {out}});
    // keep_num_dims: all dimensions of the output but the last are those of the input.
    const auto rows = checkedProduct<uint32_t>(std::span(dimensions).first(dimensions.size() - 1));
    const uint32_t product = op.like(out, {rows.value_or(0), units});
    op.emit({FULLY_CONNECTED, inputs, {product}});
    op.emit({RESHAPE, {product, op.builder().vector(shapeOf(dimensions))}, {out}});
}

void lshProjection(Conversion& op) {
    // The type SPARSE of files is the one that NNAPI has added later, as 3.
    const auto type = static_cast<LSHProjectionType>(op.number("type"));
    if (type != LSHProjectionType::SPARSE && type != LSHProjectionType::DENSE) {
        return op.refuse("has an unknown type of projection", "SPARSE, DENSE");
    }
    if (op.hasInput(1) && op.isMadeUnsigned(op.input(1))) {
        return op.refuseInput(1, "is INT8, whose bytes LSH_PROJECTION hashes",
                              "FLOAT32, INT32, UINT8");
    }
    const uint32_t weights = op.operandOrNoValue(2, OperandType::TENSOR_FLOAT32);
    op.emit({LSH_PROJECTION,
             {op.operand(0), op.operand(1), weights,
              op.scalarOf(type == LSHProjectionType::DENSE ? 2 : 3)},
             {op.result()}});
}

// ---------------------------------------------------------------------------------------------
// LSTM

namespace {

// The operands of a full cell are in the order of the operator, as a row could say, but that
// another form of the operator has the same name.
constexpr Row kFullLstm{
        .inputs =
                "0 weights(1)? weights(2) weights(3) weights(4) weights(5)? weights(6) weights(7) "
                "weights(8) weights(9)? weights(10)? weights(11)? 12? 13 14 15 weights(16)? 17? "
                "state(18) state(19) activation cell_clip proj_clip [20? 21? 22? 23?]",
        .outputs = "scratch state(18) state(19) 0"};

// Inputs of the basic cell: input, output before, weights, bias, state before. Rows of the weights
// are those of the gates one after the other, columns those of the input and of the output before.
// QUANTIZED_16BIT_LSTM multiplies the input and the output before, one after the other, with the
// recurrent weights and the input weights, one after the other: a row's first columns, as many as
// there are units, are its recurrent weights, whatever they are multiplied with.
class BasicLstm {
   public:
    explicit BasicLstm(Conversion& op) : mOp(op) {}

    void convert() {
        if (!mOp.hasInputs(5) || !mOp.hasOutputs(2) || !readSizes()) return;
        const auto weights = mOp.data(2);
        const auto biases = mOp.ints(3);
        const auto size = checkedMul<uint64_t>(uint64_t{4} * mUnits, uint64_t{mWidth} + mUnits);
        if (!weights || !biases || weights->size() != size ||
            biases->size() != size_t{4} * mUnits) {
            if (!mOp.isRefused()) mOp.refuseInput(2, "is no constant of the size of four gates");
            return;
        }
        if (!mOp.mayMake(weights->size())) return;
        mWeights = *weights;
        std::vector<uint32_t> inputs = {mOp.operand(0)};
        // Gates of the file: input, cell, forget, output; of the operation: input, forget, cell,
        // output.
        constexpr size_t kGates[] = {0, 2, 1, 3};
        for (const size_t gate : kGates) inputs.push_back(part(gate, mUnits, mWidth));
        for (const size_t gate : kGates) inputs.push_back(part(gate, 0, mUnits));
        for (const size_t gate : kGates) inputs.push_back(bias(gate, *biases));
        inputs.push_back(mOp.operand(4));
        inputs.push_back(mOp.operand(1));
        mOp.lose("LSTM", "QUANTIZED_16BIT_LSTM", "steps in fixed point are rounded otherwise");
        mOp.emit({QUANTIZED_16BIT_LSTM, inputs, {mOp.result(1), mOp.result(0)}});
        addState(1, 0);
        addState(4, 1);
    }

   private:
    bool readSizes() {
        const Dimensions& input = mOp.input(0).dimensions;
        const Dimensions& output = mOp.input(1).dimensions;
        if (input.size() != 2 || output.size() != 2 || mOp.input(2).type != TensorType::UINT8) {
            mOp.refuse("is a basic LSTM of other types or ranks than UINT8 and 2");
            return false;
        }
        mWidth = input[1];
        mUnits = output[1];
        return true;
    }

    uint32_t part(size_t gate, size_t firstColumn, size_t columns) {
        const size_t rowBytes = size_t{mWidth} + mUnits;
        std::vector<uint8_t> bytes;
        for (size_t row = gate * mUnits; row < (gate + 1) * mUnits; ++row) {
            const auto from = mWeights.subspan(row * rowBytes + firstColumn, columns);
            bytes.insert(bytes.end(), from.begin(), from.end());
        }
        Operand operand{.type = OperandType::TENSOR_QUANT8_ASYMM,
                        .dimensions = {mUnits, static_cast<uint32_t>(columns)},
                        .scale = mOp.input(2).scale,
                        .zeroPoint = static_cast<int32_t>(mOp.input(2).zeroPoint)};
        return mOp.builder().constant(std::move(operand), bytes);
    }

    uint32_t bias(size_t gate, const std::vector<int32_t>& biases) {
        const auto values = std::span(biases).subspan(gate * mUnits, mUnits);
        Operand operand{.type = OperandType::TENSOR_INT32,
                        .dimensions = {mUnits},
                        .scale = mOp.input(3).scale};
        return mOp.builder().constant(std::move(operand), importing::bytesOf(values));
    }

    // The output of an execution is the value before the next one.
    void addState(size_t input, size_t output) {
        if (!mOp.input(input).isVariable || mOp.isRefused()) return;
        mOp.host().addState(mOp.inputTensor(input), mOp.operand(input), mOp.result(output));
    }

    Conversion& mOp;
    std::span<const uint8_t> mWeights;
    uint32_t mWidth = 0;
    uint32_t mUnits = 0;
};

}  // namespace

void lstm(Conversion& op) {
    if (op.number("kernel_type") == static_cast<int32_t>(LSTMKernelType::BASIC)) {
        BasicLstm(op).convert();
        return;
    }
    if (op.input(0).isQuantized()) {
        return op.refuseInput(
                0,
                "is " + nameOf(op.input(0).type) +
                        ": an integer LSTM of TensorFlow Lite, whose gates have scales of "
                        "their own",
                "FLOAT32; weights alone may be quantized");
    }
    Row row = kFullLstm;
    row.operation = LSTM;
    op.apply(row);
}

// ---------------------------------------------------------------------------------------------
// Control flow

// The inputs of the operator from the first on follow those that are given.
static void call(Conversion& op, OperationType type, std::vector<uint32_t> inputs, size_t first) {
    std::vector<uint32_t> outputs;
    for (size_t i = first; i < op.inputCount(); ++i) inputs.push_back(op.operand(i));
    for (size_t i = 0; i < op.outputCount(); ++i) outputs.push_back(op.result(i));
    op.emit({type, std::move(inputs), std::move(outputs)});
}

void branch(Conversion& op) {
    call(op, IF,
         {op.operand(0), op.graphReference("then_subgraph_index"),
          op.graphReference("else_subgraph_index")},
         1);
}

void loop(Conversion& op) {
    call(op, WHILE,
         {op.graphReference("cond_subgraph_index"), op.graphReference("body_subgraph_index")}, 0);
}

// Only composite operators that are not replaced are converted.
void composite(Conversion& op) { op.refuse(op.compositeRefusal()); }

}  // namespace nn::tflite::converters
