// Writes operations whose operator computes differently as several operators, and rejects forms
// that TensorFlow Lite does not compute.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <utility>

#include "importers/tflite/file_writer.h"
#include "importers/tflite/forms.h"

namespace nn::tflite {
namespace {

using importing::bytesOf;

bool isOfBytes(const TensorT& tensor) {
    return tensor.type == TensorType::UINT8 || tensor.type == TensorType::INT8;
}

bool isQuantized(const TensorT& tensor) {
    return isOfBytes(tensor) && tensor.quantization != nullptr &&
           !tensor.quantization->scale.empty();
}

bool isOrder(BuiltinOperator code) {
    using enum BuiltinOperator;
    return code == LESS || code == LESS_EQUAL || code == GREATER || code == GREATER_EQUAL;
}

// Operators that take all quantized tensors for ones of a single scale, without a check or with an
// assertion that ends the process.
bool wantsOneScale(BuiltinOperator code) {
    using enum BuiltinOperator;
    return isOrder(code) || code == MAXIMUM || code == MINIMUM || code == SELECT ||
           code == CONCATENATION || code == EQUAL || code == NOT_EQUAL;
}

// Operators that move elements of any type of 16 bits, or read FLOAT16.
bool takesFloat16(BuiltinOperator code) {
    using enum BuiltinOperator;
    return code == DEQUANTIZE || code == RESHAPE || code == IF || code == WHILE;
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

// The real values of a quantized tensor.
int32_t GraphWriter::real(int32_t index) {
    const int32_t made = tensorLike(index);
    mWritten->tensors[static_cast<size_t>(made)]->type = TensorType::FLOAT32;
    mWritten->tensors[static_cast<size_t>(made)]->quantization.reset();
    return made;
}

// The order of truth values, false below true: a < b is !a && b.
void GraphWriter::compareTruthValues(BuiltinOperator code, OperatorT& op) {
    const bool isLess = code == BuiltinOperator::LESS || code == BuiltinOperator::LESS_EQUAL;
    const bool isStrict = code == BuiltinOperator::LESS || code == BuiltinOperator::GREATER;
    int32_t& smaller = op.inputs[isLess ? 0 : 1];
    const int32_t from = std::exchange(smaller, tensorLike(smaller));
    emitUnary(BuiltinOperator::LOGICAL_NOT, from, smaller);
    emit(isStrict ? BuiltinOperator::LOGICAL_AND : BuiltinOperator::LOGICAL_OR,
         operatorOf(std::move(op.inputs), std::move(op.outputs)));
}

// A tensor of one element, with the type of another.
int32_t GraphWriter::scalarLike(int32_t index, int32_t value) {
    const float number = static_cast<float>(value);
    TensorT made;
    made.type = tensor(index).type;
    const bool isFloat = made.type == TensorType::FLOAT32;
    return constantTensor(std::move(made), isFloat ? bytesOf(number) : bytesOf(value));
}

// CAST to 8 bits takes the lowest of the number, where that of NNAPI takes the nearest that there
// is.
void GraphWriter::saturate(OperatorT& cast) {
    const bool isSigned = tensor(cast.outputs.front()).type == TensorType::INT8;
    int32_t& input = cast.inputs.front();
    for (const auto& [code, bound] : {std::pair(BuiltinOperator::MAXIMUM, isSigned ? -128 : 0),
                                      std::pair(BuiltinOperator::MINIMUM, isSigned ? 127 : 255)}) {
        const int32_t limit = scalarLike(input, bound),
                      from = std::exchange(input, tensorLike(input));
        emit(code, operatorOf({from, limit}, {input}));
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

bool GraphWriter::hasType(const std::vector<int32_t>& tensors, TensorType type) const {
    return absl::c_any_of(tensors, [&](int32_t index) {
        return index != kMissingTensor && tensor(index).type == type;
    });
}

bool GraphWriter::hasSeveralScales(const OperatorT& op) const {
    const TensorT* first = nullptr;
    for (const std::vector<int32_t>* list : {&op.inputs, &op.outputs}) {
        for (const int32_t index : *list) {
            if (index == kMissingTensor || !isQuantized(tensor(index))) continue;
            const TensorT& each = tensor(index);
            if (first == nullptr) first = &each;
            if (each.quantization->scale != first->quantization->scale ||
                each.quantization->zero_point != first->quantization->zero_point) {
                return true;
            }
        }
    }
    return false;
}

void GraphWriter::checkTypes(BuiltinOperator code, const OperatorT& op) {
    const bool givesHalves = hasType(op.outputs, TensorType::FLOAT16);
    if ((givesHalves || hasType(op.inputs, TensorType::FLOAT16)) && !takesFloat16(code)) {
        refuse("computes with FLOAT16, which TensorFlow Lite only converts to FLOAT32");
    } else if (code == BuiltinOperator::DEQUANTIZE && givesHalves) {
        refuse("returns FLOAT16, allowed FLOAT32");
    }
    if (code != BuiltinOperator::QUANTIZE && hasType(op.inputs, TensorType::INT8) &&
        hasType(op.inputs, TensorType::UINT8)) {
        refuse("reads UINT8 with weights of INT8, which TensorFlow Lite does not support");
    }
}

void GraphWriter::finish(BuiltinOperator code) {
    auto op = operatorOf(std::move(mOperator.inputs), std::move(mOperator.outputs));
    op->builtin_options = std::move(mOperator.options);
    if (op->outputs.empty()) return refuse("has no output in a file");
    if (absl::c_linear_search(op->outputs, kMissingTensor)) return;  // refused with its tensor
    checkTypes(code, *op);

    const TensorT& result = tensor(op->outputs.front());
    const bool isComplete = !absl::c_linear_search(op->inputs, kMissingTensor);
    if (isComplete && isOrder(code) && hasType(op->inputs, TensorType::BOOL)) {
        return compareTruthValues(code, *op);
    }
    // Rounded down, where DIV of integers rounds toward 0. NNAPI allows no activation there.
    if (code == BuiltinOperator::DIV && hasType(op->inputs, TensorType::INT32)) {
        op->builtin_options.Reset();
        return emit(BuiltinOperator::FLOOR_DIV, std::move(op));
    }
    if (isComplete && code == BuiltinOperator::CAST && isOfBytes(result) &&
        (hasType(op->inputs, TensorType::FLOAT32) || hasType(op->inputs, TensorType::INT32))) {
        saturate(*op);
    }
    // CONCATENATION rescales UINT8.
    const bool isRescaled =
            code == BuiltinOperator::CONCATENATION && result.type == TensorType::UINT8;
    if (wantsOneScale(code) && !isRescaled && hasSeveralScales(*op)) {
        if (result.shape.size() > 4) {
            refuse("has several scales and more than 4 dimensions, which DEQUANTIZE lacks");
        }
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
