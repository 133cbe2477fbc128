// A model being built by the generator: its operands and where their values are stored.
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
    Model::Subgraph graph{};  // the graph being extended
    bool hasExtension = false;
    Spread spread = Spread::EXACT;  // of readable operands to come, where models are varied

    // A state that the draft can be reset to.
    struct Checkpoint {
        size_t operands;
        size_t values;
        size_t pool;
    };
    Checkpoint checkpoint() const { return {graph.operands.size(), mValues.size(), mPool.size()}; }
    void rollBack(const Checkpoint& checkpoint);

    bool isWanted(OperationType type) const {
        return options.operations.empty() || absl::c_count(options.operations, type) != 0;
    }
    bool isAvailable(OperandType type) const;
    bool mayHaveUnknownRank() const { return isCompliantVersion(kVersionFeatureLevel3, target); }

    // ---- operands

    static Operand newOperand(OperandType type, std::vector<uint32_t> dimensions,
                              const Quantization& quantization);

    // An operand without constraints of an operation.
    Operand anyOperand(OperandType type, bool mayBeUnknown);

    // Makes a tensor quantized per channel along a dimension, which must be known.
    void setChannelScales(Operand& operand, size_t dimension);

    uint32_t add(Operand operand);
    uint32_t addConstant(Operand operand, std::span<const uint8_t> value);
    uint32_t addInteger(OperandType type, std::vector<uint32_t> dimensions, int32_t value);
    uint32_t addTensor(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime);
    uint32_t addFloats(LifeTime lifetime);  // [2, 2]
    uint32_t addOmitted(Operand operand);
    uint32_t addOutput(Operand operand);

    // Adds a readable operand: an input of the graph or a constant.
    uint32_t addReadable(Operand operand);

    // Adds a readable operand of this type; the rest is random.
    uint32_t addAnyInput(OperandType type);

    // An existing operand of this type that satisfies the predicate.
    template <class Predicate>
    std::optional<uint32_t> findReadable(OperandType type, Predicate fits) {
        std::vector<uint32_t> candidates;
        for (uint32_t i = 0; i < graph.operands.size(); ++i) {
            const Operand& operand = graph.operands[i];
            if (operand.type == type && operand.lifetime != LifeTime::NO_VALUE)
                candidates.push_back(i);
        }
        if (candidates.empty() || needsInput() || source.below(4) == 0) return std::nullopt;
        if (options.varied && !source.oneIn(8)) return std::nullopt;
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

    // Adds an operand that refers to a new graph, built by `fill`.
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

// The extension prefix in generated models.
inline constexpr uint16_t kPrefix = 1;

}  // namespace nn::testing
