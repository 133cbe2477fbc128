// The properties of models.h, each on models from consecutive seeds, and the operations that the
// generator reaches. NNAPI_PROPERTY_CASES sets the number of cases for each, NNAPI_PROPERTY_SEED
// the first seed.
#include "property/models.h"
#include "environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "op_support/rules/op_view.h"

namespace nn::properties {
namespace {

using testing::Source;

std::vector<uint8_t> bytesOf(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> bytes(4096);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    return bytes;
}

using Property = Violation (*)(Source& source);

struct Row {
    const char* name;
    Property property;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRows[] = {
        {"ModelsAreValidInTheirVersion", modelsAreValidInTheirVersion},
        {"ValidityIsMonotoneInAllLevels", validityIsMonotoneInAllLevels},
        {"ExecutableModelsExecuteAsInferred", executableModelsExecuteAsInferred},
        {"ModelsWithAPartRemovedAreHandled", modelsWithAPartRemovedAreHandled},
        {"StrictDevicesRefuseAsPrepareDoes", strictDevicesRefuseAsPrepareDoes},
};

class Models : public ::testing::TestWithParam<Row> {};

TEST_P(Models, Hold) {
    const uint64_t first = fromEnvironment("NNAPI_PROPERTY_SEED", 1);
    const uint64_t cases = fromEnvironment("NNAPI_PROPERTY_CASES", 1000);
    for (uint64_t seed = first; seed < first + cases; ++seed) {
        const std::vector<uint8_t> bytes = bytesOf(seed);
        Source source(bytes);
        const Violation violation = GetParam().property(source);
        ASSERT_FALSE(violation) << "seed " << seed << ": " << *violation;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Models, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return std::string(info.param.name); });

// How many of the models generated for an operation contain it, and how many of these execute.
struct Reached {
    size_t models = 0;
    size_t executed = 0;
};

Reached reach(OperationType type, size_t seeds) {
    Reached reached;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        const std::vector<uint8_t> bytes = bytesOf(seed);
        Source source(bytes);
        const OperationType operations[] = {type};
        const Model model = testing::validModel(source, {.maxOperations = 2,
                                                         .operations = operations,
                                                         .executable = true,
                                                         .featureLevel = kVersionFeatureLevel8,
                                                         .unknownDimensions = true});
        if (std::ranges::count(model.main.operations, type, &Operation::type) == 0) continue;
        ++reached.models;
        const Result<PreparedModel> prepared = prepare(model);
        EXPECT_TRUE(prepared.ok()) << prepared.status() << print(model);
        if (prepared.ok() && prepared->run(testing::anyInputs(source, model)).ok())
            ++reached.executed;
    }
    return reached;
}

TEST(Models, EveryOperationIsReachedAndExecutes) {
    constexpr size_t kSeeds = 60;
    std::set<std::string> rare;
    for (const OperationTypeInfo& info : operationTypes()) {
        if (ops::specOf(info.type) == nullptr) continue;
        const Reached reached = reach(info.type, kSeeds);
        if (reached.models < kSeeds / 2 || reached.executed < kSeeds / 4) {
            rare.insert(fmt::format("{} {} {}", info.name, reached.models, reached.executed));
        }
    }
    EXPECT_THAT(rare, ::testing::IsEmpty());
}

}  // namespace
}  // namespace nn::properties
