#include "importers/tflite/conversion.h"
#include "importers/common/refusals.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/plurals.h"
#include "importers/tflite/constants.h"
#include "nnapi/checked_math.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"

namespace nn::tflite {

Conversion::Conversion(ConversionHost& host, GraphTensors& tensors, const FlatOperator& op,
                       const Row& row)
    : mHost(host), mTensors(tensors), mOperator(op), mRow(row) {}

// ---------------------------------------------------------------------------------------------
// The operator

std::optional<OptionValue> Conversion::option(std::string_view field) {
    auto value = tflite::option(*mOperator.table, mRow.options, field);
    if (!value) {
        refuse(fmt::format("has {} for options, without {}",
                           EnumNameBuiltinOptions(mOperator.table->builtin_options_type()), field),
               EnumNameBuiltinOptions(mRow.options));
    }
    return value;
}

std::span<const uint8_t> Conversion::customOptions() const {
    const auto* bytes = mOperator.table->custom_options();
    if (bytes == nullptr) return {};
    return {bytes->data(), bytes->size()};
}

std::optional<std::vector<int32_t>> Conversion::ints(size_t i) {
    if (!requireInput(i)) return std::nullopt;
    const auto bytes = data(i);
    // A constant without elements has no data.
    if (!bytes && checkedProduct<uint64_t>(input(i).dimensions) == 0 &&
        !input(i).hasUnknownDimension) {
        return std::vector<int32_t>();
    }
    if (!bytes) {
        refuseInput(i, "is computed", "a constant");
        return std::nullopt;
    }
    // Most lists have a number for each axis; longer ones may have many readers.
    constexpr size_t kShort = 256;
    if (bytes->size() > kShort && !mayMake(bytes->size())) return std::nullopt;
    auto values = intsOf(input(i).type, *bytes);
    if (!values) refuseInput(i, "is no constant of whole numbers of 32 bits");
    return values;
}

std::optional<int32_t> Conversion::singleInt(size_t i) {
    const auto values = ints(i);
    if (!values) return std::nullopt;
    if (values->size() == 1) return values->front();
    refuseInput(i, fmt::format("has {}", Plural{values->size(), "elements"}), "1");
    return std::nullopt;
}

std::optional<uint32_t> Conversion::axisOf(int64_t axis, size_t rank) {
    const auto count = static_cast<int64_t>(rank);
    if (axis < -count || axis >= count) {
        refuse(fmt::format("has axis {} of a tensor of rank {}", axis, rank));
        return std::nullopt;
    }
    return static_cast<uint32_t>(axis < 0 ? axis + count : axis);
}

std::optional<std::span<const uint8_t>> Conversion::data(size_t i) {
    auto data = mTensors.dataOf(inputTensor(i));
    if (data.ok()) return *data;
    refuseInput(i, data.error().message);
    return std::nullopt;
}

bool Conversion::isFloat(size_t i) const {
    return hasInput(i) &&
           (input(i).type == TensorType::FLOAT32 || input(i).type == TensorType::FLOAT16);
}

bool Conversion::isMadeUnsigned() {
    const auto isOne = [&](int32_t tensor) {
        return tensor >= 0 && isMadeUnsigned(mTensors[static_cast<uint32_t>(tensor)]);
    };
    return absl::c_any_of(mOperator.inputs, isOne) || absl::c_any_of(mOperator.outputs, isOne);
}

bool Conversion::requireInput(size_t i) {
    if (hasInput(i)) return true;
    refuse(fmt::format("has no input {}", i));
    return false;
}

bool Conversion::requireOutput(size_t i) {
    if (i < outputCount() && mOperator.outputs[i] >= 0) return true;
    refuse(fmt::format("has no output {}", i));
    return false;
}

bool Conversion::hasInputs(size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!requireInput(i)) return false;
    }
    return true;
}

bool Conversion::hasOutputs(size_t count) {
    if (mOperator.outputs.size() >= count &&
        absl::c_all_of(mOperator.outputs, [](int32_t t) { return t >= 0; })) {
        return true;
    }
    refuse(fmt::format("has {}, or one without a tensor",
                       Plural{mOperator.outputs.size(), "outputs"}),
           fmt::format("{}", count));
    return false;
}

// ---------------------------------------------------------------------------------------------
// Operands

uint32_t Conversion::take(std::variant<uint32_t, ImportRefusal> made) {
    if (const uint32_t* operand = std::get_if<uint32_t>(&made)) {
        if (*operand == kNoOperand) {
            refuse("needs more operands than the limits allow");
            return kNoOperand;
        }
        // Each operation of an operand with several scales looks at them.
        const auto* channels = std::get_if<Operand::SymmPerChannelQuantParams>(
                &builder().operand(*operand).extraParams);
        const bool isMade = channels == nullptr || mayMake(channels->scales.size() * sizeof(float));
        return isMade ? *operand : kNoOperand;
    }
    importing::addRefusal(mRefusals, std::get<ImportRefusal>(std::move(made)));
    return kNoOperand;
}

