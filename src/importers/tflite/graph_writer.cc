// Writes the operators of a graph, by the rows of operators.def.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/plurals.h"
#include "importers/tflite/file_writer.h"
#include "nnapi/type_utils.h"

namespace nn::tflite {
namespace {

using Kind = Token::Kind;

// Where the explicit paddings of an operation begin, and how it is known that they are explicit: an
// INT32 there, or as many inputs.
struct PaddingPlace {
    OperationType type;
    size_t paddings;
    size_t explicitAt;  // the first input that is an INT32 only with explicit paddings
    size_t filterSize;  // width of the filter among the inputs; 0: dimensions of input 1
    size_t dilation;    // of the width, with explicit paddings; 0: none
};
constexpr PaddingPlace kPaddingPlaces[] = {
        {OperationType::CONV_2D, 3, 7, 0, 11},
        {OperationType::DEPTHWISE_CONV_2D, 3, 8, 0, 12},
        {OperationType::GROUPED_CONV_2D, 3, 9, 0, 0},
        {OperationType::AVERAGE_POOL_2D, 1, 8, 7, 0},
        {OperationType::MAX_POOL_2D, 1, 8, 7, 0},
        {OperationType::L2_POOL_2D, 1, 8, 7, 0},
        {OperationType::TRANSPOSE_CONV_2D, 3, 9, 0, 0},
};

// Operators that want all of their inputs listed, though some may be missing.
size_t minInputs(BuiltinOperator code) {
    if (code == BuiltinOperator::BIDIRECTIONAL_SEQUENCE_LSTM) return 48;
    return code == BuiltinOperator::BIDIRECTIONAL_SEQUENCE_RNN ? 12 : 0;
}

}  // namespace

GraphWriter::GraphWriter(FileWriter& file, const nn::Model::Subgraph& graph, std::string path,
                         std::span<const std::string> names, bool isLoopBody)
    : mFile(file),
      mGraph(graph),
      mPath(std::move(path)),
      mNames(names),
      mTensors(graph.operands.size()),
      mReads(countNumberOfConsumers(graph)),
      mIsLoopBody(isLoopBody) {}

std::unique_ptr<SubGraphT> GraphWriter::write() {
    mWritten->name = mPath;
    mPlace = mPath;
    for (const uint32_t input : mGraph.inputIndexes) tensorOf(input);
    for (size_t i = 0; i < mGraph.operations.size(); ++i) {
        const Operation& operation = mGraph.operations[i];
        const OperationTypeInfo* info = operationTypeInfo(operation.type);
        mPlace = fmt::format("{}.operations[{}] {}", mPath, i,
                             info == nullptr ? std::string_view("extension") : info->name);
        writeOperation(operation);
    }
    mPlace = mPath;
    writeEnds();
    // The body of a WHILE gives all of its inputs, which it may leave as they are.
    if (mIsLoopBody) {
        for (size_t i = mGraph.outputIndexes.size(); i < mGraph.inputIndexes.size(); ++i) {
            mWritten->outputs.push_back(tensorOf(mGraph.inputIndexes[i]));
        }
    }
    return std::move(mWritten);
}

// States are neither inputs nor outputs of a file.
void GraphWriter::writeEnds() {
    for (const uint32_t input : mGraph.inputIndexes) {
        if (!mStates.contains(input)) mWritten->inputs.push_back(tensorOf(input));
    }
    for (const uint32_t output : mGraph.outputIndexes) {
        if (!mNewStates.contains(output)) mWritten->outputs.push_back(tensorOf(output));
    }
}

void GraphWriter::refuse(std::string reason) { mFile.refuse(mPlace + ": " + reason); }

void GraphWriter::lose(std::string before, std::string after, std::string why) {
    mFile.lose({.path = mPlace.substr(0, mPlace.find(' ')),
                .before = std::move(before),
                .after = std::move(after),
                .why = std::move(why)});
}

// ---------------------------------------------------------------------------------------------
// Operations

void GraphWriter::writeOperation(const Operation& operation) {
    mOperator = {};
    if (operation.type == OperationType::IF || operation.type == OperationType::WHILE) {
        writeCall(operation);
        return;
    }
    const Row* row = writtenRowOf(operation.type);
    if (row == nullptr) return refuse("TensorFlow Lite has no such operator");
    const std::optional<Operation> implicit = withImplicitPadding(operation);
    if (implicit) writeRow(*implicit, *row);
}

void GraphWriter::writeCall(const Operation& operation) {
    const bool isIf = operation.type == OperationType::IF;
    const BuiltinOptions kind = isIf ? BuiltinOptions::IfOptions : BuiltinOptions::WhileOptions;
    const size_t first = isIf ? 1 : 0;
    const char* fields[] = {isIf ? "then_subgraph_index" : "cond_subgraph_index",
                            isIf ? "else_subgraph_index" : "body_subgraph_index"};
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
        const uint32_t operand = operation.inputs[i];
        if (i >= first && i < first + 2) {
            // The main graph is the first of the file.
            const auto graph = static_cast<int32_t>(mGraph.operands[operand].location.offset + 1);
            setOption(mOperator.options, kind, fields[i - first], graph);
        } else {
            mOperator.inputs.push_back(tensorOf(operand));
        }
    }
    for (const uint32_t output : operation.outputs) mOperator.outputs.push_back(tensorOf(output));
    if (!isIf) passAll(operation);
    finish(isIf ? BuiltinOperator::IF : BuiltinOperator::WHILE);
}

