// Asserts that every enumerator has the same code in all versions that have it, so that translating
// is a cast.
#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nn {
namespace {

// ---- operand and operation types: those of the rows, by version

// HalEnum has halName from version `since` on, with the code of the canonical enumerator.
#define NNAPI_NAMED_IN(V, HalEnum, halName, E, name, since)                             \
    static_assert([]<class Hal>(Hal) {                                                  \
        if constexpr (requires { Hal::halName; }) {                                     \
            return HalVersion::since <= HalVersion::V &&                                \
                   static_cast<int64_t>(Hal::halName) == static_cast<int64_t>(E::name); \
        } else {                                                                        \
            return HalVersion::since > HalVersion::V;                                   \
        }                                                                               \
    }(V::HalEnum{}));
#define NNAPI_ROW_IN(V, E, name, since) NNAPI_NAMED_IN(V, E, name, E, name, since)
#define NNAPI_ROW(E, name, since)      \
    NNAPI_ROW_IN(V1_0, E, name, since) \
    NNAPI_ROW_IN(V1_2, E, name, since) \
    NNAPI_ROW_IN(V1_3, E, name, since)

#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ROW(OperandType, name, since)
#include "nnapi/operand_types.def"

#define NNAPI_OPERATION(name, code, since, stem) \
    NNAPI_ROW(OperationType, name, since)        \
    NNAPI_ROW_IN(V1_1, OperationType, name, since)
#include "nnapi/operations.def"
NNAPI_ROW(OperationType, OEM_OPERATION, V1_0)
NNAPI_ROW_IN(V1_1, OperationType, OEM_OPERATION, V1_0)

// ---- the other enumerations

#define NNAPI_DEVICE_STATUS(name, code, since) NNAPI_ROW_IN(V1_0, DeviceStatus, name, since)
#define NNAPI_EXECUTION_PREFERENCE(name, code, since) \
    NNAPI_ROW_IN(V1_1, ExecutionPreference, name, since)
#define NNAPI_DEVICE_TYPE(name, code, since) NNAPI_ROW_IN(V1_2, DeviceType, name, since)
#define NNAPI_MEASURE_TIMING(name, code, since) NNAPI_ROW_IN(V1_2, MeasureTiming, name, since)
#define NNAPI_PRIORITY(name, code, since) NNAPI_ROW_IN(V1_3, Priority, name, since)
#define NNAPI_ERROR_STATUS(name, code, since)    \
    NNAPI_ROW_IN(V1_0, ErrorStatus, name, since) \
    NNAPI_ROW_IN(V1_3, ErrorStatus, name, since)
#define NNAPI_FUSED_ACTIVATION_FUNC(name, code, since) \
    NNAPI_ROW_IN(V1_0, FusedActivationFunc, name, since)
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, ...)                   \
    NNAPI_NAMED_IN(V1_0, OperandLifeTime, hal1_0, Operand::LifeTime, name, since) \
    NNAPI_NAMED_IN(V1_3, OperandLifeTime, name, Operand::LifeTime, name, since)
#include "nnapi/enumerations.def"

// ---- constants

static_assert(static_cast<uint32_t>(V1_2::Constant::BYTE_SIZE_OF_CACHE_TOKEN) ==
              kByteSizeOfCacheToken);
static_assert(static_cast<uint32_t>(V1_2::Constant::MAX_NUMBER_OF_CACHE_FILES) ==
              kMaxNumberOfCacheFiles);
static_assert(static_cast<uint8_t>(V1_2::Model::ExtensionTypeEncoding::HIGH_BITS_PREFIX) ==
              kExtensionPrefixBits);
static_assert(static_cast<uint8_t>(V1_2::Model::ExtensionTypeEncoding::LOW_BITS_TYPE) ==
              kExtensionTypeBits);
static_assert(static_cast<uint64_t>(V1_3::LoopTimeoutDurationNs::DEFAULT) ==
              kLoopTimeoutDefault.count());
static_assert(static_cast<uint64_t>(V1_3::LoopTimeoutDurationNs::MAXIMUM) ==
              kLoopTimeoutMaximum.count());

}  // namespace
}  // namespace nn
