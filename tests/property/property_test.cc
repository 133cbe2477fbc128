// The properties of properties.h over random bytes, the same in every run unless the environment
// says otherwise: NNAPI_PROPERTY_CASES is how many cases each gets, NNAPI_PROPERTY_SEED where they
// start.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "property/properties.h"

namespace nn::properties {
namespace {

uint64_t fromEnvironment(const char* name, uint64_t fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

void check(Property property) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = static_cast<int>(fromEnvironment("NNAPI_PROPERTY_CASES", 10000));
    params.seed = fromEnvironment("NNAPI_PROPERTY_SEED", 1);
    params.maxSize = 300;
    rc::detail::TestMetadata metadata;
    const auto result = rc::detail::checkTestable(
            [&] {
                const auto bytes = *rc::gen::arbitrary<std::vector<uint8_t>>();
                testing::Source source(bytes);
                const Violation violation = property(source);
                if (violation) RC_FAIL(*violation);
            },
            metadata, params);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << text.str();
}

struct Row {
    const char* name;
    Property property;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

#define NNAPI_ANSWERED(Type)                                     \
    {#Type "_1_0", anyObjectIsAnswered<Type, HalVersion::V1_0>}, \
            {#Type "_1_3", anyObjectIsAnswered<Type, HalVersion::V1_3>},

const Row kRows[] = {
        {"GeneratedModelsAreValid", generatedModelsAreValid},
        {"ValidityIsMonotone", validityIsMonotone},
        {"DownAndUpTellsItsLosses", downAndUpTellsItsLosses},
        {"VersionedModelsSurvive", versionedModelsSurvive},
        {"ValidatedIsUnvalidatedPlusACheck", validatedIsUnvalidatedPlusACheck},
        {"Model_1_0_UpAndDown", upAndDownIsTheIdentity<V1_0::Model, HalVersion::V1_0>},
        {"Model_1_3_UpAndDown", upAndDownIsTheIdentity<V1_3::Model, HalVersion::V1_3>},
        {"Request_1_0_UpAndDown", upAndDownIsTheIdentity<V1_0::Request, HalVersion::V1_0>},
        {"Request_1_3_UpAndDown", upAndDownIsTheIdentity<V1_3::Request, HalVersion::V1_3>},
        {"ErrorStatus_1_0_UpAndDown", upAndDownIsTheIdentity<V1_0::ErrorStatus, HalVersion::V1_0>},
        {"ErrorStatus_1_3_UpAndDown", upAndDownIsTheIdentity<V1_3::ErrorStatus, HalVersion::V1_3>},
        {"BufferDesc_UpAndDown", upAndDownIsTheIdentity<V1_3::BufferDesc, HalVersion::V1_3>},
        {"Capabilities_1_3_UpAndDown",
         upAndDownIsTheIdentity<V1_3::Capabilities, HalVersion::V1_3>},
        NNAPI_ANSWERED(Model) NNAPI_ANSWERED(Request) NNAPI_ANSWERED(Capabilities)
                NNAPI_ANSWERED(ErrorStatus)};

class Properties : public ::testing::TestWithParam<Row> {};

TEST_P(Properties, Hold) { check(GetParam().property); }

INSTANTIATE_TEST_SUITE_P(All, Properties, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace nn::properties
