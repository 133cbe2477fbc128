#include "property/rows.h"

#include <cctype>
#include <deque>
#include <set>
#include <string_view>
#include <vector>

#include "property/properties.h"

namespace nn::properties {
namespace {

using testing::Source;

// Collects rows; ignores further rows with the same name.
class Rows {
   public:
    void add(const std::string& name, Property property) {
        if (!mSeen.insert(name).second) return;
        mNames.push_back(name);
        mRows.push_back({mNames.back().c_str(), property});
    }
    std::span<const Row> rows() const { return mRows; }

   private:
    std::set<std::string> mSeen;
    std::deque<std::string> mNames;  // owns the names of the rows
    std::vector<Row> mRows;
};

// "Request::MemoryPool" as a part of the name of a test: "Request_MemoryPool".
std::string wordsOf(std::string_view type) {
    std::string words;
    for (const char c : type) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            words += c;
        } else if (!words.empty() && words.back() != '_') {
            words += '_';
        }
    }
    while (words.ends_with('_')) words.pop_back();
    return words;
}

// ---- rows of each conversion, made from nnapi/convert_types.def

template <class Canonical, class Check>
Violation inAVersion(Source& source, Check&& check) {
    if constexpr (std::same_as<Canonical, OptionalTimePoint>) {
        // HAL 1.3 has a separate property, which models the clocks.
        return check(kWays<HalVersion::AIDL1, Canonical>);
    } else {
        return inAnyVersion<Canonical>(source, check);
    }
}

// For any object of a canonical type, in any version that has it.
template <class Canonical>
void addCanonical(Rows& rows, const std::string& name) {
#define NNAPI_PROPERTY(property)                                     \
    rows.add(#property "_" + name, [](Source& source) {              \
        return inAVersion<Canonical>(source, [&](const auto& ways) { \
            return property(ways, testing::any<Canonical>(source));  \
        });                                                          \
    });
    if constexpr (Validatable<Canonical>) {
        NNAPI_PROPERTY(refusedOnlyForAReason)
        NNAPI_PROPERTY(convertedIsLegal)
    }
    NNAPI_PROPERTY(silentMeansIdentical)
    NNAPI_PROPERTY(lossesUndoneGiveBackTheOriginal)
    NNAPI_PROPERTY(twiceIsOnce)
#undef NNAPI_PROPERTY
}

// A list that is validated as a whole is covered by its elements.
template <class Canonical>
void addCanonicalOrList(Rows& rows, std::string_view type) {
    using List = std::vector<Canonical>;
    if constexpr (Validatable<List>) {
        addCanonical<List>(rows, wordsOf(type) + "_list");
    } else {
        addCanonical<Canonical>(rows, wordsOf(type));
    }
}

// HAL times beyond the range of the canonical ones do not survive the round trip; timingIsRoundedUp
// and timePointsKeepTheTimeThatRemains cover them.
template <class Hal>
constexpr bool kIsRebasedOrRounded =
        std::same_as<Hal, V1_2::Timing> || std::same_as<Hal, V1_3::OptionalTimePoint> ||
        std::same_as<Hal, V1_3::OptionalTimeoutDuration>;

template <class Hal, HalVersion V>
void addIdentity(Rows& rows, const std::string& name) {
    if constexpr (Validatable<CanonicalType<Hal>> && !kIsRebasedOrRounded<Hal>) {
        rows.add("upAndDownIsTheIdentity_" + name, [](Source& source) {
            return upAndDownIsTheIdentity<V>(testing::any<Hal>(source));
        });
    }
}

// For any AIDL object, valid or not.
template <class Hal>
void addHostile(Rows& rows, const std::string& name) {
    rows.add("refusedOrTheSame_" + name,
             [](Source& source) { return refusedOrTheSame(testing::any<Hal>(source)); });
}
template <class Canonical>
void addHostilePlain(Rows& rows, const std::string& name) {
    rows.add("refusedOrTheSame_" + name + "_AIDL", [](Source& source) {
        return refusedOrTheSameAs<Canonical>(
                testing::any<HalType<Canonical, HalVersion::AIDL4>>(source));
    });
}