uint32_t Conversion::operand(size_t i) {
    if (mJoined && hasInput(i)) return reshaped(packedOperand(i), mJoined->inputs[i]);
    return requireInput(i) ? take(mTensors.operandOf(inputTensor(i))) : kNoOperand;
}

uint32_t Conversion::packedOperand(size_t i) {
    return requireInput(i) ? take(mTensors.packedOperandOf(inputTensor(i))) : kNoOperand;
}

uint32_t Conversion::packedResult(size_t i) {
    return requireOutput(i) ? take(mTensors.packedOperandOf(outputTensor(i))) : kNoOperand;
}

uint32_t Conversion::operandOrNoValue(size_t i, OperandType type) {
    return hasInput(i) ? operand(i) : builder().noValue(type);
}

uint32_t Conversion::result(size_t i) {
    if (mJoined && i == 0) {
        if (mJoinedResult != kNoOperand) return mJoinedResult;
        const uint32_t packed = packedResult();
        const bool isJoined = builder().operand(packed).dimensions == mJoined->result;
        mJoinedResult = isJoined ? packed : like(packed, mJoined->result);
        return mJoinedResult;
    }
    return requireOutput(i) ? take(mTensors.operandOf(outputTensor(i))) : kNoOperand;
}

uint32_t Conversion::intTensor(size_t i, bool isFlat) {
    if (!requireInput(i)) return kNoOperand;
    const bool isFlatAlready = !isFlat || input(i).dimensions.size() <= 1;
    const bool isEmpty =
            checkedProduct<uint64_t>(input(i).dimensions) == 0 && !input(i).hasUnknownDimension;
    if (!isConstant(i) && !isEmpty) {
        if (!isFlatAlready) refuseInput(i, "is computed", "a constant");
        return operand(i);
    }
    const auto values = ints(i);
    if (!values) return kNoOperand;
    if (isFlatAlready && !isEmpty) return operand(i);
    return builder().vector(*values);
}

uint32_t Conversion::scalar(size_t i) {
    if (!requireInput(i)) return kNoOperand;
    const auto bytes = data(i);
    const FileTensor& tensor = input(i);
    if (!bytes || (sizeOf(tensor.type) != 0 && bytes->size() != sizeOf(tensor.type))) {
        refuseInput(i, bytes ? "has more than one element" : "is computed",
                    "a constant of one element");
        return kNoOperand;
    }
    switch (tensor.type) {
        case TensorType::UINT8:
            return builder().scalar(int32_t{bytes->front()});
        case TensorType::INT8:
            return builder().scalar(int32_t{static_cast<int8_t>(bytes->front())} +
                                    (isMadeUnsigned(tensor) ? 128 : 0));
        case TensorType::BOOL:
            return builder().scalar(bytes->front() != 0);
        case TensorType::FLOAT32:
            return builder().scalar(floatsOf(tensor, *bytes)->front());
        case TensorType::FLOAT16:
            return builder().halfScalar(floatsOf(tensor, *bytes)->front());
        default:
            break;
    }
    const auto value = singleInt(i);
    return value ? builder().scalar(*value) : kNoOperand;
}

// Weights of 8 bits, or of 16-bit floats, of an operator with float inputs.
uint32_t Conversion::weights(size_t i, size_t inputIndex) {
    if (!hasInput(i) || !hasInput(inputIndex)) return operand(i);
    const FileTensor& tensor = input(i);
    const bool isPacked = tensor.isQuantized() || tensor.type == TensorType::FLOAT16;
    if (input(inputIndex).type != TensorType::FLOAT32 || !isPacked) return operand(i);
    const auto bytes = data(i);
    if (!bytes) return operand(i);
    const uint32_t size = std::max(sizeOf(tensor.type), 1u);  // 0: becomes no floats
    if (!mayMake(bytes->size() / size * sizeof(float))) return kNoOperand;
    const auto floats = floatBytesOf(tensor, *bytes);
    if (!floats) {
        refuseInput(i, fmt::format("cannot become FLOAT32 from {}", nameOf(tensor.type)));
        return kNoOperand;
    }
    if (tensor.isQuantized()) {
        lose(nameOf(tensor.type) + " weights beside FLOAT32", "FLOAT32 weights",
             "TensorFlow Lite quantizes the input for each execution, which rounds more");
    }
    Operand operand{.type = OperandType::TENSOR_FLOAT32, .dimensions = tensor.dimensions};
    return builder().constant(std::move(operand), *floats, std::string(tensor.name));
}

