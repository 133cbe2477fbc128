#include "runtime/plan/extract.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace nn::runtime {
namespace {

using LifeTime = Operand::LifeTime;

// Copies data that operands refer to from one model to another, each once.
class Transfer {
   public:
    Transfer(const Model& from, Model& to) : mFrom(from), mTo(to) {
        to.relaxComputationFloat32toFloat16 = from.relaxComputationFloat32toFloat16;
        to.extensionNameToPrefix = from.extensionNameToPrefix;
    }

    Status take(Operand& operand) {
        switch (operand.lifetime) {
            case LifeTime::CONSTANT_COPY:
                return takeValue(operand.location);
            case LifeTime::CONSTANT_REFERENCE:
                operand.location.poolIndex = pool(operand.location.poolIndex);
                return {};
            case LifeTime::SUBGRAPH:
                return takeGraph(operand.location.offset);
            case LifeTime::TEMPORARY_VARIABLE:
            case LifeTime::SUBGRAPH_INPUT:
            case LifeTime::SUBGRAPH_OUTPUT:
            case LifeTime::NO_VALUE:
            case LifeTime::POINTER:
                return {};
        }
        return makeError(ErrorStatus::INVALID_ARGUMENT, "an operand has no lifetime that there is");
    }

   private:
    Status takeValue(DataLocation& location) {
        auto [place, isNew] = mValues.try_emplace({location.offset, location.length});
        if (isNew) {
            const auto added = mTo.operandValues.append(
                    mFrom.operandValues.data() + location.offset, location.length);
            if (!added) return makeError(ErrorStatus::INVALID_ARGUMENT, "too many constants");
            place->second = *added;
        }
        location = place->second;
        return {};
    }

    uint32_t pool(uint32_t index) {
        const auto [place, isNew] =
                mPools.try_emplace(index, static_cast<uint32_t>(mTo.pools.size()));
        if (isNew) mTo.pools.push_back(mFrom.pools[index]);
        return place->second;
    }

    Status takeGraph(uint32_t& index) {
        const uint32_t from = index;
        const auto [place, isNew] =
                mGraphs.try_emplace(from, static_cast<uint32_t>(mTo.referenced.size()));
        index = place->second;
        if (!isNew) return {};
        mTo.referenced.emplace_back();  // reserves its index before those of inner graphs
        Model::Subgraph graph = mFrom.referenced[from];
        for (Operand& operand : graph.operands) NNAPI_RETURN_IF_ERROR(take(operand));
        mTo.referenced[index] = std::move(graph);
        return {};
    }

    const Model& mFrom;
    Model& mTo;
    std::map<std::pair<uint32_t, uint32_t>, DataLocation> mValues{};
    std::map<uint32_t, uint32_t> mPools{};
    std::map<uint32_t, uint32_t> mGraphs{};
};

class Extraction {
   public:
    Extraction(const Model& model, const Model::Subgraph& graph, const Boundary& boundary,
               Part& part)
        : mGraph(graph), mBoundary(boundary), mPart(part), mTransfer(model, part.model) {}

    Status run(std::span<const uint32_t> operations) {
        for (const uint32_t i : operations) {
            for (const uint32_t input : mGraph.operations[i].inputs) mUse.try_emplace(input);
            for (const uint32_t output : mGraph.operations[i].outputs)
                mUse[output].isWritten = true;
        }
        NNAPI_RETURN_IF_ERROR(takeOperands());
        for (const uint32_t i : operations) {
            Operation operation = mGraph.operations[i];
            for (uint32_t& input : operation.inputs) input = mUse.at(input).index;
            for (uint32_t& output : operation.outputs) output = mUse.at(output).index;
            mPart.model.main.operations.push_back(std::move(operation));
        }
        list(mPart.inputs, LifeTime::SUBGRAPH_INPUT, mPart.model.main.inputIndexes);
        list(mPart.outputs, LifeTime::SUBGRAPH_OUTPUT, mPart.model.main.outputIndexes);
        return {};
    }

