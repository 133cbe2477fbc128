// Checks the oracle against the expected outputs of the test vectors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nnapi/comparison.h"
#include "nnapi/type_utils.h"
#include "oracle/compared_models.h"
#include "oracle/oracle.h"
#include "vectors.h"

namespace nn::oracle {
namespace {

TEST(Oracle, HasAFunctionForAllButRandomNumbers) {
    std::vector<std::string> missing;
    for (const OperationTypeInfo& info : operationTypes()) {
        if (!covers(info.type)) missing.emplace_back(info.name);
    }
    EXPECT_THAT(missing, ::testing::ElementsAre("RANDOM_MULTINOMIAL", "OEM_OPERATION"));
}

TEST(Oracle, GivesTheExpectedOutputsOfTheVectors) {
    size_t compared = 0, notCovered = 0;
    std::vector<std::string> wrong;
    forEachVector([&](const TestCase& testCase) {
        if (testCase.expectFailure) return;
        const Evaluation evaluation = evaluate(testCase.model, testCase.inputs);
        if (evaluation.kind == Evaluation::Kind::NOT_COVERED) {
            ++notCovered;
            return;
        }
        if (evaluation.kind == Evaluation::Kind::REFUSED) {
            wrong.push_back(testCase.name + ": refused, " + evaluation.why);
            return;
        }
        std::vector<Tensor> expected;
        for (const TestCase::Output& output : testCase.outputs) {
            expected.push_back(output.value);
            expected.back().hasNoValue = output.ignored;
        }
        testing::Criteria criteria = testing::criteriaFor(testCase.model);
        if (testCase.name.find("mobilenet") != std::string::npos) criteria.quant8.absolute = 3;
        const testing::Comparison comparison =
                testing::compareOutputs(testCase.model, expected, evaluation.outputs, criteria);
        ++compared;
        if (!comparison.pass) wrong.push_back(testCase.name + ": " + comparison.message);
    });
    EXPECT_THAT(wrong, ::testing::IsEmpty());
    EXPECT_GT(compared, 6500u);
    EXPECT_LT(notCovered, 5u);  // RANDOM_MULTINOMIAL
}

}  // namespace
}  // namespace nn::oracle