// A quantized bias has the product of both scales; 0 for a filter with several of them.
uint32_t Conversion::bias(size_t i, size_t inputIndex, size_t weightsIndex, uint32_t channels) {
    const FileTensor& in = input(inputIndex);
    const bool isQuantized = in.type == TensorType::UINT8 || in.type == TensorType::INT8;
    const float scale = isQuantized ? in.scale * input(weightsIndex).scale : 0;
    if (hasInput(i)) {
        if (input(i).type != TensorType::INT32 || !isQuantized) return weights(i, inputIndex);
        auto described = mTensors.describe(inputTensor(i));
        Operand operand = std::get<Operand>(described);
        operand.scale = scale;
        const auto bytes = data(i);
        if (!bytes) {
            const uint32_t made = this->operand(i);
            if (made != kNoOperand) builder().operand(made).scale = scale;
            return made;
        }
        const auto expected = operandSize(operand);
        if (!expected || *expected != bytes->size()) {
            refuseInput(i, "has another number of bytes than its dimensions");
            return kNoOperand;
        }
        if (!mTensors.constants().assign(*bytes, operand)) {
            refuseInput(i, std::string(kOutOfProportion));
            return kNoOperand;
        }
        return builder().add(std::move(operand), std::string(input(i).name));
    }
    const bool isHalf = in.type == TensorType::FLOAT16;
    const uint64_t bytes = uint64_t{channels} * (isHalf ? 2 : 4);
    if (!mayMake(bytes)) return kNoOperand;
    Operand zeros{.type = isQuantized ? OperandType::TENSOR_INT32
                          : isHalf    ? OperandType::TENSOR_FLOAT16
                                      : OperandType::TENSOR_FLOAT32,
                  .dimensions = {channels},
                  .scale = scale};
    return builder().constant(std::move(zeros), std::vector<uint8_t>(bytes));
}

uint32_t Conversion::stateBefore(size_t i) {
    const uint32_t before = operand(i);
    if (before != kNoOperand) mStates[i] = before;
    return before;
}

// Without a value before, as of a tensor that is computed or an input, the value after is lost as
// in the file.
uint32_t Conversion::stateAfter(size_t i) {
    const auto state = mStates.find(i);
    if (state == mStates.end()) return kNoOperand;
    const uint32_t after = like(state->second);
    if (after == kNoOperand || !input(i).isVariable) return after;
    if (!mHost.isMainGraph()) {
        refuseInput(i, "keeps its value in a graph that is called", "the main graph");
        return after;
    }
    mHost.addState(inputTensor(i), state->second, after);
    mTensors.setOperand(inputTensor(i), after);
    return after;
}

uint32_t Conversion::activation() {
    const int32_t value = number("fused_activation_function");
    const bool isRecurrent = mRow.code == BuiltinOperator::LSTM ||
                             mRow.inputs.find("state(") != std::string_view::npos;
    const auto last = static_cast<int32_t>(isRecurrent ? ActivationFunctionType::TANH
                                                       : ActivationFunctionType::RELU6);
    if (value < 0 || value > last) {
        const char* name =
                EnumNameActivationFunctionType(static_cast<ActivationFunctionType>(value));
        refuse(fmt::format("has the fused activation {}",
                           *name == '\0' ? std::to_string(value) : name),
               isRecurrent ? "NONE, RELU, RELU_N1_TO_1, RELU6, TANH"
                           : "NONE, RELU, RELU_N1_TO_1, RELU6");
    }
    return builder().scalar(value);
}

uint32_t Conversion::realScalar(float value, size_t i) {
    const bool isHalf = hasInput(i) && input(i).type == TensorType::FLOAT16;
    return isHalf ? builder().halfScalar(value) : builder().scalar(value);
}

uint32_t Conversion::realTensor(float value, size_t i) {
    if (hasInput(i) && input(i).type == TensorType::FLOAT16) {
        return builder().constant({.type = OperandType::TENSOR_FLOAT16, .dimensions = {1}},
                                  importing::bytesOf(floatToHalf(value)));
    }
    return builder().constant({.type = OperandType::TENSOR_FLOAT32, .dimensions = {1}},
                              importing::bytesOf(value));
}

uint32_t Conversion::like(uint32_t operand) {
    if (operand == kNoOperand) return kNoOperand;
    return like(operand, builder().operand(operand).dimensions);
}

uint32_t Conversion::like(uint32_t operand, Dimensions dimensions) {
    if (operand == kNoOperand) return kNoOperand;
    const Operand& of = builder().operand(operand);
    return builder().temporary(of.type, std::move(dimensions), of.scale, of.zeroPoint);
}

uint32_t Conversion::floatLike(uint32_t operand) {
    if (operand == kNoOperand) return kNoOperand;
    return builder().temporary(OperandType::TENSOR_FLOAT32, builder().operand(operand).dimensions);
}

