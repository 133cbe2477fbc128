// nnapi/enumerations.h -- the canonical enumerations, and the names of their values.
//
//   nn::toString(nn::OperationType::CONV_2D);   // "CONV_2D"
//
// The enumerators are the rows of nnapi/operand_types.def, nnapi/operations.def and
// nnapi/enumerations.def, and those marked as canonical only. A value without an enumerator can
// exist, since a peer may send any number; it prints as "OperandType(77)". Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nn {

// Result of IDevice::getStatus, which canonical devices do not have (1.0 types.hal).
enum class DeviceStatus : int32_t {
#define NNAPI_DEVICE_STATUS(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

// The goal of optimization of a compiled model: energy, the latency of single executions, or the
// throughput of many (1.1 types.hal).
enum class ExecutionPreference : int32_t {
#define NNAPI_EXECUTION_PREFERENCE(name, code, ...) name = code,
#include "nnapi/enumerations.def"
    DEFAULT = FAST_SINGLE_ANSWER,
};

// Kind of a device (1.2 types.hal). A program may prefer an ACCELERATOR, and skip a CPU.
enum class DeviceType : int32_t {
    UNKNOWN = 0,  // canonical only: the device does not report it
#define NNAPI_DEVICE_TYPE(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

// Whether an execution reports Timing (1.2 types.hal).
enum class MeasureTiming : int32_t {
#define NNAPI_MEASURE_TIMING(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

// Priority of a prepared model among those of the same client (1.3 types.hal).
enum class Priority : int32_t {
#define NNAPI_PRIORITY(name, code, ...) name = code,
#include "nnapi/enumerations.def"
    DEFAULT = MEDIUM,
};

// Code of an error. Codes that end in TRANSIENT may succeed later, those in PERSISTENT will not
// (1.3 types.hal).
enum class ErrorStatus : int32_t {
#define NNAPI_ERROR_STATUS(name, code, ...) name = code,
#include "nnapi/enumerations.def"
    DEAD_OBJECT = 10000,  // canonical only: the peer process is gone
};

// Activation that an operation applies to its result: the value of a scalar INT32 input (1.0
// types.hal).
enum class FusedActivationFunc : int32_t {
#define NNAPI_FUSED_ACTIVATION_FUNC(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

// Values without an enumerator are extension types (see isExtension).
enum class OperandType : int32_t {
#define NNAPI_OPERAND_TYPE(name, code, ...) name = code,
#include "nnapi/operand_types.def"
};

// Values without an enumerator are operations of extensions (see isExtension). docs/ops has a page
// for each of the others.
enum class OperationType : int32_t {
#define NNAPI_OPERATION(name, code, ...) name = code,
#include "nnapi/operations.def"
    OEM_OPERATION = 10000,
};

// "TENSOR_FLOAT32"; "OperandType(77)" for a value without an enumerator, "OperandType(0x00020001)"
// for an extension type.
std::string toString(DeviceStatus value);
std::string toString(ExecutionPreference value);
std::string toString(DeviceType value);
std::string toString(MeasureTiming value);
std::string toString(Priority value);
std::string toString(ErrorStatus value);
std::string toString(FusedActivationFunc value);
std::string toString(OperandType value);
std::string toString(OperationType value);

// The type or operation with this name, spelled as in the HAL (case-sensitive); empty if there is
// none.
std::optional<OperandType> parseOperandType(std::string_view name);
std::optional<OperationType> parseOperationType(std::string_view name);

}  // namespace nn
