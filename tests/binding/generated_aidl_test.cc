// Tests that hold only for generated AIDL types.
#include <fcntl.h>

#include <concepts>

#include "convert/convert_test.h"
#include "nnapi/hal/aidl/clone.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::generated_aidl_test {
namespace {

namespace generated = ::aidl::android::hardware::neuralnetworks;

static_assert(std::same_as<HalType<Request, HalVersion::AIDL4>, generated::Request>);

// The inline namespace of generated types: all functions of conversions.
static_assert(std::same_as<nn::generated_aidl::ClockReading, nn::ClockReading>);
static_assert(requires { AIDL4::generated_aidl::utils::kVersion; });

// Strict, like the stand-ins with NNAPI_STRICT_HAL.
static_assert(hal::kIsStrict);
static_assert(std::derived_from<hal::AidlObject<generated::IDevice>, generated::BnDevice>);

TEST(GeneratedAidl, EnumeratorsHaveTheNamesOfTheStandIns) {
    EXPECT_EQ(toString(generated::OperandType{77}), "77");
    EXPECT_EQ(print(generated::OperandType{77}), "OperandType(77)");
    EXPECT_EQ(print(generated::OperandLifeTime::CONSTANT_POOL), "CONSTANT_POOL");
    EXPECT_EQ(print(generated::Timing{.timeOnDeviceNs = 1, .timeInDriverNs = 2}),
              "{timeOnDeviceNs = 1, timeInDriverNs = 2}");
}

TEST(GeneratedAidl, UnionsArePrintedByWhatTheyHold) {
    EXPECT_EQ(
            print(generated::RequestMemoryPool::make<generated::RequestMemoryPool::Tag::token>(7)),
            "7");
    EXPECT_EQ(print(generated::Memory()), "{}");
}

TEST(GeneratedAidl, CopiesOfDescriptorsDiffer) {
    const ::ndk::ScopedFileDescriptor fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const auto copy = clone(fd).value();
    EXPECT_TRUE(UniqueFd::sameFile(copy.get(), fd.get()));
    EXPECT_FALSE(copy == fd);
}

TEST(GeneratedAidlDeathTest, ReadingAMemberThatIsNotHeldEndsTheProgram) {
    const generated::RequestMemoryPool pool;
    EXPECT_DEATH(pool.get<generated::RequestMemoryPool::Tag::token>(), "");
}

}  // namespace
}  // namespace nn::generated_aidl_test
