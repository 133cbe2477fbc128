#include "validate/shape_inference.h"

#include <cstring>

#include "nnapi/type_utils.h"

namespace nn {
namespace {

class Warnings : public PreparationListener {
   public:
    Warnings(const Model::Subgraph& subgraph, std::span<const uint8_t* const> constants,
             const Place& place, Report& report)
        : mSubgraph(subgraph), mConstants(constants), mPlace(place), mReport(report) {}

    bool begins(Part part, size_t index) override {
        if (part == Part::OPERAND) return true;
        const Operation& operation = mSubgraph.operations[index];
        mReport.spend(placeOf(index), 1 + operation.inputs.size() + operation.outputs.size());
        return !mReport.done();
    }

    ops::Bytes constant(size_t operand, ElementType, Status&) override {
        return ops::Bytes::entrusted(mConstants[operand]);
    }

    bool refused(Part part, size_t index, Refusal why) override {
        const Place place = part == Part::OPERATION
                                    ? placeOf(index)
                                    : Place{&mPlace, "operands", static_cast<int64_t>(index)};
        mReport.warn(place, why.rule, std::move(why.message));
        return true;
    }

   private:
    Place placeOf(size_t operation) const {
        const OperationTypeInfo* info = operationTypeInfo(mSubgraph.operations[operation].type);
        return {&mPlace, "operations", static_cast<int64_t>(operation),
                info == nullptr ? std::string_view() : info->name};
    }

    const Model::Subgraph& mSubgraph;
    std::span<const uint8_t* const> mConstants;
    const Place& mPlace;
    Report& mReport;
};

}  // namespace

KnownDimensions inferDimensions(const Model::Subgraph& subgraph, const GraphFacts& found,
                                bool isMain, std::span<const uint8_t* const> constants,
                                const Place& place, Report& report) {
    GraphPreparation preparation(subgraph, found, isMain, /*extensions=*/nullptr, report.limits());
    Warnings warnings(subgraph, constants, place, report);
    preparation.run(warnings);
    return dimensionsOf(preparation);
}

KnownDimensions dimensionsOf(GraphPreparation& preparation) {
    KnownDimensions dimensions;
    dimensions.reserve(preparation.operands.size());
    for (const KnownOperand& operand : preparation.operands) {
        dimensions.emplace_back(operand.dimensions.begin(), operand.dimensions.end());
    }
    return dimensions;
}

SmallConstants::SmallConstants(const Model& model, const Model::Subgraph& subgraph)
    : mData(subgraph.operands.size(), nullptr) {
    for (size_t i = 0; i < mData.size(); ++i) {
        const Operand& operand = subgraph.operands[i];
        const uint32_t size = elementSize(operand.type);
        const uint32_t length = operand.location.length;
        if (size == 0 || length == 0 || length > kMaxBytes) continue;

        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            mData[i] = model.operandValues.data() + operand.location.offset;
        } else {  // null if the lifetime is not POINTER
            mData[i] = std::visit([](const void* p) { return static_cast<const uint8_t*>(p); },
                                  operand.location.pointer);
        }
        if (reinterpret_cast<uintptr_t>(mData[i]) % size != 0) {
            auto& copy = mAligned.emplace_back((length + 3) / 4);
            std::memcpy(copy.data(), mData[i], length);
            mData[i] = reinterpret_cast<const uint8_t*>(copy.data());
        }
    }
}

}  // namespace nn
