#include "device_test/cases/unrounded.h"

#include <absl/algorithm/container.h>

#include "device_test/cases/models.h"
#include "nnapi/comparison.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

bool isQuantized(const Operand& operand) {
    return operand.scale > 0 ||
           std::holds_alternative<Operand::SymmPerChannelQuantParams>(operand.extraParams);
}

// The scale of each element of an operand.
class Scales {
   public:
    explicit Scales(const Operand& operand) : mOne(operand.scale) {
        const auto* perChannel =
                std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
        if (perChannel == nullptr || perChannel->channelDim >= operand.dimensions.size()) return;
        mAll = perChannel->scales;
        for (size_t i = perChannel->channelDim + 1; i < operand.dimensions.size(); ++i) {
            mEach *= operand.dimensions[i];
        }
    }
    float operator[](size_t i) const { return mAll.empty() ? mOne : mAll[i / mEach % mAll.size()]; }

   private:
    float mOne;
    std::vector<float> mAll{};
    size_t mEach = 1;  // elements of a channel in sequence
};

Tensor dequantized(const Operand& operand, const Tensor& stored) {
    const Scales scales(operand);
    std::vector<float> values(elementCount(operand.type, stored));
    for (size_t i = 0; i < values.size(); ++i) {
        const double steps = elementValue(operand.type, stored, i) - operand.zeroPoint;
        values[i] = static_cast<float>(steps * scales[i]);
    }
    return tensorOf(stored.dimensions, values);
}

// The model with a scale for each channel of a bias, if its filter has one.
Model withScaledBias(const Model& model) {
    Model made = model;
    const std::vector<uint32_t>& inputs = model.main.operations.front().inputs;
    if (inputs.size() < 3) return made;
    std::vector<Operand>& operands = made.main.operands;
    const Operand &image = operands[inputs[0]], &filter = operands[inputs[1]];
    const auto* perChannel = std::get_if<Operand::SymmPerChannelQuantParams>(&filter.extraParams);
    Operand& bias = operands[inputs[2]];
    if (perChannel == nullptr || bias.type != OperandType::TENSOR_INT32) return made;
    std::vector<float> scales = perChannel->scales;
    for (float& scale : scales) scale *= image.scale;
    bias.extraParams = Operand::SymmPerChannelQuantParams{.scales = std::move(scales)};
    return made;
}

// The model with floats instead of quantized values; empty if a constant cannot be read.
std::optional<Model> withFloats(const Model& model) {
    Model made = model;
    for (Operand& operand : made.main.operands) {
        if (!isQuantized(operand)) continue;
        const Operand own = operand;
        operand.type = OperandType::TENSOR_FLOAT32;
        operand.scale = 0;
        operand.zeroPoint = 0;
        operand.extraParams = {};
        const auto bytes = constantOf(model, own);
        if (!bytes.ok()) return std::nullopt;
        if (bytes->empty()) continue;
        const Tensor reals = dequantized(own, {own.dimensions, *bytes});
        const auto location = made.operandValues.append(reals.data.data(), reals.data.size());
        if (!location) return std::nullopt;
        operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
        operand.location = *location;
    }
    return made;
}

std::vector<double> stepsOf(const Operand& output, OperandType type, const Tensor& reals) {
    std::vector<double> steps(elementCount(type, reals));
    for (size_t i = 0; i < steps.size(); ++i) {
        steps[i] = elementValue(type, reals, i) / output.scale + output.zeroPoint;
    }
    return steps;
}

}  // namespace

std::optional<std::vector<std::vector<double>>> unroundedOutputs(const Model& model,
                                                                 const std::vector<Tensor>& inputs,
                                                                 ReferenceWork& work) {
    const Model::Subgraph& main = model.main;
    const auto isQuantizedOutput = [&](uint32_t i) { return isQuantized(main.operands[i]); };
    if (main.operations.size() != 1 || !model.referenced.empty() ||
        !absl::c_any_of(main.outputIndexes, isQuantizedOutput)) {
        return std::nullopt;
    }
    // It has no counterpart that does nothing.
    if (main.operations.front().type == OperationType::QUANTIZE) {
        if (inputs.empty()) return std::nullopt;
        const OperandType type = main.operands[main.inputIndexes.front()].type;
        return std::vector<std::vector<double>>{
                stepsOf(main.operands[main.outputIndexes.front()], type, inputs.front())};
    }
    const Model quantized = withScaledBias(model);
    const std::optional<Model> floats = withFloats(quantized);
    if (!floats) return std::nullopt;
    std::vector<Tensor> reals;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Operand& operand = quantized.main.operands[main.inputIndexes[i]];
        reals.push_back(isQuantized(operand) ? dequantized(operand, inputs[i]) : inputs[i]);
    }
    const Result<PreparedModel> prepared = prepare(*floats);
    if (!prepared.ok()) return std::nullopt;
    const auto outputs = work.run(*prepared, reals);
    if (!outputs.ok()) return std::nullopt;
    std::vector<std::vector<double>> all;
    for (size_t i = 0; i < outputs->size(); ++i) {
        const Operand& operand = main.operands[main.outputIndexes[i]];
        all.push_back(isQuantized(operand)
                              ? stepsOf(operand, OperandType::TENSOR_FLOAT32, (*outputs)[i])
                              : std::vector<double>());
    }
    return all;
}

}  // namespace nn::testing
