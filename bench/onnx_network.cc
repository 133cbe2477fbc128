#include "onnx_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

#include "importers/onnx_file.h"
#include "nnapi/kernel/windows.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

using kernel::PaddingScheme;
using kernel::Window;
using onnx::OnnxAttribute;
using onnx::OnnxFile;

constexpr const char* kRuntimeOperators = "com.microsoft";

// Codes of NeuralNetworks.h.
enum Activation : int32_t { NONE = 0, RELU = 1, RELU1 = 2, RELU6 = 3 };

void require(bool condition, const std::string& otherwise) {
    if (!condition) throw std::runtime_error(otherwise);
}

struct Range {
    float least, most;
};
Range rangeOf(int32_t activation) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (activation) {
        case NONE:
            return {-kInfinity, kInfinity};
        case RELU:
            return {0, kInfinity};
        case RELU1:
            return {-1, 1};
        case RELU6:
            return {0, 6};
        default:
            throw std::runtime_error("an activation has no such code");
    }
}

int typeOf(const Operand& operand) {
    switch (operand.type) {
        case OperandType::TENSOR_FLOAT32:
            return onnx::kFloatType;
        case OperandType::TENSOR_QUANT8_ASYMM:
            return onnx::kUint8Type;
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return onnx::kInt8Type;
        case OperandType::TENSOR_INT32:
            return onnx::kInt32Type;
        default:
            throw std::runtime_error(toString(operand.type) + " is not written");
    }
}

std::vector<int64_t> dimensionsOf(const Operand& image, bool isChannelsFirst) {
    require(image.dimensions.size() == 4, "a value is not an image");
    const std::vector<int64_t> nhwc(image.dimensions.begin(), image.dimensions.end());
    return isChannelsFirst ? std::vector<int64_t>{nhwc[0], nhwc[3], nhwc[1], nhwc[2]} : nhwc;
}

class NetworkWriter {
   public:
    explicit NetworkWriter(const Model& model) : mModel(model), mMain(model.main) {
        require(mMain.inputIndexes.size() == 1 && mMain.outputIndexes.size() == 1,
                "a network has more than one input or output");
    }

    OnnxNetwork write() {
        const uint32_t from = mMain.inputIndexes[0], to = mMain.outputIndexes[0];
        OnnxNetwork network{.type = typeOf(operand(from)),
                            .outputDimensions = dimensionsOf(operand(to), true),
                            .isChannelsFirst = !isQuantized(from)};
        network.inputDimensions = dimensionsOf(operand(from), network.isChannelsFirst);
        require(typeOf(operand(to)) == network.type, "input and output differ in their types");
        mFile.input(kOnnxInput, network.inputDimensions, network.type);
        if (!network.isChannelsFirst) {
            mFile.node("Transpose", {kOnnxInput}, {nameOf(from)},
                       {{"perm", std::vector<int64_t>{0, 3, 1, 2}}});
        }
        for (const Operation& operation : mMain.operations) {
            switch (operation.type) {
                case OperationType::CONV_2D:
                    convolution(operation, /*isDepthwise=*/false);
                    break;
                case OperationType::DEPTHWISE_CONV_2D:
                    convolution(operation, /*isDepthwise=*/true);
                    break;
                case OperationType::AVERAGE_POOL_2D:
                    averageOfImage(operation);
                    break;
                case OperationType::LOGISTIC:
                    unary(operation, "Sigmoid", "QLinearSigmoid", {});
                    break;
                default:
                    throw std::runtime_error(toString(operation.type) + " is not written");
            }
        }
        network.file = mFile.output(kOnnxOutput).bytes();
        return network;
    }

   private:
    const Operand& operand(uint32_t index) const { return mMain.operands[index]; }
    bool isQuantized(uint32_t index) const {
        return operand(index).type != OperandType::TENSOR_FLOAT32;
    }

    std::string nameOf(uint32_t index) const {
        if (index == mMain.inputIndexes[0] && !isQuantized(index)) return kOnnxInput;
        if (index == mMain.outputIndexes[0]) return kOnnxOutput;
        return "value" + std::to_string(index);
    }

