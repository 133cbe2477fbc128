// nnapi/hal/v1_3.h -- the types of HAL 1.3: those that it changes, and aliases of the others.
//
//   nn::V1_3::Model model;
//   model.main.operands.push_back({.type = nn::V1_3::OperandType::TENSOR_FLOAT32});
//
// Source: neuralnetworks/1.3/types.hal.
#pragma once

#include "nnapi/hal/enumerators.h"
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
#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/operand_types.def"
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
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/operations.def"
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

enum class Priority : int32_t {
#define NNAPI_PRIORITY(name, code, since) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/enumerations.def"
};

enum class OperandLifeTime : int32_t {
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, ...) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/enumerations.def"
};

enum class ErrorStatus : int32_t {
#define NNAPI_ERROR_STATUS(name, code, since) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/enumerations.def"
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

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};
    hidl_vec<uint32_t> outputs{};
    bool operator==(const Operation&) const = default;
};

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

struct Subgraph {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    bool operator==(const Subgraph&) const = default;
};

struct Model {
    Subgraph main{};
    hidl_vec<Subgraph> referenced{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    hidl_vec<V1_2::Model::ExtensionNameAndPrefix> extensionNameToPrefix{};
    bool operator==(const Model&) const = default;
};

struct BufferDesc {
    hidl_vec<uint32_t> dimensions{};
    bool operator==(const BufferDesc&) const = default;
};

struct BufferRole {
    uint32_t modelIndex = 0;
    uint32_t ioIndex = 0;
    float frequency = 0.0f;
    bool operator==(const BufferRole&) const = default;
};

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

#include "nnapi/hal/v1_3_fields.def"

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(Priority value);
std::string toString(OperandLifeTime value);
std::string toString(ErrorStatus value);

}  // namespace nn::V1_3
