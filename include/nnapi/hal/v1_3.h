// nnapi/hal/v1_3.h -- the types of HAL 1.3: what it changed, and aliases of what it kept.
//
//   nn::V1_3::Model model;
//   model.main.operands.push_back({.type = nn::V1_3::OperandType::TENSOR_FLOAT32});
//
// Source: neuralnetworks/1.3/types.hal.
#pragma once

#include "nnapi/hal/v1_2.h"

namespace nn::V1_3 {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_vec;
using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::FusedActivationFunc;
using V1_0::PerformanceInfo;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;
using V1_2::Constant;
using V1_2::DeviceType;
using V1_2::Extension;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using V1_2::HidlToken;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::SymmPerChannelQuantParams;
using V1_2::Timing;

enum class OperandType : int32_t {
    FLOAT32 = 0,
    INT32 = 1,
    UINT32 = 2,
    TENSOR_FLOAT32 = 3,
    TENSOR_INT32 = 4,
    TENSOR_QUANT8_ASYMM = 5,
    BOOL = 6,
    TENSOR_QUANT16_SYMM = 7,
    TENSOR_FLOAT16 = 8,
    TENSOR_BOOL8 = 9,
    FLOAT16 = 10,
    TENSOR_QUANT8_SYMM_PER_CHANNEL = 11,
    TENSOR_QUANT16_ASYMM = 12,
    TENSOR_QUANT8_SYMM = 13,
    TENSOR_QUANT8_ASYMM_SIGNED = 14,
    SUBGRAPH = 15,
    OEM = 10000,
    TENSOR_OEM_BYTE = 10001,
};

enum class OperandTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 15,
    OEM_MIN = 10000,
    OEM_MAX = 10001,
    BASE_MAX = 0xFFFF,
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
    ABS = 38,
    ARGMAX = 39,
    ARGMIN = 40,
    AXIS_ALIGNED_BBOX_TRANSFORM = 41,
    BIDIRECTIONAL_SEQUENCE_LSTM = 42,
    BIDIRECTIONAL_SEQUENCE_RNN = 43,
    BOX_WITH_NMS_LIMIT = 44,
    CAST = 45,
    CHANNEL_SHUFFLE = 46,
    DETECTION_POSTPROCESSING = 47,
    EQUAL = 48,
    EXP = 49,
    EXPAND_DIMS = 50,
    GATHER = 51,
    GENERATE_PROPOSALS = 52,
    GREATER = 53,
    GREATER_EQUAL = 54,
    GROUPED_CONV_2D = 55,
    HEATMAP_MAX_KEYPOINT = 56,
    INSTANCE_NORMALIZATION = 57,
    LESS = 58,
    LESS_EQUAL = 59,
    LOG = 60,
    LOGICAL_AND = 61,
    LOGICAL_NOT = 62,
    LOGICAL_OR = 63,
    LOG_SOFTMAX = 64,
    MAXIMUM = 65,
    MINIMUM = 66,
    NEG = 67,
    NOT_EQUAL = 68,
    PAD_V2 = 69,
    POW = 70,
    PRELU = 71,
    QUANTIZE = 72,
    QUANTIZED_16BIT_LSTM = 73,
    RANDOM_MULTINOMIAL = 74,
    REDUCE_ALL = 75,
    REDUCE_ANY = 76,
    REDUCE_MAX = 77,
    REDUCE_MIN = 78,
    REDUCE_PROD = 79,
    REDUCE_SUM = 80,
    ROI_ALIGN = 81,
    ROI_POOLING = 82,
    RSQRT = 83,
    SELECT = 84,
    SIN = 85,
    SLICE = 86,
    SPLIT = 87,
    SQRT = 88,
    TILE = 89,
    TOPK_V2 = 90,
    TRANSPOSE_CONV_2D = 91,
    UNIDIRECTIONAL_SEQUENCE_LSTM = 92,
    UNIDIRECTIONAL_SEQUENCE_RNN = 93,
    RESIZE_NEAREST_NEIGHBOR = 94,
    QUANTIZED_LSTM = 95,
    IF = 96,
    WHILE = 97,
    ELU = 98,
    HARD_SWISH = 99,
    FILL = 100,
    RANK = 101,
    OEM_OPERATION = 10000,
};

enum class OperationTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 101,
    OEM_MIN = 10000,
    OEM_MAX = 10000,
    BASE_MAX = 0xFFFF,
};

enum class Priority : int32_t { LOW = 0, MEDIUM = 1, HIGH = 2 };

enum class OperandLifeTime : int32_t {
    TEMPORARY_VARIABLE = 0,
    SUBGRAPH_INPUT = 1,
    SUBGRAPH_OUTPUT = 2,
    CONSTANT_COPY = 3,
    CONSTANT_REFERENCE = 4,
    NO_VALUE = 5,
    SUBGRAPH = 6,
};