    std::vector<uint8_t> constant(uint32_t index) const {
        const Operand& of = operand(index);
        const DataLocation& location = of.location;
        std::vector<uint8_t> bytes(location.length);
        if (of.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            std::memcpy(bytes.data(), mModel.operandValues.data() + location.offset, bytes.size());
            return bytes;
        }
        require(of.lifetime == Operand::LifeTime::CONSTANT_REFERENCE, "a weight is not constant");
        const Status read = readMemory(mModel.pools.at(location.poolIndex), location.offset, bytes);
        require(read.ok(), std::string(read.message()));
        return bytes;
    }
    int32_t integer(uint32_t index) const {
        int32_t value = 0;
        const std::vector<uint8_t> bytes = constant(index);
        require(bytes.size() == sizeof(value), "a parameter is not an integer");
        std::memcpy(&value, bytes.data(), sizeof(value));
        return value;
    }

    // The names of an operator's scale and zero point inputs.
    std::vector<std::string> quantization(uint32_t index) {
        const std::string scale = "scale" + std::to_string(index);
        const std::string zero = "zero" + std::to_string(index);
        if (!mQuantized.insert(index).second) return {scale, zero};
        const Operand& of = operand(index);
        if (const auto* channels =
                    std::get_if<Operand::SymmPerChannelQuantParams>(&of.extraParams)) {
            const auto count = static_cast<int64_t>(channels->scales.size());
            mFile.floats(scale, {count}, channels->scales);
            mFile.bytes(zero, onnx::kInt8Type, {count},
                        std::vector<uint8_t>(channels->scales.size(), 0));
        } else {
            mFile.floats(scale, {}, {of.scale});
            mFile.bytes(zero, typeOf(of), {}, {static_cast<uint8_t>(of.zeroPoint)});
        }
        return {scale, zero};
    }

    // A unary operator with a separate variant for quantized values, which has the scales as
    // inputs.
    void unary(const Operation& operation, const char* type, const char* quantizedType,
               const std::vector<OnnxAttribute>& ofQuantized) {
        const uint32_t from = operation.inputs[0], to = operation.outputs[0];
        std::vector<std::string> inputs{nameOf(from)};
        if (!isQuantized(from)) {
            mFile.node(type, inputs, {nameOf(to)});
            return;
        }
        for (const uint32_t index : {from, to}) {
            for (std::string& name : quantization(index)) inputs.push_back(std::move(name));
        }
        mFile.node(quantizedType, inputs, {nameOf(to)}, ofQuantized, kRuntimeOperators);
    }

    void averageOfImage(const Operation& operation) {
        require(operation.inputs.size() == 7, "AVERAGE_POOL_2D has explicit paddings");
        const auto& image = operand(operation.inputs[0]).dimensions;
        const auto& result = operand(operation.outputs[0]).dimensions;
        const auto sizeAt = [&](size_t input) {
            return static_cast<uint32_t>(integer(operation.inputs[input]));
        };
        require(sizeAt(4) == image[2] && sizeAt(5) == image[1] && result[1] == 1 && result[2] == 1,
                "AVERAGE_POOL_2D is not of a whole image");
        require(integer(operation.inputs[6]) == NONE, "AVERAGE_POOL_2D has an activation");
        unary(operation, "GlobalAveragePool", "QLinearGlobalAveragePool", {{"channels_last", 0}});
    }

    // An activation that cannot change a stored value needs no operator.
    bool isImplied(const Range& range, const Operand& result) const {
        const auto stored = [&](float value) {
            return std::round(value / result.scale) + static_cast<float>(result.zeroPoint);
        };
        return stored(range.least) <= 0 && stored(range.most) >= 255;
    }

