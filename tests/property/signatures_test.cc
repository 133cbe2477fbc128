// Compares the signatures that the validator accepts, by operation and version, with
// tests/golden/operations.txt. BLESS=1 writes the file; review the difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "model_generation/recipes.h"
#include "model_generation/shapes.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "op_support/rules/op_view.h"
#include "validate/control_flow.h"

namespace nn {
namespace {

using ops::Form;
using ops::OperationSpec;
using ops::Param;
using ops::Types;
using ops::TypeSpec;
using testing::Recipe;
using testing::Shapes;

// Feature levels 5 and 8 have no operations of their own.
constexpr Version kVersions[] = {kVersionFeatureLevel1, kVersionFeatureLevel2,
                                 kVersionFeatureLevel3, kVersionFeatureLevel4,
                                 kVersionFeatureLevel6, kVersionFeatureLevel7};

OperandType typeOf(const TypeSpec& spec, const Types* row) {
    if (spec.kind == TypeSpec::Kind::FIXED) return spec.fixed;
    if (spec.kind == TypeSpec::Kind::COLUMN && row != nullptr) return row->columns[spec.column];
    return OperandType::TENSOR_FLOAT32;
}

// One operation, all of whose operands are inputs and outputs of the model.
class Call {
   public:
    Call(const OperationSpec& spec, const Form& form, const Types* row, size_t inputs,
         size_t outputs, bool omits)
        : mInfo(*operationTypeInfo(spec.type)), mOperation{.type = spec.type} {
        for (size_t i = 0; i < inputs; ++i) {
            const Param& param = *paramAt(form.inputs, i, inputs);
            const bool isOmitted = omits && param.presence == Param::Presence::OMITTED;
            mOperation.inputs.push_back(add(
                    param, typeOf(param.type, row),
                    isOmitted ? Operand::LifeTime::NO_VALUE : Operand::LifeTime::SUBGRAPH_INPUT));
            if (!isOmitted) mModel.main.inputIndexes.push_back(mOperation.inputs.back());
        }
        for (size_t i = 0; i < outputs; ++i) {
            const Param& param = *paramAt(form.outputs, i, outputs);
            mOperation.outputs.push_back(
                    add(param, typeOf(param.type, row), Operand::LifeTime::SUBGRAPH_OUTPUT));
            mModel.main.outputIndexes.push_back(mOperation.outputs.back());
        }
        mModel.main.operations = {mOperation};
    }

    // "  + + + + + +  (TENSOR_FLOAT32 x 2, INT32) -> (TENSOR_FLOAT32)"
    std::string line() const {
        std::string text = " ";
        for (const Version version : kVersions) {
            text += validateFor(mModel, version).ok() ? "   +" : "   -";
        }
        text += fmt::format("   {} -> {}", list(mOperation.inputs), list(mOperation.outputs));
        const Result<Version> needed = validate(mModel);
        return needed.ok() ? text : text + fmt::format("  {}", needed.status().message().data());
    }

   private:
    uint32_t add(const Param& param, OperandType type, Operand::LifeTime lifetime) {
        const OperandTypeInfo& info = *operandTypeInfo(type);
        Operand operand{.type = type, .lifetime = lifetime};
        const Recipe& recipe = testing::recipeOf(mInfo, param.name);
        mShapes.setDirection(testing::isBackward(param.name));
        if (info.isTensor) operand.dimensions = mShapes.make(recipe);
        if (info.scale == ScaleRule::POSITIVE) operand.scale = 0.5f;
        if (type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
            const uint32_t dim = recipe.channelDim;
            operand.extraParams = Operand::SymmPerChannelQuantParams{
                    .scales = std::vector<float>(operand.dimensions[dim], 0.5f), .channelDim = dim};
        }
        mModel.main.operands.push_back(std::move(operand));
        return static_cast<uint32_t>(mModel.main.operands.size() - 1);
    }

    std::string list(const std::vector<uint32_t>& indexes) const {
        std::string text;
        for (size_t i = 0; i < indexes.size();) {
            const std::string name = nameOf(indexes[i]);
            size_t end = i + 1;
            while (end < indexes.size() && nameOf(indexes[end]) == name) ++end;
            text += (text.empty() ? "" : ", ") + name;
            if (end - i > 1) text += fmt::format(" x {}", end - i);
            i = end;
        }
        return fmt::format("({})", text);
    }

    std::string nameOf(uint32_t index) const {
        const Operand& operand = mModel.main.operands[index];
        return operand.lifetime == Operand::LifeTime::NO_VALUE ? "none" : toString(operand.type);
    }

    const OperationTypeInfo& mInfo;
    Operation mOperation;
    Model mModel;
    testing::Source mSource{{}};  // of zeros: the minimal choices
    Shapes mShapes{mSource, /*hasOtherLayout=*/false, /*room=*/1, testing::ModelOptions{}};
};

std::vector<size_t> takenCounts(std::span<const Param> params) {
    const ops::Counts bounds = ops::countsOf(params);
    std::vector<size_t> counts;
    for (size_t n = bounds.least; n <= std::min(bounds.most, bounds.least + 20); ++n) {
        if (acceptsCount(params, n)) counts.push_back(n);
    }
    if (bounds.most == ops::Counts::kUnlimited)
        counts.resize(2);  // any further number is permitted
    return counts;
}

bool hasOmittable(const Form& form) {
    return std::ranges::count(form.inputs, Param::Presence::OMITTED, &Param::presence) != 0;
}

std::string matrix() {
    std::string text =
            "# What each version takes of the signatures of each operation: + accepted, - "
            "refused.\n"
            "#\n"
            "#  1.0 1.1 1.2 1.3 FL6 FL7   (inputs) -> (outputs)\n";
    for (const OperationTypeInfo& info : operationTypes()) {
        const OperationSpec* spec = ops::specOf(info.type);
        if (spec == nullptr || isControlFlow(info.type)) continue;  // requires graphs
        text += fmt::format("\n{}\n", info.name);
        std::vector<const Types*> rows;
        for (const Types& row : spec->types) rows.push_back(&row);
        if (rows.empty()) rows.push_back(nullptr);
        for (const Form& form : spec->forms) {
            for (const size_t inputs : takenCounts(form.inputs)) {
                for (const size_t outputs : takenCounts(form.outputs)) {
                    for (const Types* row : rows) {
                        for (int omits = 0; omits <= (hasOmittable(form) ? 1 : 0); ++omits) {
                            text += Call(*spec, form, row, inputs, outputs, omits == 1).line() +
                                    "\n";
                        }
                    }
                }
            }
        }
    }
    return text;
}

bool hasOperand(const Recipe& recipe) {
    for (const OperationTypeInfo& info : operationTypes()) {
        const OperationSpec* spec = ops::specOf(info.type);
        if (spec == nullptr) continue;
        for (const Form& form : spec->forms) {
            for (const std::span<const Param> params : {form.inputs, form.outputs}) {
                for (const Param& param : params) {
                    if (recipe.isFor(info, param.name)) return true;
                }
            }
        }
    }
    return false;
}

TEST(Recipes, NameOperandsOfSignatures) {
    for (const Recipe& recipe : testing::recipes()) {
        EXPECT_TRUE(hasOperand(recipe)) << recipe.operations << " " << recipe.operand;
    }
}

TEST(Signatures, AreTakenAsTheGoldenSays) { expectGolden("operations.txt", matrix()); }

}  // namespace
}  // namespace nn
