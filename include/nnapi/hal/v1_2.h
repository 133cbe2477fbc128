// nnapi/hal/v1_2.h -- the types of HAL 1.2: those that it changes, and aliases of the others.
//
//   nn::V1_2::Operand filter{.type = nn::V1_2::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL};
//   filter.extraParams.channelQuant({.scales = {0.5f, 0.25f}, .channelDim = 0});
//
// Source: neuralnetworks/1.2/types.hal.
#pragma once

#include "nnapi/hal/enumerators.h"
#include "nnapi/hal/v1_1.h"

namespace nn::V1_2 {

using hidl::hidl_array;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::ErrorStatus;
using V1_0::FusedActivationFunc;
using V1_0::OperandLifeTime;
using V1_0::PerformanceInfo;
using V1_0::Request;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;

enum class Constant : uint32_t {
    BYTE_SIZE_OF_CACHE_TOKEN = 32,
    MAX_NUMBER_OF_CACHE_FILES = 32,
};

using HidlToken = hidl_array<uint8_t, static_cast<size_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

enum class OperandType : int32_t {
#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/operand_types.def"
};

enum class OperandTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 13,
    OEM_MIN = 10000,
    OEM_MAX = 10001,
    BASE_MAX = 0xFFFF,
};

enum class OperationType : int32_t {
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/operations.def"
    OEM_OPERATION = 10000,
};

enum class OperationTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 94,
    OEM_MIN = 10000,
    OEM_MAX = 10000,
    BASE_MAX = 0xFFFF,
};

enum class DeviceType : int32_t {
#define NNAPI_DEVICE_TYPE(name, code, since) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/enumerations.def"
};

enum class MeasureTiming : int32_t {
#define NNAPI_MEASURE_TIMING(name, code, since) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/enumerations.def"
};

struct Capabilities {
    struct OperandPerformance {
        OperandType type{};
        PerformanceInfo info{};
        bool operator==(const OperandPerformance&) const = default;
    };

    PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};
    hidl_vec<OperandPerformance> operandPerformance{};
    bool operator==(const Capabilities&) const = default;
};

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};
    hidl_vec<uint32_t> outputs{};
    bool operator==(const Operation&) const = default;
};

struct SymmPerChannelQuantParams {
    hidl_vec<float> scales{};
    uint32_t channelDim = 0;
    bool operator==(const SymmPerChannelQuantParams&) const = default;
};

struct Operand {
    class ExtraParams
        : public hidl::SafeUnion<hidl::Monostate, SymmPerChannelQuantParams, hidl_vec<uint8_t>> {
       public:
        enum class hidl_discriminator : uint8_t { none, channelQuant, extension };
        hidl_discriminator getDiscriminator() const { return hidl_discriminator(index()); }
        NNAPI_UNION_MEMBER(none, 0)
        NNAPI_UNION_MEMBER(channelQuant, 1)
        NNAPI_UNION_MEMBER(extension, 2)
    };

    OperandType type{};
    hidl_vec<uint32_t> dimensions{};
    uint32_t numberOfConsumers = 0;
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    OperandLifeTime lifetime{};
    DataLocation location{};
    ExtraParams extraParams{};
    bool operator==(const Operand&) const = default;
};

struct Model {
    struct ExtensionNameAndPrefix {
        hidl_string name{};
        uint16_t prefix = 0;
        bool operator==(const ExtensionNameAndPrefix&) const = default;
    };

    enum class ExtensionTypeEncoding : uint8_t { HIGH_BITS_PREFIX = 16, LOW_BITS_TYPE = 16 };

    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    hidl_vec<ExtensionNameAndPrefix> extensionNameToPrefix{};
    bool operator==(const Model&) const = default;
};

struct OutputShape {
    hidl_vec<uint32_t> dimensions{};
    bool isSufficient = false;
    bool operator==(const OutputShape&) const = default;
};

// Microseconds; UINT64_MAX where nothing was measured.
struct Timing {
    uint64_t timeOnDevice = 0;
    uint64_t timeInDriver = 0;
    bool operator==(const Timing&) const = default;
};

