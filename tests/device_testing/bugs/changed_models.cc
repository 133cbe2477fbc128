// Parameters of operations that the driver does not look at: it computes a model that has another
// constant there. And models whose form it does not expect.
#include <absl/algorithm/container.h>

#include <cstring>

#include "device_testing/bugs/parts.h"
#include "nnapi/half.h"
#include "nnapi/memory.h"

namespace nn::bugs {
namespace changed_models {
namespace {

// The value that an input of an operation has whatever the model says. Operations with explicit
// padding have more inputs than those with implicit padding.
struct FixedInput {
    Bug bug{};
    OperationType operation{};
    size_t minInputs = 0, maxInputs = 0;
    size_t input = 0;
    float value = 0;
};

using enum OperationType;
constexpr size_t kAny = 99;
constexpr FixedInput kFixedInputs[] = {
        {Bug::conv_activation_ignored, CONV_2D, 10, kAny, 9, 0},
        {Bug::conv_activation_ignored, CONV_2D, 7, 9, 6, 0},
        {Bug::depthwise_activation_ignored, DEPTHWISE_CONV_2D, 11, kAny, 10, 0},
        {Bug::depthwise_activation_ignored, DEPTHWISE_CONV_2D, 8, 10, 7, 0},
        {Bug::transpose_conv_activation_ignored, TRANSPOSE_CONV_2D, 11, kAny, 9, 0},
        {Bug::transpose_conv_activation_ignored, TRANSPOSE_CONV_2D, 9, 10, 7, 0},
        {Bug::l2_pool_activation_ignored, L2_POOL_2D, 10, kAny, 9, 0},
        {Bug::l2_pool_activation_ignored, L2_POOL_2D, 7, 9, 6, 0},
        {Bug::average_pool_activation_ignored, AVERAGE_POOL_2D, 10, kAny, 9, 0},
        {Bug::average_pool_activation_ignored, AVERAGE_POOL_2D, 7, 9, 6, 0},
        {Bug::fully_connected_activation_ignored, FULLY_CONNECTED, 4, kAny, 3, 0},
        {Bug::batch_matmul_adjoint_ignored, BATCH_MATMUL, 4, kAny, 3, 0},
        {Bug::log_softmax_beta_ignored, LOG_SOFTMAX, 3, kAny, 1, 1},
        {Bug::log_softmax_axis_ignored, LOG_SOFTMAX, 3, kAny, 2, -1},
        {Bug::elu_alpha_ignored, ELU, 2, kAny, 1, 1},
        {Bug::lrn_axis_ignored, LOCAL_RESPONSE_NORMALIZATION, 6, kAny, 5, -1},
        {Bug::l2_norm_axis_ignored, L2_NORMALIZATION, 2, kAny, 1, -1},
        {Bug::mirror_pad_mode_ignored, MIRROR_PAD, 3, kAny, 2, 0},
        {Bug::reverse_first_axis, REVERSE, 2, kAny, 1, 0},
        {Bug::rnn_activation_fixed, RNN, 6, kAny, 5, 4},
        {Bug::lstm_activation_fixed, LSTM, 23, kAny, 20, 4},
        {Bug::lstm_projection_clip_ignored, LSTM, 23, kAny, 22, 0},
        {Bug::sequence_rnn_time_major, UNIDIRECTIONAL_SEQUENCE_RNN, 7, kAny, 6, 1},
        {Bug::space_to_depth_nchw_ignored, SPACE_TO_DEPTH, 3, kAny, 2, 0},
        {Bug::roi_align_samples_fixed, ROI_ALIGN, 10, kAny, 7, 1},
        {Bug::channel_shuffle_groups_ignored, CHANNEL_SHUFFLE, 3, kAny, 1, 1},
        {Bug::nms_kernel_ignored, BOX_WITH_NMS_LIMIT, 9, kAny, 5, 0},
        {Bug::instance_norm_beta_ignored, INSTANCE_NORMALIZATION, 5, kAny, 2, 0},
};

// Writes a scalar, or the first element of a tensor.
void put(OperandType type, float value, uint8_t* bytes) {
    const auto copy = [&](auto element) { std::memcpy(bytes, &element, sizeof(element)); };
    switch (type) {
        case OperandType::FLOAT32:
            return copy(value);
        case OperandType::FLOAT16:
            return copy(floatToHalf(value));
        case OperandType::BOOL:
            return copy(static_cast<uint8_t>(value));
        default:
            return copy(static_cast<int32_t>(value));
    }
}

Model withFixedInputs(Model model, Bug bug) {
    std::vector<uint8_t> values(model.operandValues.data(),
                                model.operandValues.data() + model.operandValues.size());
    for (const Operation& operation : model.main.operations) {
        for (const FixedInput& row : kFixedInputs) {
            const size_t count = operation.inputs.size();
            if (row.bug != bug || row.operation != operation.type || count < row.minInputs ||
                count > row.maxInputs) {
                continue;
            }
            const Operand& operand = model.main.operands[operation.inputs[row.input]];
            if (operand.lifetime != Operand::LifeTime::CONSTANT_COPY) continue;
            put(operand.type, row.value, values.data() + operand.location.offset);
        }
    }
    model.operandValues = Model::OperandValues(std::move(values));
    return model;
}

// ---- forms of models

bool isRead(const Model::Subgraph& graph, uint32_t operand) {
    return absl::c_any_of(graph.operations, [&](const Operation& operation) {
        return absl::c_linear_search(operation.inputs, operand);
    });
}

bool isConstant(const Operand& operand) {
    return operand.lifetime == Operand::LifeTime::CONSTANT_COPY ||
           operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE;
}

// Models that a driver does not expect, and refuses when it compiles them.
bool isUnexpected(const Model::Subgraph& graph, Bug bug) {
    const auto isOdd = [&](const Operation& operation) {
        if (operation.inputs.size() < 2) return false;
        const uint32_t first = operation.inputs[0], second = operation.inputs[1];
        if (bug == Bug::refuses_same_input_twice) return first == second;
        return bug == Bug::refuses_constant_first && operation.type == SUB &&
               isConstant(graph.operands[first]) && !isConstant(graph.operands[second]);
    };
    return absl::c_any_of(graph.operations, isOdd);
}

// Spoils results of models of a form.
class FormPreparedModel final : public PreparedModelPart {
   public:
    FormPreparedModel(SharedPreparedModel inner, Bug bug, const Model::Subgraph& graph)
        : PreparedModelPart(std::move(inner), bug) {
        for (const uint32_t output : graph.outputIndexes) {
            mIsConsumed.push_back(isRead(graph, output));
        }
        mHasMaxPool = absl::c_any_of(graph.operations, [](const Operation& operation) {
            return operation.type == MAX_POOL_2D;
        });
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        auto executed = call.on(*inner());
        if (!executed.has_value()) return executed;
        std::vector<std::vector<uint8_t>> values = readOutputs(call.request);
        for (size_t i = 0; i < std::min(values.size(), mIsConsumed.size()); ++i) {
            if (has(Bug::consumed_output_is_zero) && mIsConsumed[i]) {
                absl::c_fill(values[i], uint8_t{0});
            }
            if (has(Bug::outputs_share_memory) && i > 0 && values[i].size() == values[0].size()) {
                values[i] = values[0];
            }
        }
        writeOutputs(call.request, values);
        if (has(Bug::max_pool_writes_input) && mHasMaxPool) writeInput(call.request);
        return executed;
    }

