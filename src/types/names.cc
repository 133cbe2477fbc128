#include "names.h"

#include "nnapi/hal/aidl/enums.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/type_utils.h"
#include "nnapi/types.h"

namespace nn {

std::string unnamed(std::string_view enumeration, int64_t code) {
    std::string text(enumeration);
    if ((static_cast<uint32_t>(code) >> kExtensionTypeBits) == 0 || code < INT32_MIN ||
        code > INT32_MAX) {
        return text + "(" + std::to_string(code) + ")";
    }
    text += "(0x";
    for (int shift = 28; shift >= 0; shift -= 4) {
        text += "0123456789abcdef"[(static_cast<uint32_t>(code) >> shift) & 0xF];
    }
    return text + ")";
}

std::string toString(DeviceStatus value) {
    using T = DeviceStatus;
    switch (value) {
        NNAPI_NAME(AVAILABLE)
        NNAPI_NAME(BUSY)
        NNAPI_NAME(OFFLINE)
        NNAPI_NAME(UNKNOWN)
    }
    return unnamed("DeviceStatus", static_cast<int64_t>(value));
}

std::string toString(ExecutionPreference value) {
    using T = ExecutionPreference;
    switch (value) {
        NNAPI_NAME(LOW_POWER)
        NNAPI_NAME(FAST_SINGLE_ANSWER)
        NNAPI_NAME(SUSTAINED_SPEED)
    }
    return unnamed("ExecutionPreference", static_cast<int64_t>(value));
}

std::string toString(DeviceType value) {
    using T = DeviceType;
    switch (value) {
        NNAPI_NAME(UNKNOWN)
        NNAPI_NAME(OTHER)
        NNAPI_NAME(CPU)
        NNAPI_NAME(GPU)
        NNAPI_NAME(ACCELERATOR)
    }
    return unnamed("DeviceType", static_cast<int64_t>(value));
}

std::string toString(MeasureTiming value) {
    using T = MeasureTiming;
    switch (value) {
        NNAPI_NAME(NO)
        NNAPI_NAME(YES)
    }
    return unnamed("MeasureTiming", static_cast<int64_t>(value));
}

std::string toString(Priority value) {
    using T = Priority;
    switch (value) {
        NNAPI_NAME(LOW)
        NNAPI_NAME(MEDIUM)
        NNAPI_NAME(HIGH)
    }
    return unnamed("Priority", static_cast<int64_t>(value));
}

std::string toString(ErrorStatus value) {
    using T = ErrorStatus;
    switch (value) {
        NNAPI_NAME(NONE)
        NNAPI_NAME(DEVICE_UNAVAILABLE)
        NNAPI_NAME(GENERAL_FAILURE)
        NNAPI_NAME(OUTPUT_INSUFFICIENT_SIZE)
        NNAPI_NAME(INVALID_ARGUMENT)
        NNAPI_NAME(MISSED_DEADLINE_TRANSIENT)
        NNAPI_NAME(MISSED_DEADLINE_PERSISTENT)
        NNAPI_NAME(RESOURCE_EXHAUSTED_TRANSIENT)
        NNAPI_NAME(RESOURCE_EXHAUSTED_PERSISTENT)
        NNAPI_NAME(DEAD_OBJECT)
    }
    return unnamed("ErrorStatus", static_cast<int64_t>(value));
}

std::string toString(FusedActivationFunc value) {
    using T = FusedActivationFunc;
    switch (value) {
        NNAPI_NAME(NONE)
        NNAPI_NAME(RELU)
        NNAPI_NAME(RELU1)
        NNAPI_NAME(RELU6)
    }
    return unnamed("FusedActivationFunc", static_cast<int64_t>(value));
}

std::string toString(OperandType value) {
    if (const OperandTypeInfo* info = operandTypeInfo(value)) return std::string(info->name);
    return unnamed("OperandType", static_cast<int64_t>(value));
}

std::string toString(OperationType value) {
    if (const OperationTypeInfo* info = operationTypeInfo(value)) return std::string(info->name);
    return unnamed("OperationType", static_cast<int64_t>(value));
}

std::string toString(Operand::LifeTime value) {
    using T = Operand::LifeTime;
    switch (value) {
        NNAPI_NAME(TEMPORARY_VARIABLE)
        NNAPI_NAME(SUBGRAPH_INPUT)
        NNAPI_NAME(SUBGRAPH_OUTPUT)
        NNAPI_NAME(CONSTANT_COPY)
        NNAPI_NAME(CONSTANT_REFERENCE)
        NNAPI_NAME(NO_VALUE)
        NNAPI_NAME(SUBGRAPH)
        NNAPI_NAME(POINTER)
    }
    return unnamed("Operand::LifeTime", static_cast<int64_t>(value));
}

std::string toString(Request::Argument::LifeTime value) {
    using T = Request::Argument::LifeTime;
    switch (value) {
        NNAPI_NAME(POOL)
        NNAPI_NAME(NO_VALUE)
        NNAPI_NAME(POINTER)
    }
    return unnamed("Request::Argument::LifeTime", static_cast<int64_t>(value));
}

// A versioned enumeration prints like the canonical one if that has the code.
namespace {

template <class Canonical, class T>
std::string nameUpTo(T value, T last, std::string_view enumeration) {
    const auto code = static_cast<int32_t>(value);
    const bool isOem = code == static_cast<int32_t>(T::OEM) ||
                       code == static_cast<int32_t>(T::TENSOR_OEM_BYTE);
    if ((code >= 0 && value <= last) || isOem) return toString(static_cast<Canonical>(code));
    return unnamed(enumeration, code);
}

template <class T>
std::string operationUpTo(T value, T last) {
    const auto code = static_cast<int32_t>(value);
    if ((code >= 0 && value <= last) || value == T::OEM_OPERATION) {
        return toString(static_cast<OperationType>(code));
    }
    return unnamed("OperationType", code);
}

}  // namespace

namespace V1_0 {

std::string toString(OperandType value) {
    return nameUpTo<nn::OperandType>(value, OperandType::TENSOR_QUANT8_ASYMM, "OperandType");
}
std::string toString(OperationType value) { return operationUpTo(value, OperationType::TANH); }
std::string toString(FusedActivationFunc value) {
    return nn::toString(static_cast<nn::FusedActivationFunc>(value));
}
std::string toString(DeviceStatus value) {
    return nn::toString(static_cast<nn::DeviceStatus>(value));
}

std::string toString(OperandLifeTime value) {
    using T = OperandLifeTime;
    switch (value) {
        NNAPI_NAME(TEMPORARY_VARIABLE)
        NNAPI_NAME(MODEL_INPUT)
        NNAPI_NAME(MODEL_OUTPUT)
        NNAPI_NAME(CONSTANT_COPY)
        NNAPI_NAME(CONSTANT_REFERENCE)
        NNAPI_NAME(NO_VALUE)
    }
    return unnamed("OperandLifeTime", static_cast<int64_t>(value));
}

std::string toString(ErrorStatus value) {
    if (value > ErrorStatus::INVALID_ARGUMENT) {
        return unnamed("ErrorStatus", static_cast<int64_t>(value));
    }
    return nn::toString(static_cast<nn::ErrorStatus>(value));
}

}  // namespace V1_0

namespace V1_1 {

std::string toString(OperationType value) { return operationUpTo(value, OperationType::TRANSPOSE); }
std::string toString(ExecutionPreference value) {
    return nn::toString(static_cast<nn::ExecutionPreference>(value));
}

}  // namespace V1_1

namespace V1_2 {

std::string toString(OperandType value) {
    return nameUpTo<nn::OperandType>(value, OperandType::TENSOR_QUANT8_SYMM, "OperandType");
}
std::string toString(OperationType value) {
    return operationUpTo(value, OperationType::RESIZE_NEAREST_NEIGHBOR);
}
std::string toString(DeviceType value) {
    if (value < DeviceType::OTHER) return unnamed("DeviceType", static_cast<int64_t>(value));
    return nn::toString(static_cast<nn::DeviceType>(value));
}
std::string toString(MeasureTiming value) {
    return nn::toString(static_cast<nn::MeasureTiming>(value));
}

}  // namespace V1_2

namespace V1_3 {

std::string toString(OperandType value) {
    return nameUpTo<nn::OperandType>(value, OperandType::SUBGRAPH, "OperandType");
}
std::string toString(OperationType value) { return operationUpTo(value, OperationType::RANK); }
std::string toString(Priority value) { return nn::toString(static_cast<nn::Priority>(value)); }
std::string toString(OperandLifeTime value) {
    if (value > OperandLifeTime::SUBGRAPH) {
        return unnamed("OperandLifeTime", static_cast<int64_t>(value));
    }
    return nn::toString(static_cast<nn::Operand::LifeTime>(value));
}
std::string toString(ErrorStatus value) {
    if (value > ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT) {
        return unnamed("ErrorStatus", static_cast<int64_t>(value));
    }
    return nn::toString(static_cast<nn::ErrorStatus>(value));
}

}  // namespace V1_3
}  // namespace nn

// Codes and names equal those of the canonical enumerations, with one exception.
namespace aidl::android::hardware::neuralnetworks {

#define NNAPI_AIDL_NAMES(E, Canonical) \
    std::string toString(E value) { return nn::toString(static_cast<nn::Canonical>(value)); }
NNAPI_AIDL_NAMES(DeviceType, DeviceType)
NNAPI_AIDL_NAMES(ErrorStatus, ErrorStatus)
NNAPI_AIDL_NAMES(ExecutionPreference, ExecutionPreference)
NNAPI_AIDL_NAMES(FusedActivationFunc, FusedActivationFunc)
NNAPI_AIDL_NAMES(OperandType, OperandType)
NNAPI_AIDL_NAMES(OperationType, OperationType)
NNAPI_AIDL_NAMES(Priority, Priority)
#undef NNAPI_AIDL_NAMES

std::string toString(OperandLifeTime value) {
    if (value == OperandLifeTime::CONSTANT_POOL) return "CONSTANT_POOL";
    return nn::toString(static_cast<nn::Operand::LifeTime>(value));
}

}  // namespace aidl::android::hardware::neuralnetworks
