// No kernel leaves an element unwritten, and none depends on unwritten memory: the test vectors are
// executed over different bytes, with one thread and with several. random_test.cc checks the same
// on random models.
#include "unwritten_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vectors.h"

namespace nn::written_test {
namespace {

TEST(Written, AllThatTheVectorsCompute) {
    size_t executed = 0;
    std::vector<std::string> wrong;
    forEachVector([&](const TestCase& testCase) {
        for (const size_t threads : {1, 3}) {
            const Result<PreparedModel> prepared = prepare(testCase.model, {.threads = threads});
            if (!prepared.ok() || testCase.expectFailure) return;
            const std::string why = unwritten(*prepared, testCase.inputs);
            if (!why.empty()) wrong.push_back(testCase.name + ": " + why);
        }
        ++executed;
    });
    EXPECT_THAT(wrong, ::testing::IsEmpty());
    EXPECT_GT(executed, 6500u);
}

}  // namespace
}  // namespace nn::written_test
