// Frequently read memories keep a mapping: its content, and cases in which there must be none.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "held_by_process.h"
#include "in_child.h"
#include "nnapi/memory.h"
#include "types/memory_file.h"

namespace nn::kept_mappings_test {
namespace {

using held::mappingsOf;
using Bytes = std::vector<uint8_t>;

constexpr int kSealable = MFD_CLOEXEC | MFD_ALLOW_SEALING;
constexpr size_t kPage = 4096, kSize = 48;
constexpr int kOften = 20;

// A memory finds its mapping by the type of its deleter.
#ifdef __cpp_rtti
constexpr size_t kOne = 1;
#else
constexpr size_t kOne = 0;
#endif

// Memory of a named file, so that its mappings can be found.
SharedMemory memoryOf(const char* name, size_t size = kSize, int seals = F_SEAL_SHRINK,
                      unsigned kind = kSealable, size_t offset = 0,
                      int prot = PROT_READ | PROT_WRITE) {
    const UniqueFd fd(memfd_create(name, kind));
    EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(offset + size)), 0) << name;
    EXPECT_TRUE(seals == 0 || fcntl(fd.get(), F_ADD_SEALS, seals) == 0) << name;
    return createSharedMemory(size, prot, fd.get(), offset).value();
}

int fdOf(const SharedMemory& memory) { return std::get<Memory::Fd>(memory->handle).fd.get(); }

Bytes read(const SharedMemory& memory, size_t count = 4, uint64_t offset = 0) {
    Bytes bytes(count, 99);
    const Status status = readMemory(memory, offset, bytes);
    EXPECT_TRUE(status.ok()) << status.message();
    return bytes;
}

void readOften(const SharedMemory& memory) {
    for (int i = 0; i < kOften; ++i) (void)read(memory);
}

struct Case {
    const char* name;
    SharedMemory memory;
    size_t mappings;
};

TEST(KeptMappings, OfWhichMemories) {
    const Case cases[] = {
            {"sealed", memoryOf("sealed"), kOne},
            {"constant", memoryOf("constant", kSize, F_SEAL_SHRINK | F_SEAL_WRITE), kOne},
            {"readable", memoryOf("readable", kSize, F_SEAL_SHRINK, kSealable, 0, PROT_READ), kOne},
            {"behind", memoryOf("behind", kSize, F_SEAL_SHRINK, kSealable, 2 * kPage), kOne},
            {"unaligned", memoryOf("unaligned", kSize, F_SEAL_SHRINK, kSealable, 8), 0},
            {"unsealed", memoryOf("unsealed", kSize, 0), 0},
            {"growing", memoryOf("growing", kSize, F_SEAL_GROW), 0},
            {"long", memoryOf("long", (1 << 20) + 1), 0},
    };
    for (const auto& [name, memory, mappings] : cases) {
        SCOPED_TRACE(name);
        EXPECT_EQ(mappingsOf(name), 0U);
        const Bytes written = {1, 2, 3, 4};
        ASSERT_EQ(writeMemory(memory, 0, written).ok(), !cannotChange(memory));
        (void)read(memory);
        EXPECT_EQ(mappingsOf(name), 0U) << "once";
        readOften(memory);
        EXPECT_EQ(mappingsOf(name), mappings);
        EXPECT_EQ(read(memory), cannotChange(memory) ? Bytes(4) : written);
        Bytes bytes(4);
        EXPECT_EQ(readMemory(memory, size(memory) - 3, bytes).message(),
                  "bytes " + std::to_string(size(memory) - 3) + " + 4 lie outside of memory of " +
                          std::to_string(size(memory)) + " bytes");
    }
}

TEST(KeptMappings, OfHugePages) {
    const UniqueFd fd(memfd_create("huge", kSealable | MFD_HUGETLB));
    if (!fd.ok()) GTEST_SKIP() << "the kernel has no hugetlbfs";
    ASSERT_EQ(ftruncate(fd.get(), 1 << 21), 0);
    ASSERT_EQ(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
    const SharedMemory memory = createSharedMemory(kSize, PROT_READ, fd.get(), 0).value();
    readOften(memory);
    EXPECT_EQ(read(memory), Bytes(4));
    EXPECT_EQ(mappingsOf("huge"), 0U);
}

TEST(KeptMappings, EndWithTheirMemory) {
    SharedMemory memory = memoryOf("ending");
    readOften(memory);
    SharedMemory copy = memory;
    memory = nullptr;
    EXPECT_EQ(mappingsOf("ending"), kOne);
    copy = nullptr;
    EXPECT_EQ(mappingsOf("ending"), 0U);
}

TEST(KeptMappings, ShowWhatOthersWrite) {
    const SharedMemory memory = memoryOf("written");
    readOften(memory);
    ASSERT_EQ(mappingsOf("written"), kOne);
    EXPECT_EQ(pwrite(fdOf(memory), "ab", 2, 0), 2);
    EXPECT_EQ(read(memory, 2), (Bytes{'a', 'b'}));
    map(memory)->mutableData()[1] = 'c';
    EXPECT_EQ(read(memory, 2), (Bytes{'a', 'c'}));
    ASSERT_TRUE(writeMemory(memory, 0, Bytes{'d'}).ok());
    EXPECT_EQ(read(memory, 2), (Bytes{'d', 'c'}));
    // Also in ranges without data before the write, and after their data is removed.
    const SharedMemory sparse = memoryOf("sparse", 4 * kPage);
    readOften(sparse);
    EXPECT_EQ(read(sparse, 1, 3 * kPage), Bytes{0});
    ASSERT_TRUE(writeMemory(sparse, 3 * kPage, Bytes{7}).ok());
    EXPECT_EQ(read(sparse, 1, 3 * kPage), Bytes{7});
    constexpr int kHole = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    ASSERT_EQ(fallocate(fdOf(sparse), kHole, 3 * kPage, kPage), 0);
    EXPECT_EQ(read(sparse, 1, 3 * kPage), Bytes{0});
}

TEST(KeptMappings, AreReadWhileOthersWrite) {
    const SharedMemory memory = memoryOf("changing", kPage);
    const pid_t writer = fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
        const Mapping mapping = map(memory).value();
        for (uint8_t value = 0;; ++value) std::fill_n(mapping.mutableData(), kPage, value);
    }
    for (int i = 0; i < 1000; ++i) (void)read(memory, kPage);
    kill(writer, SIGKILL);
    EXPECT_EQ(waitpid(writer, nullptr, 0), writer);
    EXPECT_EQ(mappingsOf("changing"), kOne);
}