void GraphWriter::writeRow(const Operation& operation, const Row& row) {
    const std::vector<Token> tokens = formOf(operation, row);
    if (tokens.empty()) return;
    for (const auto& [field, value] : conditionsOf(row.conditions)) {
        setOption(mOperator.options, row.options, field, value);
    }
    writeState(operation, row);
    writeInputs(operation, row, tokens);
    writeOutputs(operation, row);
    writeSpecial(operation, row);
    finish(row.code);
}

// Tokens for each of the inputs: of a list of inputs as many as there are, of a group at the end as
// many as have no default.
std::vector<Token> GraphWriter::formOf(const Operation& operation, const Row& row) {
    std::vector<Token> all = tokensOf(row.inputs), form;
    const size_t count = operation.inputs.size();
    const bool hasList =
            absl::c_any_of(all, [](const Token& token) { return token.kind == Kind::ALL_INPUTS; });
    const auto least = static_cast<size_t>(
            absl::c_count_if(all, [](const Token& token) { return !token.isInGroup; }));
    if (count < least || (count > all.size() && !hasList)) {
        refuse(fmt::format("has {}, for which the operator has no options",
                           Plural{count, "inputs"}));
        return {};
    }
    if (count < all.size()) all.erase(all.begin() + static_cast<ptrdiff_t>(count), all.end());
    for (const Token& token : all) {
        const size_t repeated = token.kind == Kind::ALL_INPUTS ? count - (all.size() - 1) : 1;
        for (size_t i = 0; i < repeated; ++i) {
            Token one = token;
            one.index += static_cast<uint32_t>(i);
            form.push_back(one);
        }
    }
    return form;
}

void GraphWriter::writeInputs(const Operation& operation, const Row& row,
                              std::vector<Token> tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) writeInput(row, tokens[i], operation.inputs[i]);
    for (const auto& [input, values] : mOperator.lists) {
        put(mOperator.inputs, input, intTensor(values));
    }
    const size_t least = minInputs(row.code);
    while (mOperator.inputs.size() > least && mOperator.inputs.back() == kMissingTensor) {
        mOperator.inputs.pop_back();
    }
    if (mOperator.inputs.size() < least) mOperator.inputs.resize(least, kMissingTensor);
}