bool Conversion::hasManyAxes(size_t in, size_t out) const {
    const auto isKnown = [](const FileTensor& tensor) { return !tensor.hasUnknownDimension; };
    return hasInput(in) && isKnown(input(in)) && isKnown(output(out)) &&
           std::max(input(in).dimensions.size(), output(out).dimensions.size()) >
                   importing::kMaxAxes;
}

void Conversion::joinAxes() {
    constexpr size_t kMaxInputs = 8;  // their dimensions are copied
    if (mOperator.inputs.size() > kMaxInputs || mOperator.outputs.size() != 1 ||
        mOperator.outputs[0] < 0)
        return;
    bool hasMany = false;
    const auto isJoinable = [&](int32_t index) {
        if (index < 0) return false;
        const FileTensor& tensor = mTensors[static_cast<uint32_t>(index)];
        const bool isWide = tensor.dimensions.size() > importing::kMaxAxes;
        hasMany |= isWide;
        return isWide ? mTensors.isPackable(static_cast<uint32_t>(index))
                      : !tensor.hasUnknownDimension && tensor.channelScales.empty();
    };
    if (!absl::c_all_of(mOperator.inputs, isJoinable) || !isJoinable(mOperator.outputs[0]) ||
        !hasMany)
        return;
    std::vector<Dimensions> shapes;
    for (size_t i = 0; i < mOperator.inputs.size(); ++i) shapes.push_back(input(i).dimensions);
    auto joined = importing::joinedBroadcast(shapes);
    if (!joined || joined->whole != output(0).dimensions) return;
    if (joined->result.size() > importing::kMaxAxes) {
        return refuse(fmt::format("broadcasts along {} axes", joined->result.size()),
                      fmt::format("{}", importing::kMaxAxes));
    }
    mJoined = std::move(joined);
}

void Conversion::splitAxes() {
    if (mJoinedResult == kNoOperand || isRefused()) return;
    const uint32_t packed = packedResult();
    if (mJoinedResult != packed) reshape(mJoinedResult, packed);
}

uint32_t Conversion::reshaped(uint32_t from, const Dimensions& dimensions) {
    if (from == kNoOperand || builder().operand(from).dimensions == dimensions) return from;
    const uint32_t to = like(from, dimensions);
    reshape(from, to);
    return to;
}

void Conversion::reshape(uint32_t from, uint32_t to) {
    if (from == kNoOperand || to == kNoOperand) return;
    if (!mTensors.emitReshape(from, to)) refuse(std::string(kOutOfProportion));
}

void Conversion::emit(Operation operation) {
    const auto isMissing = [](uint32_t operand) { return operand == kNoOperand; };
    if (absl::c_any_of(operation.inputs, isMissing) ||
        absl::c_any_of(operation.outputs, isMissing)) {
        if (!isRefused()) refuse("needs more operands than the limits allow");
        return;
    }
    builder().operation(std::move(operation));
}

void Conversion::fold(size_t i, TensorType type, std::vector<uint8_t> data) {
    if (!hasOutputs(i + 1)) return;
    mTensors.fold(outputTensor(i), type, std::move(data));
}

void Conversion::setDimensions(size_t i, Dimensions dimensions) {
    mTensors.setDimensions(outputTensor(i), std::move(dimensions));
}

void Conversion::narrow(size_t i) {
    mTensors.narrow(outputTensor(i));
    lose("INT64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
}

bool Conversion::mayMake(uint64_t bytes) {
    if (mTensors.constants().mayMake(bytes)) return true;
    refuse(std::string(kOutOfProportion));
    return false;
}

uint32_t Conversion::graphReference(std::string_view field) {
    auto called = mHost.callGraph(number(field));
    if (std::string* why = std::get_if<std::string>(&called)) {
        refuse(std::move(*why));
        return kNoOperand;
    }
    const auto& graph = std::get<CalledGraph>(called);
    mCalledSince = combineVersions(mCalledSince, graph.since);
    return builder().graphReference(graph.referenced);
}

// ---------------------------------------------------------------------------------------------
// Outcome

void Conversion::refuse(std::string found, std::string allowed) {
    importing::addRefusal(mRefusals, {.found = std::move(found), .allowed = std::move(allowed)});
}

void Conversion::refuseInput(size_t i, std::string found, std::string allowed) {
    importing::addRefusal(mRefusals, {.tensor = mTensors.nameOf(inputTensor(i)),
                                      .found = std::move(found),
                                      .allowed = std::move(allowed)});
}

void Conversion::refuseOutput(size_t i, std::string found, std::string allowed) {
    importing::addRefusal(mRefusals, {.tensor = mTensors.nameOf(outputTensor(i)),
                                      .found = std::move(found),
                                      .allowed = std::move(allowed)});
}

void Conversion::lose(std::string before, std::string after, std::string why) {
    mHost.addLoss({.before = std::move(before), .after = std::move(after), .why = std::move(why)});
}

}  // namespace nn::tflite
