#include "property/rows.h"

#include "property/properties.h"

namespace nn::properties {
namespace {

using testing::Source;

// Properties of conversions of any object, validated or not.
#define NNAPI_PROPERTY(property, Type)                                                             \
    {#property "_" #Type, [](Source& source) {                                                     \
         return inAnyVersion<Type>(                                                                \
                 source, [&]<HalVersion V>() { return property<V>(testing::any<Type>(source)); }); \
     }},
#define NNAPI_UNVALIDATED(Type)                           \
    NNAPI_PROPERTY(silentMeansIdentical, Type)            \
    NNAPI_PROPERTY(lossesUndoneGiveBackTheOriginal, Type) \
    NNAPI_PROPERTY(twiceIsOnce, Type)
#define NNAPI_VALIDATED(Type)                   \
    NNAPI_PROPERTY(refusedOnlyForAReason, Type) \
    NNAPI_PROPERTY(convertedIsLegal, Type)      \
    NNAPI_UNVALIDATED(Type)

#define NNAPI_IDENTITY(Hal, V, name)                                              \
    {"upAndDownIsTheIdentity_" name, [](Source& source) {                         \
         return upAndDownIsTheIdentity<HalVersion::V>(testing::any<Hal>(source)); \
     }},

#define NNAPI_HOSTILE(Hal, name) \
    {"refusedOrTheSame_" name,   \
     [](Source& source) { return refusedOrTheSame(testing::any<aidl_hal::Hal>(source)); }},

#define NNAPI_ACROSS(Hal, name)     \
    {"hidlGoesToAidlAndBack_" name, \
     [](Source& source) { return hidlGoesToAidlAndBack(testing::any<Hal>(source)); }},

// Every AIDL type that stands for one canonical type.
#define NNAPI_AIDL_TYPES(ROW)                          \
    ROW(Model, "Model_AIDL")                           \
    ROW(Operand, "Operand_AIDL")                       \
    ROW(Operation, "Operation_AIDL")                   \
    ROW(Subgraph, "Subgraph_AIDL")                     \
    ROW(DataLocation, "DataLocation_AIDL")             \
    ROW(Request, "Request_AIDL")                       \
    ROW(RequestArgument, "RequestArgument_AIDL")       \
    ROW(Memory, "Memory_AIDL")                         \
    ROW(Capabilities, "Capabilities_AIDL")             \
    ROW(Extension, "Extension_AIDL")                   \
    ROW(OutputShape, "OutputShape_AIDL")               \
    ROW(Timing, "Timing_AIDL")                         \
    ROW(BufferDesc, "BufferDesc_AIDL")                 \
    ROW(BufferRole, "BufferRole_AIDL")                 \
    ROW(ErrorStatus, "ErrorStatus_AIDL")               \
    ROW(DeviceType, "DeviceType_AIDL")                 \
    ROW(TokenValuePair, "TokenValuePair_AIDL")         \
    ROW(ExecutionConfig, "ExecutionConfig_AIDL")       \
    ROW(ExecutionResult, "ExecutionResult_AIDL")       \
    ROW(NumberOfCacheFiles, "NumberOfCacheFiles_AIDL") \
    ROW(PrepareModelConfig, "PrepareModelConfig_AIDL")

using Extensions = std::vector<Extension>;
using OutputShapes = std::vector<OutputShape>;
using BufferRoles = std::vector<BufferRole>;
using Hints = std::vector<TokenValuePair>;

// clang-format off
const Row kRows[] = {
        {"generatedModelsAreValid", generatedModelsAreValid},
        {"validityIsMonotone", validityIsMonotone},

        NNAPI_VALIDATED(Model)
        NNAPI_VALIDATED(Request)
        NNAPI_VALIDATED(Capabilities)
        NNAPI_VALIDATED(ErrorStatus)
        NNAPI_VALIDATED(SharedMemory)
        NNAPI_VALIDATED(Extensions)
        NNAPI_VALIDATED(OutputShapes)
        NNAPI_VALIDATED(DeviceType)
        NNAPI_VALIDATED(Timing)
        NNAPI_VALIDATED(OptionalDuration)
        NNAPI_VALIDATED(BufferDesc)
        NNAPI_VALIDATED(BufferRoles)
        NNAPI_VALIDATED(MeasureTiming)
        NNAPI_VALIDATED(ExecutionConfig)
        NNAPI_VALIDATED(PrepareModelConfig)
        NNAPI_VALIDATED(Hints)
        NNAPI_VALIDATED(TokenValuePair)
        NNAPI_UNVALIDATED(Operand)
        NNAPI_UNVALIDATED(Operation)

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
        NNAPI_IDENTITY(aidl_hal::Request, AIDL1, "Request_AIDL")
        NNAPI_IDENTITY(aidl_hal::Capabilities, AIDL1, "Capabilities_AIDL")
        NNAPI_IDENTITY(aidl_hal::ErrorStatus, AIDL1, "ErrorStatus_AIDL")
        NNAPI_IDENTITY(aidl_hal::DeviceType, AIDL1, "DeviceType_AIDL")
        NNAPI_IDENTITY(aidl_hal::Memory, AIDL1, "Memory_AIDL")
        NNAPI_IDENTITY(ndk::ScopedFileDescriptor, AIDL1, "Handle_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::Extension>, AIDL1, "Extensions_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::OutputShape>, AIDL1, "OutputShapes_AIDL")
        NNAPI_IDENTITY(aidl_hal::Timing, AIDL1, "Timing_AIDL")
        NNAPI_IDENTITY(aidl_hal::BufferDesc, AIDL1, "BufferDesc_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::BufferRole>, AIDL1, "BufferRoles_AIDL")
        NNAPI_IDENTITY(aidl_hal::ExecutionConfig, AIDL4, "ExecutionConfig_AIDL")
        NNAPI_IDENTITY(aidl_hal::ExecutionResult, AIDL1, "ExecutionResult_AIDL")
        NNAPI_IDENTITY(aidl_hal::NumberOfCacheFiles, AIDL1, "NumberOfCacheFiles_AIDL")
        NNAPI_IDENTITY(aidl_hal::PrepareModelConfig, AIDL4, "PrepareModelConfig_AIDL")
        NNAPI_IDENTITY(std::vector<aidl_hal::TokenValuePair>, AIDL4, "Hints_AIDL")

        NNAPI_AIDL_TYPES(NNAPI_HOSTILE)

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

}  // namespace

std::span<const Row> rows() { return kRows; }

}  // namespace nn::properties
