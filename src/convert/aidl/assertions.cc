// Asserts that every enumerator and constant equals the canonical one, so that translating is a
// cast.
#include "nnapi/hal/aidl/types.h"
#include "nnapi/types.h"

namespace nn {
namespace {

// ---- operand and operation types: all rows except OEM ones

#define NNAPI_ROW(E, name, isOem)                                                              \
    static_assert([]<class Hal>(Hal) {                                                         \
        if constexpr (requires { Hal::name; }) {                                               \
            return !isOem && static_cast<int64_t>(Hal::name) == static_cast<int64_t>(E::name); \
        } else {                                                                               \
            return isOem;                                                                      \
        }                                                                                      \
    }(aidl_hal::E{}));

#define NNAPI_OPERAND_TYPE(name, code, ...) NNAPI_ROW(OperandType, name, (code >= 10000))
#include "nnapi/operand_types.def"
NNAPI_ROW(OperationType, OEM_OPERATION, true)

// ---- all enumerations: a missing enumerator does not compile (-Wswitch)

#define NNAPI_SAME(HalEnum, halName, CanonicalEnum, name)                 \
    case aidl_hal::HalEnum::halName:                                      \
        static_assert(static_cast<int64_t>(aidl_hal::HalEnum::halName) == \
                      static_cast<int64_t>(CanonicalEnum::name));         \
        break;
#define NNAPI_SAME_NAME(E, name) NNAPI_SAME(E, name, E, name)
#define NNAPI_ENUM(E, ...)                \
    static_assert([](aidl_hal::E value) { \
        switch (value) { __VA_ARGS__ }    \
        return true;                      \
    }(aidl_hal::E{}));

// clang-format off
static_assert([](aidl_hal::OperationType value) {
    switch (value) {
#define NNAPI_OPERATION(name, ...) NNAPI_SAME_NAME(OperationType, name)
#include "nnapi/operations.def"
    }
    return true;
}(aidl_hal::OperationType{}));

NNAPI_ENUM(OperandType,
    NNAPI_SAME_NAME(OperandType, FLOAT32)
    NNAPI_SAME_NAME(OperandType, INT32)
    NNAPI_SAME_NAME(OperandType, UINT32)
    NNAPI_SAME_NAME(OperandType, TENSOR_FLOAT32)
    NNAPI_SAME_NAME(OperandType, TENSOR_INT32)
    NNAPI_SAME_NAME(OperandType, TENSOR_QUANT8_ASYMM)
    NNAPI_SAME_NAME(OperandType, BOOL)
    NNAPI_SAME_NAME(OperandType, TENSOR_QUANT16_SYMM)
    NNAPI_SAME_NAME(OperandType, TENSOR_FLOAT16)
    NNAPI_SAME_NAME(OperandType, TENSOR_BOOL8)
    NNAPI_SAME_NAME(OperandType, FLOAT16)
    NNAPI_SAME_NAME(OperandType, TENSOR_QUANT8_SYMM_PER_CHANNEL)
    NNAPI_SAME_NAME(OperandType, TENSOR_QUANT16_ASYMM)
    NNAPI_SAME_NAME(OperandType, TENSOR_QUANT8_SYMM)
    NNAPI_SAME_NAME(OperandType, TENSOR_QUANT8_ASYMM_SIGNED)
    NNAPI_SAME_NAME(OperandType, SUBGRAPH))

NNAPI_ENUM(FusedActivationFunc,
    NNAPI_SAME_NAME(FusedActivationFunc, NONE)
    NNAPI_SAME_NAME(FusedActivationFunc, RELU)
    NNAPI_SAME_NAME(FusedActivationFunc, RELU1)
    NNAPI_SAME_NAME(FusedActivationFunc, RELU6))

NNAPI_ENUM(ExecutionPreference,
    NNAPI_SAME_NAME(ExecutionPreference, LOW_POWER)
    NNAPI_SAME_NAME(ExecutionPreference, FAST_SINGLE_ANSWER)
    NNAPI_SAME_NAME(ExecutionPreference, SUSTAINED_SPEED))

NNAPI_ENUM(DeviceType,
    NNAPI_SAME_NAME(DeviceType, OTHER)
    NNAPI_SAME_NAME(DeviceType, CPU)
    NNAPI_SAME_NAME(DeviceType, GPU)
    NNAPI_SAME_NAME(DeviceType, ACCELERATOR))

NNAPI_ENUM(Priority,
    NNAPI_SAME_NAME(Priority, LOW)
    NNAPI_SAME_NAME(Priority, MEDIUM)
    NNAPI_SAME_NAME(Priority, HIGH))

NNAPI_ENUM(ErrorStatus,
    NNAPI_SAME_NAME(ErrorStatus, NONE)
    NNAPI_SAME_NAME(ErrorStatus, DEVICE_UNAVAILABLE)
    NNAPI_SAME_NAME(ErrorStatus, GENERAL_FAILURE)
    NNAPI_SAME_NAME(ErrorStatus, OUTPUT_INSUFFICIENT_SIZE)
    NNAPI_SAME_NAME(ErrorStatus, INVALID_ARGUMENT)
    NNAPI_SAME_NAME(ErrorStatus, MISSED_DEADLINE_TRANSIENT)
    NNAPI_SAME_NAME(ErrorStatus, MISSED_DEADLINE_PERSISTENT)
    NNAPI_SAME_NAME(ErrorStatus, RESOURCE_EXHAUSTED_TRANSIENT)
    NNAPI_SAME_NAME(ErrorStatus, RESOURCE_EXHAUSTED_PERSISTENT))

#define NNAPI_LIFE_TIME(halName, name) NNAPI_SAME(OperandLifeTime, halName, Operand::LifeTime, name)
NNAPI_ENUM(OperandLifeTime,
    NNAPI_LIFE_TIME(TEMPORARY_VARIABLE, TEMPORARY_VARIABLE)
    NNAPI_LIFE_TIME(SUBGRAPH_INPUT, SUBGRAPH_INPUT)
    NNAPI_LIFE_TIME(SUBGRAPH_OUTPUT, SUBGRAPH_OUTPUT)
    NNAPI_LIFE_TIME(CONSTANT_COPY, CONSTANT_COPY)
    NNAPI_LIFE_TIME(CONSTANT_POOL, CONSTANT_REFERENCE)
    NNAPI_LIFE_TIME(NO_VALUE, NO_VALUE)
    NNAPI_LIFE_TIME(SUBGRAPH, SUBGRAPH))
// clang-format on

// ---- constants

using Device = aidl_hal::IDeviceConstants;
using PreparedModel = aidl_hal::IPreparedModelConstants;
static_assert(Device::BYTE_SIZE_OF_CACHE_TOKEN == kByteSizeOfCacheToken);
static_assert(aidl_hal::PrepareModelConfig::BYTE_SIZE_OF_CACHE_TOKEN == kByteSizeOfCacheToken);
static_assert(Device::MAX_NUMBER_OF_CACHE_FILES == kMaxNumberOfCacheFiles);
static_assert(Device::EXTENSION_TYPE_HIGH_BITS_PREFIX == kExtensionPrefixBits - 1);  // the sign bit
static_assert(Device::EXTENSION_TYPE_LOW_BITS_TYPE == kExtensionTypeBits);
static_assert(Device::OPERAND_TYPE_BASE_MAX == kTypeWithinExtensionMask);
static_assert(Device::OPERATION_TYPE_BASE_MAX == kTypeWithinExtensionMask);
static_assert(PreparedModel::DEFAULT_LOOP_TIMEOUT_DURATION_NS == kLoopTimeoutDefault.count());
static_assert(PreparedModel::MAXIMUM_LOOP_TIMEOUT_DURATION_NS == kLoopTimeoutMaximum.count());

// The library knows only one pixel format, the one for buffers of bytes.
using ::aidl::android::hardware::graphics::common::PixelFormat;
using Description = Memory::HardwareBuffer::Description;
static_assert(static_cast<int32_t>(PixelFormat::UNSPECIFIED) == Description{}.format);
static_assert(static_cast<int32_t>(PixelFormat::BLOB) == Description::kBlob);

}  // namespace
}  // namespace nn
