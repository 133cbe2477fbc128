// nnapi/hal/v1_0.h -- the types of HAL 1.0, as in its driver interface.
//
//   nn::V1_0::Operand operand{.type = nn::V1_0::OperandType::TENSOR_FLOAT32, .dimensions = {2, 3}};
//
// Plain values with equality, spelled as HIDL-generated C++ spells them. Source:
// neuralnetworks/1.0/types.hal. The enumerators are those rows of nnapi/operations.def,
// nnapi/operand_types.def and nnapi/enumerations.def that the version has.
#pragma once

#include <cstdint>
#include <string>

#include "nnapi/hal/enumerators.h"
#include "nnapi/hal/hidl.h"

namespace nn::V1_0 {

using hidl::hidl_memory;
using hidl::hidl_vec;

enum class OperandType : int32_t {
#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/operand_types.def"
};

enum class OperationType : int32_t {
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/operations.def"
    OEM_OPERATION = 10000,
};

enum class FusedActivationFunc : int32_t {
#define NNAPI_FUSED_ACTIVATION_FUNC(name, code, since) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/enumerations.def"
};

enum class OperandLifeTime : int32_t {
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, ...) \
    NNAPI_ENUMERATOR(V1_0, since, hal1_0, code)
#include "nnapi/enumerations.def"
};

enum class DeviceStatus : int32_t {
#define NNAPI_DEVICE_STATUS(name, code, since) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/enumerations.def"
};

enum class ErrorStatus : int32_t {
#define NNAPI_ERROR_STATUS(name, code, since) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/enumerations.def"
};

struct PerformanceInfo {
    float execTime = 0.0f;
    float powerUsage = 0.0f;
    bool operator==(const PerformanceInfo&) const = default;
};

struct Capabilities {
    PerformanceInfo float32Performance{};
    PerformanceInfo quantized8Performance{};
    bool operator==(const Capabilities&) const = default;
};

struct DataLocation {
    uint32_t poolIndex = 0;
    uint32_t offset = 0;
    uint32_t length = 0;
    bool operator==(const DataLocation&) const = default;
};

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

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};
    hidl_vec<uint32_t> outputs{};
    bool operator==(const Operation&) const = default;
};

struct Model {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool operator==(const Model&) const = default;
};

struct RequestArgument {
    bool hasNoValue = false;
    DataLocation location{};
    hidl_vec<uint32_t> dimensions{};
    bool operator==(const RequestArgument&) const = default;
};

struct Request {
    hidl_vec<RequestArgument> inputs{};
    hidl_vec<RequestArgument> outputs{};
    hidl_vec<hidl_memory> pools{};
    bool operator==(const Request&) const = default;
};

#include "nnapi/hal/v1_0_fields.def"

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(FusedActivationFunc value);
std::string toString(OperandLifeTime value);
std::string toString(DeviceStatus value);
std::string toString(ErrorStatus value);

}  // namespace nn::V1_0
