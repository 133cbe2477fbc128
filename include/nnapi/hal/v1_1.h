// nnapi/hal/v1_1.h -- the types of HAL 1.1: what it changed, and aliases of what it kept.
//
//   nn::V1_1::Model model;
//   model.relaxComputationFloat32toFloat16 = true;
//
// Source: neuralnetworks/1.1/types.hal.
#pragma once

#include "nnapi/hal/v1_0.h"

namespace nn::V1_1 {

using hidl::hidl_memory;
using hidl::hidl_vec;
using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::ErrorStatus;
using V1_0::FusedActivationFunc;
using V1_0::Operand;
using V1_0::OperandLifeTime;
using V1_0::OperandType;
using V1_0::PerformanceInfo;
using V1_0::Request;
using V1_0::RequestArgument;

enum class ExecutionPreference : int32_t {
    LOW_POWER = 0,
    FAST_SINGLE_ANSWER = 1,
    SUSTAINED_SPEED = 2,
};

enum class OperationType : int32_t {
    ADD = 0,
    AVERAGE_POOL_2D = 1,
    CONCATENATION = 2,
    CONV_2D = 3,
    DEPTHWISE_CONV_2D = 4,
    DEPTH_TO_SPACE = 5,
    DEQUANTIZE = 6,
    EMBEDDING_LOOKUP = 7,
    FLOOR = 8,
    FULLY_CONNECTED = 9,
    HASHTABLE_LOOKUP = 10,
    L2_NORMALIZATION = 11,
    L2_POOL_2D = 12,
    LOCAL_RESPONSE_NORMALIZATION = 13,
    LOGISTIC = 14,
    LSH_PROJECTION = 15,
    LSTM = 16,
    MAX_POOL_2D = 17,
    MUL = 18,
    RELU = 19,
    RELU1 = 20,
    RELU6 = 21,
    RESHAPE = 22,
    RESIZE_BILINEAR = 23,
    RNN = 24,
    SOFTMAX = 25,
    SPACE_TO_DEPTH = 26,
    SVDF = 27,
    TANH = 28,
    BATCH_TO_SPACE_ND = 29,
    DIV = 30,
    MEAN = 31,
    PAD = 32,
    SPACE_TO_BATCH_ND = 33,
    SQUEEZE = 34,
    STRIDED_SLICE = 35,
    SUB = 36,
    TRANSPOSE = 37,
    OEM_OPERATION = 10000,
};

struct Capabilities {
    PerformanceInfo float32Performance{};
    PerformanceInfo quantized8Performance{};
    PerformanceInfo relaxedFloat32toFloat16Performance{};
    bool operator==(const Capabilities&) const = default;
};
NNAPI_FIELDS(Capabilities, float32Performance, quantized8Performance,
             relaxedFloat32toFloat16Performance)

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};
    hidl_vec<uint32_t> outputs{};
    bool operator==(const Operation&) const = default;
};
NNAPI_FIELDS(Operation, type, inputs, outputs)

struct Model {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    bool operator==(const Model&) const = default;
};
NNAPI_FIELDS(Model, operands, operations, inputIndexes, outputIndexes, operandValues, pools,
             relaxComputationFloat32toFloat16)

std::string toString(OperationType value);
std::string toString(ExecutionPreference value);

}  // namespace nn::V1_1
