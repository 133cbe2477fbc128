// Compares three implementations of each operation on random models: the interpreter, the oracle,
// and XNNPACK where it supports the operation. Most models are generated, some are test vectors;
// all have random data. NNAPI_ORACLE_CASES sets the number of generated models, NNAPI_ORACLE_SEED
// the first seed: a failure prints its seed, which reproduces the model. scripts/random_models runs
// as many models as a release requires; scripts/coverage kernels lists the branches of the kernels
// that the generated models cover.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "environment.h"
#include "nnapi/type_utils.h"
#include "oracle/compared_models.h"
#include "oracle/opinions.h"
#include "oracle/oracle.h"
#include "vectors.h"

namespace nn::oracle {
namespace {

// Test vectors by operation. Every operation is equally likely.
class VectorCases {
   public:
    VectorCases() {
        forEachVector([&](const TestCase& testCase) {
            if (testCase.expectFailure || bytesOfConstants(testCase.model) > 1 << 14) return;
            size_t bytes = 0;
            for (const Tensor& input : testCase.inputs) bytes += input.data.size();
            if (bytes > 1 << 14) return;
            for (const Operation& operation : testCase.model.main.operations) {
                mByOperation[operation.type].push_back(mVectors.size());
            }
            mVectors.push_back({testCase.name, testCase.model, testCase.inputs, 0});
        });
        for (const auto& [type, vectors] : mByOperation) mOperations.push_back(type);
    }

    Case make(std::mt19937_64& random) const {
        const OperationType type = mOperations[random() % mOperations.size()];
        const std::vector<size_t>& vectors = mByOperation.at(type);
        return mVectors[vectors[random() % vectors.size()]];
    }

   private:
    std::vector<Case> mVectors;
    std::map<OperationType, std::vector<size_t>> mByOperation;
    std::vector<OperationType> mOperations;
};

// Deterministic for each seed.
template <class Cases>
Case makeCase(const Cases& cases, uint64_t seed) {
    std::mt19937_64 random(seed);
    Case made = cases.make(random);
    randomise(made.model, made.inputs, random);
    showTemporaries(made.model);
    return made;
}

// Compares `count` cases. Every operation that the oracle covers must be compared in at least one
// of `rarest` cases, and at most one operation in `wildest` may have values too large to compare.
template <class Cases>
void compareCases(const Cases& cases, uint64_t count, uint64_t rarest, size_t wildest) {
    const uint64_t first = fromEnvironment("NNAPI_ORACLE_SEED", 1);
    Tally tally;
    std::vector<std::string> failures;
    for (uint64_t seed = first; seed < first + count && failures.size() < 20; ++seed) {
        Case made = makeCase(cases, seed);
        made.seed = seed;
        const auto failure = compareOpinions(made, tally);
        if (failure) failures.push_back(fmt::format("seed {} {}: {}", seed, made.name, *failure));
    }
    EXPECT_THAT(failures, ::testing::IsEmpty());

    size_t all = 0, byXnnpack = 0;
    std::vector<std::string> rare;
    for (const OperationTypeInfo& info : operationTypes()) {
        const size_t compared = tally.compared[info.type];
        all += compared;
        byXnnpack += tally.byXnnpack[info.type];
        ::testing::Test::RecordProperty(std::string(info.name), static_cast<int>(compared));
        if (covers(info.type) && compared < count / rarest) rare.emplace_back(info.name);
    }
    if (failures.empty()) {
        EXPECT_THAT(rare, ::testing::IsEmpty());
    }
    EXPECT_LE(tally.wild, all / wildest);
    EXPECT_LE(tally.unstable, 1 + all / 100000);
    EXPECT_LE(tally.refused, count / 20);
    ::testing::Test::RecordProperty("models", static_cast<int>(count));
    ::testing::Test::RecordProperty("operations", static_cast<int>(all));
    ::testing::Test::RecordProperty("byXnnpack", static_cast<int>(byXnnpack));
    ::testing::Test::RecordProperty("wild", static_cast<int>(tally.wild));
    ::testing::Test::RecordProperty("refused", static_cast<int>(tally.refused));
    ::testing::Test::RecordProperty("refusedByBoth", static_cast<int>(tally.refusedByBoth));
#ifdef NNAPI_HAS_XNNPACK
    EXPECT_GE(byXnnpack, all / 12);
#endif
}

TEST(Oracle, AgreesWithTheOthersOnGeneratedModels) {
    compareCases(GeneratedCases(), fromEnvironment("NNAPI_ORACLE_CASES", 16000), 500, 20);
}

TEST(Oracle, AgreesWithTheOthersOnVectorsWithRandomData) {
    compareCases(VectorCases(), fromEnvironment("NNAPI_ORACLE_CASES", 16000) / 2, 500, 10);
}

}  // namespace
}  // namespace nn::oracle
