#include "importers/common/parts.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "nnapi/type_utils.h"

namespace nn::importing {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Who computes and who reads the operands of the whole graph.
struct Uses {
    explicit Uses(const IncompleteModel& whole)
        : producer(whole.model.main.operands.size(), kNone), isShared(whole.isReadElsewhere) {
        const Model::Subgraph& main = whole.model.main;
        isShared.resize(main.operands.size(), false);
        for (size_t i = 0; i < main.operations.size(); ++i) {
            for (const uint32_t output : main.operations[i].outputs) {
                producer[output] = whole.partOfOperation[i];
            }
        }
        for (size_t i = 0; i < main.operations.size(); ++i) {
            for (const uint32_t input : main.operations[i].inputs) {
                if (producer[input] != whole.partOfOperation[i]) isShared[input] = true;
            }
        }
        for (const uint32_t output : main.outputIndexes) isShared[output] = true;
        for (const ImportedState& state : whole.states) {
            stateAfter[main.inputIndexes[state.input]] = main.outputIndexes[state.output];
        }
    }

    std::vector<uint32_t> producer;           // part, by operand
    std::vector<bool> isShared;               // read by another part, or from outside
    std::map<uint32_t, uint32_t> stateAfter;  // operands, by those of the values before
};

// What all parts together have: each has a copy of the constants and of the graphs that it names.
class Copies {
   public:
    Copies(const IncompleteModel& whole, const Limits& limits)
        : mLimits(limits),
          mMaxBytes(std::min(limits.constantBytes,
                             kForAnyModel + kForEachByte * whole.model.operandValues.size())) {}

    // False, from then on, where they are out of proportion to the whole.
    bool addBytes(uint64_t bytes) {
        mBytes += bytes;
        return isWithin();
    }
    bool addGraph(const Model::Subgraph& graph) {
        mOperands += graph.operands.size();
        mOperations += graph.operations.size();
        return isWithin();
    }
    bool isWithin() const { return status().ok(); }
    Status status() const {
        NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::operands, mOperands, "parts"));
        NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::operations, mOperations, "parts"));
        if (mBytes <= mMaxBytes) return absl::OkStatus();
        return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                         "copies of constants in the parts are out of proportion to the model");
    }

   private:
    static constexpr uint64_t kForAnyModel = 1 << 20, kForEachByte = 64;

    const Limits& mLimits;
    uint64_t mMaxBytes;
    uint64_t mBytes = 0, mOperands = 0, mOperations = 0;
};

class PartBuilder {
   public:
    PartBuilder(const IncompleteModel& whole, const Uses& uses, Copies& copies, uint32_t number)
        : mWhole(whole), mUses(uses), mCopies(copies), mNumber(number) {
        mPart.model.pools = whole.model.pools;
        mPart.model.relaxComputationFloat32toFloat16 = whole.model.relaxComputationFloat32toFloat16;
    }

    // Returns the index in the part.
    uint32_t add(const Operation& operation) {
        Operation moved{.type = operation.type};
        for (const uint32_t input : operation.inputs) moved.inputs.push_back(operandOf(input));
        for (const uint32_t output : operation.outputs) moved.outputs.push_back(operandOf(output));
        Model::Subgraph& main = mPart.model.main;
        main.operations.push_back(std::move(moved));
        return static_cast<uint32_t>(main.operations.size() - 1);
    }

    ImportedPart take() {
        addGraphs();
        addStates();
        return std::move(mPart);
    }

