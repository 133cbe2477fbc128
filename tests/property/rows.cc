#include "property/rows.h"

#include "property/properties.h"

namespace nn::properties {
namespace {

using testing::Source;

// Properties of conversions of any object, validated or not.
#define NNAPI_PROPERTY(property, Type)                             \
    {#property "_" #Type, [](Source& source) {                     \
         return inAnyVersion<Type>(source, [&](const auto& ways) { \
             return property(ways, testing::any<Type>(source));    \
         });                                                       \
     }},
#define NNAPI_UNVALIDATED(Type)                           \
    NNAPI_PROPERTY(silentMeansIdentical, Type)            \
    NNAPI_PROPERTY(lossesUndoneGiveBackTheOriginal, Type) \
    NNAPI_PROPERTY(twiceIsOnce, Type)
#define NNAPI_VALIDATED(Type)                   \
    NNAPI_PROPERTY(refusedOnlyForAReason, Type) \
    NNAPI_PROPERTY(convertedIsLegal, Type)      \
    NNAPI_UNVALIDATED(Type)

// Time points of HAL 1.3 have a property of their own, which knows the clocks.
#define NNAPI_TIME_POINT(property)                                    \
    {#property "_OptionalTimePoint", [](Source& source) {             \
         return property(kWays<HalVersion::AIDL1, OptionalTimePoint>, \
                         testing::any<OptionalTimePoint>(source));    \
     }},

#define NNAPI_IDENTITY(Hal, V, name)                                              \
    {"upAndDownIsTheIdentity_" name, [](Source& source) {                         \
         return upAndDownIsTheIdentity<HalVersion::V>(testing::any<Hal>(source)); \
     }},
#define NNAPI_AIDL_IDENTITY(Hal) NNAPI_IDENTITY(aidl_types::Hal, AIDL4, #Hal "_AIDL")

#define NNAPI_HOSTILE(Hal)             \
    {"refusedOrTheSame_" #Hal "_AIDL", \
     [](Source& source) { return refusedOrTheSame(testing::any<aidl_types::Hal>(source)); }},

#define NNAPI_HOSTILE_PLAIN(Canonical)                                         \
    {"refusedOrTheSame_" #Canonical "_AIDL", [](Source& source) {              \
         return refusedOrTheSameAs<Canonical>(                                 \
                 testing::any<HalType<Canonical, HalVersion::AIDL4>>(source)); \
     }},

#define NNAPI_ACROSS(Hal, name)     \
    {"hidlGoesToAidlAndBack_" name, \
     [](Source& source) { return hidlGoesToAidlAndBack(testing::any<Hal>(source)); }},

namespace aidl_types {
using namespace aidl_hal;
using ::ndk::ScopedFileDescriptor;
using OptionalExtraParams = std::optional<OperandExtraParams>;
}  // namespace aidl_types

using Argument = Request::Argument;
using BufferRoles = std::vector<BufferRole>;
using ExtensionNames = std::vector<ExtensionNameAndPrefix>;
using Extensions = std::vector<Extension>;
using ExtraParams = Operand::ExtraParams;
using Handles = std::vector<SharedHandle>;
using Hints = std::vector<TokenValuePair>;
using LifeTime = Operand::LifeTime;
using MemoryPool = Request::MemoryPool;
using OperandPerformance = Capabilities::OperandPerformance;
using OperandValues = Model::OperandValues;
using OutputShapes = std::vector<OutputShape>;
using PerformanceInfo = Capabilities::PerformanceInfo;
using Subgraph = Model::Subgraph;
using SymmPerChannelQuantParams = Operand::SymmPerChannelQuantParams;
using TypeInformation = Extension::OperandTypeInformation;

