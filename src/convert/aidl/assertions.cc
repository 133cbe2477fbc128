// Asserts that every enumerator and constant equals the canonical one, so that translating is a
// cast.
#include "nnapi/hal/aidl/interfaces.h"
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
#define NNAPI_ENUM_BEGINS(E) \
    static_assert([](aidl_hal::E value) {       \
        switch (value) {
#define NNAPI_ENUM_ENDS(E) \
    }                      \
    return true;           \
    }(aidl_hal::E{}));

// clang-format off
NNAPI_ENUM_BEGINS(OperationType)
#define NNAPI_OPERATION(name, ...) NNAPI_SAME_NAME(OperationType, name)
#include "nnapi/operations.def"
NNAPI_ENUM_ENDS(OperationType)

NNAPI_ENUM_BEGINS(OperandType)
#define NNAPI_OPERAND_TYPE(name, ...) NNAPI_SAME_NAME(OperandType, name)
#define NNAPI_OEM_OPERAND_TYPE(...)
#include "nnapi/operand_types.def"
NNAPI_ENUM_ENDS(OperandType)

NNAPI_ENUM_BEGINS(FusedActivationFunc)
#define NNAPI_FUSED_ACTIVATION_FUNC(name, ...) NNAPI_SAME_NAME(FusedActivationFunc, name)
#include "nnapi/enumerations.def"
NNAPI_ENUM_ENDS(FusedActivationFunc)

NNAPI_ENUM_BEGINS(ExecutionPreference)
#define NNAPI_EXECUTION_PREFERENCE(name, ...) NNAPI_SAME_NAME(ExecutionPreference, name)
#include "nnapi/enumerations.def"
NNAPI_ENUM_ENDS(ExecutionPreference)

NNAPI_ENUM_BEGINS(DeviceType)
#define NNAPI_DEVICE_TYPE(name, ...) NNAPI_SAME_NAME(DeviceType, name)
#include "nnapi/enumerations.def"
NNAPI_ENUM_ENDS(DeviceType)

NNAPI_ENUM_BEGINS(Priority)
#define NNAPI_PRIORITY(name, ...) NNAPI_SAME_NAME(Priority, name)
#include "nnapi/enumerations.def"
NNAPI_ENUM_ENDS(Priority)

NNAPI_ENUM_BEGINS(ErrorStatus)
#define NNAPI_ERROR_STATUS(name, ...) NNAPI_SAME_NAME(ErrorStatus, name)
#include "nnapi/enumerations.def"
NNAPI_ENUM_ENDS(ErrorStatus)

NNAPI_ENUM_BEGINS(OperandLifeTime)
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, aidl) \
    NNAPI_SAME(OperandLifeTime, aidl, Operand::LifeTime, name)
#include "nnapi/enumerations.def"
NNAPI_ENUM_ENDS(OperandLifeTime)
// clang-format on

// ---- constants

using Device = aidl_hal::IDevice;
using PreparedModel = aidl_hal::IPreparedModel;
static_assert(Device::BYTE_SIZE_OF_CACHE_TOKEN == kByteSizeOfCacheToken);
static_assert(aidl_hal::PrepareModelConfig::BYTE_SIZE_OF_CACHE_TOKEN == kByteSizeOfCacheToken);
static_assert(Device::MAX_NUMBER_OF_CACHE_FILES == kMaxNumberOfCacheFiles);
static_assert(Device::EXTENSION_TYPE_HIGH_BITS_PREFIX == kExtensionPrefixBits - 1);  // the sign bit
static_assert(Device::EXTENSION_TYPE_LOW_BITS_TYPE == kExtensionTypeBits);
static_assert(Device::OPERAND_TYPE_BASE_MAX == kTypeWithinExtensionMask);
static_assert(Device::OPERATION_TYPE_BASE_MAX == kTypeWithinExtensionMask);
static_assert(PreparedModel::DEFAULT_LOOP_TIMEOUT_DURATION_NS == kLoopTimeoutDefault.count());
static_assert(PreparedModel::MAXIMUM_LOOP_TIMEOUT_DURATION_NS == kLoopTimeoutMaximum.count());

// The library uses only one pixel format, the one for buffers of bytes.
using ::aidl::android::hardware::graphics::common::PixelFormat;
using Description = Memory::HardwareBuffer::Description;
static_assert(static_cast<int32_t>(PixelFormat::UNSPECIFIED) == Description{}.format);
static_assert(static_cast<int32_t>(PixelFormat::BLOB) == Description::kBlob);

#undef NNAPI_ROW

}  // namespace
}  // namespace nn
