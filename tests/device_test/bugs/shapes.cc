// Shapes that are known only after an execution, and operands that may be missing.
#include <algorithm>
#include <mutex>

#include "device_test/bugs/parts.h"

namespace nn::bugs {
namespace shapes {
namespace {

// For each output of a model, whether a reduction makes it that keeps dimensions of 1.
std::vector<bool> keepsDimensions(const Model& model) {
    const auto& [operands, operations, inputs, outputs] = model.main;
    std::vector<bool> keeps(outputs.size(), false);
    for (const Operation& operation : operations) {
        switch (operation.type) {
            case OperationType::MEAN:
            case OperationType::REDUCE_ALL:
            case OperationType::REDUCE_ANY:
            case OperationType::REDUCE_MAX:
            case OperationType::REDUCE_MIN:
            case OperationType::REDUCE_PROD:
            case OperationType::REDUCE_SUM:
                break;
            default:
                continue;
        }
        const Operand& keep = operands[operation.inputs[2]];
        if (keep.lifetime != Operand::LifeTime::CONSTANT_COPY ||
            model.operandValues.data()[keep.location.offset] == 0) {
            continue;
        }
        for (size_t i = 0; i < outputs.size(); ++i) {
            if (outputs[i] == operation.outputs[0]) keeps[i] = true;
        }
    }
    return keeps;
}

class ShapePreparedModel final : public PreparedModelPart {
   public:
    ShapePreparedModel(SharedPreparedModel inner, Bug bug, const Model* model)
        : PreparedModelPart(std::move(inner), bug) {
        if (model != nullptr) mKeeps = keepsDimensions(*model);
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        auto executed = call.on(*inner());
        if (!executed.has_value()) {
            auto why = executed.error();
            if (!has(Bug::insufficient_shape_zero) || why.outputShapes.empty()) return executed;
            for (OutputShape& shape : why.outputShapes) {
                std::fill(shape.dimensions.begin(), shape.dimensions.end(), 0);
            }
            return why;
        }
        std::vector<OutputShape>& shapes = executed->first;
        for (size_t i = 0; i < shapes.size(); ++i) {
            auto& dimensions = shapes[i].dimensions;
            const bool isEmpty = std::ranges::find(dimensions, 0u) != dimensions.end();
            if (has(Bug::empty_tensor_crash) && isEmpty) crash();
            if (has(Bug::reduce_keep_dims) && i < mKeeps.size() && mKeeps[i]) {
                std::erase(dimensions, 1u);
            }
        }
        if (has(Bug::dynamic_shape_stale) && !shapes.empty()) {
            const std::lock_guard lock(mMutex);
            std::vector<OutputShape> last = std::exchange(mLast, shapes);
            if (!last.empty()) shapes = std::move(last);
        }
        return executed;
    }

   private:
    std::vector<bool> mKeeps{};
    mutable std::mutex mMutex{};
    mutable std::vector<OutputShape> mLast{};
};

class ShapePart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        auto prepared = preparation.on(*inner());
        if (!prepared.has_value() || !has(Bug::omitted_operand_crash)) return prepared;
        const auto& main = preparation.model.main;
        for (const Operation& operation : main.operations) {
            for (const uint32_t index : operation.inputs) {
                if (main.operands[index].lifetime == Operand::LifeTime::NO_VALUE) crash();
            }
        }
        return prepared;
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const override {
        return std::make_shared<const ShapePreparedModel>(std::move(made), bug(), model);
    }
};

}  // namespace
}  // namespace shapes

SharedDevice withShapeBugs(SharedDevice device, Bug bug) {
    switch (bug) {
        case Bug::reduce_keep_dims:
        case Bug::dynamic_shape_stale:
        case Bug::empty_tensor_crash:
        case Bug::omitted_operand_crash:
        case Bug::insufficient_shape_zero:
            return std::make_shared<const shapes::ShapePart>(std::move(device), bug);
        default:
            return device;
    }
}

}  // namespace nn::bugs
