// Uses that strict stand-ins reject; see nnapi/hal/strict.h.
#include "nnapi/hal/strict.h"

#ifdef NNAPI_STRICT_HAL

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/hidl/return.h"
#include "nnapi/hal/v1_3.h"

namespace nn::strict_hal_test {
namespace {

using hidl::hidl_array;
using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::Return;
using testing::ElementsAre;

// ---- members that do not exist

// Each concept holds for a type that has the member.
#define HAS(name, expression)             \
    template <class T>                    \
    concept name = requires(T & object) { \
        expression;                       \
    }
HAS(HasPushBack, object.push_back(object[0]));
HAS(HasEmplaceBack, object.emplace_back());
HAS(HasEmpty, object.empty());
HAS(HasFront, object.front());
HAS(HasReserve, object.reserve(1));
HAS(HasClear, object.clear());
HAS(HasAssign, object.assign(object.begin(), object.end()));
HAS(HasBegin, object.begin());
HAS(HasStatus, object.status());
HAS(HasIsDeadObject, object.isDeadObject());
HAS(HasOwner, object.isOwner());
HAS(HasOwnsHandle, object.ownsHandle());
HAS(HasValue, object.value());
HAS(HasSetValue, object.setValue({}));
HAS(HasExecuteWithConfig, object.executeSynchronouslyWithConfig({}, {}, 0, nullptr));
HAS(HasExecutionWithConfig, object.executeSynchronouslyWithConfig({}, {}, {}, 0, nullptr));
HAS(HasPrepareWithConfig, object.prepareModelWithConfig({}, {}, nullptr));
#undef HAS

using Numbers = hidl_vec<uint32_t>;
static_assert(!HasPushBack<Numbers> && !HasEmplaceBack<Numbers> && !HasEmpty<Numbers>);
static_assert(!HasFront<Numbers> && !HasReserve<Numbers> && !HasClear<Numbers>);
static_assert(!HasAssign<Numbers>);
static_assert(!HasBegin<V1_2::HidlToken> && HasBegin<Numbers>);
static_assert(!std::same_as<hidl_string, std::string>);
static_assert(!std::same_as<V1_2::HidlToken, CacheToken>);
static_assert(!std::equality_comparable_with<hidl_string, std::string_view>);

static_assert(!HasStatus<Return<int>> && !HasStatus<Return<void>>);
static_assert(!std::copyable<Return<int>> && std::movable<Return<int>>);
static_assert(!HasIsDeadObject<hidl::Status> && HasIsDeadObject<Return<void>>);

static_assert(!HasOwner<hidl_handle> && !HasOwnsHandle<hidl_memory>);

static_assert(!HasValue<V1_3::Request::MemoryPool> && !HasSetValue<V1_3::Request::MemoryPool>);
static_assert(!HasValue<aidl_hal::Memory> && !HasValue<aidl_hal::RequestMemoryPool>);

// A driver has the version for which it is compiled, and the methods of that version.
static_assert(aidl_hal::BnDeviceVersion<1>::version == 1 && aidl_hal::BnDevice::version == 4);
static_assert(HasPrepareWithConfig<aidl_hal::BnDeviceVersion<4>>);
static_assert(!HasPrepareWithConfig<aidl_hal::BnDeviceVersion<3>>);
static_assert(!HasExecuteWithConfig<aidl_hal::BnPreparedModelVersion<3>>);
static_assert(!HasExecutionWithConfig<aidl_hal::BnBurstVersion<1>>);

class OldBurst final : public aidl_hal::BnBurstVersion<2> {
   public:
    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request&, const std::vector<int64_t>&,
                                            bool, int64_t, int64_t,
                                            aidl_hal::ExecutionResult*) override {
        return ndk::ScopedAStatus::ok();
    }
    ndk::ScopedAStatus releaseMemoryResource(int64_t) override { return ndk::ScopedAStatus::ok(); }
};

TEST(StrictAidl, AnObjectHasTheVersionOfItsBaseClass) {
    const std::shared_ptr<aidl_hal::IBurst> old = ndk::SharedRefBase::make<OldBurst>();
    int32_t version = 0;
    ASSERT_TRUE(old->getInterfaceVersion(&version).isOk());
    EXPECT_EQ(version, 2);
    aidl_hal::ExecutionResult result;
    EXPECT_EQ(old->executeSynchronouslyWithConfig({}, {}, {}, 0, &result).getStatus(),
              STATUS_UNKNOWN_TRANSACTION);
}

// ---- copies

TEST(StrictHidl, ARangeCopiesAVector) {
    std::vector<uint32_t> vector = {1, 2};
    const uint32_t* data = vector.data();
    hidl_vec<uint32_t> range = std::move(vector);
    EXPECT_NE(range.data(), data);
    EXPECT_THAT(range, ElementsAre(1, 2));
    vector = std::move(range);
    EXPECT_THAT(vector, ElementsAre(1, 2));
    EXPECT_THAT(range, ElementsAre(1, 2));
    EXPECT_TRUE(range.contains(2));
    EXPECT_FALSE(range.contains(3));
    const std::unique_ptr<uint32_t[]> released(range.releaseData());
    EXPECT_EQ(released[1], 2u);
    EXPECT_EQ(range.size(), 0u);
}

// A handle that owns an open descriptor.
hidl_handle openHandle() {
    hidl::native_handle_t* native = hidl::native_handle_create(1, 1);
    native->data[0] = memfd_create("handle", MFD_CLOEXEC);
    native->data[1] = 7;
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    return handle;
}

TEST(StrictHidl, ACopyOfAHandleIsAClone) {
    const hidl_handle handle = openHandle();
    hidl_handle copy = handle;
    EXPECT_TRUE(copy == handle);
    EXPECT_NE(copy.getNativeHandle(), handle.getNativeHandle());
    EXPECT_NE(copy->data[0], handle->data[0]);
    const int fd = copy->data[0];
    copy = hidl_handle();
    EXPECT_EQ(fcntl(fd, F_GETFD), -1);
    EXPECT_NE(fcntl(handle->data[0], F_GETFD), -1);

    const hidl_handle* same = &handle;
    hidl_handle moved = *same;
    const hidl::native_handle_t* native = moved.getNativeHandle();
    const hidl_handle taken = std::move(moved);
    EXPECT_EQ(taken.getNativeHandle(), native);

    const hidl_memory memory("ashmem", openHandle(), 8);
    const hidl_memory copied = memory;
    EXPECT_TRUE(copied == memory);
    EXPECT_NE(copied.handle(), memory.handle());
    const hidl_memory borrowed("ashmem", memory.handle(), 8);
    EXPECT_EQ(borrowed.handle(), memory.handle());
}

// ---- aborts

using StrictDeathTest = testing::Test;

TEST_F(StrictDeathTest, ReadingWhatAUnionDoesNotHold) {
    V1_3::Request::MemoryPool pool;
    EXPECT_DEATH((void)std::as_const(pool).token(), "union of HIDL does not hold .* read");
    EXPECT_DEATH((void)pool.token(), "union of HIDL does not hold .* changed");
    aidl_hal::RequestMemoryPool aidlPool;
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    EXPECT_DEATH((void)std::as_const(aidlPool).get<Tag::token>(), "union of AIDL .* read");
    EXPECT_DEATH((void)aidlPool.get<Tag::token>(), "union of AIDL .* changed");
}

Return<int> failed() { return hidl::Status::fromStatusT(hidl::DEAD_OBJECT); }

TEST_F(StrictDeathTest, UncheckedFailures) {
    EXPECT_DEATH((void)failed(), "failure of a HIDL call was not looked at");
    EXPECT_DEATH((void)static_cast<int>(failed()), "used as if it had succeeded");
    Return<int> looked = failed();
    EXPECT_FALSE(looked.isOk());
    looked = 5;
    EXPECT_EQ(static_cast<int>(looked), 5);
}

TEST_F(StrictDeathTest, HandlesThatCannotBeCloned) {
    hidl::native_handle_t* native = hidl::native_handle_create(1, 0);  // of descriptor -1
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    EXPECT_DEATH((void)hidl_handle(handle), "native handle cannot be cloned");
}

TEST_F(StrictDeathTest, RangesOfMoreElementsThanTheirSizeHolds) {
    if constexpr (sizeof(size_t) > 4) {
        uint8_t byte = 0;
        hidl_vec<uint8_t> range;
        EXPECT_DEATH(range.setToExternal(&byte, size_t{UINT32_MAX} + 1), "at most 2.32 - 1");
    }
}

}  // namespace
}  // namespace nn::strict_hal_test

#endif
