// Test cases: a line is refused, or its case is written as a line that reads back as the same.
#include "fuzz/input.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(test_case, TEST_CASE) {
    const Result<TestCase> testCase = parseTestCase(textOf(bytes));
    if (!testCase.ok()) return expect(!textOf(testCase.status()).empty(), "refused silently");
    const Result<std::string> line = serializeTestCase(*testCase);
    expect(line.ok(), textOf(line.status()));
    const Result<TestCase> again = parseTestCase(*line);
    expect(again.ok(), textOf(again.status()));
    const Result<std::string> twice = serializeTestCase(*again);
    expect(twice.ok() && *twice == *line, "reads back as something else: " + *line);
}

}  // namespace nn::fuzz
