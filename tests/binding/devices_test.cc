// A device that is offered by generated interfaces, and used by them: all that the wrapper and the
// adapter convert, by methods and queues that hidl-gen and libfmq have made.
#include "driver/models.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"

namespace nn {
namespace {

using testing::ElementsAre;

static_assert(std::same_as<V1_3::IDevice, ::android::hardware::neuralnetworks::V1_3::IDevice>);

hidl::sp<V1_3::IDevice> offered() { return hal::adapter::adapt(referenceDevice()).value(); }

// Arguments in shared memory, which HIDL requires; the sum of 1, 2, 3, 4 and 10, 20, 30, 40.
class SharedSum {
   public:
    SharedSum() {
        const Sum sum;
        const Mapping mapping = map(mMemory).value();
        auto* values = reinterpret_cast<float*>(mapping.mutableData());
        std::copy(sum.x.begin(), sum.x.end(), values);
        std::copy(sum.y.begin(), sum.y.end(), values + 4);
    }
    Request request() const {
        return {.inputs = {argument(0), argument(16)},
                .outputs = {argument(32)},
                .pools = {mMemory}};
    }
    const SharedMemory& memory() const { return mMemory; }
    std::vector<float> result() const {
        const Mapping mapping = map(mMemory).value();
        const auto* values = reinterpret_cast<const float*>(mapping.data());
        return {values + 8, values + 12};
    }

   private:
    static Request::Argument argument(uint32_t offset) {
        return {.lifetime = Request::Argument::LifeTime::POOL,
                .location = {.poolIndex = 0, .offset = offset, .length = 16}};
    }
    SharedMemory mMemory = createSharedMemory(48).value();
};

template <class Create>
void executesAs(HalVersion version, const Create& create) {
    SCOPED_TRACE(titleOf(version));
    const GeneralResult<SharedDevice> device = create();
    ASSERT_TRUE(device.has_value()) << device.error().message;
    EXPECT_EQ((*device)->getFeatureLevel(), toVersion(version));
    EXPECT_THAT((*device)->getSupportedOperations(addition()).value(), ElementsAre(true));
    const GeneralResult<SharedPreparedModel> prepared = prepareOn(**device, addition());
    ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
    const SharedSum sum;
    const auto executed = (*prepared)->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(sum.result(), ElementsAre(11, 22, 33, 44));
}

TEST(GeneratedDevices, ExecuteByEachVersion) {
    executesAs(HalVersion::V1_0, [] { return V1_0::utils::Device::create("x", offered()); });
    executesAs(HalVersion::V1_1, [] { return V1_1::utils::Device::create("x", offered()); });
    executesAs(HalVersion::V1_2, [] { return V1_2::utils::Device::create("x", offered()); });
    executesAs(HalVersion::V1_3, [] { return wrap("x", offered()); });
}

TEST(GeneratedDevices, ReportCallbacksOfExecutions) {
    executesAs(HalVersion::V1_3,
               [] { return wrap("x", offered(), {.executeSynchronously = false}); });
}

TEST(GeneratedDevices, ExecuteInBursts) {
    const SharedDevice device = wrap("x", offered()).value();
    const SharedPreparedModel prepared = prepareOn(*device, addition()).value();
    const GeneralResult<SharedBurst> burst = prepared->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value()) << burst.error().message;
    for (int i = 0; i < 3; ++i) {
        const SharedSum sum;
        const auto hold = (*burst)->cacheMemory(sum.memory());
        const auto executed = (*burst)->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(sum.result(), ElementsAre(11, 22, 33, 44));
    }
}

TEST(GeneratedDevices, ExecuteFenced) {
    const SharedDevice device = wrap("x", offered()).value();
    const SharedPreparedModel prepared = prepareOn(*device, addition()).value();
    const SharedSum sum;
    const Fence fence;
    fence.signal();
    const auto launched = prepared->executeFenced(sum.request(), {fence.get()}, MeasureTiming::NO,
                                                  {}, {}, {}, {}, {});
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    const auto& [done, info] = *launched;
    EXPECT_EQ(done.syncWait({}), SyncFence::FenceState::SIGNALED);
    EXPECT_TRUE(info().has_value());
    EXPECT_THAT(sum.result(), ElementsAre(11, 22, 33, 44));
}

TEST(GeneratedDevices, AllocateBuffers) {
    const SharedDevice device = wrap("x", offered()).value();
    const SharedPreparedModel prepared = prepareOn(*device, addition()).value();
    const auto buffer = device->allocate({}, {prepared},
                                         {{.modelIndex = 0, .ioIndex = 0, .probability = 1}}, {});
    ASSERT_TRUE(buffer.has_value()) << buffer.error().message;
    const SharedSum sum;
    EXPECT_FALSE((*buffer)->copyFrom(sum.memory(), {}).has_value());  // 48 bytes, not 16
    EXPECT_TRUE((*buffer)->copyFrom(createSharedMemory(16).value(), {}).has_value());
}

TEST(GeneratedDevices, RefuseModelsThatAreWrong) {
    const SharedDevice device = wrap("x", offered()).value();
    Model model = addition();
    model.main.operations[0].inputs[0] = 99;
    EXPECT_EQ(prepareOn(*device, model).error().code, ErrorStatus::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace nn