enum class ErrorStatus : int32_t {
    NONE = 0,
    DEVICE_UNAVAILABLE = 1,
    GENERAL_FAILURE = 2,
    OUTPUT_INSUFFICIENT_SIZE = 3,
    INVALID_ARGUMENT = 4,
    MISSED_DEADLINE_TRANSIENT = 5,
    MISSED_DEADLINE_PERSISTENT = 6,
    RESOURCE_EXHAUSTED_TRANSIENT = 7,
    RESOURCE_EXHAUSTED_PERSISTENT = 8,
};

// Nanoseconds that a WHILE may run.
enum class LoopTimeoutDurationNs : uint64_t { DEFAULT = 2'000'000'000, MAXIMUM = 15'000'000'000 };

struct Capabilities {
    struct OperandPerformance {
        OperandType type{};
        PerformanceInfo info{};
        bool operator==(const OperandPerformance&) const = default;
    };

    PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};
    hidl_vec<OperandPerformance> operandPerformance{};
    PerformanceInfo ifPerformance{};
    PerformanceInfo whilePerformance{};
    bool operator==(const Capabilities&) const = default;
};
NNAPI_FIELDS(Capabilities::OperandPerformance, type, info)
NNAPI_FIELDS(Capabilities, relaxedFloat32toFloat16PerformanceScalar,
             relaxedFloat32toFloat16PerformanceTensor, operandPerformance, ifPerformance,
             whilePerformance)

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};
    hidl_vec<uint32_t> outputs{};
    bool operator==(const Operation&) const = default;
};
NNAPI_FIELDS(Operation, type, inputs, outputs)

struct Operand {
    OperandType type{};
    hidl_vec<uint32_t> dimensions{};
    uint32_t numberOfConsumers = 0;
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    OperandLifeTime lifetime{};
    DataLocation location{};
    V1_2::Operand::ExtraParams extraParams{};
    bool operator==(const Operand&) const = default;
};
NNAPI_FIELDS(Operand, type, dimensions, numberOfConsumers, scale, zeroPoint, lifetime, location,
             extraParams)

struct Subgraph {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    bool operator==(const Subgraph&) const = default;
};
NNAPI_FIELDS(Subgraph, operands, operations, inputIndexes, outputIndexes)

struct Model {
    Subgraph main{};
    hidl_vec<Subgraph> referenced{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    hidl_vec<V1_2::Model::ExtensionNameAndPrefix> extensionNameToPrefix{};
    bool operator==(const Model&) const = default;
};
NNAPI_FIELDS(Model, main, referenced, operandValues, pools, relaxComputationFloat32toFloat16,
             extensionNameToPrefix)

struct BufferDesc {
    hidl_vec<uint32_t> dimensions{};
    bool operator==(const BufferDesc&) const = default;
};
NNAPI_FIELDS(BufferDesc, dimensions)

struct BufferRole {
    uint32_t modelIndex = 0;
    uint32_t ioIndex = 0;
    float frequency = 0.0f;
    bool operator==(const BufferRole&) const = default;
};
NNAPI_FIELDS(BufferRole, modelIndex, ioIndex, frequency)

struct Request {
    class MemoryPool : public hidl::SafeUnion<hidl_memory, uint32_t> {
       public:
        enum class hidl_discriminator : uint8_t { hidlMemory, token };
        hidl_discriminator getDiscriminator() const { return hidl_discriminator(index()); }
        NNAPI_UNION_MEMBER(hidlMemory, 0)
        NNAPI_UNION_MEMBER(token, 1)
    };

    hidl_vec<RequestArgument> inputs{};
    hidl_vec<RequestArgument> outputs{};
    hidl_vec<MemoryPool> pools{};
    bool operator==(const Request&) const = default;
};
NNAPI_FIELDS(Request, inputs, outputs, pools)

// Nanoseconds of the steady clock.
class OptionalTimePoint : public hidl::SafeUnion<hidl::Monostate, uint64_t> {
   public:
    enum class hidl_discriminator : uint8_t { none, nanosecondsSinceEpoch };
    hidl_discriminator getDiscriminator() const { return hidl_discriminator(index()); }
    NNAPI_UNION_MEMBER(none, 0)
    NNAPI_UNION_MEMBER(nanosecondsSinceEpoch, 1)
};

class OptionalTimeoutDuration : public hidl::SafeUnion<hidl::Monostate, uint64_t> {
   public:
    enum class hidl_discriminator : uint8_t { none, nanoseconds };
    hidl_discriminator getDiscriminator() const { return hidl_discriminator(index()); }
    NNAPI_UNION_MEMBER(none, 0)
    NNAPI_UNION_MEMBER(nanoseconds, 1)
};

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(Priority value);
std::string toString(OperandLifeTime value);
std::string toString(ErrorStatus value);

}  // namespace nn::V1_3
