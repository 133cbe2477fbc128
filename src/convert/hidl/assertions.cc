// Asserts that every enumerator has the same code in all versions that have it, so that translating
// is a cast.
#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nn {
namespace {

#define NNAPI_SAME(V, HalEnum, halName, CanonicalEnum, name)   \
    static_assert(static_cast<int64_t>(V::HalEnum::halName) == \
                  static_cast<int64_t>(CanonicalEnum::name));

// ---- operand and operation types: those of the rows, by version

#define NNAPI_ROW_IN(V, E, name, since)                                              \
    static_assert([]<class Hal>(Hal) {                                               \
        if constexpr (requires { Hal::name; }) {                                     \
            return HalVersion::since <= HalVersion::V &&                             \
                   static_cast<int64_t>(Hal::name) == static_cast<int64_t>(E::name); \
        } else {                                                                     \
            return HalVersion::since > HalVersion::V;                                \
        }                                                                            \
    }(V::E{}));
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

#define NNAPI_SAME_NAME(V, E, name) NNAPI_SAME(V, E, name, E, name)

NNAPI_SAME_NAME(V1_0, FusedActivationFunc, NONE)
NNAPI_SAME_NAME(V1_0, FusedActivationFunc, RELU)
NNAPI_SAME_NAME(V1_0, FusedActivationFunc, RELU1)
NNAPI_SAME_NAME(V1_0, FusedActivationFunc, RELU6)

NNAPI_SAME_NAME(V1_0, DeviceStatus, AVAILABLE)
NNAPI_SAME_NAME(V1_0, DeviceStatus, BUSY)
NNAPI_SAME_NAME(V1_0, DeviceStatus, OFFLINE)
NNAPI_SAME_NAME(V1_0, DeviceStatus, UNKNOWN)

NNAPI_SAME_NAME(V1_1, ExecutionPreference, LOW_POWER)
NNAPI_SAME_NAME(V1_1, ExecutionPreference, FAST_SINGLE_ANSWER)
NNAPI_SAME_NAME(V1_1, ExecutionPreference, SUSTAINED_SPEED)

NNAPI_SAME_NAME(V1_2, DeviceType, OTHER)
NNAPI_SAME_NAME(V1_2, DeviceType, CPU)
NNAPI_SAME_NAME(V1_2, DeviceType, GPU)
NNAPI_SAME_NAME(V1_2, DeviceType, ACCELERATOR)

NNAPI_SAME_NAME(V1_2, MeasureTiming, NO)
NNAPI_SAME_NAME(V1_2, MeasureTiming, YES)

NNAPI_SAME_NAME(V1_3, Priority, LOW)
NNAPI_SAME_NAME(V1_3, Priority, MEDIUM)
NNAPI_SAME_NAME(V1_3, Priority, HIGH)

#define NNAPI_ERROR_STATUS(V)                                 \
    NNAPI_SAME_NAME(V, ErrorStatus, NONE)                     \
    NNAPI_SAME_NAME(V, ErrorStatus, DEVICE_UNAVAILABLE)       \
    NNAPI_SAME_NAME(V, ErrorStatus, GENERAL_FAILURE)          \
    NNAPI_SAME_NAME(V, ErrorStatus, OUTPUT_INSUFFICIENT_SIZE) \
    NNAPI_SAME_NAME(V, ErrorStatus, INVALID_ARGUMENT)
NNAPI_ERROR_STATUS(V1_0)
NNAPI_ERROR_STATUS(V1_3)
NNAPI_SAME_NAME(V1_3, ErrorStatus, MISSED_DEADLINE_TRANSIENT)
NNAPI_SAME_NAME(V1_3, ErrorStatus, MISSED_DEADLINE_PERSISTENT)
NNAPI_SAME_NAME(V1_3, ErrorStatus, RESOURCE_EXHAUSTED_TRANSIENT)
NNAPI_SAME_NAME(V1_3, ErrorStatus, RESOURCE_EXHAUSTED_PERSISTENT)

#define NNAPI_LIFE_TIME(V, halName, name) \
    NNAPI_SAME(V, OperandLifeTime, halName, Operand::LifeTime, name)
NNAPI_LIFE_TIME(V1_0, TEMPORARY_VARIABLE, TEMPORARY_VARIABLE)
NNAPI_LIFE_TIME(V1_0, MODEL_INPUT, SUBGRAPH_INPUT)
NNAPI_LIFE_TIME(V1_0, MODEL_OUTPUT, SUBGRAPH_OUTPUT)
NNAPI_LIFE_TIME(V1_0, CONSTANT_COPY, CONSTANT_COPY)
NNAPI_LIFE_TIME(V1_0, CONSTANT_REFERENCE, CONSTANT_REFERENCE)
NNAPI_LIFE_TIME(V1_0, NO_VALUE, NO_VALUE)
NNAPI_LIFE_TIME(V1_3, TEMPORARY_VARIABLE, TEMPORARY_VARIABLE)
NNAPI_LIFE_TIME(V1_3, SUBGRAPH_INPUT, SUBGRAPH_INPUT)
NNAPI_LIFE_TIME(V1_3, SUBGRAPH_OUTPUT, SUBGRAPH_OUTPUT)
NNAPI_LIFE_TIME(V1_3, CONSTANT_COPY, CONSTANT_COPY)
NNAPI_LIFE_TIME(V1_3, CONSTANT_REFERENCE, CONSTANT_REFERENCE)
NNAPI_LIFE_TIME(V1_3, NO_VALUE, NO_VALUE)
NNAPI_LIFE_TIME(V1_3, SUBGRAPH, SUBGRAPH)

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
