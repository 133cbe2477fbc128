// Access to the graphs of IF and WHILE for their rules in src/ops/if_while.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "nnapi/types.h"
#include "validate/report.h"

namespace nn {

// True for the operations that checkControlFlow checks, and checkOperation does not.
constexpr bool isControlFlow(OperationType type) {
    switch (type) {
#define NNAPI_OPERATION(...)
#define NNAPI_CONTROL_FLOW(name, ...) case OperationType::name:
#include "nnapi/operations.def"
        return true;
        default:
            return false;
    }
}

// Facts about a model that IFs and WHILEs need repeatedly, each computed once on first use, so that
// checking them is linear in the model's size, however often they refer to the same operands and
// graphs. Must not be called with null pointers or indexes out of range.
class ModelFacts {
   public:
    explicit ModelFacts(const Model& model) : mModel(model) {}

    // True if two operands, each of a graph of the model or of `other`, have bitwise equal extra
    // parameters. `other` may be one of the graphs, and is the same in all calls.
    bool haveSameExtraParams(const Operand& a, const Operand& b, const Model::Subgraph& other);

    // True if referenced[i] has an input, or output, of unknown size.
    bool hasUnknownInput(size_t i) {
        return hasUnknown(mInputs, i, &Model::Subgraph::inputIndexes);
    }
    bool hasUnknownOutput(size_t i) {
        return hasUnknown(mOutputs, i, &Model::Subgraph::outputIndexes);
    }

   private:
    struct Numbered {
        const Operand* operand;
        size_t number;  // that of the operands with equal parameters
    };
    enum class CachedBool : uint8_t { UNKNOWN, NO, YES };

    void number(const Model::Subgraph& other);
    size_t numberOf(const Operand& operand) const;
    bool hasUnknown(std::vector<CachedBool>& cache, size_t i,
                    std::vector<uint32_t> Model::Subgraph::*list);

    const Model& mModel;
    std::optional<std::vector<Numbered>> mNumbered{};  // operands that have any, by address
    std::vector<CachedBool> mInputs{};                 // by referenced graph
    std::vector<CachedBool> mOutputs{};
};

// Reports the requirements of an IF or a WHILE of a subgraph, or its errors. The operands of the
// operation exist; nothing else of the model need be legal. The facts are those of the model.
void checkControlFlow(const Operation& operation, const Model::Subgraph& subgraph,
                      const Model& model, ModelFacts& facts, const Place& place, Report& report);

}  // namespace nn
