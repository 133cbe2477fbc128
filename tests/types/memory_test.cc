#include "nnapi/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <optional>
#include <vector>

namespace nn {
namespace {

// A file that other processes can truncate.
SharedMemory unsealed(size_t size, int prot = PROT_READ | PROT_WRITE) {
    const UniqueFd fd(memfd_create("unsealed", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(size)), 0);
    return createSharedMemory(size, prot, fd.get(), 0).value();
}

int fdOf(const SharedMemory& memory) {
    const auto* file = std::get_if<Memory::Fd>(&memory->handle);
    return file == nullptr ? std::get<Memory::Ashmem>(memory->handle).fd.get() : file->fd.get();
}

TEST(SharedMemory, OfOurOwnCannotShrink) {
    const SharedMemory own = createSharedMemory(8).value();
    EXPECT_TRUE(cannotShrink(own));
    EXPECT_NE(ftruncate(fdOf(own), 0), 0);
    EXPECT_FALSE(cannotShrink(unsealed(8)));
    EXPECT_FALSE(cannotShrink(nullptr));
}

TEST(SharedMemory, ThatIsSealedCannotChange) {
    const SharedMemory memory = createSharedMemory(8).value();
    EXPECT_FALSE(cannotChange(memory));
    std::optional<Mapping> writable = map(memory).value();
    writable->mutableData()[0] = 5;
    EXPECT_EQ(sealMemory(memory).message(), "sealing memory: Device or resource busy");
    writable.reset();
    ASSERT_TRUE(sealMemory(memory).ok());
    ASSERT_TRUE(sealMemory(memory).ok()) << "again";
    EXPECT_TRUE(cannotChange(memory));
    EXPECT_TRUE(cannotShrink(memory));

    const Mapping mapping = map(memory).value();
    EXPECT_EQ(mapping.mutableData(), nullptr);
    EXPECT_EQ(mapping.data()[0], 5);
    EXPECT_EQ(writeMemory(memory, 0, std::vector<uint8_t>{1}).message(),
              "memory: Operation not permitted");
    EXPECT_NE(ftruncate(fdOf(memory), 16), 0);
}

TEST(SharedMemory, ThatCannotBeSealed) {
    EXPECT_EQ(sealMemory(unsealed(8)).message(), "sealing memory: Operation not permitted");
    EXPECT_EQ(sealMemory(nullptr).message(), "sealing memory: Bad file descriptor");
    EXPECT_FALSE(cannotChange(unsealed(8)));
    EXPECT_FALSE(cannotChange(nullptr));
}

TEST(SharedMemory, IsReadAndWrittenWithoutMapping) {
    for (const SharedMemory& memory : {createSharedMemory(8).value(), unsealed(8)}) {
        const std::vector<uint8_t> bytes = {1, 2, 3};
        std::vector<uint8_t> read(3);
        ASSERT_TRUE(writeMemory(memory, 5, bytes).ok());
        ASSERT_TRUE(readMemory(memory, 5, read).ok());
        EXPECT_EQ(read, bytes);
        EXPECT_EQ(map(memory)->data()[6], 2);
        EXPECT_EQ(readMemory(memory, 6, read).message(),
                  "bytes 6 + 3 lie outside of memory of 8 bytes");
        EXPECT_EQ(writeMemory(memory, UINT64_MAX, bytes).message(),
                  "bytes 18446744073709551615 + 3 lie outside of memory of 8 bytes");
    }
}

TEST(SharedMemory, ThatBecameShorterIsAnError) {
    const SharedMemory memory = unsealed(8);
    ASSERT_EQ(ftruncate(fdOf(memory), 4), 0);
    std::vector<uint8_t> bytes(1);
    const char* message = "memory claims bytes 0 to 0 + 8 of a file of 4 bytes";
    EXPECT_EQ(map(memory).status().message(), message);
    EXPECT_EQ(readMemory(memory, 0, bytes).message(), message);
    EXPECT_EQ(writeMemory(memory, 0, bytes).message(), message);
}

TEST(SharedMemory, WithoutPermissionsIsNotMapped) {
    const char* message = "memory has prot 0, allowed PROT_READ, PROT_WRITE or both to be mapped";
    EXPECT_EQ(map(unsealed(8, PROT_NONE)).status().message(), message);
    EXPECT_EQ(readMemory(unsealed(8, PROT_NONE), 0, {}).message(), message);
    const Mapping writeOnly = map(unsealed(8, PROT_WRITE)).value();
    EXPECT_EQ(writeOnly.data()[0], 0);
    EXPECT_NE(writeOnly.mutableData(), nullptr);
}

}  // namespace
}  // namespace nn