void addConversions(Rows& rows) {
    // For a HIDL type the first version, which permits least; for an AIDL type the last, which has
    // most fields.
#define NNAPI_HAL_TYPE_OUT(canonical, hal, from, to) \
    addCanonical<canonical>(rows, wordsOf(#canonical));
#define NNAPI_HAL_TYPE(canonical, hal, from, to)     \
    addCanonicalOrList<canonical>(rows, #canonical); \
    addIdentity<hal, HalVersion::from>(rows, wordsOf(#hal));
#define NNAPI_ONLY_HIDL
#include "nnapi/convert_types.def"

#define NNAPI_HAL_TYPE_OUT(canonical, hal, from, to) \
    addCanonical<canonical>(rows, wordsOf(#canonical));
#define NNAPI_HAL_TYPE(canonical, hal, from, to)           \
    addCanonicalOrList<canonical>(rows, #canonical);       \
    addIdentity<hal, HalVersion::to>(rows, wordsOf(#hal)); \
    addHostile<hal>(rows, wordsOf(#hal));
#define NNAPI_HAL_PLAIN(canonical, hal, from, to)       \
    addCanonical<canonical>(rows, wordsOf(#canonical)); \
    addHostilePlain<canonical>(rows, wordsOf(#canonical));
#define NNAPI_ONLY_AIDL
#include "nnapi/convert_types.def"
}

// ---- all others

#define NNAPI_IDENTITY(Hal, V, name)                                              \
    {"upAndDownIsTheIdentity_" name, [](Source& source) {                         \
         return upAndDownIsTheIdentity<HalVersion::V>(testing::any<Hal>(source)); \
     }},

#define NNAPI_ACROSS(Hal, name)     \
    {"hidlGoesToAidlAndBack_" name, \
     [](Source& source) { return hidlGoesToAidlAndBack(testing::any<Hal>(source)); }},

// clang-format off
const Row kRows[] = {
        NNAPI_IDENTITY(V1_0::Request, V1_2, "Request_in_1_2")
        NNAPI_IDENTITY(hidl::hidl_memory, V1_3, "Memory_in_1_3")
        NNAPI_IDENTITY(hidl::hidl_handle, V1_3, "Handle_in_1_3")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_2::Extension>, V1_2, "Extensions")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_2::Model::ExtensionNameAndPrefix>, V1_2, "ExtensionNames")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_2::OutputShape>, V1_2, "OutputShapes")
        NNAPI_IDENTITY(hidl::hidl_vec<V1_3::BufferRole>, V1_3, "BufferRoles")
        NNAPI_IDENTITY(aidl_hal::Model, AIDL1, "Model_in_AIDL1")
        NNAPI_IDENTITY(aidl_hal::Model, AIDL3, "Model_in_AIDL3")
        NNAPI_IDENTITY(std::vector<aidl_hal::Extension>, AIDL1, "Extensions_in_AIDL1")
        NNAPI_IDENTITY(std::vector<aidl_hal::ExtensionNameAndPrefix>, AIDL1, "ExtensionNames_in_AIDL1")
        NNAPI_IDENTITY(std::vector<aidl_hal::OutputShape>, AIDL1, "OutputShapes_in_AIDL1")
        NNAPI_IDENTITY(std::vector<aidl_hal::BufferRole>, AIDL1, "BufferRoles_in_AIDL1")
        NNAPI_IDENTITY(std::vector<aidl_hal::TokenValuePair>, AIDL4, "Hints_in_AIDL4")

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

        {"validatedModelsBehaveAsModels", validatedModelsBehaveAsModels},
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
        {"passesReturnForAnyModel",
         [](Source& source) {
             const HalVersion version = anyVersion(source);
             return passesReturnForAnyModel(version, testing::any<Model>(source));
         }},
};
// clang-format on

}  // namespace

std::span<const Row> rows() {
    static const Rows kAll = [] {
        Rows rows;
        addConversions(rows);
        addCanonical<TokenValuePair>(rows, "TokenValuePair");
        for (const Row& row : kRows) rows.add(row.name, row.property);
        return rows;
    }();
    return kAll.rows();
}

}  // namespace nn::properties
