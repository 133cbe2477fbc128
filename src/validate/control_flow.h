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

// What IFs and WHILEs ask of a model again and again, each found out once and when it is first
// asked: so that checking them takes time linear in what the model holds, however often they name
// the same operands and graphs. Null pointers and indexes out of range are never asked for.
class ModelFacts {
   public:
    explicit ModelFacts(const Model& model) : mModel(model) {}

    // Whether two operands, each of a graph of the model or of `other`, have the same extra
    // parameters, bit by bit. `other` may be one of the graphs, and is the same in all calls.
    bool haveSameExtraParams(const Operand& a, const Operand& b, const Model::Subgraph& other);

    // Whether referenced[i] has an input, or output, of unknown size.
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
    enum class Answer : uint8_t { NOT_ASKED, NO, YES };

    void number(const Model::Subgraph& other);
    size_t numberOf(const Operand& operand) const;
    bool hasUnknown(std::vector<Answer>& answers, size_t i,
                    std::vector<uint32_t> Model::Subgraph::*list);

    const Model& mModel;
    std::optional<std::vector<Numbered>> mNumbered{};  // operands that have any, by address
    std::vector<Answer> mInputs{};                     // by referenced graph
    std::vector<Answer> mOutputs{};
};

// Reports what an IF or a WHILE of a subgraph needs, or why it is refused. All operands of the
// operation exist; nothing else of the model is presumed to be legal. The facts are those of the
// model.
void checkControlFlow(const Operation& operation, const Model::Subgraph& subgraph,
                      const Model& model, ModelFacts& facts, const Place& place, Report& report);

}  // namespace nn