void GraphWriter::put(std::vector<int32_t>& list, size_t index, int32_t tensor) {
    if (list.size() <= index) list.resize(index + 1, kMissingTensor);
    list[index] = tensor;
}

void GraphWriter::writeInput(const Row& row, const Token& token, uint32_t operand) {
    switch (token.kind) {
        case Kind::INPUT:
        case Kind::ALL_INPUTS:
        case Kind::INT_TENSOR:
        case Kind::INT_LIST:
        case Kind::WEIGHTS:
        case Kind::BIAS:
        case Kind::STATE:
            put(mOperator.inputs, token.index, tensorOf(operand));
            break;
        case Kind::SCALAR:
            writeScalar(token, operand);
            break;
        case Kind::ELEMENT: {
            std::vector<int32_t>& values = mOperator.lists[token.index];
            if (values.size() <= token.element) values.resize(token.element + 1);
            const auto value = mGraph.operands[operand].type == OperandType::INT32 ? intOf(operand)
                                                                                   : std::nullopt;
            if (!value) refuse("has a size that is computed or a factor, allowed a constant");
            values[token.element] = value.value_or(0);
            break;
        }
        case Kind::OPTION:
        case Kind::INT_OPTION:
        case Kind::AXIS_OPTION:
            writeOption(row, token, operand);
            break;
        case Kind::LITERAL:
            writeLiteral(token, operand);
            break;
        case Kind::NO_VALUE:
            if (mGraph.operands[operand].lifetime != Operand::LifeTime::NO_VALUE) {
                refuse("has an input that the operator lacks");
            }
            break;
        case Kind::IMPLIED:
        case Kind::SCRATCH:
            break;
    }
}

void GraphWriter::writeOption(const Row& row, const Token& token, uint32_t operand) {
    const bool isActivation = token.text == "activation";
    const std::string_view field = isActivation ? "fused_activation_function" : token.text;
    const OperandType type = mGraph.operands[operand].type;
    if (type == OperandType::FLOAT32 || type == OperandType::FLOAT16) {
        const auto value = floatOf(operand);
        if (!value) return refuse(fmt::format("{} is computed, allowed a constant", field));
        setOption(mOperator.options, row.options, field, *value);
        return;
    }
    if (type == OperandType::TENSOR_INT32) {
        const bool isMissing = mGraph.operands[operand].lifetime == Operand::LifeTime::NO_VALUE;
        const auto values = isMissing ? std::vector<int32_t>() : intsOf(operand);
        if (!values) return refuse(fmt::format("{} is computed, allowed a constant", field));
        setOption(mOperator.options, row.options, field, *values);
        return;
    }
    auto value = intOf(operand);
    if (!value) return refuse(fmt::format("{} is computed, allowed a constant", field));
    if (field == "padding") --*value;
    constexpr int32_t kLastActivation = 4;
    if (isActivation && *value > kLastActivation) {
        return refuse(
                fmt::format("the activation is {}, allowed 0 to {}", *value, kLastActivation));
    }
    setOption(mOperator.options, row.options, field,
              type == OperandType::BOOL ? OptionValue(*value != 0) : OptionValue(*value));
}

void GraphWriter::writeLiteral(const Token& token, uint32_t operand) {
    bool isEqual = false;
    std::string found = "computed";
    const char* end = token.text.data() + token.text.size();
    if (token.text.find('.') != std::string_view::npos) {
        float expected = 0;
        std::from_chars(token.text.data(), end, expected);
        const auto value = floatOf(operand);
        isEqual = value == expected;
        if (value) found = fmt::format("{}", *value);
    } else {
        int32_t expected = token.text == "true" ? 1 : 0;
        std::from_chars(token.text.data(), end, expected);
        const auto value = intOf(operand);
        isEqual = value == expected;
        if (value) found = fmt::format("{}", *value);
    }
    if (!isEqual) {
        refuse(fmt::format("a parameter is {}, allowed {}, which the operator has always", found,
                           token.text));
    }
}

