// A model under construction by the generator: its operands and the places of their values.
#pragma once

#include <absl/algorithm/container.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nnapi/testing/generate.h"
#include "opkit/rules/call.h"
#include "testing/values.h"

namespace nn::testing {

using LifeTime = Operand::LifeTime;

class Draft {
   public:
    Draft(Source& source, const ModelOptions& options)
        : source(source),
          options(options),
          target(options.featureLevel.value_or(toVersion(options.version))) {}

    Source& source;
    const ModelOptions options;
    const Version target;
    Model model{};
    Model::Subgraph graph{};  // operations are added to this graph
    bool hasExtension = false;

    // A state of the draft to return to.
    struct Mark {
        size_t operands;
        size_t values;
        size_t pool;
    };
    Mark mark() const { return {graph.operands.size(), mValues.size(), mPool.size()}; }
    void takeBack(const Mark& mark);

    bool isWanted(OperationType type) const {
        return options.operations.empty() || absl::c_count(options.operations, type) != 0;
    }
    bool isAvailable(OperandType type) const;
    bool mayHaveUnknownRank() const { return isCompliantVersion(kVersionFeatureLevel3, target); }

    // ---- operands

    static Operand newOperand(OperandType type, std::vector<uint32_t> dimensions,
                              const Quantization& quantization);

    // An operand without any demands of an operation.
    Operand anyOperand(OperandType type, bool mayBeUnknown);

    // A tensor with a scale for each index of a dimension, which must be known.
    void setChannelScales(Operand& operand, size_t dimension);

    uint32_t add(Operand operand);
    uint32_t addConstant(Operand operand, std::span<const uint8_t> value);
    uint32_t addInteger(OperandType type, std::vector<uint32_t> dimensions, int32_t value);
    uint32_t addTensor(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime);
    uint32_t addFloats(LifeTime lifetime);  // [2, 2]
    uint32_t addOmitted(Operand operand);
    uint32_t addOutput(Operand operand);

    // A new operand that can be read: an input of the graph or a constant.
    uint32_t addReadable(Operand operand);

    // A new operand of this type that can be read; the rest of it is random.
    uint32_t addAnyInput(OperandType type);

    // An existing operand of this type that fits.
    template <class Predicate>
    std::optional<uint32_t> findReadable(OperandType type, Predicate fits) {
        std::vector<uint32_t> candidates;
        for (uint32_t i = 0; i < graph.operands.size(); ++i) {
            const Operand& operand = graph.operands[i];
            if (operand.type == type && operand.lifetime != LifeTime::NO_VALUE)
                candidates.push_back(i);
        }
        if (candidates.empty() || needsInput() || source.below(4) == 0) return std::nullopt;
        const size_t first = source.below(candidates.size());
        std::rotate(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(first),
                    candidates.end());
        const auto found =
                absl::c_find_if(candidates, [&](uint32_t i) { return fits(graph.operands[i]); });
        return found == candidates.end() ? std::nullopt : std::optional(*found);
    }

    bool hasOperand(LifeTime lifetime) const;

    // The operand as validation sees it, before execution.
    ops::Value valueOf(uint32_t index) const;

    // ---- graphs

    // Adds an operand that names a new graph, which `fill` builds.
    template <class Fill>
    uint32_t addGraph(Fill fill) {
        Model::Subgraph outer = std::exchange(graph, {});
        fill();
        listInputsAndOutputs();
        model.referenced.push_back(std::exchange(graph, std::move(outer)));
        return add({.type = OperandType::SUBGRAPH,
                    .lifetime = LifeTime::SUBGRAPH,
                    .location = {.offset = static_cast<uint32_t>(model.referenced.size() - 1)}});
    }

    // Makes a model of the graph.
    Model finish() &&;

   private:
    // Executable models need at least one input.
    bool needsInput() const { return options.executable && !hasOperand(LifeTime::SUBGRAPH_INPUT); }

    std::vector<uint32_t> anyDimensions(bool mayBeUnknown);
    void listInputsAndOutputs();
    void forgetDimensions();

    std::vector<uint8_t> mValues{};  // of CONSTANT_COPY
    std::vector<uint8_t> mPool{};    // of CONSTANT_REFERENCE
};

// The prefix of the extension in drawn models.
inline constexpr uint16_t kPrefix = 1;

}  // namespace nn::testing
