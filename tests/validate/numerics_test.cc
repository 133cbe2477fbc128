// docs/numerics.md names, for every operation, the formula or sentence of the documentation that
// its second evaluator implements.
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nnapi/type_utils.h"

namespace nn::numerics_test {
namespace {

constexpr char kHead[] = "| operation | the documentation says | read as |";

struct Row {
    std::string operation;
    std::string says;
};

// "| ADD | ... | ... |": the first two cells.
Row rowOf(const std::string& line) {
    const size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    return {line.substr(2, first - 2), line.substr(first + 3, second - first - 3)};
}

std::vector<Row> rows() {
    std::ifstream page(NNAPI_SOURCE_DIR "/docs/numerics.md");
    std::string line;
    while (std::getline(page, line) && line != kHead) {
    }
    std::getline(page, line);  // the separator below the head
    std::vector<Row> found;
    while (std::getline(page, line) && line.starts_with("| ")) found.push_back(rowOf(line));
    return found;
}

TEST(Numerics, NamesTheFormulaOfEveryOperation) {
    std::vector<std::string> expected, found;
    for (const OperationTypeInfo& info : operationTypes()) {
        if (info.type != OperationType::OEM_OPERATION) expected.emplace_back(info.name);
    }
    for (const Row& row : rows()) {
        found.push_back(row.operation);
        EXPECT_THAT(row.says, testing::MatchesRegex("[`\"'].+[`\"']")) << row.operation;
    }
    EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace nn::numerics_test
