// Tests that hold only for generated HIDL types.
#include <concepts>

#include "convert/convert_test.h"

namespace nn {
namespace {

namespace generated = ::android::hardware::neuralnetworks;

static_assert(std::same_as<V1_0::Model, generated::V1_0::Model>);
static_assert(std::same_as<V1_1::Model, generated::V1_1::Model>);
static_assert(std::same_as<V1_2::Operand::ExtraParams, generated::V1_2::Operand::ExtraParams>);
static_assert(std::same_as<HalType<Request, HalVersion::V1_3>, generated::V1_3::Request>);

// Functions in an inline namespace, whose mangled names do not show a HIDL type.
static_assert(std::same_as<nn::generated_hidl::ClockReading, nn::ClockReading>);
static_assert(requires { V1_3::generated_hidl::utils::kVersion; });

hidl::hidl_handle handleThatClaims(int version, int fds, int ints) {
    hidl::native_handle_t* native = hidl::native_handle_create(0, 0);
    native->version = version;
    native->numFds = fds;
    native->numInts = ints;
    hidl::hidl_handle handle;
    handle.setTo(native);  // not to be closed: libhidl would trust the claimed sizes
    return handle;
}

TEST(GeneratedHidl, HandlesThatCannotBeAreRefused) {
    constexpr int kVersion = sizeof(hidl::native_handle_t);
    for (const auto& [version, fds, ints] :
         {std::array{kVersion, -1, 1}, std::array{kVersion, 1, -1}, std::array{kVersion, 1025, 0},
          std::array{kVersion, 1, 1025}, std::array{0, 1, 0}}) {
        const hidl::hidl_handle handle = handleThatClaims(version, fds, ints);
        const Result<SharedHandle> refused = unvalidatedConvert(handle);
        ASSERT_FALSE(refused.ok());
        EXPECT_THAT(std::string(refused.status().message()),
                    testing::HasSubstr("[convert.handle]"));
        auto* native = const_cast<hidl::native_handle_t*>(handle.getNativeHandle());
        native->version = kVersion;
        hidl::native_handle_delete(native);
    }
}

TEST(GeneratedHidl, ObjectsWithMemoryAreComparedAndPrinted) {
    Model model = reluModel();
    model.pools.push_back(createSharedMemory(16).value());
    const V1_3::Model a = V1_3::utils::unvalidatedConvert(model).value();
    V1_3::Model b = a;  // clones the handle
    EXPECT_TRUE(a == b);
    EXPECT_EQ(print(a), print(b));
    EXPECT_THAT(print(a), testing::HasSubstr("memory(ashmem, 16 bytes)"));
    b.main.operands[0].dimensions = {3};
    EXPECT_FALSE(a == b);

    V1_3::Request::MemoryPool memory;
    memory.hidlMemory(a.pools[0]);
    V1_3::Request::MemoryPool token;
    token.token(1);
    EXPECT_TRUE(memory == V1_3::Request::MemoryPool(memory));
    EXPECT_FALSE(memory == token);
}

TEST(GeneratedHidl, EnumeratorsHaveTheNamesOfTheStandIns) {
    EXPECT_EQ(print(V1_0::OperandLifeTime::MODEL_INPUT), "MODEL_INPUT");
    EXPECT_EQ(print(V1_0::OperandType{77}), "OperandType(77)");
    EXPECT_EQ(print(V1_2::SymmPerChannelQuantParams{.scales = {0.5f}, .channelDim = 1}),
              "{scales = [0.5], channelDim = 1}");
    EXPECT_EQ(print(V1_2::Model::ExtensionNameAndPrefix{.name = "a\nb", .prefix = 1}),
              "{name = \"a\\nb\", prefix = 1}");
}

TEST(GeneratedHidlDeathTest, ReadingAMemberThatIsNotHeldEndsTheProgram) {
    V1_3::Request::MemoryPool pool;
    EXPECT_DEATH(pool.token(), "Bad safe_union access");
}

}  // namespace
}  // namespace nn