// Every canonical type, or a vector of it.
#define NNAPI_VALIDATED_TYPES(ROW) \
    ROW(Model)                     \
    ROW(Request)                   \
    ROW(Capabilities)              \
    ROW(DeviceStatus)              \
    ROW(ErrorStatus)               \
    ROW(FusedActivationFunc)       \
    ROW(ExecutionPreference)       \
    ROW(Priority)                  \
    ROW(OperandType)               \
    ROW(OperationType)             \
    ROW(SharedMemory)              \
    ROW(Handles)                   \
    ROW(SyncFence)                 \
    ROW(Extensions)                \
    ROW(ExtensionNames)            \
    ROW(OutputShapes)              \
    ROW(DeviceType)                \
    ROW(Timing)                    \
    ROW(OptionalDuration)          \
    ROW(BufferDesc)                \
    ROW(BufferRoles)               \
    ROW(MeasureTiming)             \
    ROW(CacheToken)                \
    ROW(NumberOfCacheFiles)        \
    ROW(Executed)                  \
    ROW(ExecutionConfig)           \
    ROW(PrepareModelConfig)        \
    ROW(Hints)                     \
    ROW(TokenValuePair)
#define NNAPI_UNVALIDATED_TYPES(ROW) \
    ROW(Operand)                     \
    ROW(Operation)                   \
    ROW(Subgraph)                    \
    ROW(LifeTime)                    \
    ROW(DataLocation)                \
    ROW(SymmPerChannelQuantParams)   \
    ROW(ExtraParams)                 \
    ROW(OperandValues)               \
    ROW(Argument)                    \
    ROW(MemoryPool)                  \
    ROW(PerformanceInfo)             \
    ROW(OperandPerformance)          \
    ROW(TypeInformation)

// Every AIDL type that stands for one canonical type.
#define NNAPI_AIDL_VALIDATED_TYPES(ROW) \
    ROW(Model)                          \
    ROW(Request)                        \
    ROW(Capabilities)                   \
    ROW(ErrorStatus)                    \
    ROW(FusedActivationFunc)            \
    ROW(ExecutionPreference)            \
    ROW(Priority)                       \
    ROW(OperandType)                    \
    ROW(OperationType)                  \
    ROW(Memory)                         \
    ROW(ScopedFileDescriptor)           \
    ROW(Extension)                      \
    ROW(ExtensionNameAndPrefix)         \
    ROW(OutputShape)                    \
    ROW(DeviceType)                     \
    ROW(Timing)                         \
    ROW(BufferDesc)                     \
    ROW(BufferRole)                     \
    ROW(NumberOfCacheFiles)             \
    ROW(ExecutionResult)                \
    ROW(ExecutionConfig)                \
    ROW(PrepareModelConfig)             \
    ROW(TokenValuePair)
#define NNAPI_AIDL_UNVALIDATED_TYPES(ROW) \
    ROW(Operand)                          \
    ROW(Operation)                        \
    ROW(Subgraph)                         \
    ROW(OperandLifeTime)                  \
    ROW(DataLocation)                     \
    ROW(SymmPerChannelQuantParams)        \
    ROW(OptionalExtraParams)              \
    ROW(RequestArgument)                  \
    ROW(RequestMemoryPool)                \
    ROW(PerformanceInfo)                  \
    ROW(OperandPerformance)               \
    ROW(ExtensionOperandTypeInformation)

// The canonical types that AIDL carries as numbers or bytes.
#define NNAPI_AIDL_PLAIN_TYPES(ROW) \
    ROW(MeasureTiming)              \
    ROW(OptionalDuration)           \
    ROW(OptionalTimePoint)          \
    ROW(OperandValues)              \
    ROW(CacheToken)

