// Checks of operations against the tables of their signatures: the selected form and number of
// rows, and the message if none fits.
#include "validate/operation_check.h"

#include "nnapi/type_utils.h"
#include "validate/models.h"

namespace nn::operation_check_test {
namespace {

using enum OperandType;
using enum OperationType;
using testing::ElementsAre;
using testing::ElementsAreArray;

using Operands = std::vector<OperandType>;
constexpr OperandType F32 = TENSOR_FLOAT32, F16 = TENSOR_FLOAT16, I32 = TENSOR_INT32,
                      Q8 = TENSOR_QUANT8_ASYMM, QS8 = TENSOR_QUANT8_ASYMM_SIGNED;

// Operands with only a type; the one with this number has no value.
constexpr size_t kNone = SIZE_MAX;
Findings findingsOf(OperationType type, const Operands& inputs, const Operands& outputs,
                    size_t omitted = kNone) {
    std::vector<ops::Value> values;
    for (const Operands* operands : {&inputs, &outputs}) {
        for (const OperandType operand : *operands) {
            const size_t i = values.size();
            values.push_back({.type = operand,
                              .operand = static_cast<uint32_t>(i),
                              .omitted = i == omitted});
        }
    }
    const OperationTypeInfo* info = operationTypeInfo(type);
    const Place place{.operation = info == nullptr ? std::string_view() : info->name};
    Report report({.collectAll = true});
    const std::span<const ops::Value> all(values);
    checkOperation(type, all.first(inputs.size()), all.subspan(inputs.size()), place, report);
    return std::move(report).takeFindings();
}

struct Broken {
    OperationType type;
    Operands inputs;
    Operands outputs;
    const char* message;
};

TEST(CheckOperation, SaysWhichTypesAreAllowed) {
    const Broken kRows[] = {
            // one, two and more
            {SOFTMAX, Operands{F32, INT32}, Operands{F32},
             "SOFTMAX: input 1 'beta' (operand 1) is INT32, allowed FLOAT32 when input 0 is "
             "TENSOR_FLOAT32 [softmax.types]"},
            {RNN, Operands{I32, F32, F32, F32, F32, INT32}, Operands{F32, F32},
             "RNN: input 0 'input' (operand 0) is TENSOR_INT32, allowed TENSOR_FLOAT32 or "
             "TENSOR_FLOAT16 [rnn.types]"},
            {SOFTMAX, Operands{I32, FLOAT32}, Operands{I32},
             "SOFTMAX: input 0 'input' (operand 0) is TENSOR_INT32, allowed TENSOR_FLOAT32, "
             "TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16 or TENSOR_QUANT8_ASYMM_SIGNED [softmax.types]"},
            // rows that differ only in later operands permit the same types
            {DEQUANTIZE, Operands{I32}, Operands{F32},
             "DEQUANTIZE: input 0 'input' (operand 0) is TENSOR_INT32, allowed "
             "TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_SYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL or "
             "TENSOR_QUANT8_ASYMM_SIGNED [dequantize.types]"},
            {DEQUANTIZE, Operands{Q8}, Operands{I32},
             "DEQUANTIZE: output 0 'output' (operand 1) is TENSOR_INT32, allowed TENSOR_FLOAT32 or "
             "TENSOR_FLOAT16 when input 0 is TENSOR_QUANT8_ASYMM [dequantize.types]"},
            // the row that matches furthest counts, first or not
            {SOFTMAX, Operands{F16, FLOAT32}, Operands{F16},
             "SOFTMAX: input 1 'beta' (operand 1) is FLOAT32, allowed FLOAT16 when input 0 is "
             "TENSOR_FLOAT16 [softmax.types]"},
            {SOFTMAX, Operands{F16, FLOAT16}, Operands{F32},
             "SOFTMAX: output 0 'output' (operand 2) is TENSOR_FLOAT32, allowed TENSOR_FLOAT16 "
             "when input 0 is TENSOR_FLOAT16 [softmax.types]"},
            // a type that the form fixes does not depend on other operands
            {SELECT, Operands{F32, F32, F32}, Operands{F32},
             "SELECT: input 0 'mask' (operand 0) is TENSOR_FLOAT32, allowed TENSOR_BOOL8 "
             "[select.types]"},
            {SELECT, Operands{TENSOR_BOOL8, F32, F16}, Operands{F32},
             "SELECT: input 2 'input2' (operand 2) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 when "
             "input 1 is TENSOR_FLOAT32 [select.types]"},
            {TOPK_V2, Operands{F16, INT32}, Operands{F16, F16},
             "TOPK_V2: output 1 'indices' (operand 3) is TENSOR_FLOAT16, allowed TENSOR_INT32 "
             "[topk_v2.types]"},
            // an operation without variables
            {LOGICAL_AND, Operands{TENSOR_BOOL8, F32}, Operands{TENSOR_BOOL8},
             "LOGICAL_AND: input 1 'input1' (operand 1) is TENSOR_FLOAT32, allowed TENSOR_BOOL8 "
             "[logical.types]"},
    };
    for (const auto& [type, inputs, outputs, message] : kRows) {
        EXPECT_THAT(textsOf(findingsOf(type, inputs, outputs).errors), ElementsAre(message));
    }
}

// Repeated parameters, first, last and as outputs.
TEST(CheckOperation, CountsRepeatedParameters) {
    const Broken kRows[] = {
            {CONCATENATION, Operands{F32, INT32}, Operands{F32}, ""},
            {CONCATENATION, Operands{F32, F32, F32, INT32}, Operands{F32}, ""},
            {CONCATENATION, Operands{F32, F32, F16, INT32}, Operands{F32},
             "CONCATENATION: input 2 'input' (operand 2) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 "
             "when input 0 is TENSOR_FLOAT32 [concatenation.types]"},
            {CONCATENATION, Operands{F32, F32, F32}, Operands{F32},
             "CONCATENATION: input 2 'axis' (operand 2) is TENSOR_FLOAT32, allowed INT32 "
             "[concatenation.types]"},
            {CONCATENATION, Operands{F32, F32, INT32}, Operands{F16},
             "CONCATENATION: output 0 'output' (operand 3) is TENSOR_FLOAT16, allowed "
             "TENSOR_FLOAT32 when input 0 is TENSOR_FLOAT32 [concatenation.types]"},
            {PACK, Operands{INT32, F32}, Operands{F32}, ""},
            {PACK, Operands{INT32, F32, F16}, Operands{F32},
             "PACK: input 2 'input' (operand 2) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 when "
             "input 1 is TENSOR_FLOAT32 [pack.types]"},
            {SPLIT, Operands{F32, INT32, INT32}, Operands{F32}, ""},
            {SPLIT, Operands{F32, INT32, INT32}, Operands{F32, F32, F32}, ""},
            {SPLIT, Operands{F32, INT32, INT32}, Operands{F32, F32, F16},
             "SPLIT: output 2 'output' (operand 5) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 when "
             "input 0 is TENSOR_FLOAT32 [split.types]"},
    };
    for (const auto& [type, inputs, outputs, message] : kRows) {
        const std::vector<std::string> errors = textsOf(findingsOf(type, inputs, outputs).errors);
        EXPECT_EQ(errors.empty() ? "" : errors.front(), message);
    }
}

TEST(CheckOperation, SaysHowManyOperandsAreAllowed) {
    const Operands five(5, F32);
    const Operands rnn = {F32, F32, F32, F32, F32,   F32,  F32, F32,
                          F32, F32, F32, F32, INT32, BOOL, BOOL};
    const Broken kRows[] = {
            {SOFTMAX, Operands{F32}, Operands{F32},
             "SOFTMAX: has 1 input, allowed 2 or 3 [softmax.inputs]"},
            {SOFTMAX, Operands{F32, FLOAT32}, Operands{},
             "SOFTMAX: has 0 outputs, allowed 1 [softmax.outputs]"},
            {SOFTMAX, Operands{F32}, Operands{},
             "SOFTMAX: has 1 input, allowed 2 or 3 [softmax.inputs]"},
            {CONCATENATION, Operands{INT32}, Operands{F32},
             "CONCATENATION: has 1 input, allowed 2 or more [concatenation.inputs]"},
            {SPLIT, Operands{F32, INT32, INT32}, Operands{},
             "SPLIT: has 0 outputs, allowed 1 or more [split.outputs]"},
            // both forms together; the dilations come in pairs
            {CONV_2D, Operands(9, F32), Operands{F32},
             "CONV_2D: has 9 inputs, allowed 7, 8, 10, 11 or 13 [conv_2d.inputs]"},
            {BIDIRECTIONAL_SEQUENCE_RNN, rnn, five,
             "BIDIRECTIONAL_SEQUENCE_RNN: has 5 outputs, allowed 1, 2, 3 or 4 [rnn.outputs]"},
    };
    for (const auto& [type, inputs, outputs, message] : kRows) {
        EXPECT_THAT(textsOf(findingsOf(type, inputs, outputs).errors), ElementsAre(message));
    }
}

// The operand in the message shows which form was selected.
TEST(CheckOperation, HoldsAgainstTheFormThatFitsFurthest) {
    const Broken kRows[] = {
            {CONV_2D, Operands{F32, F32, F32, INT32, INT32, INT32, INT32, INT32, BOOL, INT32},
             Operands{F32},
             "CONV_2D: input 8 'strideHeight' (operand 8) is BOOL, allowed INT32 [conv_2d.types]"},
            {CONV_2D, Operands{F32, F32, F32, INT32, INT32, INT32, INT32, BOOL, INT32, BOOL},
             Operands{F32},
             "CONV_2D: input 9 'dilationHeight' (operand 9) is BOOL, allowed INT32 "
             "[conv_2d.types]"},
            // the first of the forms that match equally far
            {CONV_2D, Operands{F32, F32, F32, FLOAT32, INT32, INT32, INT32, INT32, INT32, INT32},
             Operands{F32},
             "CONV_2D: input 3 'paddingScheme' (operand 3) is FLOAT32, allowed INT32 "
             "[conv_2d.types]"},
            {RESIZE_BILINEAR, Operands{F32, FLOAT32, INT32}, Operands{F32},
             "RESIZE_BILINEAR: input 2 'heightFactor' (operand 2) is INT32, allowed FLOAT32 when "
             "input 0 is TENSOR_FLOAT32 [resize.types]"},
            {RESIZE_BILINEAR, Operands{F32, INT32, INT32}, Operands{F16},
             "RESIZE_BILINEAR: output 0 'output' (operand 3) is TENSOR_FLOAT16, allowed "
             "TENSOR_FLOAT32 when input 0 is TENSOR_FLOAT32 [resize.types]"},
            {RESIZE_BILINEAR, Operands{I32, INT32, INT32}, Operands{F32},
             "RESIZE_BILINEAR: input 0 'input' (operand 0) is TENSOR_INT32, allowed "
             "TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED "
             "[resize.types]"},
    };
    for (const auto& [type, inputs, outputs, message] : kRows) {
        EXPECT_THAT(textsOf(findingsOf(type, inputs, outputs).errors), ElementsAre(message));
    }
}

TEST(CheckOperation, OnlyOptionalOperandsMayBeOmitted) {
    const struct {
        OperationType type;
        Operands inputs, outputs;
        size_t omitted;
        const char* message;
    } kRows[] = {
            {SOFTMAX, Operands{F32, FLOAT32}, Operands{F32}, 0,
             "SOFTMAX: input 0 'input' (operand 0) has no value, allowed only for optional "
             "operands [softmax.omitted]"},
            {SOFTMAX, Operands{F32, FLOAT32}, Operands{F32}, 2,
             "SOFTMAX: output 0 'output' (operand 2) has no value, allowed only for optional "
             "operands [softmax.omitted]"},
            {CONCATENATION, Operands{F32, F32, INT32}, Operands{F32}, 1,
             "CONCATENATION: input 1 'input' (operand 1) has no value, allowed only for optional "
             "operands [concatenation.omitted]"},
            {SQUEEZE, Operands{F32, I32}, Operands{F32}, 1, ""},
            {LSH_PROJECTION, Operands{F32, F32, F32, INT32}, Operands{I32}, 2, ""},
    };
    for (const auto& [type, inputs, outputs, omitted, message] : kRows) {
        const auto errors = textsOf(findingsOf(type, inputs, outputs, omitted).errors);
        EXPECT_EQ(errors.empty() ? "" : errors.front(), message);
    }
}

TEST(CheckOperation, NamesWhatNeedsTheVersion) {
    const Operands rnn = {F32, F32, F32, F32, F32, INT32, INT32};
    using Causes = std::vector<std::string>;
    const struct {
        OperationType type;
        Operands inputs, outputs;
        Causes causes;
    } kRows[] = {
            {SOFTMAX, Operands{F32, FLOAT32}, Operands{F32}, Causes{}},
            {SOFTMAX, Operands{F32, FLOAT32, INT32}, Operands{F32},
             Causes{"SOFTMAX: axis needs HAL 1.2"}},
            {SOFTMAX, Operands{F16, FLOAT16}, Operands{F16},
             Causes{"SOFTMAX: TENSOR_FLOAT16 needs HAL 1.2"}},
            {SOFTMAX, Operands{QS8, FLOAT32, INT32}, Operands{QS8},
             Causes{"SOFTMAX: TENSOR_QUANT8_ASYMM_SIGNED needs HAL 1.3"}},
            // types introduced with the operation are not a separate cause
            {SELECT, Operands{TENSOR_BOOL8, F16, F16}, Operands{F16},
             Causes{"SELECT: SELECT needs HAL 1.2"}},
            {SELECT, Operands{TENSOR_BOOL8, QS8, QS8}, Operands{QS8},
             Causes{"SELECT: TENSOR_QUANT8_ASYMM_SIGNED needs HAL 1.3"}},
            {LOGICAL_AND, Operands{TENSOR_BOOL8, TENSOR_BOOL8}, Operands{TENSOR_BOOL8},
             Causes{"LOGICAL_AND: LOGICAL_AND needs HAL 1.2"}},
            {RESIZE_BILINEAR, Operands{F32, INT32, INT32}, Operands{F32}, Causes{}},
            {RESIZE_BILINEAR, Operands{F32, FLOAT32, FLOAT32}, Operands{F32},
             Causes{"RESIZE_BILINEAR: by factor needs HAL 1.2"}},
            {UNIDIRECTIONAL_SEQUENCE_RNN, rnn, Operands{F32},
             Causes{"UNIDIRECTIONAL_SEQUENCE_RNN: UNIDIRECTIONAL_SEQUENCE_RNN needs HAL 1.2"}},
            {UNIDIRECTIONAL_SEQUENCE_RNN, rnn, Operands{F32, F32},
             Causes{"UNIDIRECTIONAL_SEQUENCE_RNN: hiddenStateOut needs HAL 1.3"}},
            {static_cast<OperationType>(0x00010000), Operands{F32}, Operands{},
             Causes{"an extension operation needs HAL 1.2"}},
            {OEM_OPERATION, Operands{F32}, Operands{}, Causes{}},
    };
    for (const auto& [type, inputs, outputs, causes] : kRows) {
        const Findings findings = findingsOf(type, inputs, outputs);
        EXPECT_THAT(textsOf(findings.errors), testing::IsEmpty());
        EXPECT_THAT(textsOf(findings.causes), ElementsAreArray(causes));
    }
}

// "allowed FLOAT32 when input 0 is TENSOR_FLOAT32" names the first operand that binds the variable
// of the type: in all operations with several such operands it is an input.
TEST(CheckOperation, AnInputDecidesTheRow) {
    const auto variables = [](std::span<const ops::Param> params) {
        return std::ranges::count_if(params, [](const ops::Param& param) {
            return param.type.kind == ops::TypeSpec::Kind::COLUMN;
        });
    };
    for (const OperationTypeInfo& info : operationTypes()) {
        const ops::OperationSpec* spec = ops::specOf(info.type);
        if (spec == nullptr) continue;
        for (const ops::Form& form : spec->forms) {
            EXPECT_TRUE(variables(form.inputs) > 0 || variables(form.outputs) <= 1) << info.name;
        }
    }
}

}  // namespace
}  // namespace nn::operation_check_test
