// Runs one operation on values without a model: the signature, the rules, shape inference and the
// kernel, as the validator and the interpreter call them.
//
//   const Outcome got = run(OperationType::SOFTMAX, {f32({1, 2}, {0, 0}), real(1)}, {f32({})});
//   EXPECT_THAT(got, Gives(f32({1, 2}, {0.5, 0.5})));
//   EXPECT_THAT(check(...), Fails("SOFTMAX: input 0 'input' (operand 0) has ... [softmax.rank]"));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "op_support/rules/op_view.h"

namespace nn::ops {

// An operand: its declaration in the model and, for inputs, its data. Without data it is an input
// whose value is known only during execution, or an output.
struct Arg {
    OperandType type = TENSOR_FLOAT32;
    std::vector<uint32_t> dimensions{};
    std::vector<uint8_t> data{};
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    Operand::ExtraParams extraParams{};
    bool omitted = false;
};

template <class E>
std::vector<uint8_t> bytesOf(const std::vector<E>& elements) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(elements.data());
    return {bytes, bytes + elements.size() * sizeof(E)};
}

// Tensors, with real values for floats and stored values for the rest.
Arg f32(std::vector<uint32_t> dimensions, std::vector<float> values = {});
Arg f16(std::vector<uint32_t> dimensions, std::vector<float> values = {});
Arg i32(std::vector<uint32_t> dimensions, std::vector<int32_t> values = {});
Arg b8(std::vector<uint32_t> dimensions, std::vector<uint8_t> values = {});
Arg q8(std::vector<uint32_t> dimensions, std::vector<uint8_t> values, float scale,
       int32_t zeroPoint);
Arg qs8(std::vector<uint32_t> dimensions, std::vector<int8_t> values, float scale,
        int32_t zeroPoint);
Arg q16s(std::vector<uint32_t> dimensions, std::vector<int16_t> values, float scale);
Arg q16a(std::vector<uint32_t> dimensions, std::vector<uint16_t> values, float scale,
         int32_t zeroPoint);
Arg perChannel(std::vector<uint32_t> dimensions, std::vector<int8_t> values,
               std::vector<float> scales, uint32_t channelDim);

// Scalars.
Arg integer(int32_t value);
Arg real(float value);
Arg real16(float value);
Arg boolean(bool value);

// An operand of this type without a value.
Arg omitted(OperandType type);

// The same operand as another type, to break a rule.
Arg as(OperandType type, Arg arg);

// The same operand with another scale, for biases.
Arg scaled(float scale, Arg arg);

struct Outcome {
    std::string error;  // the whole message; empty on success
    Version version{};
    std::vector<Arg> outputs{};  // with the inferred dimensions, and data after run()
};

// The result of the validator: signature and rules.
Outcome check(OperationType type, const std::vector<Arg>& inputs, const std::vector<Arg>& outputs);

// The inferred shapes before execution; inputs with data are constants.
Outcome infer(OperationType type, const std::vector<Arg>& inputs, const std::vector<Arg>& outputs);

// Runs all of these and the kernel. Outputs get the inferred dimensions; 0 and {} in their declared
// ones are unknown.
Outcome run(OperationType type, const std::vector<Arg>& inputs, const std::vector<Arg>& outputs);

// The steps that a kernel counts (op_support/kernels/interruption.h). Also expects that the kernel
// stops when it is interrupted.
uint64_t stepsOf(OperationType type, const std::vector<Arg>& inputs,
                 const std::vector<Arg>& outputs);

// Succeeds and requires exactly this version.
MATCHER_P(Needs, version, "needs " + toString(version)) {
    *result_listener << (arg.error.empty() ? toString(arg.version) : arg.error);
    return arg.error.empty() && arg.version == version;
}

// Fails with exactly this message.
MATCHER_P(Fails, message, "fails with " + testing::PrintToString(message)) {
    *result_listener << (arg.error.empty() ? "success" : arg.error);
    return arg.error == message;
}

// Succeeds, and the output with this index (default 0) has the dimensions and values of the
// expected operand: finite floats within 1e-5 (float16 5e-3) absolute and relative, all other
// values equal.
bool gives(const Outcome& outcome, size_t output, const Arg& expected, std::string* why);
MATCHER_P(Gives, expected, "gives the expected values") {
    std::string why;
    const bool same = gives(arg, 0, expected, &why);
    *result_listener << why;
    return same;
}
MATCHER_P2(GivesAt, output, expected, "gives the expected values") {
    std::string why;
    const bool same = gives(arg, output, expected, &why);
    *result_listener << why;
    return same;
}

}  // namespace nn::ops
