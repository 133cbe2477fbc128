#include "model_generation/operations.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

#include "model_generation/recipes.h"
#include "model_generation/shapes.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/shapes.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"

namespace nn::testing {
namespace {

using ops::Form;
using ops::OperationSpec;
using ops::Param;
using ops::Types;
using ops::TypeSpec;

// True if each element of a result comes from one place of each tensor, or from its lane.
bool isElementwise(const Form& form, const OperationTypeInfo& info) {
    using Kind = Extents::Kind;
    return absl::c_all_of(form.inputs, [&](const Param& param) {
        const Extents& extents = recipeOf(info, param.name).extents;
        return extents.kind == Kind::WHOLE || extents.kind == Kind::BROADCAST ||
               (extents.kind == Kind::LISTED && extents.count == 0);
    });
}

// Biases of quantized sums have the scale of the products.
bool isBias(const Param& param, OperandType type) {
    return (param.name == "bias" || param.name.ends_with("Bias")) &&
           type == OperandType::TENSOR_INT32;
}

Spread spreadOf(const Form& form, const OperationTypeInfo& info, const Param& param,
                OperandType type) {
    if (isBias(param, type)) return Spread::BIAS;
    return isElementwise(form, info) ? Spread::WIDE : Spread::EXACT;
}

class OperationGenerator {
   public:
    explicit OperationGenerator(Draft& draft) : mDraft(draft), mSource(draft.source) {}

    bool addOperation(std::span<const OperationSpec* const> specs) {
        if (mDraft.mayHaveUnknownRank() && !mDraft.options.executable &&
            mDraft.options.operations.empty() && mSource.oneIn(16)) {
            return addExtension();
        }
        if (specs.empty()) return false;
        const OperationSpec& spec = *mSource.pick<const OperationSpec* const>(specs);
        const Types* row = spec.types.empty() ? nullptr : &mSource.pick<const Types>(spec.types);
        Call call{.spec = spec, .form = mSource.pick<const Form>(spec.forms)};
        const auto resolveAll = [&](std::span<const Param> params,
                                    std::vector<OperandType>& types) {
            const size_t count = anyCount(params);
            for (size_t i = 0; i < count; ++i) {
                const auto type = resolve(paramAt(params, i, count)->type, row);
                if (!type || !mDraft.isAvailable(*type)) return false;
                types.push_back(*type);
            }
            return true;
        };
        if (!resolveAll(call.form.inputs, call.inputs) ||
            !resolveAll(call.form.outputs, call.outputs)) {
            return false;
        }
        return mDraft.options.executable || mSource.coin() ? addFitting(call) : addAny(call);
    }

   private:
    // An operation and the types of its operands, chosen first.
    struct Call {
        const OperationSpec& spec;
        const Form& form;
        std::vector<OperandType> inputs{};
        std::vector<OperandType> outputs{};

        const Param& input(size_t i) const { return *paramAt(form.inputs, i, inputs.size()); }
        const Param& output(size_t i) const { return *paramAt(form.outputs, i, outputs.size()); }
        const OperationTypeInfo& info() const { return *operationTypeInfo(spec.type); }
    };

    std::optional<OperandType> resolve(const TypeSpec& spec, const Types* row) {
        if (spec.kind == TypeSpec::Kind::FIXED) return spec.fixed;
        if (spec.kind == TypeSpec::Kind::COLUMN) {
            return row == nullptr ? std::nullopt : std::optional(row->columns[spec.column]);
        }
        static constexpr OperandType kTensors[] = {OperandType::TENSOR_FLOAT32,
                                                   OperandType::TENSOR_INT32,
                                                   OperandType::TENSOR_QUANT8_ASYMM};
        return mSource.pick<OperandType>(kTensors);
    }

    size_t anyCount(std::span<const Param> params) {
        const ops::Counts counts = ops::countsOf(params);
        const size_t most = std::min(counts.most, counts.least + 12);
        for (int attempt = 0; attempt < 8; ++attempt) {
            const size_t count =
                    counts.least + (mSource.coin() ? 0 : mSource.below(most - counts.least + 1));
            if (acceptsCount(params, count)) return count;
        }
        return counts.least;
    }

