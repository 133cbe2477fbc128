#include "validate/shape_inference.h"

#include <cstring>

#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"

namespace nn {
namespace {

class ShapeInference {
   public:
    ShapeInference(const Model::Subgraph& subgraph, std::span<const uint8_t* const> constants,
                   Report& report)
        : mSubgraph(subgraph), mConstants(constants), mReport(report) {
        mKnown.reserve(subgraph.operands.size());
        for (const Operand& operand : subgraph.operands) mKnown.push_back(operand.dimensions);
    }

    void infer(const Operation& operation, const Place& place) {
        fill(operation.inputs, mInputs);
        fill(operation.outputs, mOutputs);
        Report ignored({});  // what is illegal has been reported before, or a device does without
        const ops::Form* form = checkOperation(operation.type, mInputs, mOutputs, place, ignored);
        if (form == nullptr || !ignored.ok()) return;

        mShapes.assign(operation.outputs.size(), std::nullopt);
        if (!inferShapes(operation.type, mInputs, mOutputs, form, place, mReport, mShapes)) return;
        for (size_t i = 0; i < mShapes.size(); ++i) {
            if (mShapes[i]) learn(i, operation.outputs[i], *mShapes[i], place);
        }
    }

    KnownDimensions takeKnown() && { return std::move(mKnown); }

   private:
    void fill(const std::vector<uint32_t>& indexes, std::vector<ops::Value>& values) {
        values.clear();
        for (const uint32_t index : indexes) {
            ops::Value value = declaredValue(mSubgraph.operands[index], index);
            value.dimensions = mKnown[index];
            value.data = ops::Bytes::entrusted(mConstants[index]);
            values.push_back(value);
        }
    }

    void learn(size_t output, uint32_t operand, const std::vector<ops::Dim>& shape,
               const Place& place) {
        std::vector<uint32_t> inferred(shape.size());
        for (size_t i = 0; i < shape.size(); ++i) inferred[i] = shape[i].value_or(0);
        auto combined = combineDimensions(mKnown[operand], inferred);
        if (combined) {
            mKnown[operand] = std::move(*combined);
        } else {
            mReport.warn(place, "operation.output_shape",
                         fmt::format("output {} (operand {}) has dimensions {}, but the operation "
                                     "gives {}",
                                     output, operand, DimensionList{mKnown[operand]},
                                     DimensionList{inferred}));
        }
    }

    const Model::Subgraph& mSubgraph;
    std::span<const uint8_t* const> mConstants;
    Report& mReport;
    KnownDimensions mKnown;
    std::vector<ops::Value> mInputs;
    std::vector<ops::Value> mOutputs;
    std::vector<ops::Shape> mShapes;
};

}  // namespace

KnownDimensions inferShapes(const Model::Subgraph& subgraph,
                            std::span<const uint8_t* const> constants, const Place& place,
                            Report& report) {
    ShapeInference inference(subgraph, constants, report);
    for (size_t i = 0; i < subgraph.operations.size() && !report.done(); ++i) {
        const Operation& operation = subgraph.operations[i];
        const OperationTypeInfo* info = operationTypeInfo(operation.type);
        if (info == nullptr || isControlFlow(operation.type)) continue;
        const Place at{&place, "operations", static_cast<int64_t>(i), info->name};
        report.spend(at, 1 + operation.inputs.size() + operation.outputs.size());
        inference.infer(operation, at);
    }
    return std::move(inference).takeKnown();
}

SmallConstants::SmallConstants(const Model& model, const Model::Subgraph& subgraph)
    : mData(subgraph.operands.size(), nullptr) {
    for (size_t i = 0; i < mData.size(); ++i) {
        const Operand& operand = subgraph.operands[i];
        const uint32_t size = elementSize(operand.type);
        const uint32_t length = operand.location.length;
        if (size == 0 || length == 0 || length > kMostBytes) continue;

        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            mData[i] = model.operandValues.data() + operand.location.offset;
        } else {  // null where the lifetime is not POINTER
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