    void convolution(const Operation& operation, bool isDepthwise) {
        require(operation.inputs.size() == (isDepthwise ? 8 : 7),
                toString(operation.type) + " has explicit paddings");
        const auto parameter = [&](size_t input) { return integer(operation.inputs[input]); };
        const uint32_t from = operation.inputs[0], weights = operation.inputs[1],
                       bias = operation.inputs[2], to = operation.outputs[0];
        const auto scheme = static_cast<PaddingScheme>(parameter(3));
        const int32_t strideX = parameter(4), strideY = parameter(5);
        const int32_t activation = parameter(isDepthwise ? 7 : 6);
        const auto& image = operand(from).dimensions;
        const auto& filter = operand(weights).dimensions;
        const size_t outputs = filter[isDepthwise ? 3 : 0];
        const auto height = static_cast<int32_t>(filter[1]),
                   width = static_cast<int32_t>(filter[2]);
        const auto rows =
                Window{.filter = height, .stride = strideY}.implicitPadding(scheme, image[1]);
        const auto columns =
                Window{.filter = width, .stride = strideX}.implicitPadding(scheme, image[2]);
        require(rows && columns, "a window has no padding");

        const std::string name = nameOf(to);
        const std::string weightsName = nameOf(weights), biasName = nameOf(bias);
        const std::vector<int64_t> weightDimensions{static_cast<int64_t>(outputs),
                                                    isDepthwise ? 1 : filter[3], height, width};
        mFile.bytes(weightsName, typeOf(operand(weights)), weightDimensions,
                    channelsFirst(constant(weights), isDepthwise ? 1 : outputs, filter[3],
                                  elementSize(operand(weights).type)));
        mFile.bytes(biasName, typeOf(operand(bias)), {static_cast<int64_t>(outputs)},
                    constant(bias));
        const std::vector<OnnxAttribute> attributes{
                {"kernel_shape", std::vector<int64_t>{height, width}},
                {"strides", std::vector<int64_t>{strideY, strideX}},
                {"pads",
                 std::vector<int64_t>{rows->head, columns->head, rows->tail, columns->tail}},
                {"group", isDepthwise ? static_cast<int>(image[3]) : 1}};

        const Range range = rangeOf(activation);
        if (isQuantized(from)) {
            require(isImplied(range, operand(to)), "a result's range is wider than its activation");
            std::vector<std::string> inputs;
            for (const uint32_t index : {from, weights, to}) {
                if (index != to) inputs.push_back(nameOf(index));
                for (std::string& part : quantization(index)) inputs.push_back(std::move(part));
            }
            inputs.push_back(biasName);
            mFile.node("QLinearConv", inputs, {name}, attributes);
            return;
        }
        const std::string before = activation == NONE ? name : name + "_before";
        mFile.node("Conv", {nameOf(from), weightsName, biasName}, {before}, attributes);
        if (activation == RELU) {
            mFile.node("Relu", {before}, {name});
        } else if (activation != NONE) {
            mFile.floats(name + "_least", {}, {range.least});
            mFile.floats(name + "_most", {}, {range.most});
            mFile.node("Clip", {before, name + "_least", name + "_most"}, {name});
        }
    }

    const Model& mModel;
    const Model::Subgraph& mMain;
    OnnxFile mFile{13};
    std::set<uint32_t> mQuantized{};  // operands whose scales are written
};

}  // namespace

std::vector<uint8_t> channelsFirst(std::span<const uint8_t> bytes, size_t count, size_t channels,
                                   size_t elementSize) {
    std::vector<uint8_t> result(bytes.size());
    const size_t pixels = bytes.size() / (count * channels * elementSize);
    size_t from = 0;
    for (size_t n = 0; n < count; ++n) {
        for (size_t pixel = 0; pixel < pixels; ++pixel) {
            for (size_t channel = 0; channel < channels; ++channel) {
                const size_t to = (n * channels + channel) * pixels + pixel;
                std::memcpy(&result[to * elementSize], &bytes[from], elementSize);
                from += elementSize;
            }
        }
    }
    return result;
}

OnnxNetwork onnxNetwork(const Model& model) { return NetworkWriter(model).write(); }

}  // namespace nn