    // Adds an operation with correct types and random other properties.
    bool addAny(const Call& call) {
        Operation operation{.type = call.spec.type};
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            if (call.input(i).presence == Param::Presence::OMITTED && mSource.coin()) {
                operation.inputs.push_back(
                        mDraft.addOmitted(mDraft.anyOperand(call.inputs[i], false)));
            } else {
                operation.inputs.push_back(mDraft.addAnyInput(call.inputs[i]));
            }
        }
        for (const OperandType type : call.outputs) {
            Operand operand = mDraft.anyOperand(type, /*mayBeUnknown=*/true);
            const Operand& first = mDraft.graph.operands[operation.inputs.front()];
            // most outputs have the type of the first input
            if (first.type == type && mSource.below(4) != 0) {
                operand.scale = first.scale;
                operand.zeroPoint = first.zeroPoint;
            }
            operation.outputs.push_back(mDraft.addOutput(std::move(operand)));
        }
        return accept(std::move(operation), /*mustFit=*/false);
    }

    // Choices shared by the operands of one operation.
    struct Choices {
        Quantization quantization;
        bool hasOtherLayout;
        Shapes shapes;
        Parts parts;
        uint32_t power = 0;  // of scales that are powers of 2

        float scaleOf(const Recipe& recipe) const {
            return recipe.scale * static_cast<float>(uint64_t{1} << (power % (recipe.powers + 1u)));
        }

        // True for operands of the backward cell, whose sizes are drawn anew.
        bool turnTo(std::string_view operand) {
            const bool isBackward = testing::isBackward(operand);
            shapes.setDirection(isBackward);
            return isBackward;
        }
    };

    // An omitted matrix may be the identity, so its two sizes must be equal.
    static void squareIdentities(const Call& call, Choices& choices) {
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            const std::string_view name = call.input(i).name;
            const Recipe& recipe = recipeOf(call.info(), name);
            if (recipe.values.kind != Values::Kind::IDENTITY) continue;
            if (!choices.parts.has(recipe.neededParts(), choices.turnTo(name)))
                choices.shapes.makeSquare(recipe.extents);
        }
    }

