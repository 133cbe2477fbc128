// A device behind generated AIDL interfaces, as provider and as client.
#include "driver/models.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"

namespace nn::aidl_devices_test {
namespace {

using testing::ElementsAre;

std::shared_ptr<aidl_hal::IDevice> offered() {
    return hal::adapter::adaptAidl(referenceDevice()).value();
}
SharedDevice used() { return wrap("x", offered()).value(); }
SharedPreparedModel prepared() { return prepareOn(*used(), addition()).value(); }

static_assert(std::derived_from<aidl_hal::BnDevice, ndk::BnCInterface<aidl_hal::IDevice>>);

TEST(GeneratedAidlDevices, HaveTheVersionOfTheHeaders) {
    int32_t version = 0;
    EXPECT_TRUE(offered()->getInterfaceVersion(&version).isOk());
    EXPECT_EQ(version, 4);
    EXPECT_EQ(used()->getFeatureLevel(), toVersion(HalVersion::AIDL4));
    const auto older = hal::adapter::adaptAidl(referenceDevice(), HalVersion::AIDL3);
    EXPECT_EQ(older.error().message, "the version is AIDL 3, allowed AIDL 4");
    const auto device = offered();
    EXPECT_EQ(aidl_hal::IDevice::fromBinder(device->asBinder()), device);
}

TEST(GeneratedAidlDevices, Execute) {
    EXPECT_THAT(used()->getSupportedOperations(addition()).value(), ElementsAre(true));
    Sum sum;
    const auto executed = prepared()->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
}

TEST(GeneratedAidlDevices, ExecuteAsEachVersion) {
    const auto executesAs = [](HalVersion version, const GeneralResult<SharedDevice>& device) {
        SCOPED_TRACE(titleOf(version));
        ASSERT_TRUE(device.has_value()) << device.error().message;
        EXPECT_EQ((*device)->getFeatureLevel(), toVersion(version));
        Sum sum;
        const auto executed = prepareOn(**device, addition())
                                      .value()
                                      ->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    };
    executesAs(HalVersion::AIDL1, AIDL1::utils::Device::create("x", offered()));
    executesAs(HalVersion::AIDL2, AIDL2::utils::Device::create("x", offered()));
    executesAs(HalVersion::AIDL3, AIDL3::utils::Device::create("x", offered()));
    executesAs(HalVersion::AIDL4, AIDL4::utils::Device::create("x", offered()));
}

TEST(GeneratedAidlDevices, ExecuteInBursts) {
    const auto burst = prepared()->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value()) << burst.error().message;
    for (int i = 0; i < 3; ++i) {
        Sum sum;
        const auto executed = (*burst)->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    }
}

TEST(GeneratedAidlDevices, ExecuteFenced) {
    Sum sum;
    const Fence fence;
    fence.signal();
    const auto launched = prepared()->executeFenced(sum.request(), {fence.get()}, MeasureTiming::NO,
                                                    {}, {}, {}, {}, {});
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    const auto& [done, info] = *launched;
    EXPECT_EQ(done.syncWait({}), SyncFence::FenceState::SIGNALED);
    EXPECT_TRUE(info().has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
}

TEST(GeneratedAidlDevices, ExecuteAgain) {
    Sum sum;
    const auto execution =
            prepared()->createReusableExecution(sum.request(), MeasureTiming::NO, {}, {}, {});
    ASSERT_TRUE(execution.has_value()) << execution.error().message;
    for (int i = 0; i < 2; ++i) {
        sum.z = {0, 0, 0, 0};
        const auto executed = (*execution)->compute({});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    }
}

TEST(GeneratedAidlDevices, AllocateBuffers) {
    const SharedDevice device = used();
    const auto buffer = device->allocate({}, {prepareOn(*device, addition()).value()},
                                         {{.modelIndex = 0, .ioIndex = 0, .probability = 1}}, {});
    ASSERT_TRUE(buffer.has_value()) << buffer.error().message;
    EXPECT_FALSE((*buffer)->copyFrom(createSharedMemory(48).value(), {}).has_value());
    EXPECT_TRUE((*buffer)->copyFrom(createSharedMemory(16).value(), {}).has_value());
}

TEST(GeneratedAidlDevices, RefuseModelsThatAreWrong) {
    Model model = addition();
    model.main.operations[0].inputs[0] = 99;
    EXPECT_EQ(prepareOn(*used(), model).error().code, ErrorStatus::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace nn::aidl_devices_test
