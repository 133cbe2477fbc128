// Fenced executions whose inputs are copied to a driver: they use the values that the inputs hold
// when the fences are signaled.
#include "driver/adapter_fakes.h"
#include "driver/aidl_fakes.h"
#include "driver/fake_driver.h"
#include "driver/models.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"

namespace nn::copied_inputs_test {
namespace {

using std::chrono::microseconds;
using testing::ElementsAre;
using enum ErrorStatus;
using enum HalVersion;
using State = SyncFence::FenceState;

// A separate device behind the interface of a version.
SharedDevice wrapped(HalVersion version) {
    const SharedDevice device = referenceDevice({.fencedThreads = 2});
    if (version == V1_3) return wrap("adapted", *hal::adapter::adapt(device)).value();
    return wrap("adapted", ndk::SharedRefBase::make<fake_aidl::Device>(device, version)).value();
}

class CopiedInputs : public testing::TestWithParam<HalVersion> {
   protected:
    // The launch waits for outputs behind pointers, but not for those in the pool.
    void expectNewest(bool isReusable, bool hasPool) {
        const SharedPreparedModel model = prepareOn(*wrapped(GetParam()), addition()).value();
        Sum sum;
        Request request = sum.request();
        const SharedMemory pool = createSharedMemory(16).value();
        if (hasPool) {
            request.pools = {pool};
            request.outputs = {{.location = {.length = 16}}};
        }
        const auto execution = reusableOn(*model, request).value();
        for (const float x : {5.f, 7.f}) {
            const Fence fence, other;
            const auto launched = launchedBefore(
                    [&] {
                        other.signal();
                        overwrite(sum.x, x);
                        fence.signal();
                    },
                    [&] {
                        const std::vector<SyncFence> fences = {fence.get(), other.get()};
                        return isReusable ? execution->computeFenced(fences, {}, {})
                                          : executeFencedOn(*model, request, fences);
                    });
            ASSERT_TRUE(launched.has_value()) << launched.error().message;
            EXPECT_EQ(launched->first.syncWait(std::chrono::seconds(20)), State::SIGNALED);
            EXPECT_TRUE(launched->second().has_value());
            if (hasPool) {
                EXPECT_TRUE(
                        readMemory(pool, 0, {reinterpret_cast<uint8_t*>(sum.z.data()), 16}).ok());
            }
            EXPECT_THAT(sum.z, ElementsAre(x + 10, x + 20, x + 30, x + 40));
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Versions, CopiedInputs, testing::Values(V1_3, AIDL1, AIDL2, AIDL3, AIDL4),
                         [](const auto& info) {
                             return info.param == V1_3
                                            ? "V1_3"
                                            : std::string("AIDL") + toString(info.param).back();
                         });

// Rules fenced.result and wrapper.pointers.
TEST_P(CopiedInputs, AreThoseOfTheFences) {
    expectNewest(/*isReusable=*/false, /*hasPool=*/false);
    expectNewest(/*isReusable=*/false, /*hasPool=*/true);
}
TEST_P(CopiedInputs, AreThoseOfTheFencesEachTime) {
    expectNewest(/*isReusable=*/true, /*hasPool=*/false);
    expectNewest(/*isReusable=*/true, /*hasPool=*/true);
}

// Rules fenced.failed_fence, wrapper.silent_driver and fence.deadline: nothing is launched, and the
// next execution succeeds.
TEST_P(CopiedInputs, FencesThatFailOrNeverCome) {
    const SharedPreparedModel model = prepareOn(*wrapped(GetParam()), addition()).value();
    Sum sum;
    const auto execution = reusableOn(*model, sum.request()).value();
    const Fence never;
    const SyncFence failed = Fence().get();
    for (const bool isReusable : {false, true}) {
        const auto launch = [&](const SyncFence& fence, const OptionalTimePoint& deadline) {
            return isReusable ? execution->computeFenced({fence}, deadline, {})
                              : model->executeFenced(sum.request(), {fence}, {}, deadline, {}, {},
                                                     {}, {});
        };
        EXPECT_THAT(launch(failed, {}), Refuses(GENERAL_FAILURE, "fence 0 has failed"));
        EXPECT_EQ(launch(never.get(), soon()).error().code, MISSED_DEADLINE_TRANSIENT);
        EXPECT_EQ(launch(never.get(), TimePoint{}).error().code, MISSED_DEADLINE_PERSISTENT);
        EXPECT_THAT(sum.z, ElementsAre(0, 0, 0, 0));
    }
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
}

// The arguments that a driver of 1.3 receives once the fences are signaled. Rules fenced.result,
// fenced.deadlines and wrapper.silent_driver.
TEST(CopiedInputsOf1_3, ComeWithoutFencesAndInTime) {
    const auto driver = fake::sp<fake::PreparedModel>::make(V1_3);
    const auto callback = fake::sp<fake::FencedCallback>::make();
    driver->fencedCallback = callback;
    callback->launched = {3, 5};
    callback->fenced = {1, 2};
    const SharedPreparedModel model =
            V1_3::utils::PreparedModel::create(fake::sp<V1_3::IPreparedModel>(driver), true,
                                               {.ceiling = kSoon})
                    .value();
    Sum sum;
    const Fence never, fence;
    EXPECT_THAT(executeFencedOn(*model, sum.request(), {never.get()}),
                Refuses(GENERAL_FAILURE,
                        "the fences before executeFenced: no result for 100 ms, the most to wait "
                        "without a deadline"));
    EXPECT_THAT(driver->calls(), ElementsAre("linkToDeath"));
    fence.signal();
    const auto launched = model->executeFenced(sum.request(), {fence.get()}, MeasureTiming::YES, {},
                                               {}, std::chrono::hours(1), {}, {});
    ASSERT_TRUE(launched.has_value()) << launched.error().message;
    EXPECT_EQ(driver->fences, 0u);
    using Time = V1_3::OptionalTimePoint::hidl_discriminator;
    EXPECT_EQ(driver->deadline.getDiscriminator(), Time::nanosecondsSinceEpoch);
    using Duration = V1_3::OptionalTimeoutDuration::hidl_discriminator;
    EXPECT_EQ(driver->duration.getDiscriminator(), Duration::none);
    const auto [sinceLaunch, sinceFences] = launched->second().value();
    EXPECT_GT(*sinceLaunch.timeInDriver, microseconds(5));
    EXPECT_EQ(sinceFences.timeInDriver, microseconds(2));
}

}  // namespace
}  // namespace nn::copied_inputs_test
