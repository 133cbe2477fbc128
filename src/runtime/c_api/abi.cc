// Checks the constants of the C headers against the canonical types.
#include <cstddef>

#include "nnapi/c/NeuralNetworksExtensions.h"
#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
#include "nnapi/types.h"
#include "runtime/objects/codes.h"

namespace nn::runtime {
namespace {

// The C API calls a graph a model.
constexpr int ANEURALNETWORKS_SUBGRAPH = ANEURALNETWORKS_MODEL;
// From old Android versions; in no header.
constexpr int ANEURALNETWORKS_OEM = 10000;
constexpr int ANEURALNETWORKS_TENSOR_OEM_BYTE = 10001;

#define NNAPI_OPERAND_TYPE(name, code, ...) \
    static_assert(ANEURALNETWORKS_##name == static_cast<int>(OperandType::name));
#include "nnapi/operand_types.def"
#define NNAPI_OPERATION(name, code, ...) \
    static_assert(ANEURALNETWORKS_##name == static_cast<int>(OperationType::name));
#include "nnapi/operations.def"

consteval bool areEqual(int code, auto value) { return code == static_cast<int>(value); }

#define NNAPI_FUSED_ACTIVATION_FUNC(name, ...) \
    static_assert(areEqual(ANEURALNETWORKS_FUSED_##name, FusedActivationFunc::name));
#define NNAPI_EXECUTION_PREFERENCE(name, ...) \
    static_assert(areEqual(ANEURALNETWORKS_PREFER_##name, ExecutionPreference::name));
#define NNAPI_DEVICE_TYPE(name, ...) \
    static_assert(areEqual(ANEURALNETWORKS_DEVICE_##name, DeviceType::name));
#include "nnapi/enumerations.def"
static_assert(areEqual(ANEURALNETWORKS_DEVICE_UNKNOWN, DeviceType::UNKNOWN));

static_assert(priorityOf(90) == Priority::LOW && priorityOf(100) == Priority::DEFAULT &&
              priorityOf(110) == Priority::HIGH && !priorityOf(0));
static_assert(featureLevelCode(kVersionFeatureLevel1) == ANEURALNETWORKS_FEATURE_LEVEL_1);
static_assert(featureLevelCode(kVersionFeatureLevel4) == ANEURALNETWORKS_FEATURE_LEVEL_4);
static_assert(featureLevelCode(kVersionFeatureLevel5) == ANEURALNETWORKS_FEATURE_LEVEL_5);
static_assert(featureLevelCode(kVersionFeatureLevel6) == ANEURALNETWORKS_FEATURE_LEVEL_6);
static_assert(featureLevelCode(kNewestVersion) == ANEURALNETWORKS_FEATURE_LEVEL_8);

static_assert(ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN == kByteSizeOfCacheToken);
static_assert(ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES == 128);

using Type = ANeuralNetworksOperandType;
constexpr size_t kPointer = sizeof(void*);
static_assert(offsetof(Type, type) == 0 && offsetof(Type, dimensionCount) == 4 &&
              offsetof(Type, dimensions) == 8 && offsetof(Type, scale) == 8 + kPointer &&
              offsetof(Type, zeroPoint) == 12 + kPointer && sizeof(Type) == 16 + kPointer);
using Params = ANeuralNetworksSymmPerChannelQuantParams;
static_assert(offsetof(Params, channelDim) == 0 && offsetof(Params, scaleCount) == 4 &&
              offsetof(Params, scales) == 8 && sizeof(Params) == 8 + kPointer);
static_assert(sizeof(ANeuralNetworksOperationType) == 4 && sizeof(ResultCode) == 4);

// The table of a support library: the level, and then a pointer for each function.
enum class Entry : size_t {
#define NNAPI_SL_ENTRY(function, use) function,
#define NNAPI_SL_ENTRY8(function) function,
#include "driver/support_library/entries.def"
    COUNT
};
#define NNAPI_SL_ENTRY(function, use)                         \
    static_assert(offsetof(NnApiSLDriverImplFL5, function) == \
                  8 + kPointer * static_cast<size_t>(Entry::function));
#define NNAPI_SL_ENTRY8(function)                             \
    static_assert(offsetof(NnApiSLDriverImplFL8, function) == \
                  8 + kPointer * static_cast<size_t>(Entry::function));
#include "driver/support_library/entries.def"
static_assert(static_cast<size_t>(Entry::COUNT) == 106 && sizeof(NnApiSLDriverImpl) == 8 &&
              sizeof(NnApiSLDriverImplFL5) == 8 + 104 * kPointer &&
              sizeof(NnApiSLDriverImplFL8) == 8 + 106 * kPointer);
using Types = SL_ANeuralNetworksExtensionOperandTypeInformation;
static_assert(offsetof(Types, byteSize) == 0 && offsetof(Types, type) == 4 &&
              offsetof(Types, isTensor) == 6 && sizeof(Types) == 8);
static_assert(sizeof(SL_ANeuralNetworksPerformanceInfo) == 8 &&
              sizeof(SL_ANeuralNetworksOperandPerformanceInfo) == 12);

}  // namespace
}  // namespace nn::runtime