// A parameter as a constant tensor without dimensions.
void GraphWriter::writeScalar(const Token& token, uint32_t operand) {
    const Operand& scalar = mGraph.operands[operand];
    const auto bytes = mFile.constants().bytesOf(scalar);
    if (!bytes) return refuse("has a parameter that is computed, allowed a constant");
    TensorT tensor;
    tensor.type = scalar.type == OperandType::FLOAT32   ? TensorType::FLOAT32
                  : scalar.type == OperandType::FLOAT16 ? TensorType::FLOAT16
                  : scalar.type == OperandType::BOOL    ? TensorType::BOOL
                                                        : TensorType::INT32;
    std::vector<uint8_t> value(bytes->begin(), bytes->end());
    // The padding value of PADV2 has the type of its input.
    const int32_t first = mOperator.inputs.empty() ? kMissingTensor : mOperator.inputs.front();
    const TensorT* input = first < 0 ? nullptr : mWritten->tensors[first].get();
    const bool isFill = mGraph.operands[operand].type == OperandType::INT32 && token.index == 2;
    if (isFill && input != nullptr && input->quantization != nullptr) {
        tensor.type = input->type;
        tensor.quantization = std::make_unique<QuantizationParametersT>(*input->quantization);
        value = {static_cast<uint8_t>(intOf(operand).value_or(0))};
    }
    put(mOperator.inputs, token.index, constantTensor(std::move(tensor), value));
}

void GraphWriter::writeOutputs(const Operation& operation, const Row& row) {
    const std::string_view text = row.outputs.empty() ? "0..." : row.outputs;
    size_t next = 0;
    const std::vector<Token> tokens = tokensOf(text);
    const auto others = static_cast<size_t>(absl::c_count_if(
            tokens, [](const Token& token) { return token.kind != Kind::ALL_INPUTS; }));
    for (const Token& token : tokens) {
        if (next >= operation.outputs.size()) break;  // states that are left out
        if (token.kind == Kind::STATE || token.kind == Kind::SCRATCH) {
            const Operand& output = mGraph.operands[operation.outputs[next]];
            if (token.kind == Kind::SCRATCH &&
                output.lifetime == Operand::LifeTime::SUBGRAPH_OUTPUT) {
                refuse(fmt::format("output {} is one of the graph, and none of the operator",
                                   next));
            }
            ++next;
        } else if (token.kind == Kind::ALL_INPUTS) {
            // States are given all or not at all.
            const size_t states = operation.outputs.size() > others ? others : 0;
            for (size_t i = 0; next < operation.outputs.size() - states; ++i) {
                put(mOperator.outputs, i, tensorOf(operation.outputs[next++]));
            }
        } else {
            put(mOperator.outputs, token.index, tensorOf(operation.outputs[next++]));
        }
    }
}

// The output of an operation that is the new value of a state; `count` if it is left out. A list of
// other outputs comes first.
size_t GraphWriter::placeOfState(std::span<const Token> tokens, uint32_t state, size_t count) {
    const auto found = absl::c_find_if(tokens, [state](const Token& token) {
        return token.kind == Kind::STATE && token.index == state;
    });
    const auto place = static_cast<size_t>(found - tokens.begin());
    const bool hasList = !tokens.empty() && tokens.front().kind == Kind::ALL_INPUTS;
    if (!hasList) return std::min(place, count);
    return count < tokens.size() ? count : place + count - tokens.size();
}

