// Checks one subgraph: operands, inputs and outputs, operations and their order.
#pragma once

#include <optional>
#include <vector>

#include "nnapi/type_utils.h"
#include "nnapi/types.h"
#include "op_support/rules/op_view.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"
#include "validate/operation_cycles.h"
#include "validate/report.h"
#include "validate/validation_facts.h"

namespace nn {

// The prefixes of extension types that a model declares. Each other prefix is an error or a
// warning.
class DeclaredPrefixes {
   public:
    DeclaredPrefixes(const Model& model, bool isRequired)
        : mIsRequired(isRequired), mDeclared(size_t{1} << kExtensionPrefixBits) {
        for (const ExtensionNameAndPrefix& entry : model.extensionNameToPrefix) {
            mDeclared[entry.prefix] = true;
        }
    }

    // Reports an error or a warning for the type of an operand or operation at a place.
    void check(uint32_t type, const Place& place, Report& report) {
        if ((type >> kExtensionTypeBits) != 0) checkExtension(type, place, report);
    }

   private:
    // False once for each prefix that is not declared, or always if declarations are required.
    bool allows(uint16_t prefix) {
        const bool isDeclared = mDeclared[prefix];
        if (!mIsRequired) mDeclared[prefix] = true;
        return isDeclared;
    }
    void checkExtension(uint32_t type, const Place& place, Report& report);

    bool mIsRequired;
    std::vector<bool> mDeclared;
};

// Checks the subgraphs of a model one by one. Keeps its working memory from one to the next.
class SubgraphChecker {
   public:
    // `prefixes` is null if not wanted. `facts` are those of the model.
    SubgraphChecker(const Model& model, DeclaredPrefixes* prefixes, ModelFacts& facts,
                    Report& report)
        : mModel(model), mPrefixes(prefixes), mFacts(facts), mReport(report) {}

    // Checks one subgraph; does not follow references to other subgraphs.
    //   found  receives the results for its parts, with an entry for each; may be null
    void check(const Model::Subgraph& subgraph, const Place& place, GraphFacts* found = nullptr);

    // Checks one operation only: its operands exist, and match its signature and rules. Operands
    // and the order of execution are not checked.
    void checkAlone(const Operation& operation, const Model::Subgraph& subgraph,
                    const Place& place);

   private:
    void listOperands();
    void checkInputsAndOutputs(const Model::Subgraph& subgraph, const Place& place);
    void checkList(const Model::Subgraph& subgraph, const std::vector<uint32_t>& indexes,
                   Operand::LifeTime lifetime, std::string_view field, const Place& place);
    void checkOperations(const Model::Subgraph& subgraph, const Place& place);
    void checkOne(const Operation& operation, const Model::Subgraph& subgraph, const Place& place);
    // Looks up the operands of an operation. False, after a report, if one does not exist.
    bool lookUp(const Operation& operation, const Model::Subgraph& subgraph, const Place& place);
    void failIndexes(const Operation& operation, const Model::Subgraph& subgraph,
                     const Place& place);
    void checkOrder(const Operation& operation, const Model::Subgraph& subgraph,
                    const Place& place);
    void failOrder(size_t input, uint32_t operand, const Model::Subgraph& subgraph,
                   const Place& place);
    FoundOperation checkCall(const Operation& operation, const Model::Subgraph& subgraph,
                             const Place& place);

    const Model& mModel;
    DeclaredPrefixes* mPrefixes;
    ModelFacts& mFacts;
    Report& mReport;
    GraphFacts* mFound = nullptr;

    // Whether an operand is in inputIndexes or outputIndexes, as its lifetime demands.
    enum class Listed : uint8_t { NO, MISSING, YES };

    template <class E>
    using ByOperand = absl::InlinedVector<E, 64>;  // small graphs allocate nothing

    // Separate from the operands, since the operands of a large graph exceed the cache.
    ByOperand<Operand::LifeTime> mLifetimes;
    ByOperand<Listed> mListed;
    size_t mMissing = 0;                     // operands that are
    ByOperand<uint8_t> mHasValue;            // known, at this point of the execution
    std::optional<OperationCycles> mCycles;  // of the subgraph, once requested
    DeclaredOperands mDeclared;              // of one operation
    PlainCalls mPlainCalls;                  // of earlier operations
};

// An index of a subgraph's inputs or outputs names an operand.
bool checkListed(uint32_t index, const Model::Subgraph& subgraph, std::string_view rule,
                 const Place& place, Report& report);

}  // namespace nn