// clang-format off
const Row kRows[] = {
        {"generatedModelsAreValid", generatedModelsAreValid},
        {"validityIsMonotone", validityIsMonotone},

        NNAPI_VALIDATED_TYPES(NNAPI_VALIDATED)
        NNAPI_UNVALIDATED_TYPES(NNAPI_UNVALIDATED)
        NNAPI_TIME_POINT(refusedOnlyForAReason)
        NNAPI_TIME_POINT(convertedIsLegal)
        NNAPI_TIME_POINT(silentMeansIdentical)
        NNAPI_TIME_POINT(lossesUndoneGiveBackTheOriginal)
        NNAPI_TIME_POINT(twiceIsOnce)

        NNAPI_IDENTITY(V1_0::Model, V1_0, "Model_1_0")
        NNAPI_IDENTITY(V1_1::Model, V1_1, "Model_1_1")
        NNAPI_IDENTITY(V1_2::Model, V1_2, "Model_1_2")
        NNAPI_IDENTITY(V1_3::Model, V1_3, "Model_1_3")
        NNAPI_IDENTITY(V1_0::Request, V1_0, "Request_1_0")
        NNAPI_IDENTITY(V1_0::Request, V1_2, "Request_1_2")
        NNAPI_IDENTITY(V1_3::Request, V1_3, "Request_1_3")
        NNAPI_IDENTITY(V1_0::Capabilities, V1_0, "Capabilities_1_0")
        NNAPI_IDENTITY(V1_1::Capabilities, V1_1, "Capabilities_1_1")
        NNAPI_IDENTITY(V1_2::Capabilities, V1_2, "Capabilities_1_2")
        NNAPI_IDENTITY(V1_3::Capabilities, V1_3, "Capabilities_1_3")
        NNAPI_IDENTITY(V1_0::ErrorStatus, V1_0, "ErrorStatus_1_0")
        NNAPI_IDENTITY(V1_3::ErrorStatus, V1_3, "ErrorStatus_1_3")
        NNAPI_IDENTITY(V1_2::DeviceType, V1_2, "DeviceType")
        NNAPI_IDENTITY(hidl::hidl_memory, V1_3, "Memory")
        NNAPI_IDENTITY(hidl::hidl_handle, V1_3, "Handle")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_2::Extension>, V1_2, "Extensions")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_2::OutputShape>, V1_2, "OutputShapes")
        NNAPI_IDENTITY(V1_3::BufferDesc, V1_3, "BufferDesc")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_3::BufferRole>, V1_3, "BufferRoles")
        NNAPI_IDENTITY(V1_0::DeviceStatus, V1_0, "DeviceStatus")
        NNAPI_IDENTITY(V1_0::FusedActivationFunc, V1_0, "FusedActivationFunc")
        NNAPI_IDENTITY(V1_1::ExecutionPreference, V1_1, "ExecutionPreference")
        NNAPI_IDENTITY(V1_2::MeasureTiming, V1_2, "MeasureTiming")
        NNAPI_IDENTITY(V1_3::Priority, V1_3, "Priority")
        NNAPI_IDENTITY(V1_0::OperandType, V1_0, "OperandType_1_0")
        NNAPI_IDENTITY(V1_3::OperandType, V1_3, "OperandType_1_3")
        NNAPI_IDENTITY(V1_0::OperationType, V1_0, "OperationType_1_0")
        NNAPI_IDENTITY(V1_3::OperationType, V1_3, "OperationType_1_3")
        NNAPI_IDENTITY(V1_2::HidlToken, V1_2, "CacheToken")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_2::Model::ExtensionNameAndPrefix>, V1_2, "ExtensionNames")

        NNAPI_AIDL_VALIDATED_TYPES(NNAPI_AIDL_IDENTITY)
        NNAPI_IDENTITY(aidl_hal::Model, AIDL1, "Model_AIDL1")
        NNAPI_IDENTITY(aidl_hal::Model, AIDL3, "Model_AIDL3")
        NNAPI_IDENTITY(std::vector<aidl_hal::Extension>, AIDL1, "Extensions_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::ExtensionNameAndPrefix>, AIDL1, "ExtensionNames_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::OutputShape>, AIDL1, "OutputShapes_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::BufferRole>, AIDL1, "BufferRoles_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::TokenValuePair>, AIDL4, "Hints_AIDL")

        NNAPI_AIDL_VALIDATED_TYPES(NNAPI_HOSTILE)
        NNAPI_AIDL_UNVALIDATED_TYPES(NNAPI_HOSTILE)
        NNAPI_AIDL_PLAIN_TYPES(NNAPI_HOSTILE_PLAIN)

        NNAPI_ACROSS(V1_3::Request, "Request")
        NNAPI_ACROSS(V1_3::Capabilities, "Capabilities")
        NNAPI_ACROSS(V1_3::ErrorStatus, "ErrorStatus")
        NNAPI_ACROSS(V1_2::DeviceType, "DeviceType")
        NNAPI_ACROSS(V1_3::Priority, "Priority")
        NNAPI_ACROSS(hidl::hidl_memory, "Memory")
        NNAPI_ACROSS(hidl::hidl_handle, "Handle")
        NNAPI_ACROSS(hidl::hidl_vec<V1_2::Extension>, "Extensions")
        NNAPI_ACROSS(hidl::hidl_vec<V1_2::OutputShape>, "OutputShapes")
        NNAPI_ACROSS(V1_3::OptionalTimeoutDuration, "OptionalDuration")
        NNAPI_ACROSS(V1_3::BufferDesc, "BufferDesc")
        NNAPI_ACROSS(hidl::hidl_vec<V1_3::BufferRole>, "BufferRoles")
        {"hidlModelsGoToAidlAndBack", hidlModelsGoToAidlAndBack},

        {"vectorsConvertElementByElement_Operand", vectorsConvertElementByElement<Operand>},
        {"vectorsConvertElementByElement_ErrorStatus", vectorsConvertElementByElement<ErrorStatus>},

        {"downAndUpTellsItsLosses",
         [](Source& source) {
             const HalVersion version = anyVersion(source);
             return downAndUpTellsItsLosses(version, testing::validModel(source));
         }},
        {"versionedModelsSurvive", versionedModelsSurvive},
        {"movingGivesWhatCopyingGives_1_0", movingGivesWhatCopyingGives<HalVersion::V1_0>},
        {"movingGivesWhatCopyingGives_1_3", movingGivesWhatCopyingGives<HalVersion::V1_3>},
        {"movingGivesWhatCopyingGives_aidl1", movingGivesWhatCopyingGives<HalVersion::AIDL1>},
        {"movingGivesWhatCopyingGives_aidl3", movingGivesWhatCopyingGives<HalVersion::AIDL3>},
        {"olderModelsGoUpAndComeBack_1_0_1_1",
         olderModelsGoUpAndComeBack<HalVersion::V1_0, HalVersion::V1_1>},
        {"olderModelsGoUpAndComeBack_1_1_1_2",
         olderModelsGoUpAndComeBack<HalVersion::V1_1, HalVersion::V1_2>},
        {"olderModelsGoUpAndComeBack_1_2_1_3",
         olderModelsGoUpAndComeBack<HalVersion::V1_2, HalVersion::V1_3>},
        {"olderModelsGoUpAndComeBack_1_0_1_3",
         olderModelsGoUpAndComeBack<HalVersion::V1_0, HalVersion::V1_3>},
        {"olderModelsGoUpAndComeBack_1_0_aidl1",
         olderModelsGoUpAndComeBack<HalVersion::V1_0, HalVersion::AIDL1>},
        {"olderModelsGoUpAndComeBack_1_3_aidl1",
         olderModelsGoUpAndComeBack<HalVersion::V1_3, HalVersion::AIDL1>},
        {"olderModelsGoUpAndComeBack_aidl1_aidl4",
         olderModelsGoUpAndComeBack<HalVersion::AIDL1, HalVersion::AIDL4>},
        {"complianceIsALosslessConversion_1_0", complianceIsALosslessConversion<HalVersion::V1_0>},
        {"complianceIsALosslessConversion_1_2", complianceIsALosslessConversion<HalVersion::V1_2>},
        {"complianceIsALosslessConversion_aidl1", complianceIsALosslessConversion<HalVersion::AIDL1>},
        {"complianceIsALosslessConversion_aidl2", complianceIsALosslessConversion<HalVersion::AIDL2>},

        {"timePointsKeepTheTimeThatRemains", timePointsKeepTheTimeThatRemains},
        {"timingIsRoundedUp", timingIsRoundedUp},

        {"checkedModelsAnswerAsModels", checkedModelsAnswerAsModels},
        {"flushedConstantsKeepTheirValues", flushedConstantsKeepTheirValues},
        {"convertedModelsComputeTheSame", convertedModelsComputeTheSame},

        {"minimizedModelsComputeTheSame", minimizedModelsComputeTheSame},
        {"minimizedModelsNeedNoLaterVersion", minimizedModelsNeedNoLaterVersion},
        {"minimizingTwiceIsMinimizingOnce",
         [](Source& source) {
             return minimizingTwiceIsMinimizingOnce(
                     source.coin() ? modelToMinimize(source, /*executable=*/false)
                                   : testing::any<Model>(source));
         }},
        {"minimizedPartsLeadBack", minimizedPartsLeadBack},

        {"slicesAreLegalInTheirVersion", slicesAreLegalInTheirVersion},
        {"slicesLeadBack", slicesLeadBack},
        {"slicingTwiceIsSlicingOnce", slicingTwiceIsSlicingOnce},
        {"complianceIsMonotone",
         [](Source& source) {
             return complianceIsMonotone(source.coin() ? testing::validModel(source)
                                                       : testing::any<Model>(source));
         }},
        {"slicesComputeTheSame", slicesComputeTheSame},
        {"anyModelIsAnswered",
         [](Source& source) {
             const HalVersion version = anyVersion(source);
             return anyModelIsAnswered(version, testing::any<Model>(source));
         }},
};
// clang-format on

