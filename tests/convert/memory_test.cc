// Handles and every kind of memory: their HIDL names and layouts in both directions.
#include <climits>

#include "convert_test.h"
#include "nnapi/compat.h"

namespace nn::memory_test {
namespace {

using testing::IsEmpty;

Memory::NativeHandle nativeHandle(int fds, std::vector<int> ints) {
    Memory::NativeHandle handle{.fds = {}, .ints = std::move(ints)};
    for (int i = 0; i < fds; ++i) handle.fds.push_back(file());
    return handle;
}

// A handle with this many open files, and integers 0, 1, 2 ...
hidl::hidl_handle halHandle(int fds, int ints) {
    hidl::native_handle_t* native = hidl::native_handle_create(fds, ints);
    for (int i = 0; i < fds; ++i) native->data[i] = file().release();
    for (int i = 0; i < ints; ++i) native->data[fds + i] = i;
    hidl::hidl_handle handle;
    handle.setTo(native, true);
    return handle;
}

std::vector<int> intsOf(const hidl::hidl_memory& memory) {
    const auto* native = memory.handle();
    const int* ints = static_cast<const int*>(native->data) + native->numFds;
    return {ints, ints + native->numInts};
}

TEST(Memory, EveryKindHasANameAndALayoutAndComesBack) {
    constexpr uint64_t kOffset = sizeof(size_t) > 4 ? 0x300005000 : 0x5000;
    using Ints = std::vector<int>;
    const struct {
        SharedMemory memory;
        const char* name;
        int fds;
        Ints ints;
        uint64_t size;
    } rows[] = {
            {share(Memory::Ashmem{.fd = file(), .size = 16}), "ashmem", 1, Ints{}, 16},
            {share(Memory::Fd{.size = 16,
                              .prot = PROT_READ,
                              .fd = file(),
                              .offset = static_cast<size_t>(kOffset)}),
             "mmap_fd", 1, Ints{PROT_READ, 0x5000, static_cast<int>(kOffset >> 32)}, 16},
            {share(Memory::Fd{.size = 1, .prot = 0, .fd = file(), .offset = 0xF0000000}), "mmap_fd",
             1, Ints{0, static_cast<int>(0xF0000000), 0}, 1},
            {share(Memory::HardwareBuffer{
                     .handle = nativeHandle(2, {7, 8}), .size = 64, .isBlob = true}),
             "hardware_buffer_blob", 2, Ints{7, 8}, 64},
            {share(Memory::HardwareBuffer{
                     .handle = nativeHandle(1, {7}), .size = 0, .isBlob = false}),
             "hardware_buffer", 1, Ints{7}, 0},
            {share(Memory::Unknown{.handle = nativeHandle(3, {1, 2}), .size = 9, .name = "mine"}),
             "mine", 3, Ints{1, 2}, 9},
    };
    for (const auto& row : rows) {
        forEachHidlVersion([&]<HalVersion V>() {
            const auto hal = unvalidatedConvertTo<V>(row.memory);
            ASSERT_TRUE(hal.ok()) << hal.status();
            EXPECT_EQ(hal->name(), row.name);
            EXPECT_EQ(hal->handle()->numFds, row.fds);
            EXPECT_EQ(intsOf(*hal), row.ints);
            EXPECT_EQ(hal->size(), row.size);
            EXPECT_THAT(lossesOf<V>(row.memory), IsEmpty());
        });
    }
}

TEST(Memory, DescriptorsAreDuplicated) {
    auto memory = createSharedMemory(4096).value();
    const int original = std::get<Memory::Ashmem>(memory->handle).fd.get();
    const auto hal = V1_0::utils::convert(memory).value();
    EXPECT_NE(hal.handle()->data[0], original);
    memory = nullptr;
    const auto back = nn::convert(hal).value();
    EXPECT_TRUE(map(back).ok());
}

TEST(Memory, ValidatedByVersion) {
    const auto buffer =
            share(Memory::HardwareBuffer{.handle = nativeHandle(1, {}), .size = 1, .isBlob = true});
    EXPECT_THAT(V1_1::utils::convert(buffer),
                IsInvalid("SharedMemory needs HAL 1.2, target is HAL 1.1 [since]"));
    const auto hal = V1_2::utils::convert(buffer);
    ASSERT_TRUE(hal.ok());
    EXPECT_FALSE(V1_1::utils::valid(*hal));
    EXPECT_TRUE(V1_2::utils::valid(*hal));
    EXPECT_TRUE(nn::convert(*hal).ok());
}

TEST(Memory, RefusedWhenNotRepresentable) {
    const auto closed = share(Memory::Ashmem{.fd = {}, .size = 16});
    const auto misnamed =
            share(Memory::Unknown{.handle = nativeHandle(1, {}), .size = 1, .name = "ashmem"});
    const auto large = share(Memory::Unknown{
            .handle = nativeHandle(0, std::vector<int>(2000)), .size = 1, .name = "large"});
    const struct {
        SharedMemory memory;
        const char* message;
    } rows[] = {
            {nullptr, "memory is null [convert.memory]"},
            {closed, "file descriptor -1 cannot be duplicated [convert.handle]"},
            {misnamed,
             "memory of unknown kind is named 'ashmem', which is the name of a known kind "
             "[convert.memory_name]"},
            {large,
             "handle has 0 file descriptors and 2000 integers, more than a native handle holds "
             "[convert.handle]"},
    };
    for (const auto& row : rows) {
        EXPECT_THAT(V1_2::utils::unvalidatedConvert(row.memory), IsInvalid(row.message));
    }
}

TEST(Memory, HandlesOfTheWrongLayoutAreRefusedOnTheWayIn) {
    const struct {
        hidl::hidl_memory memory;
        const char* message;
    } rows[] = {
            {{"ashmem", {}, 1}, "handle is null [convert.handle]"},
            {{"mine", {}, 1}, "handle is null [convert.handle]"},
            {{"ashmem", halHandle(2, 0), 1},
             "handle of ashmem has 2 file descriptors and 0 integers, allowed 1 and 0 "
             "[convert.handle]"},
            {{"mmap_fd", halHandle(1, 2), 1},
             "handle of mmap_fd has 1 file descriptor and 2 integers, allowed 1 and 3 "
             "[convert.handle]"},
    };
    for (const auto& row : rows) {
        EXPECT_THAT(nn::unvalidatedConvert(row.memory), IsInvalid(row.message));
    }
}

// A libhidl handle does not store the size of its data; tests/binding covers the detectable errors.
#ifndef NNAPI_HIDL_IS_GENERATED

// Wrong counts from a peer: the handle is rejected, compared and closed without reading beyond its
// data.
TEST(Handle, CountsThatContradictTheDataAreRefused) {
    const auto handleThatClaims = [](int fds, int ints) {
        hidl::hidl_handle handle = halHandle(1, 1);
        auto* copy = new hidl::native_handle_t(*handle.getNativeHandle());
        copy->numFds = fds;
        copy->numInts = ints;
        hidl::hidl_handle claiming;
        claiming.setTo(copy, true);
        return claiming;
    };
    const struct {
        int fds, ints;
        const char* message;
    } rows[] = {
            {-1, 3,
             "handle claims numFds -1 and numInts 3, allowed as many as it holds [convert.handle]"},
            {3, -1,
             "handle claims numFds 3 and numInts -1, allowed as many as it holds [convert.handle]"},
            {1, 0,
             "handle claims numFds 1 and numInts 0, allowed as many as it holds [convert.handle]"},
            {1, 3,
             "handle claims numFds 1 and numInts 3, allowed as many as it holds [convert.handle]"},
            {INT_MAX, INT_MAX,
             "handle claims numFds 2147483647 and numInts 2147483647, allowed as many as it holds "
             "[convert.handle]"},
    };
    for (const auto& row : rows) {
        const hidl::hidl_handle handle = handleThatClaims(row.fds, row.ints);
        EXPECT_THAT(nn::unvalidatedConvert(handle), IsInvalid(row.message));
        for (const char* name : {"ashmem", "mmap_fd", "hardware_buffer", "mine"}) {
            EXPECT_THAT(nn::unvalidatedConvert(hidl::hidl_memory(name, handle, 1)),
                        IsInvalid(row.message));
        }
        EXPECT_EQ(handle, handle);
        EXPECT_FALSE(handle == handleThatClaims(row.fds, row.ints));
    }
}

#endif

TEST(Handle, NullAndOneDescriptor) {
    EXPECT_EQ(V1_2::utils::convert(SharedHandle()).value(), hidl::hidl_handle());
    EXPECT_EQ(nn::convert(hidl::hidl_handle()).value(), SharedHandle());

    const auto handle = std::make_shared<const Handle>(file());
    const auto hal = V1_2::utils::convert(SharedHandle(handle)).value();
    EXPECT_EQ(hal.getNativeHandle()->numFds, 1);
    EXPECT_EQ(hal.getNativeHandle()->numInts, 0);
    EXPECT_EQ(nn::convert(hal).value(), SharedHandle(handle));

    EXPECT_THAT(nn::convert(halHandle(1, 1)),
                IsInvalid("handle of a file descriptor has 1 file descriptor and 1 integer, "
                          "allowed 1 and 0 [convert.handle]"));
}

TEST(Handle, SyncFencesBecomeHandles) {
    const SyncFence active(std::make_shared<const Handle>(file()));
    const auto handles =
            V1_3::utils::convertSyncFences({SyncFence::createAsSignaled(), active}).value();
    ASSERT_EQ(handles.size(), 2u);
    EXPECT_EQ(handles[0].getNativeHandle(), nullptr);
    EXPECT_TRUE(UniqueFd::sameFile(handles[1].getNativeHandle()->data[0], active.getFd()));
    EXPECT_FALSE((ConvertsTo<SyncFence, HalVersion::V1_2>));
}

TEST(Handle, VectorsNameTheElement) {
    const hidl::hidl_vec<hidl::hidl_handle> handles = {halHandle(1, 0), halHandle(2, 0)};
    EXPECT_THAT(nn::convert(handles),
                IsInvalid("[1]: handle of a file descriptor has 2 file descriptors and 0 integers, "
                          "allowed 1 and 0 [convert.handle]"));
}

}  // namespace
}  // namespace nn::memory_test