    // Adds an operation that can be prepared.
    bool addFitting(const Call& call) {
        bool hasLayout = false;
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            hasLayout = hasLayout || isLayout(recipeOf(call.info(), call.input(i).name));
        }
        const bool hasOtherLayout = hasLayout && mSource.oneIn(3);
        const uint32_t maxElements = mDraft.options.maxElements;
        const OperandType first = call.inputs.empty() ? OperandType::INT32 : call.inputs[0];
        const bool isVaried = mDraft.options.varied;
        Choices choices{.quantization = isVaried ? variedQuantization(mSource, first)
                                                 : anyQuantization(mSource),
                        .hasOtherLayout = hasOtherLayout,
                        .shapes = Shapes(mSource, hasOtherLayout, 16 * maxElements, mDraft.options),
                        .parts = Parts(mSource),
                        .power = static_cast<uint32_t>(mSource.below(64))};
        squareIdentities(call, choices);
        Operation operation{.type = call.spec.type};
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            const auto input = addFittingInput(call, i, operation.inputs, choices);
            if (!input) return false;
            operation.inputs.push_back(*input);
        }
        for (size_t i = 0; i < call.outputs.size(); ++i) {
            Operand operand = mDraft.newOperand(call.outputs[i], {},
                                                quantizationOf(choices, call.outputs[i]));
            setQuantization(operand, recipeOf(call.info(), call.output(i).name), choices);
            operation.outputs.push_back(mDraft.addOutput(std::move(operand)));
        }
        // Output quantizations that operations may require, in addition to the shared one.
        std::vector<Quantization> required = {
                {1.0f / 256, 0}, {1.0f / 256, -128}, {1.0f / 128, 128}, {1.0f / 128, 0}, {1, 0}};
        if (accept(operation, /*mustFit=*/true)) return true;
        if (isVaried) {  // often not the shared one
            const Operand& input = mDraft.graph.operands[operation.inputs.front()];
            required.insert(required.begin(), {input.scale, input.zeroPoint});
        }
        for (const Quantization& fixed : required) {
            const Operand& last = mDraft.graph.operands[operation.outputs.back()];
            if (operandTypeInfo(last.type)->scale != ScaleRule::POSITIVE) return false;
            for (const uint32_t i : operation.outputs) {
                Operand operand = mDraft.newOperand(mDraft.graph.operands[i].type, {}, fixed);
                operand.lifetime = mDraft.graph.operands[i].lifetime;
                if (operand.type != last.type) continue;
                mDraft.graph.operands[i] = std::move(operand);
            }
            if (accept(operation, /*mustFit=*/true)) return true;
        }
        return false;
    }

    // True if the shape has more elements than an operation may have.
    bool isLarge(std::span<const uint32_t> dimensions) const {
        const uint64_t most = uint64_t{16} * mDraft.options.maxElements;
        uint64_t elements = 1;
        for (const uint32_t dimension : dimensions) {
            elements *= dimension;
            if (elements > most) return true;
        }
        return false;
    }

    // Usually the shared quantization.
    Quantization quantizationOf(const Choices& choices, OperandType type) {
        if (mDraft.options.varied && mSource.coin()) return variedQuantization(mSource, type);
        return mSource.oneIn(8) ? anyQuantization(mSource) : choices.quantization;
    }

    static bool isLayout(const Recipe& recipe) {
        return recipe.values.kind == Values::Kind::LAYOUT;
    }

    static void setQuantization(Operand& operand, const Recipe& recipe, const Choices& choices) {
        if (recipe.scale == 0) return;
        operand.scale = choices.scaleOf(recipe);
        operand.zeroPoint = recipe.zeroPoint;
    }

    // Empty if the operand would be too large: a size that occurs twice is limited only once.
    std::optional<uint32_t> addFittingInput(const Call& call, size_t i,
                                            std::span<const uint32_t> before, Choices& choices) {
        const Param& param = call.input(i);
        const OperandType type = call.inputs[i];
        const Recipe& recipe = recipeOf(call.info(), param.name);
        if (isLayout(recipe)) return mDraft.addInteger(type, {}, choices.hasOtherLayout ? 1 : 0);

        const bool isBackward = choices.turnTo(param.name);
        const bool isTensor = isNonExtensionTensor(type);
        const bool isOmitted =
                param.presence == Param::Presence::OMITTED &&
                (recipe.partCount == 0 ? mSource.coin()
                                       : !choices.parts.has(recipe.neededParts(), isBackward));
        const bool isFree = recipe.values.kind == Values::Kind::ANY ||
                            recipe.values.kind == Values::Kind::IDENTITY;
        if (isTensor && isFree && !isOmitted && !isBias(param, type)) {
            const auto fits = [&](const Operand& operand) {
                const bool isQuantized =
                        recipe.scale == 0 || (operand.scale == choices.scaleOf(recipe) &&
                                              operand.zeroPoint == recipe.zeroPoint);
                return isQuantized && choices.shapes.solve(recipe, operand.dimensions);
            };
            if (const auto there = mDraft.findReadable(type, fits)) return *there;
        }

        std::vector<uint32_t> dimensions;
        if (isTensor) dimensions = choices.shapes.make(recipe);
        if (isLarge(dimensions)) return std::nullopt;
        Operand operand =
                mDraft.newOperand(type, std::move(dimensions), quantizationOf(choices, type));
        setQuantization(operand, recipe, choices);
        mDraft.setChannelScales(operand, recipe.channelDim);
        if (isBias(param, type)) operand.scale = biasScale(before);
        if (isOmitted) return mDraft.addOmitted(std::move(operand));
        mDraft.spread = spreadOf(call.form, call.info(), param, type);
        if (isFree) return mDraft.addReadable(std::move(operand));
        const std::vector<uint8_t> value =
                valueOf(mSource, recipe.values, operand, call.outputs.size(), choices.shapes);
        return mDraft.addConstant(std::move(operand), value);
    }

    float biasScale(std::span<const uint32_t> before) const {
        return before.size() < 2 ? 0
                                 : mDraft.graph.operands[before[0]].scale *
                                           mDraft.graph.operands[before[1]].scale;
    }

    // Adds an operation that is legal in the version and, if asked, can be prepared.
    bool accept(Operation operation, bool mustFit) {
        std::vector<ops::Value> inputs, outputs;
        for (const uint32_t i : operation.inputs) inputs.push_back(mDraft.valueOf(i));
        for (const uint32_t i : operation.outputs) outputs.push_back(mDraft.valueOf(i));
        Report report({.target = mDraft.target});
        const Form* form = checkOperation(operation.type, inputs, outputs, Place{}, report);
        if (!report.ok()) return false;
        if (mustFit && !inferOutputs(operation, inputs, outputs, form)) return false;
        mDraft.graph.operations.push_back(std::move(operation));
        return true;
    }

    bool inferOutputs(const Operation& operation, std::span<const ops::Value> inputs,
                      std::span<const ops::Value> outputs, const Form* form) {
        Report report;
        std::vector<ops::Shape> shapes(outputs.size());
        std::vector<ops::Value> unknown(outputs.begin(), outputs.end());
        for (ops::Value& output : unknown) output.dimensions = {};
        if (!inferOutputShapes(operation.type, inputs, unknown, form, Place{}, report, shapes))
            return false;
        for (size_t i = 0; i < shapes.size(); ++i) {
            std::vector<uint32_t> dimensions;
            const bool mayBeUnknown =
                    !mDraft.options.executable || mDraft.options.unknownDimensions;
            if (!shapes[i] && !(mayBeUnknown && mDraft.mayHaveUnknownRank())) return false;
            if (shapes[i]) {
                const auto count = ops::elementCount(shapes[i]);
                const bool fits = !count        ? mayBeUnknown
                                  : *count == 0 ? mDraft.options.unknownDimensions
                                                : *count <= mDraft.options.maxElements;
                if (!fits) return false;
                for (const ops::Dim& dim : *shapes[i]) dimensions.push_back(dim.value_or(0));
            }
            if (isNonExtensionTensor(outputs[i].type) && shapes[i] && dimensions.empty())
                return false;
            mDraft.graph.operands[operation.outputs[i]].dimensions = std::move(dimensions);
        }
        return true;
    }

    bool addExtension() {
        mDraft.hasExtension = true;
        Operand parameter{.type = OperandType{kPrefix << kExtensionTypeBits | 7},
                          .lifetime = LifeTime::SUBGRAPH_INPUT};
        if (mSource.coin()) parameter.extraParams = any<std::vector<uint8_t>>(mSource);
        Operation operation{.type = OperationType{kPrefix << kExtensionTypeBits | 3}};
        operation.inputs = {mDraft.add(std::move(parameter)),
                            mDraft.addAnyInput(OperandType::TENSOR_FLOAT32)};
        operation.outputs = {
                mDraft.addOutput(mDraft.anyOperand(OperandType::TENSOR_FLOAT32, true))};
        return accept(std::move(operation), /*mustFit=*/false);
    }
    Draft& mDraft;
    Source& mSource;
};

}  // namespace