// Every row of the conversions has rows above, on both sides of AIDL.
template <class T>
constexpr bool kIsSent = false;
template <class T>
constexpr bool kIsReceived = false;
template <class T>
constexpr bool kIsPlain = false;

#define NNAPI_IS_SENT(Type) \
    template <>             \
    constexpr bool kIsSent<Type> = true;
NNAPI_VALIDATED_TYPES(NNAPI_IS_SENT)
NNAPI_UNVALIDATED_TYPES(NNAPI_IS_SENT)
NNAPI_IS_SENT(OptionalTimePoint)
#define NNAPI_IS_RECEIVED(Hal) \
    template <>                \
    constexpr bool kIsReceived<aidl_types::Hal> = true;
NNAPI_AIDL_VALIDATED_TYPES(NNAPI_IS_RECEIVED)
NNAPI_AIDL_UNVALIDATED_TYPES(NNAPI_IS_RECEIVED)
#define NNAPI_IS_PLAIN(Type) \
    template <>              \
    constexpr bool kIsPlain<Type> = true;
NNAPI_AIDL_PLAIN_TYPES(NNAPI_IS_PLAIN)

#define NNAPI_HAL_TYPE_OUT(canonical, hal, from, to) \
    static_assert(kIsSent<canonical> || kIsSent<std::vector<canonical>>, #canonical);
#define NNAPI_HAL_TYPE NNAPI_HAL_TYPE_OUT
#define NNAPI_ONLY_HIDL
#include "nnapi/convert_types.def"

#define NNAPI_HAL_TYPE_OUT(canonical, hal, from, to) \
    static_assert(kIsSent<canonical> || kIsSent<std::vector<canonical>>, #canonical);
#define NNAPI_HAL_TYPE(canonical, hal, from, to) \
    NNAPI_HAL_TYPE_OUT(canonical, hal, from, to) \
    static_assert(kIsReceived<hal>, #hal);
#define NNAPI_HAL_PLAIN(canonical, hal, from, to) \
    NNAPI_HAL_TYPE_OUT(canonical, hal, from, to)  \
    static_assert(kIsPlain<canonical>, #canonical);
#define NNAPI_ONLY_AIDL
#include "nnapi/convert_types.def"

}  // namespace

std::span<const Row> rows() { return kRows; }

}  // namespace nn::properties
