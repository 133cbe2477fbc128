#include "types/names.h"

#include <fmt/format.h>

#include "nnapi/hal/aidl/enums.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/type_utils.h"
#include "nnapi/types.h"

namespace nn {

std::string unnamed(std::string_view enumeration, int64_t code) {
    const bool isExtension = (static_cast<uint32_t>(code) >> kExtensionTypeBits) != 0 &&
                             code >= INT32_MIN && code <= INT32_MAX;
    return isExtension ? fmt::format("{}(0x{:08x})", enumeration, static_cast<uint32_t>(code))
                       : fmt::format("{}({})", enumeration, code);
}

std::string toString(DeviceStatus value) {
    using T = DeviceStatus;
    switch (value) {
#define NNAPI_DEVICE_STATUS(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
    }
    return unnamed("DeviceStatus", static_cast<int64_t>(value));
}

std::string toString(ExecutionPreference value) {
    using T = ExecutionPreference;
    switch (value) {
#define NNAPI_EXECUTION_PREFERENCE(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
    }
    return unnamed("ExecutionPreference", static_cast<int64_t>(value));
}

std::string toString(DeviceType value) {
    using T = DeviceType;
    switch (value) {
        NNAPI_NAME(UNKNOWN)
#define NNAPI_DEVICE_TYPE(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
    }
    return unnamed("DeviceType", static_cast<int64_t>(value));
}

std::string toString(MeasureTiming value) {
    using T = MeasureTiming;
    switch (value) {
#define NNAPI_MEASURE_TIMING(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
    }
    return unnamed("MeasureTiming", static_cast<int64_t>(value));
}

std::string toString(Priority value) {
    using T = Priority;
    switch (value) {
#define NNAPI_PRIORITY(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
    }
    return unnamed("Priority", static_cast<int64_t>(value));
}

std::string toString(ErrorStatus value) {
    using T = ErrorStatus;
    switch (value) {
#define NNAPI_ERROR_STATUS(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
        NNAPI_NAME(DEAD_OBJECT)
    }
    return unnamed("ErrorStatus", static_cast<int64_t>(value));
}

std::string toString(FusedActivationFunc value) {
    using T = FusedActivationFunc;
    switch (value) {
#define NNAPI_FUSED_ACTIVATION_FUNC(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
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
#define NNAPI_OPERAND_LIFE_TIME(name, ...) NNAPI_NAME(name)
#include "nnapi/enumerations.def"
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

// The name of a row that the version has.
std::string nameIn(HalVersion version, OperandType value) {
    const OperandTypeInfo* info = operandTypeInfo(value);
    const bool has = info != nullptr && isCompliantVersion(info->since, toVersion(version));
    return has ? std::string(info->name) : unnamed("OperandType", static_cast<int64_t>(value));
}
std::string nameIn(HalVersion version, OperationType value) {
    const OperationTypeInfo* info = operationTypeInfo(value);
    const bool has = info != nullptr && isCompliantVersion(info->since, toVersion(version));
    return has ? std::string(info->name) : unnamed("OperationType", static_cast<int64_t>(value));
}

}  // namespace

namespace V1_0 {

std::string toString(OperandType value) {
    return nameIn(HalVersion::V1_0, static_cast<nn::OperandType>(value));
}
std::string toString(OperationType value) {
    return nameIn(HalVersion::V1_0, static_cast<nn::OperationType>(value));
}
std::string toString(FusedActivationFunc value) {
    return nn::toString(static_cast<nn::FusedActivationFunc>(value));
}
std::string toString(DeviceStatus value) {
    return nn::toString(static_cast<nn::DeviceStatus>(value));
}

std::string toString(OperandLifeTime value) {
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, ...) \
    if (HalVersion::since == HalVersion::V1_0 && value == OperandLifeTime{code}) return #hal1_0;
#include "nnapi/enumerations.def"
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

std::string toString(OperationType value) {
    return nameIn(HalVersion::V1_1, static_cast<nn::OperationType>(value));
}
std::string toString(ExecutionPreference value) {
    return nn::toString(static_cast<nn::ExecutionPreference>(value));
}

}  // namespace V1_1

namespace V1_2 {

std::string toString(OperandType value) {
    return nameIn(HalVersion::V1_2, static_cast<nn::OperandType>(value));
}
std::string toString(OperationType value) {
    return nameIn(HalVersion::V1_2, static_cast<nn::OperationType>(value));
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
    return nameIn(HalVersion::V1_3, static_cast<nn::OperandType>(value));
}
std::string toString(OperationType value) {
    return nameIn(HalVersion::V1_3, static_cast<nn::OperationType>(value));
}
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
namespace NNAPI_AIDL_NAMES_IN {

#define NNAPI_AIDL_NAMES(E)                                                    \
    std::string toString(::aidl::android::hardware::neuralnetworks::E value) { \
        return nn::toString(static_cast<nn::E>(value));                        \
    }
NNAPI_AIDL_NAMES(DeviceType)
NNAPI_AIDL_NAMES(ErrorStatus)
NNAPI_AIDL_NAMES(ExecutionPreference)
NNAPI_AIDL_NAMES(FusedActivationFunc)
NNAPI_AIDL_NAMES(OperandType)
NNAPI_AIDL_NAMES(OperationType)
NNAPI_AIDL_NAMES(Priority)
#undef NNAPI_AIDL_NAMES

std::string toString(::aidl::android::hardware::neuralnetworks::OperandLifeTime value) {
    using ::aidl::android::hardware::neuralnetworks::OperandLifeTime;
    if (value == OperandLifeTime::CONSTANT_POOL) return "CONSTANT_POOL";
    return nn::toString(static_cast<nn::Operand::LifeTime>(value));
}

}  // namespace NNAPI_AIDL_NAMES_IN