std::vector<const OperationSpec*> operationsFor(const Draft& draft) {
    std::vector<const OperationSpec*> specs;
    for (const OperationTypeInfo& info : operationTypes()) {
        const OperationSpec* spec = ops::specOf(info.type);
        const bool isMadeHere = spec != nullptr && !isControlFlow(info.type);
        if (isMadeHere && draft.isWanted(info.type) &&
            isCompliantVersion(info.since, draft.target)) {
            specs.push_back(spec);
        }
    }
    return specs;
}

Spread spreadOf(const Model::Subgraph& graph, const Operation& operation, uint32_t operand) {
    const OperationTypeInfo* info = operationTypeInfo(operation.type);
    const Form* form =
            formByCount(operation.type, operation.inputs.size(), operation.outputs.size());
    if (info == nullptr || form == nullptr) return Spread::EXACT;
    const auto place = absl::c_find(operation.inputs, operand) - operation.inputs.begin();
    const Param* param = paramAt(form->inputs, static_cast<size_t>(place), operation.inputs.size());
    return param == nullptr ? Spread::EXACT
                            : spreadOf(*form, *info, *param, graph.operands[operand].type);
}

bool addOperation(Draft& draft, std::span<const OperationSpec* const> specs) {
    return OperationGenerator(draft).addOperation(specs);
}

}  // namespace nn::testing
