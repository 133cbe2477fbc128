// Detection of a file's format from its content, independent of its name.
#include <gtest/gtest.h>

#include "model_io/model_equality.h"
#include "model_io/streams.h"

namespace nn::file_formats_test {
namespace {

using enum schema::StreamFormat;
using schema::StreamFormat;

const Model kModel{.relaxComputationFloat32toFloat16 = true};

std::string model(Format format) { return serializeModel(kModel, format).value(); }

struct Row {
    const char* name;  // of the file
    std::string bytes;
    std::optional<StreamFormat> format;  // empty if rejected
};

const Row kRows[] = {
        // Without an extension, or with an unknown one.
        {"model", model(Format::BINARY), BINARY},
        {"model", model(Format::TEXT), TEXT},
        {"model.bin", "# made by hand\n\n  # twice\ncanonical<\n>", TEXT},
        {"model.bin", "v1_0 {\n}", TEXT},
        {"model", model(Format::JSON), JSON},
        {"model", R"({"main": {}})", JSON},
        {"cases", R"({"name": "a"})", TEST_CASES},
        {"cases", "\x1f\x8b", TEST_CASES},
        // With a misleading extension.
        {"m.json", model(Format::BINARY), BINARY},
        {"m.jsonl.gz", model(Format::BINARY), BINARY},
        {"m.textproto", model(Format::JSON), JSON},
        {"m.pb", model(Format::TEXT), TEXT},
        {"m.pb", "\x1f\x8b", TEST_CASES},
        {"m.json", "\x1f\x8b", TEST_CASES},
        // Both formats begin with the same bytes.
        {"m.json", R"({"name": "a"})", JSON},
        {"m.jsonl", R"({"main": {}})", TEST_CASES},
        // For ambiguous content, the name decides.
        {"m.pb", "", BINARY},
        {"m.pb", "\xc2\x7e", BINARY},
        {"m.textproto", "canonical", TEXT},
        {"m.textproto", "# nothing", TEXT},
        {"m.json", R"({"other": 1})", JSON},
        {"m.jsonl", "garbage", TEST_CASES},
        {"model", "", {}},
        {"model", "\xc2", {}},
        {"model", "canonically {", {}},
        {"model", "canonical", {}},
        {"model.bin", R"({"other": 1})", {}},
        {"model.bin", "[1]", {}},
};

TEST(FileFormat, IsWhatTheBytesShow) {
    for (const Row& row : kRows) {
        SCOPED_TRACE(std::string(row.name) + ": " + row.bytes);
        EXPECT_EQ(schema::formatOfFile(row.name, row.bytes), row.format);
    }
}

TEST(FileFormat, IsThatOfModelsWithoutExtension) {
    for (const Format format : {Format::BINARY, Format::TEXT, Format::JSON}) {
        for (const char* name : {"model", "m.bin", "m.pb", "m.json"}) {
            SCOPED_TRACE(name);
            const TemporaryFolder folder;
            writeTestFile(folder / name, model(format));
            EXPECT_EQ(readModel(folder / name).value(), AnyModel(kModel));
        }
    }
}

}  // namespace
}  // namespace nn::file_formats_test
