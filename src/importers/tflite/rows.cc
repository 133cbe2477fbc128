// The rows of operators.def, and how one without a function is applied.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/plurals.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/converters.h"
#include "importers/tflite/row_tokens.h"

namespace nn::tflite {
namespace {

using Kind = Token::Kind;

namespace tables {
using enum BuiltinOptions;
constexpr BuiltinOptions NoOptions = BuiltinOptions::NONE;
}  // namespace tables

consteval Row plainRow(BuiltinOperator code, int32_t version, BuiltinOptions options,
                       OperationType operation, std::string_view inputs, std::string_view outputs,
                       std::string_view conditions) {
    return {.code = code,
            .version = version,
            .options = options,
            .operation = operation,
            .inputs = inputs,
            .outputs = outputs,
            .conditions = conditions};
}

constexpr std::array kRows = {
#define TFLITE_ROW(op, newest, table, becomes, in, out, where)                                     \
    plainRow(BuiltinOperator::op, newest, tables::table##Options, OperationType::becomes, in, out, \
             where),
#define TFLITE_FUNCTION(op, newest, table, fewest, fewest_out, converter, makes) \
    Row{.code = BuiltinOperator::op,                                             \
        .version = newest,                                                       \
        .options = tables::table##Options,                                       \
        .minInputs = fewest,                                                     \
        .minOutputs = fewest_out,                                                \
        .function = converters::converter,                                       \
        .text = makes},
#define TFLITE_CUSTOM(its_name, newest, fewest, fewest_out, converter, makes) \
    Row{.code = BuiltinOperator::CUSTOM,                                      \
        .custom = #its_name,                                                  \
        .version = newest,                                                    \
        .minInputs = fewest,                                                  \
        .minOutputs = fewest_out,                                             \
        .function = converters::converter,                                    \
        .text = makes},
#define TFLITE_WRITTEN(...)
#include "importers/tflite/operators.def"
};

// Rows by operation; for one with several the first.
constexpr std::array kWritten = {
#define TFLITE_ROW(op, newest, table, becomes, in, out, where)                                     \
    plainRow(BuiltinOperator::op, newest, tables::table##Options, OperationType::becomes, in, out, \
             where),
#define TFLITE_FUNCTION(...)
#define TFLITE_CUSTOM(...)
#define TFLITE_WRITTEN(op, table, becomes, in, out, where) \
    Row{.code = BuiltinOperator::op,                       \
        .options = tables::table##Options,                 \
        .operation = OperationType::becomes,               \
        .inputs = in,                                      \
        .outputs = out,                                    \
        .conditions = where},
#include "importers/tflite/operators.def"
};

// ---------------------------------------------------------------------------------------------
// Operands of single tokens

uint32_t literal(Conversion& op, std::string_view text) {
    if (text == "true" || text == "false") return op.scalarOf(text == "true");
    if (text.find('.') != std::string_view::npos) {
        float value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return op.realScalar(value);
    }
    int32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return op.scalarOf(value);
}

uint32_t listOperand(Conversion& op, const std::vector<int32_t>& values) {
    if (values.empty()) return op.builder().noValue(OperandType::TENSOR_INT32);
    return op.builder().vector(values);
}

uint32_t optionOperand(Conversion& op, std::string_view field) {
    if (field == "activation") return op.activation();
    const auto value = op.option(field);
    if (!value) return kNoOperand;
    // SAME and VALID are 0 and 1 in files, 1 and 2 in models.
    if (field == "padding") return op.scalarOf(std::get<int32_t>(*value) + 1);
    return std::visit(
            [&op]<class T>(const T& held) {
                if constexpr (std::is_same_v<T, float>) {
                    return op.realScalar(held);
                } else if constexpr (std::is_same_v<T, std::vector<int32_t>>) {
                    return listOperand(op, held);
                } else {
                    return op.scalarOf(held);
                }
            },
            *value);
}

uint32_t intOption(Conversion& op, std::string_view field) {
    const auto value = op.option(field);
    if (!value) return kNoOperand;
    if (const bool* flag = std::get_if<bool>(&*value)) return op.scalarOf(int32_t{*flag});
    return op.scalarOf(std::get<int32_t>(*value));
}

uint32_t axisOption(Conversion& op, std::string_view field) {
    const int32_t value = op.number(field);
    if (op.isRefused() || !op.hasOutputs(1)) return kNoOperand;
    const auto axis = op.axisOf(value, op.output(0).dimensions.size());
    return axis ? op.scalarOf(*axis) : kNoOperand;
}

uint32_t elementOperand(Conversion& op, const Token& token) {
    const auto values = op.ints(token.index);
    if (!values) return kNoOperand;
    if (token.element < values->size()) return op.scalarOf((*values)[token.element]);
    op.refuseInput(token.index, fmt::format("has {}", Plural{values->size(), "elements"}),
                   fmt::format("{} or more", token.element + 1));
    return kNoOperand;
}

// The first output of LSTM is of no use: its size follows from the gates.
uint32_t scratch(Conversion& op) {
    if (!op.hasInputs(1) || !op.hasInput(2)) return kNoOperand;
    const uint32_t like = op.operand(0);
    const FileTensor& input = op.input(0);
    const FileTensor& weights = op.input(2);
    if (like == kNoOperand || input.dimensions.empty() || weights.dimensions.empty()) {
        return kNoOperand;
    }
    const uint64_t gates = op.hasInput(1) ? 4 : 3;
    const uint64_t size = gates * weights.dimensions[0];
    if (size > UINT32_MAX) return kNoOperand;
    return op.like(like, {input.dimensions[0], static_cast<uint32_t>(size)});
}

uint32_t operandOf(Conversion& op, const Token& token) {
    if (token.mayMiss && !op.hasInput(token.index)) {
        const bool isHalf = op.hasInput(0) && op.input(0).type == TensorType::FLOAT16;
        return op.builder().noValue(isHalf ? OperandType::TENSOR_FLOAT16
                                           : OperandType::TENSOR_FLOAT32);
    }
    switch (token.kind) {
        case Kind::INPUT:
        case Kind::ALL_INPUTS:
            return op.operand(token.index);
        case Kind::INT_TENSOR:
            return op.intTensor(token.index, false);
        case Kind::INT_LIST:
            return op.intTensor(token.index, true);
        case Kind::SCALAR:
            return op.scalar(token.index);
        case Kind::ELEMENT:
            return elementOperand(op, token);
        case Kind::WEIGHTS:
            return op.weights(token.index);
        case Kind::BIAS:
            return op.operand(token.index);
        case Kind::STATE:
            return op.stateBefore(token.index);
        case Kind::SCRATCH:
            return scratch(op);
        case Kind::IMPLIED:
            break;
        case Kind::NO_VALUE:
            return op.builder().noValue(OperandType::TENSOR_FLOAT32);
        case Kind::OPTION:
            return optionOperand(op, token.text);
        case Kind::INT_OPTION:
            return intOption(op, token.text);
        case Kind::AXIS_OPTION:
            return axisOption(op, token.text);
        case Kind::LITERAL:
            return literal(op, token.text);
    }
    return kNoOperand;
}

// True if a token of the group has something to say.
bool isNeeded(Conversion& op, std::span<const Token> tokens) {
    for (const Token& token : tokens) {
        if (!token.isInGroup) continue;
        if (token.kind == Kind::OPTION && op.flag(token.text)) return true;
        if (token.mayMiss && op.hasInput(token.index)) return true;
    }
    return false;
}

std::vector<uint32_t> inputsOf(Conversion& op, const Row& row) {
    const std::vector<Token> tokens = tokensOf(row.inputs);
    const bool hasGroup = isNeeded(op, tokens);
    std::vector<uint32_t> inputs;
    for (const Token& token : tokens) {
        if (token.isInGroup && !hasGroup) continue;
        if (token.kind != Kind::ALL_INPUTS) {
            inputs.push_back(operandOf(op, token));
            continue;
        }
        for (size_t i = token.index; i < op.inputCount(); ++i) inputs.push_back(op.operand(i));
    }
    return inputs;
}

std::vector<uint32_t> outputsOf(Conversion& op, const Row& row) {
    std::vector<uint32_t> outputs;
    const std::string_view text = row.outputs.empty() ? "0..." : row.outputs;
    for (const Token& token : tokensOf(text)) {
        if (token.kind == Kind::STATE) {
            outputs.push_back(op.stateAfter(token.index));
        } else if (token.kind == Kind::SCRATCH) {
            outputs.push_back(scratch(op));
        } else if (token.kind == Kind::ALL_INPUTS) {
            for (size_t i = 0; i < op.outputCount(); ++i) outputs.push_back(op.result(i));
        } else {
            outputs.push_back(op.result(token.index));
        }
    }
    return outputs;
}

}  // namespace

std::span<const Row> operatorRows() { return kRows; }

std::string nameOf(const Row& row) {
    return row.custom.empty() ? EnumNameBuiltinOperator(row.code)
                              : fmt::format("CUSTOM {}", row.custom);
}

bool isElementwise(BuiltinOperator code) {
    using enum BuiltinOperator;
    constexpr BuiltinOperator kElementwise[] = {
            ADD,        SUB,         MUL,        DIV,      FLOOR_DIV,     FLOOR_MOD,
            MAXIMUM,    MINIMUM,     POW,        ABS,      EXP,           LOG,
            SQRT,       RSQRT,       SIN,        COS,      NEG,           FLOOR,
            CEIL,       ROUND,       SIGN,       SQUARE,   CAST,          EQUAL,
            NOT_EQUAL,  LESS,        LESS_EQUAL, GREATER,  GREATER_EQUAL, LOGICAL_AND,
            LOGICAL_OR, LOGICAL_NOT, SELECT_V2,  ADD_N,    LOGISTIC,      TANH,
            ELU,        PRELU,       RELU,       RELU6,    RELU_N1_TO_1,  RELU_0_TO_1,
            GELU,       HARD_SWISH,  LEAKY_RELU, QUANTIZE, DEQUANTIZE,    SQUARED_DIFFERENCE};
    return absl::c_linear_search(kElementwise, code);
}

const Row* rowOf(const FileOperatorKind& kind) {
    if (kind.code == BuiltinOperator::CUSTOM) {
        const auto row = absl::c_find_if(kRows, [&](const Row& row) {
            return !row.custom.empty() && nameOf(row) == kind.name;
        });
        return row == kRows.end() ? nullptr : &*row;
    }
    // Rows of all builtin operators, by their numbers.
    static constexpr auto kByCode = [] {
        std::array<uint8_t, static_cast<size_t>(BuiltinOperator::MAX) + 1> rows{};
        for (size_t i = 0; i < kRows.size(); ++i) {
            if (kRows[i].code == BuiltinOperator::CUSTOM) continue;
            rows[static_cast<size_t>(kRows[i].code)] = static_cast<uint8_t>(i + 1);
        }
        return rows;
    }();
    static_assert(kRows.size() < 255);
    const auto index = static_cast<size_t>(kind.code);
    if (index >= kByCode.size() || kByCode[index] == 0) return nullptr;
    return &kRows[kByCode[index] - 1];
}

const Row* writtenRowOf(OperationType type) {
    const auto row =
            absl::c_find_if(kWritten, [&](const Row& row) { return row.operation == type; });
    return row == kWritten.end() ? nullptr : &*row;
}

bool Conversion::meets(std::string_view conditions) {
    for (const auto& [field, allowed] : conditionsOf(conditions)) {
        const auto value = option(field);
        if (!value) return false;
        const int32_t found = std::holds_alternative<bool>(*value) ? int32_t{std::get<bool>(*value)}
                                                                   : std::get<int32_t>(*value);
        if (found != allowed)
            refuse(fmt::format("has {} {}", field, found), fmt::format("{}", allowed));
    }
    return !isRefused();
}

void Conversion::apply(const Row& row) {
    if (!meets(row.conditions) || !hasOutputs(1)) return;
    std::vector<uint32_t> inputs = inputsOf(*this, row);
    std::vector<uint32_t> outputs = outputsOf(*this, row);
    if (isRefused()) return;
    emit({*row.operation, std::move(inputs), std::move(outputs)});
}

}  // namespace nn::tflite
