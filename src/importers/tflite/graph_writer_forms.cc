// Writes operations whose operator computes differently as several operators, and rejects forms
// that TensorFlow Lite does not compute.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <utility>

#include "importers/tflite/file_writer.h"
#include "importers/tflite/forms.h"

namespace nn::tflite {
namespace {

bool isQuantized(const TensorT& tensor) {
    return (tensor.type == TensorType::UINT8 || tensor.type == TensorType::INT8) &&
           tensor.quantization != nullptr && !tensor.quantization->scale.empty();
}

bool isComparison(BuiltinOperator code) {
    switch (code) {
        case BuiltinOperator::EQUAL:
        case BuiltinOperator::NOT_EQUAL:
        case BuiltinOperator::LESS:
        case BuiltinOperator::LESS_EQUAL:
        case BuiltinOperator::GREATER:
        case BuiltinOperator::GREATER_EQUAL:
            return true;
        default:
            return false;
    }
}

// Operators that take all quantised tensors for ones of a single scale, without a check or with an
// assertion that ends the process.
bool wantsOneScale(BuiltinOperator code) {
    switch (code) {
        case BuiltinOperator::MAXIMUM:
        case BuiltinOperator::MINIMUM:
        case BuiltinOperator::SELECT:
        case BuiltinOperator::CONCATENATION:
            return true;
        default:
            return isComparison(code);
    }
}

// Operators that move elements of any type of 16 bits, or read FLOAT16.
bool takesFloat16(BuiltinOperator code) {
    return code == BuiltinOperator::DEQUANTIZE || code == BuiltinOperator::RESHAPE ||
           code == BuiltinOperator::IF || code == BuiltinOperator::WHILE;
}

std::unique_ptr<OperatorT> operatorOf(std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
    auto op = std::make_unique<OperatorT>();
    op->inputs = std::move(inputs);
    op->outputs = std::move(outputs);
    return op;
}

}  // namespace

void GraphWriter::emit(BuiltinOperator code, std::unique_ptr<OperatorT> op) {
    if (const auto reason = reasonAgainst(code, *op, *mWritten)) refuse(std::string(*reason));
    op->opcode_index = mFile.kindOf(code, versionOf(code, *op, *mWritten));
    mWritten->operators.push_back(std::move(op));
}

void GraphWriter::emitUnary(BuiltinOperator code, int32_t from, int32_t to) {
    emit(code, operatorOf({from}, {to}));
}

// A new tensor with the type, the dimensions and the scale of another.
int32_t GraphWriter::tensorLike(int32_t index) {
    TensorT made(tensor(index));
    made.buffer = 0;
    made.is_variable = false;
    made.name.clear();
    return constantTensor(std::move(made), {});
}

// The real values of a quantised tensor.
int32_t GraphWriter::real(int32_t index) {
    const int32_t made = tensorLike(index);
    mWritten->tensors[static_cast<size_t>(made)]->type = TensorType::FLOAT32;
    mWritten->tensors[static_cast<size_t>(made)]->quantization.reset();
    return made;
}

// The order of truth values, false below true, as that of integers.
void GraphWriter::compareAsIntegers(OperatorT& op) {
    for (int32_t& input : op.inputs) {
        const int32_t from = std::exchange(input, tensorLike(input));
        mWritten->tensors[static_cast<size_t>(input)]->type = TensorType::INT32;
        auto cast = operatorOf({from}, {input});
        cast->builtin_options.type = BuiltinOptions::CastOptions;
        auto* types = new CastOptionsT();
        types->in_data_type = TensorType::BOOL;
        types->out_data_type = TensorType::INT32;
        cast->builtin_options.value = types;
        emit(BuiltinOperator::CAST, std::move(cast));
    }
}

// DEQUANTIZE, the operator on real values, QUANTIZE.
void GraphWriter::computeReals(BuiltinOperator code, std::unique_ptr<OperatorT> op) {
    for (int32_t& input : op->inputs) {
        if (input < 0 || !isQuantized(tensor(input))) continue;
        const int32_t from = std::exchange(input, real(input));
        emitUnary(BuiltinOperator::DEQUANTIZE, from, input);
    }
    const int32_t to = op->outputs.front();
    const bool isReal = !isQuantized(tensor(to));
    if (!isReal) op->outputs.front() = real(to);
    const int32_t from = op->outputs.front();
    emit(code, std::move(op));
    if (!isReal) emitUnary(BuiltinOperator::QUANTIZE, from, to);
}

// Readers before version 4 ignore the activation of TRANSPOSE_CONV.
void GraphWriter::activateAfterwards(std::unique_ptr<OperatorT> op, int32_t activation) {
    constexpr BuiltinOperator kActivations[] = {
            BuiltinOperator::RELU, BuiltinOperator::RELU_N1_TO_1, BuiltinOperator::RELU6};
    const int32_t to = op->outputs.front();
    const int32_t from = op->outputs.front() = tensorLike(to);
    setOption(op->builtin_options, op->builtin_options.type, "fused_activation_function", 0);
    emit(BuiltinOperator::TRANSPOSE_CONV, std::move(op));
    emitUnary(kActivations[activation - 1], from, to);
}

void GraphWriter::finish(BuiltinOperator code) {
    auto op = operatorOf(std::move(mOperator.inputs), std::move(mOperator.outputs));
    op->builtin_options = std::move(mOperator.options);
    std::vector<const TensorT*> tensors;
    for (const std::vector<int32_t>* list : {&op->inputs, &op->outputs}) {
        for (const int32_t index : *list) {
            if (index >= 0) tensors.push_back(&tensor(index));
        }
    }
    const auto has = [&](TensorType type) {
        return absl::c_any_of(tensors, [type](const TensorT* each) { return each->type == type; });
    };
    if (has(TensorType::FLOAT16) && !takesFloat16(code)) {
        refuse("computes with FLOAT16, which TensorFlow Lite only turns into FLOAT32");
    } else if (code == BuiltinOperator::DEQUANTIZE && !op->outputs.empty() && op->outputs[0] >= 0 &&
               tensor(op->outputs[0]).type == TensorType::FLOAT16) {
        refuse("gives FLOAT16, allowed FLOAT32");
    }
    const auto readsType = [&](TensorType type) {
        return absl::c_any_of(op->inputs, [&](int32_t index) {
            return index >= 0 && tensor(index).type == type;
        });
    };
    if (code != BuiltinOperator::QUANTIZE && readsType(TensorType::INT8) &&
        readsType(TensorType::UINT8)) {
        refuse("reads UINT8 with weights of INT8, which TensorFlow Lite does not compute");
    }
    const bool isOrder = isComparison(code) && code != BuiltinOperator::EQUAL &&
                         code != BuiltinOperator::NOT_EQUAL;
    if (isOrder && readsType(TensorType::BOOL)) compareAsIntegers(*op);

    const TensorT* first = nullptr;
    const bool hasSeveralScales = absl::c_any_of(tensors, [&first](const TensorT* each) {
        if (!isQuantized(*each)) return false;
        if (first == nullptr) first = each;
        return each->quantization->scale != first->quantization->scale ||
               each->quantization->zero_point != first->quantization->zero_point;
    });
    // CONCATENATION rescales UINT8.
    const bool isRescaled = code == BuiltinOperator::CONCATENATION && has(TensorType::UINT8);
    if (hasSeveralScales && wantsOneScale(code) && !isRescaled) {
        return computeReals(code, std::move(op));
    }
    if (code == BuiltinOperator::TRANSPOSE_CONV) {
        const auto activation = option(op->builtin_options, "fused_activation_function");
        const int32_t number = activation ? std::get<int32_t>(*activation) : 0;
        if (number > 0) return activateAfterwards(std::move(op), number);
    }
    emit(code, std::move(op));
}

// A loop of TensorFlow Lite gives all of its variables; those that the operation does not give are
// not read.
void GraphWriter::passAll(const Operation& operation) {
    for (size_t i = mOperator.outputs.size(); i < mOperator.inputs.size(); ++i) {
        const int32_t like = mOperator.inputs[i];
        if (like == kMissingTensor) return refuse("passes an operand without a value");
        mOperator.outputs.push_back(tensorLike(like));
    }
    if (mOperator.outputs.size() != operation.inputs.size() - 2) {
        refuse(fmt::format("gives {} values for {} variables", operation.outputs.size(),
                           operation.inputs.size() - 2));
    }
}

}  // namespace nn::tflite