   private:
    static void writeInput(const Request& request) {
        if (request.inputs.empty()) return;
        const SharedMemory pool = poolOf(request, request.inputs.front());
        const DataLocation& location = request.inputs.front().location;
        const std::vector<uint8_t> scratch(location.length, 0x5A);
        if (pool != nullptr) (void)writeMemory(pool, location.offset, scratch);
    }

    std::vector<bool> mIsConsumed{};
    bool mHasMaxPool = false;
};

class ChangedModels final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        constexpr size_t kMaxOperations = 10;
        if (has(Bug::refuses_long_models) &&
            preparation.model.main.operations.size() > kMaxOperations) {
            return error() << "the model has too many layers";
        }
        if (isUnexpected(preparation.model.main, bug())) {
            return error() << "a tensor has no buffer of its own";
        }
        const Model changed = withFixedInputs(preparation.model, bug());
        return preparation.with(changed).on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const override {
        if (model == nullptr) return made;
        return std::make_shared<const FormPreparedModel>(std::move(made), bug(), model->main);
    }
};

}  // namespace
}  // namespace changed_models

SharedDevice withChangedModels(SharedDevice device, Bug bug) {
    if (rowOf(bug).family != "PARAMETER") return device;
    return std::make_shared<const changed_models::ChangedModels>(std::move(device), bug);
}

}  // namespace nn::bugs
