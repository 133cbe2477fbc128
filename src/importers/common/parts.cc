#include "importers/common/parts.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

#include "nnapi/type_utils.h"
#include "types/limits.h"

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
    }

    std::vector<uint32_t> producer;  // part, by operand
    std::vector<bool> isShared;      // read by another part, or from outside
};

class PartBuilder {
   public:
    PartBuilder(const IncompleteModel& whole, const Uses& uses, uint32_t number)
        : mWhole(whole), mUses(uses), mNumber(number) {
        mPart.model.pools = whole.model.pools;
        mPart.model.relaxComputationFloat32toFloat16 = whole.model.relaxComputationFloat32toFloat16;
    }

    // Returns the index in the part; kNone if the constants have no place.
    uint32_t add(const Operation& operation) {
        Operation moved{.type = operation.type};
        for (const uint32_t input : operation.inputs) moved.inputs.push_back(operandOf(input));
        for (const uint32_t output : operation.outputs) moved.outputs.push_back(operandOf(output));
        Model::Subgraph& main = mPart.model.main;
        main.operations.push_back(std::move(moved));
        return static_cast<uint32_t>(main.operations.size() - 1);
    }

    bool isFull() const { return mIsFull; }
    uint64_t constantBytes() const {
        return std::max<uint64_t>(mConstantBytes, mPart.model.operandValues.size());
    }

    ImportedPart take() {
        addGraphs();
        addStates();
        mConstantBytes = mPart.model.operandValues.size();
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
        const auto location = mPart.model.operandValues.append(
                values.data() + operand.location.offset, operand.location.length);
        mIsFull |= !location;
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
                if (isNew) {
                    mPart.model.referenced.push_back(
                            mWhole.model.referenced[operand.location.offset]);
                }
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
        const Model::Subgraph& all = mWhole.model.main;
        const Model::Subgraph& main = mPart.model.main;
        for (const ImportedState& state : mWhole.states) {
            const auto input = mOperands.find(all.inputIndexes[state.input]);
            const auto output = mOperands.find(all.outputIndexes[state.output]);
            if (input == mOperands.end() || output == mOperands.end()) continue;
            const auto in = absl::c_find(main.inputIndexes, input->second);
            const auto out = absl::c_find(main.outputIndexes, output->second);
            if (in == main.inputIndexes.end() || out == main.outputIndexes.end()) continue;
            mPart.states.push_back(
                    {.input = static_cast<uint32_t>(in - main.inputIndexes.begin()),
                     .output = static_cast<uint32_t>(out - main.outputIndexes.begin())});
        }
    }

    const IncompleteModel& mWhole;
    const Uses& mUses;
    uint32_t mNumber;
    ImportedPart mPart;
    std::map<uint32_t, uint32_t> mOperands;
    bool mIsFull = false;
    uint64_t mConstantBytes = 0;  // of the part that was taken
};

}  // namespace

Result<Parts> divide(const IncompleteModel& whole, const Limits& limits) {
    const Model::Subgraph& main = whole.model.main;
    const Uses uses(whole);
    std::map<uint32_t, PartBuilder> builders;
    Parts result;
    uint64_t bytes = 0;
    for (size_t i = 0; i < main.operations.size(); ++i) {
        const uint32_t number = whole.partOfOperation[i];
        PartBuilder& part = builders.try_emplace(number, whole, uses, number).first->second;
        const uint64_t before = part.constantBytes();
        result.operations.push_back(part.add(main.operations[i]));
        bytes += part.constantBytes() - before;
        NNAPI_RETURN_IF_ERROR(within(limits, &Limits::constantBytes, bytes, "parts"));
    }
    // Numbers of parts may have gaps.
    bytes = 0;
    std::map<uint32_t, uint32_t> indexes;
    for (auto& [number, builder] : builders) {
        indexes[number] = static_cast<uint32_t>(result.parts.size());
        result.parts.push_back(builder.take());
        bytes += builder.isFull() ? uint64_t{UINT32_MAX} + 1 : builder.constantBytes();
        NNAPI_RETURN_IF_ERROR(within(limits, &Limits::constantBytes, bytes, "parts"));
    }
    for (const uint32_t number : whole.partOfOperation) {
        result.partOfOperation.push_back(indexes[number]);
    }
    return result;
}

}  // namespace nn::importing
