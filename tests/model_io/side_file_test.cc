// Large pools lie in a separate file, from which they are copied.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_io/model_equality.h"

namespace nn::side_file_test {
namespace {

namespace fs = std::filesystem;

const std::string kLarge(100000, 'w');
const std::string kLarger(200000, 'v');

Model model() {
    return {.main = {.operands = {{.lifetime = Operand::LifeTime::CONSTANT_REFERENCE,
                                   .location = {.length = 100000}}}},
            .pools = {ashmemOf(kLarge), ashmemOf("small"), fileOf(kLarger, 4096, PROT_READ)}};
}

std::string bytesOf(const SharedMemory& pool) {
    const auto mapping = map(pool);
    EXPECT_TRUE(mapping.ok()) << mapping.status();
    return mapping.ok() ? std::string(mapping->data(), mapping->data() + mapping->size()) : "";
}

TEST(SideFile, HoldsLargePools) {
    for (const char* name : {"m.pb", "m.textproto", "m.json"}) {
        SCOPED_TRACE(name);
        const TemporaryFolder folder;
        ASSERT_EQ(writeModel(folder / name, model(), {.sideFileAbove = 99999}), Status());
        EXPECT_THAT(folder.files(), testing::ElementsAre(name, std::string(name) + ".data"));
        EXPECT_LT(fs::file_size(folder / name), 1000u);

        const auto read = readModel(folder / name);
        ASSERT_TRUE(read.ok()) << read.status();
        const Model& back = std::get<Model>(*read);
        EXPECT_EQ(back.main, model().main);
        ASSERT_EQ(back.pools.size(), 3u);
        EXPECT_EQ(bytesOf(back.pools[0]), kLarge);
        EXPECT_EQ(describe(back.pools[1]), "ashmem small");
        EXPECT_EQ(bytesOf(back.pools[2]), kLarger);
        const auto* mapped = std::get_if<Memory::Fd>(&back.pools[2]->handle);
        ASSERT_NE(mapped, nullptr);
        EXPECT_EQ(mapped->prot, PROT_READ);
        EXPECT_TRUE(cannotChange(back.pools[2]));
    }
}

TEST(SideFile, HoldsPoolsOfVersionedModels) {
    const TemporaryFolder folder;
    const V1_0::Model written{.pools = {hidlOf("ashmem", ashmemOf("small")),
                                        hidlOf("ashmem", ashmemOf(kLarge)),
                                        {"hardware_buffer_blob", {}, 1 << 30}}};
    ASSERT_EQ(writeModel(folder / "m.pb", written, {.sideFileAbove = 99999}), Status());
    const auto read = readModel(folder / "m.pb");
    ASSERT_TRUE(read.ok()) << read.status();
    const auto& pools = std::get<V1_0::Model>(*read).pools;
    ASSERT_EQ(pools.size(), 3u);
    EXPECT_EQ(describe(pools[0]), "ashmem 5 small");
    EXPECT_EQ(describe(pools[1]), "mmap_fd 100000 1 " + kLarge);
    EXPECT_EQ(describe(pools[2]), "hardware_buffer_blob 1073741824 no handle");
}

TEST(SideFile, IsReplacedWhileModelsHaveItsPools) {
    const TemporaryFolder folder;
    ASSERT_EQ(writeModel(folder / "m.pb", model(), {.sideFileAbove = 0}), Status());
    const auto first = readModel(folder / "m.pb").value();
    ASSERT_EQ(writeModel(folder / "m.pb", first, {.sideFileAbove = 0}), Status());
    EXPECT_EQ(bytesOf(std::get<Model>(first).pools[0]), kLarge);
    EXPECT_EQ(bytesOf(std::get<Model>(*readModel(folder / "m.pb")).pools[0]), kLarge);
}

TEST(SideFile, MayChangeAfterTheModelIsRead) {
    const TemporaryFolder folder;
    ASSERT_EQ(writeModel(folder / "m.pb", model(), {.sideFileAbove = 0}), Status());
    const auto read = readModel(folder / "m.pb").value();
    fs::resize_file(folder / "m.pb.data", 0);
    EXPECT_EQ(bytesOf(std::get<Model>(read).pools[0]), kLarge);
}

// A small file may refer to the same part many times.
TEST(SideFile, IsCopiedWithinTheLimitOfConstants) {
    const TemporaryFolder folder;
    writeTestFile(folder / "w.data", std::string(100, 'w'));
    const std::string pool =
            R"({"kind": "FILE", "size": 100, "sideFile": {"path": "w.data", "offset": 0}})";
    writeTestFile(folder / "m.json", R"({"canonical": {"pools": [)" + pool + "," + pool + "]}}");
    EXPECT_TRUE(readModel(folder / "m.json", {.constantBytes = 200}).ok());
    EXPECT_EQ(messageOf(readModel(folder / "m.json", {.constantBytes = 199}).status(), folder),
              "m.json: pools[1].sideFile: w.data: side files: has 200 bytes, allowed 199 "
              "[limits.constant_bytes]");
}

TEST(SideFile, IsNotLeftBehind) {
    const TemporaryFolder folder;
    Model broken = model();
    broken.extensionNameToPrefix = {{.name = "ok"}};
    broken.pools.push_back(
            std::make_shared<const Memory>(Memory{Memory::Unknown{.size = 1, .name = "\xff"}}));
    EXPECT_EQ(messageOf(writeModel(folder / "m.pb", broken, {.sideFileAbove = 0}), folder),
              "m.pb: pools[3].name is not UTF-8, which files demand");
    EXPECT_THAT(folder.files(), testing::IsEmpty());
}

struct Broken {
    const char* name;
    const char* sideFile;
    const char* message;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

const Broken kBroken[] = {
        {"Shortened", R"("path": "short.data")",
         "m.json: pools[0].sideFile: short.data: needs 10 bytes from byte 0 on, the file has 9"},
        {"Missing", R"("path": "none.data")",
         "m.json: pools[0].sideFile: none.data: No such file or directory"},
        {"Folder", R"("path": "folder")",
         "m.json: pools[0].sideFile: folder: is not a regular file"},
        {"Absolute", R"("path": "/etc/passwd")",
         "m.json: pools[0].sideFile: path is \"/etc/passwd\", allowed a relative one without '..'"},
        {"Above", R"("path": "folder/../../x")",
         "m.json: pools[0].sideFile: path is \"folder/../../x\", allowed a relative one without "
         "'..'"},
        {"Empty", R"("path": "")",
         "m.json: pools[0].sideFile: path is \"\", allowed a relative one without '..'"},
        {"BehindTheEnd", R"("path": "short.data", "offset": "18446744073709551615")",
         "m.json: pools[0].sideFile: short.data: needs 10 bytes from byte 18446744073709551615 on, "
         "the file has 9"},
};

class BrokenSideFile : public testing::TestWithParam<Broken> {};
INSTANTIATE_TEST_SUITE_P(, BrokenSideFile, testing::ValuesIn(kBroken),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(BrokenSideFile, IsRefused) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "folder");
    writeTestFile(folder / "short.data", "123456789");
    writeTestFile(folder / "m.json",
                  std::string(R"({"pools": [{"kind": "ASHMEM", "size": 10, "sideFile": {)") +
                          GetParam().sideFile + "}}]}");
    EXPECT_EQ(messageOf(readModel(folder / "m.json").status(), folder), GetParam().message);
}

TEST(SideFile, IsRefusedInMemory) {
    EXPECT_EQ(messageOf(parseModel(R"({"pools": [{"sideFile": {"path": "x"}}]})", Format::JSON)
                                .status()),
              "pools[0].sideFile: allowed only in a model file");
}

}  // namespace
}  // namespace nn::side_file_test
