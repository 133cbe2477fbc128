// Small valid models to modify, and matchers for the validator's result.
//
//   Model model = softmaxModel();
//   model.main.operands[1].scale = 1;
//   EXPECT_THAT(validate(model), Refuses("main.operands[1]: scale is 1, ... [operand.scale]"));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "nnapi/print.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/validate.h"
#include "types/operation_count.h"

namespace nn {

using LifeTime = Operand::LifeTime;

// Accepts, and requires exactly this version.
MATCHER_P(Needs, version, "needs " + toString(version)) {
    *result_listener << (arg.ok() ? toString(*arg) : std::string(arg.status().message()));
    return arg.ok() && *arg == version;
}

// Fails with INVALID_ARGUMENT and exactly this message.
MATCHER_P(Refuses, message, "refuses with " + testing::PrintToString(message)) {
    *result_listener << (arg.ok() ? "accepted" : std::string(arg.status().message()));
    return !arg.ok() && errorStatus(arg.status()) == ErrorStatus::INVALID_ARGUMENT &&
           std::string(arg.status().message()) == message;
}

// The allowed codes, as the message for an unknown operation lists them.
inline const std::string kAllowedOperationTypes = "allowed 0 to " +
                                                  std::to_string(kOperationCount - 1) +
                                                  ", 10000 and extension types [operation.type]";

inline std::vector<std::string> textsOf(const std::vector<Diagnostic>& diagnostics) {
    std::vector<std::string> texts;
    for (const Diagnostic& diagnostic : diagnostics) texts.push_back(toString(diagnostic));
    return texts;
}

inline std::vector<std::string> textsOf(const std::vector<Cause>& causes) {
    std::vector<std::string> texts;
    for (const Cause& cause : causes) texts.push_back(toString(cause));
    return texts;
}

inline Operand operandOf(OperandType type, std::vector<uint32_t> dimensions,
                         LifeTime lifetime = LifeTime::TEMPORARY_VARIABLE) {
    return {.type = type, .dimensions = std::move(dimensions), .lifetime = lifetime};
}

inline Operand quantized(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime,
                         float scale, int32_t zeroPoint) {
    Operand operand = operandOf(type, std::move(dimensions), lifetime);
    operand.scale = scale;
    operand.zeroPoint = zeroPoint;
    return operand;
}

inline Operand subgraphOperand(uint32_t referenced) {
    Operand operand = operandOf(OperandType::SUBGRAPH, {}, LifeTime::SUBGRAPH);
    operand.location.offset = referenced;
    return operand;
}

// A CONSTANT_COPY operand with this value, which is appended to the model.
template <class E>
Operand constantOf(Model& model, OperandType type, std::vector<uint32_t> dimensions,
                   const std::vector<E>& values) {
    Operand operand = operandOf(type, std::move(dimensions), LifeTime::CONSTANT_COPY);
    operand.location = *model.operandValues.append(values.data(), values.size() * sizeof(E));
    return operand;
}

// input[2, 3] -> SOFTMAX -> temporary -> SOFTMAX -> output, in float32. Operands 0 input, 1 beta,
// 2 temporary, 3 output; operations 0 and 1.
inline Model softmaxModel() {
    Model model;
    const Operand beta = constantOf<float>(model, OperandType::FLOAT32, {}, {1.0f});
    model.main = {
            .operands = {operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_INPUT),
                         beta, operandOf(OperandType::TENSOR_FLOAT32, {2, 3}),
                         operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_OUTPUT)},
            .operations = {{.type = OperationType::SOFTMAX, .inputs = {0, 1}, .outputs = {2}},
                           {.type = OperationType::SOFTMAX, .inputs = {2, 1}, .outputs = {3}}},
            .inputIndexes = {0},
            .outputIndexes = {3}};
    return model;
}

// One OEM_OPERATION, which accepts any operands: reads operand 0, the given one, and writes operand
// 1. The given one is listed as input if its lifetime requires that.
inline Model modelReading(Operand operand) {
    const bool isInput = operand.lifetime == LifeTime::SUBGRAPH_INPUT;
    Model model;
    model.main = {
            .operands = {std::move(operand),
                         operandOf(OperandType::TENSOR_OEM_BYTE, {1}, LifeTime::SUBGRAPH_OUTPUT)},
            .operations = {{.type = OperationType::OEM_OPERATION, .inputs = {0}, .outputs = {1}}},
            .inputIndexes = isInput ? std::vector<uint32_t>{0} : std::vector<uint32_t>{},
            .outputIndexes = {1}};
    return model;
}

// One operation of extension 3, which the model declares.
inline Model extensionModel() {
    const auto type = static_cast<OperandType>(0x00030001);
    Model model = modelReading(operandOf(type, {2}, LifeTime::SUBGRAPH_INPUT));
    model.main.operations[0].type = static_cast<OperationType>(0x00030002);
    model.extensionNameToPrefix = {{.name = "com.example.test", .prefix = 3}};
    return model;
}

// IF on a condition and a value; both branches are softmaxModel's graph. Operands 0 condition, 1
// and 2 the branches, 3 input, 4 output.
inline Model ifModel() {
    Model model = softmaxModel();
    model.referenced = {model.main, model.main};
    model.main = {
            .operands = {operandOf(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_INPUT),
                         subgraphOperand(0), subgraphOperand(1),
                         operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_INPUT),
                         operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_OUTPUT)},
            .operations = {{.type = OperationType::IF, .inputs = {0, 1, 2, 3}, .outputs = {4}}},
            .inputIndexes = {0, 3},
            .outputIndexes = {4}};
    return model;
}

// A WHILE that carries one value; the condition is an OEM_OPERATION, the body softmaxModel's graph.
// Operands 0 condition, 1 body, 2 input, 3 output.
inline Model whileModel() {
    Model model = softmaxModel();
    Model condition =
            modelReading(operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_INPUT));
    condition.main.operands[1].type = OperandType::TENSOR_BOOL8;
    model.referenced = {condition.main, model.main};
    model.main = {
            .operands = {subgraphOperand(0), subgraphOperand(1),
                         operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_INPUT),
                         operandOf(OperandType::TENSOR_FLOAT32, {2, 3}, LifeTime::SUBGRAPH_OUTPUT)},
            .operations = {{.type = OperationType::WHILE, .inputs = {0, 1, 2}, .outputs = {3}}},
            .inputIndexes = {2},
            .outputIndexes = {3}};
    return model;
}

// A reason to end work early, and its message: "the validation was stopped".
struct EarlyEnd {
    Limits limits{};
    StopCondition until{};
    ErrorStatus code{};
    std::string message{};
};
inline std::vector<EarlyEnd> earlyEnds(const std::string& work) {
    return {
            {{},
             {.deadline = Clock::now() - std::chrono::seconds(1)},
             ErrorStatus::MISSED_DEADLINE_PERSISTENT,
             "the deadline passed during " + work + " [until.deadline]"},
            {{},
             {.isCancelled = [] { return true; }},
             ErrorStatus::GENERAL_FAILURE,
             work + " was stopped [until.stop]"},
            {{.time = 0},
             {},
             ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
             work + " takes more than the 0 ms allowed [limits.time]"},
    };
}

}  // namespace nn
