// An error in a file is reported once, with its position.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <csignal>

#include "model_io/model_equality.h"

namespace nn::malformed_test {
namespace {

using namespace std::string_literals;

struct Broken {
    const char* name;
    const char* file;
    std::string bytes;
    std::string message;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

std::string gzip(std::string_view text) {
    const TemporaryFolder folder;
    const auto path = folder / "x.gz";
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::string bytes(std::filesystem::file_size(path), '\0');
    FILE* in = fopen(path.c_str(), "rb");
    EXPECT_EQ(fread(bytes.data(), 1, bytes.size(), in), bytes.size());
    fclose(in);
    return bytes;
}

// A binary model with one operand of dimensions {1, 2, 3}.
std::string binary() {
    const Model model{.main = {.operands = {{.dimensions = {1, 2, 3}}}}};
    return serializeModel(model, Format::BINARY).value();
}

std::string json(const std::string& model) { return "{\"canonical\": {" + model + "}}"; }

const Broken kBrokenModels[] = {
        {"NoExtension", "m", "",
         "m: extension is \"\", allowed .pb, .textproto and .json for a model whose bytes show no "
         "format"},
        {"UnknownExtension", "m.onnx", "",
         "m.onnx: extension is \".onnx\", allowed .pb, .textproto and .json for a model whose "
         "bytes "
         "show no format"},
        {"TestCases", "m.jsonl", "{}",
         "m.jsonl: extension is \".jsonl\", allowed .pb, .textproto and .json for a model"},

        {"BinaryEmpty", "m.pb", "", "m.pb: holds no model"},
        {"BinaryTruncated", "m.pb", binary().substr(0, binary().size() - 1),
         "m.pb: byte 0: canonical is truncated"},
        {"BinaryTruncatedTag", "m.pb", "\xc2"s, "m.pb: byte 0: malformed or truncated field"},
        {"BinaryTruncatedInside", "m.pb", "\xc2\x3e\x02\x0a\x05"s,
         "m.pb: byte 3: canonical: main is truncated"},
        {"BinaryUnknownField", "m.pb", "\xc2\x3e\x02\x58\x05"s,
         "m.pb: byte 3: canonical: field 11 of wire type 0 is not part of nnapi.Model"},
        {"BinaryWrongWireType", "m.pb", "\xc2\x3e\x02\x08\x05"s,
         "m.pb: byte 3: canonical: field 1 of wire type 0 is not part of nnapi.Model"},
        {"BinaryNotUtf8", "m.pb", "\xc2\x3e\x05\x32\x03\x0a\x01\xff"s,
         "m.pb: holds a string that is not UTF-8, or a damaged list"},
        {"BinaryIsText", "m.pb", "canonically { main {} }",
         "m.pb: byte 0: field 12 of wire type 3 is not part of nnapi.ModelFile"},
        {"BinaryIsGzip", "m.pb", gzip(binary()), "m.pb: is compressed, allowed only in .jsonl.gz"},

        {"TextEmpty", "m.textproto", "", "m.textproto: holds no model"},
        {"TextSyntax", "m.textproto", "canonical {\n  main {\n    operands { type: }\n",
         "m.textproto:3:22: Expected integer or identifier, got: }"},
        {"TextTruncated", "m.textproto", "canonical {\n  main {",
         "m.textproto:2:9: Expected identifier, got: end of file"},
        {"TextUnknownField", "m.textproto", "canonical {\n  name: 'x'\n}",
         "m.textproto:2:7: Message type \"nnapi.Model\" has no field named \"name\""},
        {"TextUnknownEnum", "m.textproto", "canonical { main { operands { type: FLOAT64 } } }",
         "m.textproto:1:45: Unknown enumeration value of \"FLOAT64\" for field \"type\""},
        {"TextLongName", "m.textproto", std::string(100000, 'x'),
         "m.textproto:1:100001: Message type \"nnapi.ModelFile\" has no field named \"" +
                 std::string(205, 'x') + "..."},
        {"TextTestCase", "m.textproto", "name: 'add'",
         "m.textproto:1:5: Message type \"nnapi.ModelFile\" has no field named \"name\""},
        {"TextNotUtf8", "m.textproto", R"(v1_0 { pools { name: "\377" } })",
         "m.textproto: pools[0].name is not UTF-8, which files demand"},
        {"TextNotUtf8Extension", "m.textproto",
         R"(canonical { extensionNameToPrefix { name: "\377" } })",
         "m.textproto: extensionNameToPrefix[0].name is not UTF-8, which files demand"},
        {"TextTwice", "m.textproto", "canonical {}\nv1_0 {}",
         "m.textproto:2:6: Field \"v1_0\" is specified along with field \"canonical\", another "
         "member of oneof \"model\""},

        {"JsonEmpty", "m.json", "",
         "m.json: column 1: found the end of the text, allowed an object"},
        {"JsonEmptyObject", "m.json", "{}", "m.json: holds no model"},
        {"JsonNull", "m.json", "null", "m.json: column 1: found null, allowed an object"},
        {"JsonArray", "m.json", "[]", "m.json: column 1: found a list, allowed an object"},
        {"JsonSyntax", "m.json", "{\"canonical\": {\n  \"main\": {,\n",
         "m.json:2:12: found ',', allowed a name in quotes and '}'"},
        {"JsonTruncated", "m.json", "{\"canonical\": {\"main\": {",
         "m.json: column 25: found the end of the text, allowed a name in quotes and '}'"},
        {"JsonTrailing", "m.json", json("") + "x",
         "m.json: column 18: found \"x\", allowed the end of the text"},
        {"JsonDeep", "m.json", std::string(10000, '['),
         "m.json: column 1: found a list, allowed an object"},
        {"JsonUnknownField", "m.json", json("\"main\": {\"operands\": [{\"typ\": 1}]}"),
         "m.json: column 39: canonical.main.operands[0]: \"typ\" is not a field of nnapi.Operand"},
        {"JsonUnknownFieldOfLines", "m.json", "{\"\n x\": 1}",
         "m.json:1:3: a string holds a control character, allowed as an escape"},
        {"JsonUnknownEnum", "m.json", json("\"main\": {\"operands\": [{\"type\": \"FLOAT64\"}]}"),
         "m.json: column 47: canonical.main.operands[0].type: found \"FLOAT64\", allowed a name or "
         "number of nnapi.OperandType.Code"},
        {"JsonNotBase64", "m.json", json("\"operandValues\": \"?\""),
         "m.json: column 33: canonical.operandValues: found \"?\", allowed base64 in a string"},
        {"JsonNegative", "m.json", json("\"main\": {\"inputIndexes\": [-1]}"),
         "m.json: column 42: canonical.main.inputIndexes[0]: found -1, allowed an integer of 32 "
         "bits from "
         "0 on"},
        {"JsonTestCase", "m.json", "{\"name\": \"add\", \"model\": {}}",
         "m.json: holds a test case, allowed a model (test cases are read from .jsonl and "
         ".jsonl.gz)"},
        {"JsonIsBinary", "m.json", "\xc2\x7e"s, "m.json: column 1: found \"\\xc2\", allowed UTF-8"},

        {"ValueOfInput", "m.json",
         json(R"("main": {"operands": [{}, {"lifetime": "SUBGRAPH_INPUT", "value": "YQ=="}]})"),
         "m.json: main.operands[1].value found, allowed only for lifetime CONSTANT_COPY and "
         "CONSTANT_REFERENCE, lifetime is SUBGRAPH_INPUT"},
        {"SubgraphOfConstant", "m.json",
         json(R"("referenced": [{"operands": [{"lifetime": "CONSTANT_COPY", "subgraphIndex": 1}]}])"),
         "m.json: referenced[0].operands[0].subgraphIndex found, allowed only for lifetime "
         "SUBGRAPH, lifetime is CONSTANT_COPY"},
        {"ReferenceToNothing", "m.json",
         json(R"("main": {"operands": [{"lifetime": "CONSTANT_REFERENCE", "value": ""}]})"),
         "m.json: main.operands[0].value is empty, allowed 1 byte or more"},
        {"Prefix", "m.json", json(R"("extensionNameToPrefix": [{"prefix": 65536}])"),
         "m.json: extensionNameToPrefix[0].prefix is 65536, allowed 0..65535"},
        {"PoolSize", "m.json",
         json(R"("pools": [{"kind": "ASHMEM", "size": 2, "contents": "YQ=="}])"),
         "m.json: pools[0].size is 2, contents has 1 byte"},
        {"PoolKind", "m.json", json(R"("pools": [{"kind": 9}])"),
         "m.json: pools[0].kind is 9, which has no meaning"},
        {"PoolContents", "m.json",
         json(R"("pools": [{"kind": "UNKNOWN", "size": 1, "contents": "YQ=="}])"),
         "m.json: pools[0].contents found, allowed only where kind is ASHMEM or FILE"},
        {"PoolDescription", "m.json",
         json(R"("pools": [{"kind": "ASHMEM", "description": {"width": 1}}])"),
         "m.json: pools[0].description found, allowed only where kind is HARDWARE_BUFFER"},
        {"AidlWithoutVersion", "m.json", R"({"aidl": {"model": {}}})",
         "m.json: version is 0, allowed 1 to 4"},
        {"AidlVersion", "m.json", R"({"aidl": {"version": 5}})",
         "m.json: version is 5, allowed 1 to 4"},
        {"AidlExtraParams", "m.json",
         R"({"aidl": {"version": 1, "model": {"main": {"operands": [{"extraParams": {}}]}}}})",
         "m.json: model.main.operands[0].extraParams.member is missing, allowed "
         "channelQuant or extension"},
        {"AidlPrefix", "m.json",
         R"({"aidl": {"version": 1, "model": {"extensionNameToPrefix": [{"prefix": 65536}]}}})",
         "m.json: model.extensionNameToPrefix[0].prefix is 65536, allowed 0..65535"},
        {"AidlPoolKind", "m.json", R"({"aidl": {"version": 1, "model": {"pools": [{"kind": 9}]}}})",
         "m.json: model.pools[0].kind is 9, which has no meaning"},
        {"AidlPoolSize", "m.json",
         R"({"aidl": {"version": 1, "model": {"pools": [{"size": "-1", "contents": "YQ=="}]}}})",
         "m.json: model.pools[0].size is -1, contents has 1 byte"},
        {"AidlPoolContents", "m.json",
         R"({"aidl": {"version": 1, "model": {"pools": [{"kind": "HARDWARE_BUFFER", "contents": "YQ=="}]}}})",
         "m.json: model.pools[0].contents found, allowed only where kind is ASHMEM or "
         "MAPPABLE_FILE"},
        {"AidlPoolDescription", "m.json",
         R"({"aidl": {"version": 1, "model": {"pools": [{"description": {"width": 1}}]}}})",
         "m.json: model.pools[0].description found, allowed only where kind is HARDWARE_BUFFER"},
        {"PoolOffset", "m.json",
         json(R"("pools": [{"kind": "FILE", "size": 1, "contents": "YQ==", "offset": "18446744073709551615"}])"),
         "m.json: pools[0].contents: no shared memory of 18446744073709551615 bytes: "
         "File too large"},
        {"HidlPrefix", "m.json", R"({"v1_2": {"extensionNameToPrefix": [{}, {"prefix": 65536}]}})",
         "m.json: extensionNameToPrefix[1].prefix is 65536, allowed 0..65535"},
        {"HidlPool", "m.json",
         R"({"v1_3": {"pools": [{"name": "ion", "size": 1, "contents": "YQ=="}]}})",
         "m.json: pools[0].name is \"ion\", allowed 'ashmem' and 'mmap_fd' where there are "
         "contents"},
};

class BrokenModel : public testing::TestWithParam<Broken> {};
INSTANTIATE_TEST_SUITE_P(, BrokenModel, testing::ValuesIn(kBrokenModels),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(BrokenModel, SaysWhere) {
    const TemporaryFolder folder;
    writeTestFile(folder / GetParam().file, GetParam().bytes);
    EXPECT_EQ(messageOf(readModel(folder / GetParam().file).status(), folder), GetParam().message);
}

constexpr std::string_view kGood = "{\"name\": \"good\"}\n";
std::string lines(std::string_view bad) {
    return std::string(kGood) + std::string(bad) + "\n\n" + std::string(kGood);
}

// Each of these files has a good case before the bad one and, where reading can go on, one after
// it.
const Broken kBrokenLines[] = {
        {"Syntax", "c.jsonl", lines("{\"name\""),
         "c.jsonl:2: column 8: found the end of the text, allowed ':'"},
        {"InGzip", "c.jsonl.gz", gzip(lines("{\"name\"")),
         "c.jsonl.gz:2: column 8: found the end of the text, allowed ':'"},
        {"NoObject", "c.jsonl", lines("17"), "c.jsonl:2: column 1: found 17, allowed an object"},
        {"Model", "c.jsonl", lines("{\"canonical\": {}}"),
         "c.jsonl:2: holds a model, allowed a test case (models are read from .json)"},
        {"BareModel", "c.jsonl", lines("{\"main\": {}}"),
         "c.jsonl:2: holds a model, allowed a test case (models are read from .json)"},
        {"Version", "c.jsonl", lines("{\"minSupportedVersion\": 99}"),
         "c.jsonl:2: minSupportedVersion is 99, allowed 0..8"},
        {"Value", "c.jsonl", lines(R"({"model": {"main": {"operands": [{"value": "YQ=="}]}}})"),
         "c.jsonl:2: model.main.operands[0].value found, allowed only for lifetime CONSTANT_COPY "
         "and CONSTANT_REFERENCE, lifetime is TEMPORARY_VARIABLE"},
        {"Ignored", "c.jsonl", lines(R"({"inputs": [{"ignored": true}]})"),
         "c.jsonl:2: inputs: ignored found, allowed only in outputs"},
        {"SideFile", "c.jsonl", lines(R"({"model": {"pools": [{"sideFile": {"path": "x"}}]}})"),
         "c.jsonl:2: model.pools[0].sideFile: allowed only in a model file"},
};

class BrokenLine : public testing::TestWithParam<Broken> {};
INSTANTIATE_TEST_SUITE_P(, BrokenLine, testing::ValuesIn(kBrokenLines),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(BrokenLine, IsAFailureOfItsOwn) {
    const TemporaryFolder folder;
    writeTestFile(folder / GetParam().file, GetParam().bytes);
    auto reader = TestCaseReader::open(folder / GetParam().file);
    ASSERT_TRUE(reader.ok()) << reader.status();
    const auto first = reader->next();
    const auto second = reader->next();
    const auto third = reader->next();
    ASSERT_TRUE(first && second && third);
    EXPECT_EQ((*first)->name, "good");
    EXPECT_EQ(messageOf(second->status(), folder), GetParam().message);
    EXPECT_EQ((*third)->name, "good");
    EXPECT_FALSE(reader->next().has_value());
}

const Broken kBrokenCaseFiles[] = {
        {"Extension", "c.json", "",
         "c.json: extension is \".json\", allowed .jsonl and .jsonl.gz for test cases"},
        {"ExtensionGz", "c.gz", "",
         "c.gz: extension is \".gz\", allowed .jsonl and .jsonl.gz for test cases"},
};

class BrokenCaseFile : public testing::TestWithParam<Broken> {};
INSTANTIATE_TEST_SUITE_P(, BrokenCaseFile, testing::ValuesIn(kBrokenCaseFiles),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(BrokenCaseFile, IsNotOpened) {
    const TemporaryFolder folder;
    writeTestFile(folder / GetParam().file, GetParam().bytes);
    EXPECT_EQ(messageOf(TestCaseReader::open(folder / GetParam().file).status(), folder),
              GetParam().message);
}

// A truncated or damaged stream returns the cases before that position, and then ends with a
// failure.
std::string lastFailure(const std::string& bytes, const std::string& name = "c.jsonl.gz") {
    const TemporaryFolder folder;
    writeTestFile(folder / name, bytes);
    auto reader = TestCaseReader::open(folder / name);
    EXPECT_TRUE(reader.ok()) << reader.status();
    std::string last;
    while (auto next = reader->next()) last = messageOf(next->status(), folder);
    return last;
}

TEST(BrokenStream, Truncated) {
    const std::string whole = gzip(lines("{}"));
    EXPECT_EQ(lastFailure(whole.substr(0, whole.size() - 12)),
              "c.jsonl.gz:4: compressed data is truncated");
}

TEST(BrokenStream, Damaged) {
    std::string whole = gzip(lines("{}"));
    whole[whole.size() - 6] ^= 1;  // in the checksum
    EXPECT_EQ(lastFailure(whole), "c.jsonl.gz:1: compressed data is damaged");
}

TEST(BrokenStream, AfterTheFirstMember) {
    const std::string whole = gzip(std::string(kGood) + std::string(kGood));
    std::string damaged = whole;
    damaged[1] ^= 1;
    const std::pair<std::string, const char*> kRows[] = {
            {"", ""},
            {whole, ""},
            {std::string(1000, '\0'), ""},
            {whole + std::string(1, '\0'), ""},
            {damaged, "c.jsonl.gz:3: compressed data is damaged"},
            {"garbage", "c.jsonl.gz:3: compressed data is damaged"},
            {std::string(7, '\0') + "xx", "c.jsonl.gz:3: compressed data is damaged"},
            {whole.substr(0, 1), "c.jsonl.gz:3: compressed data is truncated"},
            {whole.substr(0, whole.size() - 1), "c.jsonl.gz:5: compressed data is truncated"},
    };
    for (const auto& [second, failure] : kRows) EXPECT_EQ(lastFailure(whole + second), failure);
}

TEST(TestCaseFile, MayHaveTheExtensionOfTheOtherPacking) {
    EXPECT_EQ(lastFailure(gzip(kGood), "c.jsonl"), "");
    EXPECT_EQ(lastFailure(std::string(kGood), "c.jsonl.gz"), "");
}

TEST(TestCaseFile, WithoutTestCasesIsAFailure) {
    for (const std::string bytes : {"", "\n \n"})
        EXPECT_EQ(lastFailure(bytes, "c.jsonl"), "c.jsonl: holds no test cases");
    EXPECT_EQ(lastFailure(gzip("")), "c.jsonl.gz: holds no test cases");
    EXPECT_EQ(lastFailure(""), "c.jsonl.gz: holds no test cases");
}

TEST(MissingFile, IsReported) {
    const TemporaryFolder folder;
    EXPECT_EQ(messageOf(readModel(folder / "m.pb").status(), folder),
              "m.pb: No such file or directory");
    EXPECT_EQ(messageOf(TestCaseReader::open(folder / "c.jsonl").status(), folder),
              "c.jsonl: No such file or directory");
    EXPECT_EQ(messageOf(writeModel(folder / "none/m.pb", Model{}), folder),
              "none/m.pb: No such file or directory");
    EXPECT_EQ(messageOf(writeTestCases(folder / "none/c.jsonl", {}), folder),
              "none/c.jsonl: No such file or directory");
}

TEST(Folder, IsRejectedAsFile) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "m.pb");
    EXPECT_EQ(messageOf(readModel(folder / "m.pb").status(), folder),
              "m.pb: is not a regular file");
    EXPECT_EQ(messageOf(writeModel(folder / "m.pb", Model{}), folder),
              "m.pb: is not a regular file");
}

TEST(Unwritable, IsRefusedWithoutAFile) {
    const TemporaryFolder folder;
    int value = 0;
    Model pointer{.referenced = {{.operands = {{.lifetime = Operand::LifeTime::POINTER,
                                                .location = {.pointer = &value}}}}}};
    EXPECT_EQ(messageOf(writeModel(folder / "m.pb", pointer), folder),
              "m.pb: referenced[0].operands[0].location is a pointer, which no file can hold");

    const Model notText{.extensionNameToPrefix = {{.name = "\xff"}}};
    EXPECT_EQ(messageOf(writeModel(folder / "m.pb", notText), folder),
              "m.pb: extensionNameToPrefix[0].name is not UTF-8, which files demand");

    const auto shorter = std::make_shared<const Memory>(
            Memory{Memory::Ashmem{.fd = UniqueFd(memfd_create("test", MFD_CLOEXEC)), .size = 9}});
    EXPECT_EQ(messageOf(writeModel(folder / "m.pb", Model{.pools = {shorter}}), folder),
              "m.pb: pools[0].contents: needs 9 bytes from byte 0 on, the file has 0");

    const TestCase notASingleVersion{.name = "a",
                                     .minSupportedVersion = Version{.runtimeOnlyFeatures = true}};
    EXPECT_EQ(messageOf(writeTestCases(folder / "c.jsonl", {&notASingleVersion, 1}), folder),
              "c.jsonl: a: minSupportedVersion is HAL 1.0 with runtime-only features, allowed "
              "feature levels 1..8 without runtime-only features");
    EXPECT_EQ(messageOf(writeModel(folder / "m.tflite", Model{}), folder),
              "m.tflite: extension is \".tflite\", allowed .pb, .textproto and .json for a model");
    EXPECT_THAT(folder.files(), testing::IsEmpty());
}

// Simulates a full disk: no file may become longer than this many bytes.
class LimitedFileSize {
   public:
    explicit LimitedFileSize(rlim_t bytes) : mHandler(signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &mBefore);
        const rlimit limited{.rlim_cur = bytes, .rlim_max = mBefore.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~LimitedFileSize() {
        setrlimit(RLIMIT_FSIZE, &mBefore);
        signal(SIGXFSZ, mHandler);
    }

   private:
    rlimit mBefore{};
    void (*mHandler)(int);
};

// No file exists before commit(), and no case can be added after it or after a failure.
TEST(TestCaseFiles, AreWrittenOnce) {
    const TemporaryFolder folder;
    const std::string over = "the file of test cases is written already";
    Result<TestCaseWriter> writer = TestCaseWriter::create(folder / "c.jsonl");
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_EQ(writer->write({.name = "a"}), Status());
    EXPECT_FALSE(std::filesystem::exists(folder / "c.jsonl"));
    EXPECT_EQ(writer->commit(), Status());
    EXPECT_TRUE(std::filesystem::exists(folder / "c.jsonl"));
    EXPECT_EQ(writer->write({.name = "b"}).message(), over);
    EXPECT_EQ(writer->commit().message(), over);

    writer = TestCaseWriter::create(folder / "d.jsonl");
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_FALSE(writer->write({.name = "\xff"}).ok());
    EXPECT_EQ(writer->commit().message(), over);
    EXPECT_FALSE(std::filesystem::exists(folder / "d.jsonl"));
}

TEST(FullDisk, LeavesThePreviousFileAlone) {
    const TemporaryFolder folder;
    ASSERT_EQ(writeModel(folder / "m.pb", Model{}), Status());
    ASSERT_EQ(writeTestCases(folder / "c.jsonl", {}), Status());
    const Model large{.operandValues = Model::OperandValues(std::vector<uint8_t>(1 << 20))};
    const TestCase largeCase{.name = "a", .model = large};
    Status model;
    Status testCases;
    {
        const LimitedFileSize limit(1000);
        model = writeModel(folder / "m.pb", large);
        testCases = writeTestCases(folder / "c.jsonl", {&largeCase, 1});
    }
    EXPECT_EQ(messageOf(model, folder), "m.pb: File too large");
    EXPECT_EQ(messageOf(testCases, folder), "c.jsonl: File too large");
    EXPECT_THAT(folder.files(), testing::ElementsAre("c.jsonl", "m.pb"));
    EXPECT_EQ(readModel(folder / "m.pb").value(), AnyModel(Model{}));
    EXPECT_EQ(std::filesystem::file_size(folder / "c.jsonl"), 0u);
}

TEST(Link, StaysOne) {
    const TemporaryFolder folder;
    writeTestFile(folder / "m.pb", "");
    std::filesystem::create_symlink("m.pb", folder / "link.pb");
    ASSERT_EQ(writeModel(folder / "link.pb", Model{}), Status());
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.pb"));
    EXPECT_EQ(readModel(folder / "m.pb").value(), AnyModel(Model{}));
}

}  // namespace
}  // namespace nn::malformed_test
