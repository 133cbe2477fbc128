// Every vector is read, written as the same JSON, and read back as the same case.
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "model_io/model_equality.h"
#include "nnapi/test_case.pb.h"
#include "vectors.h"

namespace nn::vectors_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> linesOf(const fs::path& path) {
    std::string text;
    char buffer[1 << 16];
    gzFile file = gzopen(path.c_str(), "rb");
    for (int count; (count = gzread(file, buffer, sizeof(buffer))) > 0;)
        text.append(buffer, static_cast<size_t>(count));
    gzclose(file);
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// A line as JSON, independent of the spelling of its numbers.
std::string binaryOf(const std::string& line) {
    nnapi::TestCase message;
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(line, &message).ok()) << line;
    return message.SerializeAsString();
}

TEST(Vectors, AllAreReadAndWritten) {
    const auto files = vectorFiles();
    EXPECT_EQ(files.size(), 408u);
    size_t cases = 0;
    for (const fs::path& file : files) {
        SCOPED_TRACE(file);
        const auto lines = linesOf(file);
        auto reader = TestCaseReader::open(file);
        ASSERT_TRUE(reader.ok()) << reader.status();
        size_t line = 0;
        while (auto next = reader->next()) {
            ASSERT_TRUE(next->ok()) << next->status();
            const TestCase& testCase = **next;
            EXPECT_EQ(testCase.inputs.size(), testCase.model.main.inputIndexes.size());
            EXPECT_EQ(testCase.outputs.size(), testCase.model.main.outputIndexes.size());

            const auto written = serializeTestCase(testCase);
            ASSERT_TRUE(written.ok()) << written.status();
            ASSERT_EQ(binaryOf(*written), binaryOf(lines.at(line++)));

            auto again = parseTestCase(*written);
            ASSERT_TRUE(again.ok()) << again.status();
            expectEqual(testCase.model, again->model);
            again->model = testCase.model;
            ASSERT_EQ(testCase, *again);
        }
        EXPECT_EQ(line, lines.size());
        cases += line;
    }
    EXPECT_EQ(cases, 6623u);
}

TEST(Vectors, ReferencesShareOnePoolAndAreAligned) {
    auto testCase = parseTestCase(
            R"({"model": {"main": {"operands": [
                {"lifetime": "CONSTANT_REFERENCE", "value": "YWI="},
                {"lifetime": "CONSTANT_COPY", "value": "YQ=="},
                {"lifetime": "CONSTANT_COPY", "value": "YWJjZA=="},
                {"lifetime": "CONSTANT_REFERENCE", "value": "Y2Q="},
                {"lifetime": "SUBGRAPH", "subgraphIndex": 7}]}}})");
    ASSERT_TRUE(testCase.ok()) << testCase.status();
    const Model& model = testCase->model;
    const auto& operands = model.main.operands;
    EXPECT_EQ(operands[0].location, (DataLocation{.offset = 0, .length = 2}));
    EXPECT_EQ(operands[1].location, (DataLocation{.offset = 0, .length = 1}));
    EXPECT_EQ(operands[2].location, (DataLocation{.offset = 4, .length = 4}));
    EXPECT_EQ(operands[3].location, (DataLocation{.offset = 64, .length = 2}));
    EXPECT_EQ(operands[4].location, (DataLocation{.offset = 7}));
    EXPECT_EQ(model.operandValues.size(), 8u);
    ASSERT_EQ(model.pools.size(), 1u);
    EXPECT_EQ(describe(model.pools[0]), "ashmem ab" + std::string(62, '\0') + "cd");
}

}  // namespace
}  // namespace nn::vectors_test