   private:
    uint32_t operandOf(uint32_t whole) {
        const auto [place, isNew] = mOperands.emplace(whole, 0);
        if (!isNew) return place->second;
        Operand operand = mWhole.model.main.operands[whole];
        Model::Subgraph& main = mPart.model.main;
        const auto index = static_cast<uint32_t>(main.operands.size());
        place->second = index;
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            moveConstant(operand);
        } else if (operand.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE ||
                   operand.lifetime == Operand::LifeTime::SUBGRAPH_INPUT ||
                   operand.lifetime == Operand::LifeTime::SUBGRAPH_OUTPUT) {
            bind(whole, index, operand);
        }
        main.operands.push_back(std::move(operand));
        mPart.operandNames.push_back(mWhole.operandNames[whole]);
        return index;
    }

    // Inputs and outputs of the part.
    void bind(uint32_t whole, uint32_t index, Operand& operand) {
        Model::Subgraph& main = mPart.model.main;
        if (mUses.producer[whole] != mNumber) {
            operand.lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
            mInputs[index] = static_cast<uint32_t>(main.inputIndexes.size());
            main.inputIndexes.push_back(index);
        } else if (mUses.isShared[whole]) {
            operand.lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
            main.outputIndexes.push_back(index);
        } else {
            operand.lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
        }
    }

    void moveConstant(Operand& operand) {
        const Model::OperandValues& values = mWhole.model.operandValues;
        if (!mCopies.addBytes(operand.location.length)) return;
        const auto location = mPart.model.operandValues.append(
                values.data() + operand.location.offset, operand.location.length);
        if (location) operand.location = *location;
    }

    // Graphs that IF and WHILE of this part name, with those that they name in turn.
    void addGraphs() {
        std::map<uint32_t, uint32_t> numbers;
        const auto rename = [&](std::vector<Operand>& operands) {
            for (Operand& operand : operands) {
                if (operand.lifetime != Operand::LifeTime::SUBGRAPH) continue;
                const auto next = static_cast<uint32_t>(numbers.size());
                const auto [number, isNew] = numbers.emplace(operand.location.offset, next);
                const Model::Subgraph& graph = mWhole.model.referenced[operand.location.offset];
                if (isNew && mCopies.addGraph(graph)) mPart.model.referenced.push_back(graph);
                operand.location.offset = number->second;
            }
        };
        rename(mPart.model.main.operands);
        for (size_t i = 0; i < mPart.model.referenced.size(); ++i) {
            std::vector<Operand> operands = std::move(mPart.model.referenced[i].operands);
            rename(operands);
            for (Operand& operand : operands) {
                if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) moveConstant(operand);
            }
            mPart.model.referenced[i].operands = std::move(operands);
        }
    }

    void addStates() {
        if (mUses.stateAfter.empty()) return;
        const Model::Subgraph& main = mPart.model.main;
        std::map<uint32_t, uint32_t> outputs;
        for (uint32_t i = 0; i < main.outputIndexes.size(); ++i) outputs[main.outputIndexes[i]] = i;
        for (const auto& [whole, operand] : mOperands) {
            if (main.operands[operand].lifetime == Operand::LifeTime::SUBGRAPH_INPUT) {
                addStateOf(whole, operand, outputs);
            }
        }
        absl::c_sort(mPart.states, [](const ImportedState& a, const ImportedState& b) {
            return a.input < b.input;
        });
    }

    void addStateOf(uint32_t whole, uint32_t operand, const std::map<uint32_t, uint32_t>& outputs) {
        const auto after = mUses.stateAfter.find(whole);
        if (after == mUses.stateAfter.end()) return;
        const auto inPart = mOperands.find(after->second);
        if (inPart == mOperands.end()) return;
        const auto output = outputs.find(inPart->second);
        if (output == outputs.end()) return;
        mPart.states.push_back({.input = mInputs[operand], .output = output->second});
    }

    const IncompleteModel& mWhole;
    const Uses& mUses;
    Copies& mCopies;
    uint32_t mNumber;
    ImportedPart mPart;
    std::map<uint32_t, uint32_t> mOperands;
    std::map<uint32_t, uint32_t> mInputs;  // of the part, by operand: which of the inputs
};

}  // namespace

Result<Parts> divide(const IncompleteModel& whole, const Limits& limits) {
    const Model::Subgraph& main = whole.model.main;
    const Uses uses(whole);
    Copies copies(whole, limits);
    std::map<uint32_t, PartBuilder> builders;
    Parts result;
    for (size_t i = 0; i < main.operations.size(); ++i) {
        const uint32_t number = whole.partOfOperation[i];
        PartBuilder& part = builders.try_emplace(number, whole, uses, copies, number).first->second;
        result.operations.push_back(part.add(main.operations[i]));
        NNAPI_RETURN_IF_ERROR(copies.status());
    }
    // Numbers of parts may have gaps.
    std::map<uint32_t, uint32_t> indexes;
    for (auto& [number, builder] : builders) {
        indexes[number] = static_cast<uint32_t>(result.parts.size());
        result.parts.push_back(builder.take());
        NNAPI_RETURN_IF_ERROR(copies.status());
    }
    for (const uint32_t number : whole.partOfOperation) {
        result.partOfOperation.push_back(indexes[number]);
    }
    return result;
}

}  // namespace nn::importing