   private:
    struct Use {
        uint32_t index = 0;  // in the part
        bool isWritten = false;
    };

    Status takeOperands() {
        for (auto& [source, use] : mUse) {
            Operand operand = mGraph.operands[source];
            NNAPI_RETURN_IF_ERROR(mTransfer.take(operand));
            const bool isTemporary = operand.lifetime == LifeTime::TEMPORARY_VARIABLE;
            if (!use.isWritten && (isTemporary || operand.lifetime == LifeTime::SUBGRAPH_OUTPUT)) {
                operand.lifetime = LifeTime::SUBGRAPH_INPUT;
            } else if (isTemporary && mBoundary.isReadElsewhere[source]) {
                operand.lifetime = LifeTime::SUBGRAPH_OUTPUT;
            }
            use.index = static_cast<uint32_t>(mPart.model.main.operands.size());
            mPart.model.main.operands.push_back(std::move(operand));
        }
        return {};
    }

    // The graph's inputs come first; its outputs come last among inputs, and first among outputs.
    void list(std::vector<uint32_t>& operands, LifeTime lifetime, std::vector<uint32_t>& indexes) {
        using Place = std::tuple<int, uint32_t, uint32_t>;
        std::vector<Place> places;
        for (const auto& [operand, use] : mUse) {
            if (mPart.model.main.operands[use.index].lifetime != lifetime) continue;
            const uint32_t asInput = mBoundary.inputPlace[operand];
            const uint32_t asOutput = mBoundary.outputPlace[operand];
            if (asInput != Boundary::kNowhere) {
                places.emplace_back(0, asInput, operand);
            } else if (asOutput != Boundary::kNowhere) {
                places.emplace_back(lifetime == LifeTime::SUBGRAPH_INPUT ? 2 : 0, asOutput,
                                    operand);
            } else {
                places.emplace_back(1, operand, operand);
            }
        }
        std::sort(places.begin(), places.end());
        for (const Place& place : places) {
            operands.push_back(std::get<2>(place));
            indexes.push_back(mUse.at(operands.back()).index);
        }
    }

    const Model::Subgraph& mGraph;
    const Boundary& mBoundary;
    Part& mPart;
    Transfer mTransfer;
    std::map<uint32_t, Use> mUse{};  // of operands of the graph, in their order
};

}  // namespace

Boundary::Boundary(const Model::Subgraph& graph, std::span<const size_t> group)
    : isReadElsewhere(graph.operands.size()),
      inputPlace(graph.operands.size(), kNowhere),
      outputPlace(graph.operands.size(), kNowhere) {
    std::vector<size_t> writer(graph.operands.size(), SIZE_MAX);
    for (size_t i = 0; i < graph.operations.size(); ++i) {
        for (const uint32_t output : graph.operations[i].outputs) writer[output] = group[i];
    }
    for (size_t i = 0; i < graph.operations.size(); ++i) {
        for (const uint32_t input : graph.operations[i].inputs) {
            if (writer[input] != group[i]) isReadElsewhere[input] = true;
        }
    }
    for (uint32_t i = 0; i < graph.inputIndexes.size(); ++i) inputPlace[graph.inputIndexes[i]] = i;
    for (uint32_t i = 0; i < graph.outputIndexes.size(); ++i)
        outputPlace[graph.outputIndexes[i]] = i;
}

Result<Part> extract(const Model& model, const Model::Subgraph& graph, const Boundary& boundary,
                     std::span<const uint32_t> operations) {
    Part part;
    NNAPI_RETURN_IF_ERROR(Extraction(model, graph, boundary, part).run(operations));
    return part;
}

Result<Model> extractGraph(const Model& model, const Model::Subgraph& graph) {
    Model extracted;
    Transfer transfer(model, extracted);
    extracted.main = graph;
    for (Operand& operand : extracted.main.operands) NNAPI_RETURN_IF_ERROR(transfer.take(operand));
    return extracted;
}

}  // namespace nn::runtime
