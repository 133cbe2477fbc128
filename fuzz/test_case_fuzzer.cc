// Test cases: a line is rejected, or its case is written as a line that reads back as the same
// case.
#include <utility>

#include "fuzz/input.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(test_case, TEST_CASE) {
    const Result<TestCase> testCase = parseTestCase(textOf(bytes));
    if (!testCase.ok()) return expect(!textOf(testCase.status()).empty(), "refused silently");
    const Result<std::string> line = serializeTestCase(*testCase);
    expect(line.ok(), textOf(line.status()));
    const Result<TestCase> again = parseTestCase(*line);
    expect(again.ok(), textOf(again.status()));
    TestCase first = *testCase, second = *again;
    const bool isSameModel =
            areSame(std::exchange(first.model, {}), std::exchange(second.model, {}));
    expect(isSameModel && (first == second || !(first == first)), "reads back as something else");
}

}  // namespace nn::fuzz
