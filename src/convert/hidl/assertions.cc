// Every enumerator has the same code in every version that has it, so that translating is a cast.
#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nn {
namespace {

#define NNAPI_SAME(V, HalEnum, halName, CanonicalEnum, name)   \
    static_assert(static_cast<int64_t>(V::HalEnum::halName) == \
                  static_cast<int64_t>(CanonicalEnum::name));

// ---- operand and operation types, from their rows

#define NNAPI_SINCE_V1_3(E, name) NNAPI_SAME(V1_3, E, name, E, name)
#define NNAPI_SINCE_V1_2(E, name) NNAPI_SAME(V1_2, E, name, E, name) NNAPI_SINCE_V1_3(E, name)
#define NNAPI_SINCE_V1_1(E, name) NNAPI_SAME(V1_1, E, name, E, name) NNAPI_SINCE_V1_2(E, name)
#define NNAPI_SINCE_V1_0(E, name) NNAPI_SAME(V1_0, E, name, E, name) NNAPI_SINCE_V1_1(E, name)
#define NNAPI_SINCE_FL6(E, name)  // no HIDL version has it
#define NNAPI_SINCE_FL7(E, name)

#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_SINCE_##since(OperandType, name)
#include "nnapi/operand_types.def"

#define NNAPI_OPERATION(name, code, since, stem) NNAPI_SINCE_##since(OperationType, name)
#include "nnapi/operations.def"
NNAPI_SINCE_V1_0(OperationType, OEM_OPERATION)

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
