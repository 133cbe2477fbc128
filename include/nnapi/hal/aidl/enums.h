// nnapi/hal/aidl/enums.h -- the enumerations and constants of AIDL 1 to 4.
//
//   operation.type = aidl::android::hardware::neuralnetworks::OperationType::MIRROR_PAD;
//
// Spelled as the NDK backend generates them, with the codes of HIDL. Source: the .aidl files of
// android.hardware.neuralnetworks, versions 1 to 4.
#pragma once

#include <cstdint>
#include <string>

namespace aidl::android::hardware::neuralnetworks {

enum class DeviceType : int32_t {
#define NNAPI_DEVICE_TYPE(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

enum class ErrorStatus : int32_t {
#define NNAPI_ERROR_STATUS(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

enum class ExecutionPreference : int32_t {
#define NNAPI_EXECUTION_PREFERENCE(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

enum class FusedActivationFunc : int32_t {
#define NNAPI_FUSED_ACTIVATION_FUNC(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

enum class OperandLifeTime : int32_t {
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, aidl) aidl = code,
#include "nnapi/enumerations.def"
};

enum class OperandType : int32_t {
#define NNAPI_OPERAND_TYPE(name, code, ...) name = code,
#define NNAPI_OEM_OPERAND_TYPE(...)  // AIDL has none
#include "nnapi/operand_types.def"
};

// One enumeration for all versions; nnapi/operations.def lists the first version of each.
enum class OperationType : int32_t {
#define NNAPI_OPERATION(name, code, ...) name = code,
#include "nnapi/operations.def"
};

enum class Priority : int32_t {
#define NNAPI_PRIORITY(name, code, ...) name = code,
#include "nnapi/enumerations.def"
};

std::string toString(DeviceType value);
std::string toString(ErrorStatus value);
std::string toString(ExecutionPreference value);
std::string toString(FusedActivationFunc value);
std::string toString(OperandLifeTime value);
std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(Priority value);

// The constants of the interfaces.
struct IDeviceConstants {
    enum : int32_t {
        BYTE_SIZE_OF_CACHE_TOKEN = 32,
        MAX_NUMBER_OF_CACHE_FILES = 32,
        EXTENSION_TYPE_HIGH_BITS_PREFIX = 15,
        EXTENSION_TYPE_LOW_BITS_TYPE = 16,
        OPERAND_TYPE_BASE_MAX = 65535,
        OPERATION_TYPE_BASE_MAX = 65535,
    };
};

struct IPreparedModelConstants {
    static constexpr int64_t DEFAULT_LOOP_TIMEOUT_DURATION_NS = 2000000000;
    static constexpr int64_t MAXIMUM_LOOP_TIMEOUT_DURATION_NS = 15000000000;
};

}  // namespace aidl::android::hardware::neuralnetworks
