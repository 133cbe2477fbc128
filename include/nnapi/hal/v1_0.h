// nnapi/hal/v1_0.h -- the types of HAL 1.0, as its driver interface carries them.
//
//   nn::V1_0::Operand operand{.type = nn::V1_0::OperandType::TENSOR_FLOAT32, .dimensions = {2, 3}};
//
// Plain values with equality, spelled as HIDL-generated C++ spells them. Source:
// neuralnetworks/1.0/types.hal. assertions.cc checks that the enumerators agree with the canonical
// ones.
#pragma once

#include <cstdint>
#include <string>

#include "nnapi/hal/hidl.h"

namespace nn::V1_0 {

using hidl::hidl_memory;
using hidl::hidl_vec;

enum class OperandType : int32_t {
    FLOAT32 = 0,
    INT32 = 1,
    UINT32 = 2,
    TENSOR_FLOAT32 = 3,
    TENSOR_INT32 = 4,
    TENSOR_QUANT8_ASYMM = 5,
    OEM = 10000,
    TENSOR_OEM_BYTE = 10001,
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
    OEM_OPERATION = 10000,
};

enum class FusedActivationFunc : int32_t { NONE = 0, RELU = 1, RELU1 = 2, RELU6 = 3 };

enum class OperandLifeTime : int32_t {
    TEMPORARY_VARIABLE = 0,
    MODEL_INPUT = 1,
    MODEL_OUTPUT = 2,
    CONSTANT_COPY = 3,
    CONSTANT_REFERENCE = 4,
    NO_VALUE = 5,
};

enum class DeviceStatus : int32_t { AVAILABLE = 0, BUSY = 1, OFFLINE = 2, UNKNOWN = 3 };

enum class ErrorStatus : int32_t {
    NONE = 0,
    DEVICE_UNAVAILABLE = 1,
    GENERAL_FAILURE = 2,
    OUTPUT_INSUFFICIENT_SIZE = 3,
    INVALID_ARGUMENT = 4,
};

struct PerformanceInfo {
    float execTime = 0.0f;
    float powerUsage = 0.0f;
    bool operator==(const PerformanceInfo&) const = default;
};
NNAPI_FIELDS(PerformanceInfo, execTime, powerUsage)

struct Capabilities {
    PerformanceInfo float32Performance{};
    PerformanceInfo quantized8Performance{};
    bool operator==(const Capabilities&) const = default;
};
NNAPI_FIELDS(Capabilities, float32Performance, quantized8Performance)

struct DataLocation {
    uint32_t poolIndex = 0;
    uint32_t offset = 0;
    uint32_t length = 0;
    bool operator==(const DataLocation&) const = default;
};
NNAPI_FIELDS(DataLocation, poolIndex, offset, length)

struct Operand {
    OperandType type{};
    hidl_vec<uint32_t> dimensions{};
    uint32_t numberOfConsumers = 0;
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    OperandLifeTime lifetime{};
    DataLocation location{};
    bool operator==(const Operand&) const = default;
};
NNAPI_FIELDS(Operand, type, dimensions, numberOfConsumers, scale, zeroPoint, lifetime, location)

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
    bool operator==(const Model&) const = default;
};
NNAPI_FIELDS(Model, operands, operations, inputIndexes, outputIndexes, operandValues, pools)

struct RequestArgument {
    bool hasNoValue = false;
    DataLocation location{};
    hidl_vec<uint32_t> dimensions{};
    bool operator==(const RequestArgument&) const = default;
};
NNAPI_FIELDS(RequestArgument, hasNoValue, location, dimensions)

struct Request {
    hidl_vec<RequestArgument> inputs{};
    hidl_vec<RequestArgument> outputs{};
    hidl_vec<hidl_memory> pools{};
    bool operator==(const Request&) const = default;
};
NNAPI_FIELDS(Request, inputs, outputs, pools)

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(FusedActivationFunc value);
std::string toString(OperandLifeTime value);
std::string toString(DeviceStatus value);
std::string toString(ErrorStatus value);

}  // namespace nn::V1_0