// Inputs of the model that are states become variables: an output of the operation is the next
// value of the input of the same number.
void GraphWriter::writeState(const Operation& operation, const Row& row) {
    const std::vector<Token> inputs = tokensOf(row.inputs), outputs = tokensOf(row.outputs);
    for (size_t i = 0; i < inputs.size() && i < operation.inputs.size(); ++i) {
        if (inputs[i].kind != Kind::STATE) continue;
        const uint32_t before = operation.inputs[i];
        const size_t place = placeOfState(outputs, inputs[i].index, operation.outputs.size());
        const bool isGiven = place < operation.outputs.size();
        const auto has = [this](uint32_t operand, Operand::LifeTime lifetime) {
            return mGraph.operands[operand].lifetime == lifetime;
        };
        if (!isGiven || !has(before, Operand::LifeTime::SUBGRAPH_INPUT) || mReads[before] != 1 ||
            !has(operation.outputs[place], Operand::LifeTime::SUBGRAPH_OUTPUT) ||
            mReads[operation.outputs[place]] != 0 || mPath != "main") {
            refuse(fmt::format(
                    "input {} is a state, which TensorFlow Lite keeps: allowed an input "
                    "of the model that nothing else reads, with the new state as an "
                    "output that nothing reads",
                    i));
            continue;
        }
        mStates.insert(before);
        mNewStates.insert(operation.outputs[place]);
        const int32_t tensor = tensorOf(before);
        if (tensor != kMissingTensor) mWritten->tensors[tensor]->is_variable = true;
        mFile.lose({.path = fmt::format("main.operands[{}]", before),
                    .before = "an input of the model",
                    .after = "a variable, which begins with zeros",
                    .why = "TensorFlow Lite keeps states between executions"});
    }
}

// What no row says.
void GraphWriter::writeSpecial(const Operation& operation, const Row& row) {
    switch (row.code) {
        case BuiltinOperator::BATCH_TO_SPACE_ND: {
            TensorT crops;
            crops.shape = {2, 2};
            crops.type = TensorType::INT32;
            constexpr std::array<int32_t, 4> none{};
            put(mOperator.inputs, 2, constantTensor(std::move(crops), importing::bytesOf(none)));
            break;
        }
        case BuiltinOperator::PACK:
            setOption(mOperator.options, row.options, "values_count",
                      static_cast<int32_t>(operation.inputs.size() - 1));
            break;
        case BuiltinOperator::TOPK_V2:
            lose("the larger index first", "the smaller index first",
                 "TensorFlow Lite orders equal values so");
            break;
        case BuiltinOperator::DIV:
            if (mGraph.operands[operation.inputs[0]].type == OperandType::TENSOR_INT32) {
                lose("a quotient rounded down", "one rounded toward 0",
                     "TensorFlow Lite rounds so, which differs where it is negative");
            }
            break;
        case BuiltinOperator::CAST: {
            const auto type = [&](uint32_t operand) {
                return static_cast<int32_t>(
                        tensorTypeOf(mGraph.operands[operand].type).value_or(TensorType::FLOAT32));
            };
            setOption(mOperator.options, row.options, "in_data_type", type(operation.inputs[0]));
            setOption(mOperator.options, row.options, "out_data_type", type(operation.outputs[0]));
            const OperandType before = mGraph.operands[operation.inputs[0]].type;
            const OperandType after = mGraph.operands[operation.outputs[0]].type;
            if (after == OperandType::TENSOR_QUANT8_ASYMM && before != after) {
                lose("the nearest number from 0 to 255", "the lowest 8 bits of a number",
                     "CAST of TensorFlow Lite does not saturate");
            }
            break;
        }
        default:
            break;
    }
}

// ---------------------------------------------------------------------------------------------
// Padding

std::optional<Operation> GraphWriter::withImplicitPadding(const Operation& operation) {
    const auto place = absl::c_find_if(kPaddingPlaces, [&](const PaddingPlace& place) {
        return place.type == operation.type;
    });
    if (place == std::end(kPaddingPlaces)) return operation;
    const bool isExplicit =
            operation.inputs.size() > place->explicitAt &&
            mGraph.operands[operation.inputs[place->explicitAt]].type == OperandType::INT32;
    if (!isExplicit) return operation;
    refuse("has explicit padding, allowed a padding scheme: SAME or VALID");
    return std::nullopt;
}

}  // namespace nn::tflite
