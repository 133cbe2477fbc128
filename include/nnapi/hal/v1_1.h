// nnapi/hal/v1_1.h -- the types of HAL 1.1: those that it changes, and aliases of the others.
//
//   nn::V1_1::Model model;
//   model.relaxComputationFloat32toFloat16 = true;
//
// Source: neuralnetworks/1.1/types.hal.
#pragma once

#include "nnapi/hal/enumerators.h"
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
#define NNAPI_EXECUTION_PREFERENCE(name, code, since) NNAPI_ENUMERATOR(V1_1, since, name, code)
#include "nnapi/enumerations.def"
};

enum class OperationType : int32_t {
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_1, since, name, code)
#include "nnapi/operations.def"
    OEM_OPERATION = 10000,
};

struct Capabilities {
    PerformanceInfo float32Performance{};
    PerformanceInfo quantized8Performance{};
    PerformanceInfo relaxedFloat32toFloat16Performance{};
    bool operator==(const Capabilities&) const = default;
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
    bool relaxComputationFloat32toFloat16 = false;
    bool operator==(const Model&) const = default;
};

#include "nnapi/hal/v1_1_fields.def"

std::string toString(OperationType value);
std::string toString(ExecutionPreference value);

}  // namespace nn::V1_1
