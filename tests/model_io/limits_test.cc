#include "nnapi/limits.h"

#include <zlib.h>

#include "model_io/model_equality.h"

namespace nn {
namespace {

constexpr std::string_view kModel = R"({
  "main": {
    "operands": [
      {"type": "TENSOR_FLOAT32", "dimensions": [2, 3], "lifetime": "SUBGRAPH_INPUT"},
      {"type": "TENSOR_FLOAT32", "dimensions": [1], "lifetime": "CONSTANT_COPY", "value": "AAAAAA=="}
    ],
    "operations": [{"type": "RELU", "inputs": [0], "outputs": [1]}]
  },
  "referenced": [{"operands": [{"type": "FLOAT32"}]}],
  "extensionNameToPrefix": [{"name": "a.b", "prefix": 1}]
})";

struct Row {
    Limit limit;
    uint64_t allowed;  // exactly enough
    const char* message;
};

constexpr Row kRows[] = {
        {&Limits::operands, 3,
         "m.json: referenced[0].operands: has 3 operands, allowed 2 [limits.operands]"},
        {&Limits::operations, 1,
         "m.json: main.operations: has 1 operation, allowed 0 [limits.operations]"},
        {&Limits::subgraphs, 1,
         "m.json: referenced: has 1 referenced graph, allowed 0 [limits.subgraphs]"},
        {&Limits::rank, 2,
         "m.json: main.operands[0].dimensions: has 2 dimensions, allowed 1 [limits.rank]"},
        {&Limits::nameBytes, 3,
         "m.json: extensionNameToPrefix[0].name: has 3 bytes, allowed 2 [limits.name_bytes]"},
        {&Limits::constantBytes, 4,
         "m.json: main.operands[1].value: has 4 bytes, allowed 3 [limits.constant_bytes]"},
        {&Limits::fileBytes, kModel.size(),
         "m.json: has 414 bytes, allowed 413 [limits.file_bytes]"},
        {&Limits::fileObjects, 17, "m.json: has 17 objects, allowed 16 [limits.file_objects]"},
};

TEST(ReadLimits, RefuseOneMore) {
    const TemporaryFolder folder;
    writeTestFile(folder / "m.json", kModel);
    for (const Row& row : kRows) {
        Limits limits;
        limits.*row.limit = row.allowed;
        EXPECT_TRUE(readModel(folder / "m.json", limits).ok()) << row.message;
        limits.*row.limit = row.allowed - 1;
        const Status refused = readModel(folder / "m.json", limits).status();
        EXPECT_EQ(messageOf(refused, folder), row.message);
        EXPECT_EQ(errorStatus(refused), ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    }
}

TEST(ReadLimits, CountObjectsInEveryFormat) {
    const AnyModel model = parseModel(kModel, Format::JSON).value();
    for (const Format format : {Format::BINARY, Format::TEXT, Format::JSON}) {
        const std::string bytes = serializeModel(model, format).value();
        EXPECT_TRUE(parseModel(bytes, format, {.fileObjects = 20}).ok());
        EXPECT_EQ(diagnostic(parseModel(bytes, format, {.fileObjects = 6}).status())->rule,
                  "limits.file_objects");
    }
}

TEST(ReadLimits, OfLinesAndOfDevices) {
    const TemporaryFolder folder;
    writeTestFile(folder / "c.jsonl", "{}\n{\"name\": \"long\"}\n{}\n");
    auto reader = TestCaseReader::open(folder / "c.jsonl", {.fileBytes = 10}).value();
    EXPECT_TRUE(reader.next()->ok());
    EXPECT_EQ(messageOf(reader.next()->status(), folder),
              "c.jsonl:2: has 16 bytes, allowed 10 [limits.file_bytes]");
    EXPECT_EQ(messageOf(parseDevice("{\"operations\": [{}, {}]}", Format::JSON, {.operations = 1})
                                .status(),
                        folder),
              "operations: has 2 operations, allowed 1 [limits.operations]");
}

// Blank lines are compressed by a factor of a thousand.
TEST(ReadLimits, OfTheContentOfACompressedFile) {
    const TemporaryFolder folder;
    const std::string blank = std::string(1 << 20, ' ') + '\n';
    const gzFile file = gzopen((folder / "c.jsonl.gz").c_str(), "wb9");
    for (int i = 0; i < 100; ++i) ASSERT_EQ(gzfwrite(blank.data(), blank.size(), 1, file), 1u);
    ASSERT_EQ(gzputs(file, "{}\n"), 3);
    ASSERT_EQ(gzclose(file), Z_OK);
    auto reader = TestCaseReader::open(folder / "c.jsonl.gz").value();
    const auto first = reader.next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(errorStatus(first->status()), ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    EXPECT_NE(messageOf(first->status(), folder).find(": the content has more than"),
              std::string::npos)
            << first->status();
    EXPECT_FALSE(reader.next().has_value());
}

}  // namespace
}  // namespace nn