// One datum of a serialized burst request. A datum with a tag that no member has becomes the last,
// unnamed alternative: its discriminator is none of the enumerators.
struct FmqRequestDatum_PacketInformation {
    uint32_t packetSize = 0;
    uint32_t numberOfInputOperands = 0;
    uint32_t numberOfOutputOperands = 0;
    uint32_t numberOfPools = 0;
    bool operator==(const FmqRequestDatum_PacketInformation&) const = default;
};

struct FmqRequestDatum_OperandInformation {
    bool hasNoValue = false;
    DataLocation location{};
    uint32_t numberOfDimensions = 0;
    bool operator==(const FmqRequestDatum_OperandInformation&) const = default;
};

class FmqRequestDatum
    : public hidl::SafeUnion<FmqRequestDatum_PacketInformation, FmqRequestDatum_OperandInformation,
                             uint32_t, FmqRequestDatum_OperandInformation, uint32_t, int32_t,
                             MeasureTiming, hidl::Monostate> {
   public:
    using PacketInformation = FmqRequestDatum_PacketInformation;
    using OperandInformation = FmqRequestDatum_OperandInformation;
    enum class hidl_discriminator : uint8_t {
        packetInformation,
        inputOperandInformation,
        inputOperandDimensionValue,
        outputOperandInformation,
        outputOperandDimensionValue,
        poolIdentifier,
        measureTiming,
    };
    hidl_discriminator getDiscriminator() const { return hidl_discriminator(index()); }
    NNAPI_UNION_MEMBER(packetInformation, 0)
    NNAPI_UNION_MEMBER(inputOperandInformation, 1)
    NNAPI_UNION_MEMBER(inputOperandDimensionValue, 2)
    NNAPI_UNION_MEMBER(outputOperandInformation, 3)
    NNAPI_UNION_MEMBER(outputOperandDimensionValue, 4)
    NNAPI_UNION_MEMBER(poolIdentifier, 5)
    NNAPI_UNION_MEMBER(measureTiming, 6)
};

// One datum of a serialized burst result; see FmqRequestDatum.
struct FmqResultDatum_PacketInformation {
    uint32_t packetSize = 0;
    ErrorStatus errorStatus{};
    uint32_t numberOfOperands = 0;
    bool operator==(const FmqResultDatum_PacketInformation&) const = default;
};

struct FmqResultDatum_OperandInformation {
    bool isSufficient = false;
    uint32_t numberOfDimensions = 0;
    bool operator==(const FmqResultDatum_OperandInformation&) const = default;
};

class FmqResultDatum
    : public hidl::SafeUnion<FmqResultDatum_PacketInformation, FmqResultDatum_OperandInformation,
                             uint32_t, Timing, hidl::Monostate> {
   public:
    using PacketInformation = FmqResultDatum_PacketInformation;
    using OperandInformation = FmqResultDatum_OperandInformation;
    enum class hidl_discriminator : uint8_t {
        packetInformation,
        operandInformation,
        operandDimensionValue,
        executionTiming,
    };
    hidl_discriminator getDiscriminator() const { return hidl_discriminator(index()); }
    NNAPI_UNION_MEMBER(packetInformation, 0)
    NNAPI_UNION_MEMBER(operandInformation, 1)
    NNAPI_UNION_MEMBER(operandDimensionValue, 2)
    NNAPI_UNION_MEMBER(executionTiming, 3)
};

struct Extension {
    struct OperandTypeInformation {
        uint16_t type = 0;
        bool isTensor = false;
        uint32_t byteSize = 0;
        bool operator==(const OperandTypeInformation&) const = default;
    };

    hidl_string name{};
    hidl_vec<OperandTypeInformation> operandTypes{};
    bool operator==(const Extension&) const = default;
};

#include "nnapi/hal/v1_2_fields.def"

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(DeviceType value);
std::string toString(MeasureTiming value);

}  // namespace nn::V1_2
