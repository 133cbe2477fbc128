// The bytes of memories of the HAL.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nnapi/convert.h"
#include "nnapi/hal/hidl/memory.h"
#include "nnapi/memory.h"

namespace nn::map_memory_test {
namespace {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::IMemory;
using hidl::sp;

uint8_t* bytesOf(const sp<IMemory>& memory) {
    return static_cast<uint8_t*>(static_cast<void*>(memory->getPointer()));
}

TEST(MapMemory, SharesItsBytes) {
    const SharedMemory canonical = createSharedMemory(16).value();
    const hidl_memory pool = V1_0::utils::unvalidatedConvert(canonical).value();
    sp<IMemory> first = hidl::mapMemory(pool);
    const sp<IMemory> second = hidl::mapMemory(pool);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(static_cast<uint64_t>(first->getSize()), 16u);
    EXPECT_TRUE(first->update().isOk());
    EXPECT_TRUE(first->updateRange(0, 16).isOk());
    bytesOf(first)[15] = 7;
    EXPECT_TRUE(first->commit().isOk());
    EXPECT_TRUE(second->read().isOk());
    EXPECT_TRUE(second->readRange(0, 16).isOk());
    EXPECT_EQ(bytesOf(second)[15], 7);
    first.clear();
    EXPECT_EQ(bytesOf(second)[15], 7) << "each mapping is independent";
    EXPECT_EQ(map(canonical)->data()[15], 7);
    const sp<hidl::IBase> base = second;
    EXPECT_EQ(sp<IMemory>(IMemory::castFrom(base)), second);
}

TEST(MapMemory, OfAFileFromAnOffset) {
    const UniqueFd fd(memfd_create("file", MFD_CLOEXEC));
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    ASSERT_EQ(ftruncate(fd.get(), static_cast<off_t>(2 * page)), 0);
    ASSERT_EQ(pwrite(fd.get(), "x", 1, static_cast<off_t>(page)), 1);
    const SharedMemory file = createSharedMemory(page, PROT_READ, fd.get(), page).value();
    const auto memory = hidl::mapMemory(V1_0::utils::unvalidatedConvert(file).value());
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(bytesOf(memory)[0], 'x');
}

TEST(MapMemory, IsNullWhereThereIsNothingToMap) {
    const hidl_memory good =
            V1_0::utils::unvalidatedConvert(createSharedMemory(16).value()).value();
    hidl::native_handle_t two{.numFds = 2, .data = {0, 1}};
    hidl::native_handle_t closed{.numFds = 1, .data = {9999}};
    hidl::native_handle_t lying{.numFds = 7, .data = {0}};
    const struct {
        const char* name;
        hidl_memory memory;
    } kRows[] = {
            {"Nothing", {}},
            {"NoHandle", {"ashmem", nullptr, 16}},
            {"TwoDescriptors", {"ashmem", hidl_handle(&two), 16}},
            {"ClosedDescriptor", {"ashmem", hidl_handle(&closed), 16}},
            {"MoreThanItHolds", {"ashmem", hidl_handle(&lying), 16}},
            {"LongerThanItsFile", {"ashmem", hidl_handle(good.handle()), 1 << 20}},
            {"TooLong", {"ashmem", hidl_handle(good.handle()), UINT64_MAX}},
            {"UnknownKind", {"mine", hidl_handle(good.handle()), 16}},
    };
    for (const auto& row : kRows) EXPECT_EQ(hidl::mapMemory(row.memory), nullptr) << row.name;
}

}  // namespace
}  // namespace nn::map_memory_test
