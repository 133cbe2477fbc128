#include "types/file_copy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <variant>

#include "temporary_folder.h"

namespace nn {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const SharedMemory& memory) {
    const Mapping mapping = map(memory).value();
    return {reinterpret_cast<const char*>(mapping.data()), mapping.size()};
}

class FileCopy : public ::testing::Test {
   protected:
    fs::path file(std::string_view name, const std::string& bytes) const {
        std::ofstream(folder / name) << bytes;
        return folder / name;
    }
    static UniqueFd open(const fs::path& path) { return UniqueFd(::open(path.c_str(), O_RDONLY)); }

    const TemporaryFolder folder;
};

TEST_F(FileCopy, KeepsItsBytesWhenTheFileChanges) {
    const std::string bytes(100'000, 'a');
    const fs::path path = file("f", bytes);
    const SharedMemory memory = readIntoMemory(path, {}).value();
    file("f", std::string(100'000, 'b'));
    EXPECT_EQ(bytesOf(memory), bytes);
    fs::resize_file(path, 0);
    EXPECT_EQ(bytesOf(memory), bytes);
    EXPECT_TRUE(cannotChange(memory));
}

TEST_F(FileCopy, HasTheRange) {
    const UniqueFd from = open(file("f", "0123456789"));
    const UniqueFd copy = sealedCopy(from.get(), 3, 4).value();
    EXPECT_EQ(bytesOf(createSharedMemory(4, PROT_READ, copy.get(), 0).value()), "3456");
    EXPECT_NE(pwrite(copy.get(), "x", 1, 0), 1);
    EXPECT_NE(ftruncate(copy.get(), 1), 0);
    EXPECT_FALSE(sealedCopy(from.get(), 8, 4).ok());
    EXPECT_FALSE(sealedCopy(from.get(), UINT64_MAX, 4).ok());
}

TEST_F(FileCopy, TakesNoMemoryForHoles) {
    const fs::path path = file("f", "begin");
    constexpr uint64_t kSize = uint64_t{1} << 30;
    fs::resize_file(path, kSize);
    const SharedMemory memory = readIntoMemory(path, {}).value();
    EXPECT_EQ(size(memory), kSize);
    struct stat status {};
    ASSERT_EQ(fstat(std::get<Memory::Fd>(memory->handle).fd.get(), &status), 0);
    EXPECT_LT(status.st_blocks * 512, 1 << 20);
    const Mapping mapping = map(memory).value();
    EXPECT_EQ(mapping.data()[0], 'b');
    EXPECT_EQ(mapping.data()[kSize - 1], 0);
}

TEST_F(FileCopy, FailsForFilesThatCannotBeRead) {
    EXPECT_EQ(readIntoMemory(file("empty", ""), {}).status().message(),
              (folder / "empty").string() + ": is empty");
    EXPECT_EQ(readIntoMemory(file("f", "12345"), {.fileBytes = 4}).status().message(),
              (folder / "f").string() + ": has 5 bytes, allowed 4 [limits.file_bytes]");
    EXPECT_EQ(readIntoMemory(folder / "none", {}).status().message(),
              (folder / "none").string() + ": No such file or directory");
}

TEST_F(FileCopy, OfMemoryIsMadeOnlyWhereOthersCanChangeIt) {
    const fs::path path = file("f", "12345");
    const SharedMemory shared = createSharedMemory(5, PROT_READ, open(path).get(), 0).value();
    const SharedMemory copy = sealedMemory(shared).value();
    EXPECT_NE(copy, shared);
    EXPECT_EQ(sealedMemory(copy).value(), copy);
    fs::resize_file(path, 0);
    EXPECT_EQ(bytesOf(copy), "12345");
    EXPECT_FALSE(sealedMemory(shared).ok()) << "its file is too short now";
    EXPECT_FALSE(sealedMemory(nullptr).ok());
}

TEST_F(FileCopy, LoadsPartsAtTheirOffsets) {
    const UniqueFd from = open(file("f", "abcdefghij"));
    SparseCopy copy = SparseCopy::create(10).value();
    const auto bytes = copy.bytes();
    ASSERT_TRUE(copy.load(from.get(), 2, 3).ok());
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()), std::string("\0\0cde\0\0\0\0\0", 10));
    ASSERT_TRUE(copy.load(from.get(), 9, 1).ok());
    EXPECT_EQ(bytes[9], 'j') << "also in parts loaded later";
    EXPECT_FALSE(copy.load(from.get(), 9, 2).ok());
    ASSERT_TRUE(copy.seal().ok());
    EXPECT_TRUE(cannotChange(copy.memory()));
    EXPECT_EQ(bytesOf(copy.memory()), std::string("\0\0cde\0\0\0\0j", 10));
}

}  // namespace
}  // namespace nn