// A file that can be truncated is not mapped: reading it is an error, not a signal.
TEST(KeptMappings, NotWhereOthersShorten) {
    const SharedMemory memory = memoryOf("shortened", kPage, 0);
    readOften(memory);
    ASSERT_EQ(ftruncate(fdOf(memory), 8), 0);
    Bytes bytes(1);
    const char* message = "memory claims bytes 0 to 0 + 4096 of a file of 8 bytes";
    EXPECT_EQ(readMemory(memory, 0, bytes).message(), message);
    EXPECT_EQ(writeMemory(memory, 0, bytes).message(), message);
    // A seal does not help a file that is smaller than its claimed size.
    const UniqueFd fd(memfd_create("claimed", kSealable));
    ASSERT_EQ(ftruncate(fd.get(), 8), 0);
    ASSERT_EQ(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
    const SharedMemory claimed =
            createSharedMemory(kPage, PROT_READ | PROT_WRITE, fd.get(), 0).value();
    for (int i = 0; i < kOften; ++i) {
        EXPECT_EQ(readMemory(claimed, 0, bytes).message(), message);
    }
    EXPECT_EQ(mappingsOf("claimed"), 0U);
}

TEST(KeptMappings, DoNotPreventSealing) {
    const SharedMemory memory = memoryOf("later");
    readOften(memory);
    ASSERT_EQ(mappingsOf("later"), kOne);
    ASSERT_TRUE(writeMemory(memory, 0, Bytes{5}).ok());
    EXPECT_TRUE(MemoryFile::of(memory)->mayBeWritable());
    ASSERT_TRUE(sealMemory(memory).ok());
    EXPECT_TRUE(MemoryFile::of(memory)->isSealedAgainstWriting());
    EXPECT_EQ(map(memory)->mutableData(), nullptr);
    EXPECT_EQ(writeMemory(memory, 0, Bytes{6}).message(), "memory: Operation not permitted");
    EXPECT_EQ(read(memory, 1), Bytes{5});
}

TEST(KeptMappings, InForkedProcesses) {
    const SharedMemory memory = memoryOf("forked");
    const SharedMemory fresh = memoryOf("fresh");
    readOften(memory);
    EXPECT_EQ(inChild([&] {
                  if (!writeMemory(memory, 0, Bytes{'x'}).ok()) return 1;
                  if (read(memory, 1) != Bytes{'x'}) return 2;
                  readOften(fresh);
                  return mappingsOf("fresh") == kOne ? 0 : 3;
              }),
              0);
    EXPECT_EQ(read(memory, 1), Bytes{'x'});
    EXPECT_EQ(mappingsOf("forked"), kOne);
    EXPECT_EQ(mappingsOf("fresh"), 0U);
}

TEST(KeptMappings, OneOfManyThreads) {
    const SharedMemory memory = memoryOf("threads");
    ASSERT_TRUE(writeMemory(memory, 0, Bytes{1, 2, 3, 4}).ok());
    std::vector<std::thread> threads(8);
    for (std::thread& thread : threads) {
        thread = std::thread([&] {
            for (int i = 0; i < 1000; ++i) EXPECT_EQ(read(memory), (Bytes{1, 2, 3, 4}));
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(mappingsOf("threads"), kOne);
}

// More memories than the process may have mappings: the remaining ones are read from the files.
TEST(KeptMappings, OfManyMemories) {
    constexpr size_t kMany = 10'000, kMost = 4096;
    // All from one file, since the number of descriptors has its own limit.
    const SharedMemory file = memoryOf("many", kSize);
    std::vector<SharedMemory> memories;
    for (size_t i = 0; i < kMany; ++i) {
        const UniqueFd fd = duplicate(fdOf(file));
        if (!fd.ok()) break;
        auto made = createSharedMemory(kSize, PROT_READ, fd.get(), 0);
        if (!made.ok()) break;
        memories.push_back(*std::move(made));
    }
    const size_t before = mappingsOf("many");
    for (const SharedMemory& memory : memories) readOften(memory);
    EXPECT_EQ(mappingsOf("many") - before, kOne * std::min(memories.size(), kMost));
    for (const SharedMemory& memory : memories) EXPECT_EQ(read(memory), Bytes(4));
    memories.clear();
    EXPECT_EQ(mappingsOf("many"), before);
    readOften(file);
    EXPECT_EQ(mappingsOf("many"), before + kOne) << "below the limit again";
}

}  // namespace
}  // namespace nn::kept_mappings_test
