#include "importers/common/inference.h"

#include <absl/algorithm/container.h>

#include <memory>
#include <utility>
#include <vector>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "nnapi/validated_model.h"
#include "validate/report.h"
#include "validate/shape_inference.h"
#include "validate/validation_facts.h"

namespace nn::importing {
namespace {

using Lifetime = Operand::LifeTime;

// A model of some operations of a graph. What they do not compute is an input, like constants that
// no shape depends on.
class Excerpt {
   public:
    Excerpt(const Model::Subgraph& graph, const Model& model) : mGraph(graph), mWhole(model) {}

    void add(const Operation& operation) {
        Operation copy = operation;
        for (uint32_t& input : copy.inputs) input = placeOf(input);
        for (uint32_t& output : copy.outputs) {
            output = placeOf(output);
            Operand& operand = mModel.main.operands[output];
            std::erase(mModel.main.inputIndexes, output);
            operand.lifetime = Lifetime::SUBGRAPH_OUTPUT;
            mModel.main.outputIndexes.push_back(output);
        }
        mModel.main.operations.push_back(std::move(copy));
    }

    const Model& model() const { return mModel; }
    const std::map<uint32_t, uint32_t>& places() const { return mPlaces; }

   private:
    uint32_t placeOf(uint32_t index) {
        const auto [place, isNew] =
                mPlaces.emplace(index, static_cast<uint32_t>(mModel.main.operands.size()));
        if (isNew) addOperand(mGraph.operands[index]);
        return place->second;
    }

    void addOperand(Operand operand) {
        const bool isSmall = operand.lifetime == Lifetime::CONSTANT_COPY &&
                             operand.location.length <= SmallConstants::kMaxBytes;
        if (isSmall) {
            operand.location = mModel.operandValues.append(
                    mWhole.operandValues.data() + operand.location.offset, operand.location.length);
        } else if (operand.lifetime != Lifetime::NO_VALUE) {
            operand.lifetime = Lifetime::SUBGRAPH_INPUT;
            operand.location = {};
            mModel.main.inputIndexes.push_back(static_cast<uint32_t>(mModel.main.operands.size()));
        }
        mModel.main.operands.push_back(std::move(operand));
    }

    const Model::Subgraph& mGraph;
    const Model& mWhole;
    Model mModel;
    std::map<uint32_t, uint32_t> mPlaces;  // in mModel, by operand of the graph
};

// Those of the main graph by operand; empty if the model is not legal.
KnownDimensions knownDimensions(const Model& model, const Limits& limits) {
    const auto checked =
            validateModel(std::shared_ptr<const Model>(std::shared_ptr<void>(), &model), limits);
    if (!checked.ok()) return {};
    const SmallConstants constants(model, model.main);
    Report report;
    return nn::inferDimensions(model.main, checked->found().main(), true, constants.data(), Place{},
                               report);
}

bool isOpen(const Operand& operand) {
    return !isConstant(operand.lifetime) &&
           hasUnspecifiedDimensions(operand.type, operand.dimensions);
}

bool isPossible(const Operand& operand, const Dimensions& dimensions) {
    return checkedMul<uint64_t>(checkedProduct<uint64_t>(dimensions),
                                uint64_t{elementSize(operand.type)})
            .has_value();
}

}  // namespace

std::map<uint32_t, Dimensions> inferredDimensions(std::span<const Operation> operations,
                                                  const Model::Subgraph& graph, const Model& model,
                                                  const Limits& limits) {
    std::map<uint32_t, Dimensions> inferred;
    Excerpt excerpt(graph, model);
    for (const Operation& operation : operations) excerpt.add(operation);
    const KnownDimensions known = knownDimensions(excerpt.model(), limits);
    for (const auto& [index, place] : excerpt.places()) {
        const Operand& operand = excerpt.model().main.operands[place];
        if (operand.lifetime != Lifetime::SUBGRAPH_OUTPUT || !isOpen(operand)) continue;
        if (place < known.size() && isPossible(operand, known[place])) {
            inferred[index] = known[place];
        }
    }
    return inferred;
}

void inferDimensions(Model& model, const Limits& limits) {
    if (!absl::c_any_of(model.main.operands, isOpen)) return;
    const KnownDimensions known = knownDimensions(model, limits);
    for (size_t i = 0; i < known.size(); ++i) {
        Operand& operand = model.main.operands[i];
        if (isOpen(operand) && isPossible(operand, known[i])) operand.dimensions = known[i];
    }
}

}  // namespace nn::importing
