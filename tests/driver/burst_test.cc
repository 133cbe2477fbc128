// Bursts over message queues: both ends together, and each with a peer that is scripted. Numbers
// are those of the rules on bursts.
#include "nnapi/driver/burst.h"

#include <thread>

#include "driver/models.h"
#include "nnapi/convert.h"
#include "nnapi/memory.h"
#include "nnapi/relocation.h"

namespace nn::driver_burst_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum ErrorStatus;
using hidl::hidl_vec;
using hidl::MQDescriptorSync;
using hidl::Return;
using hidl::sp;
using hidl::Void;
using std::chrono::microseconds;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

// A driver's prepared model whose bursts are made by a function.
class Driver : public V1_2::IPreparedModel {
   public:
    using Configure = std::function<std::pair<V1_0::ErrorStatus, sp<V1_2::IBurstContext>>(
            const sp<V1_2::IBurstCallback>&, const MQDescriptorSync<FmqRequestDatum>&,
            const MQDescriptorSync<FmqResultDatum>&)>;
    explicit Driver(Configure configure) : mConfigure(std::move(configure)) {}

    Return<void> configureExecutionBurst(const sp<V1_2::IBurstCallback>& callback,
                                         const MQDescriptorSync<FmqRequestDatum>& requests,
                                         const MQDescriptorSync<FmqResultDatum>& results,
                                         configureExecutionBurst_cb answer) override {
        const auto [status, context] = mConfigure(callback, requests, results);
        answer(status, context);
        return Void();
    }
    Return<V1_0::ErrorStatus> execute(const V1_0::Request&,
                                      const sp<V1_0::IExecutionCallback>&) override {
        return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request&, V1_2::MeasureTiming,
                                          const sp<V1_2::IExecutionCallback>&) override {
        return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<void> executeSynchronously(const V1_0::Request&, V1_2::MeasureTiming,
                                      executeSynchronously_cb) override {
        return Void();
    }

   private:
    Configure mConfigure;
};

// A driver that serves a canonical burst.
sp<Driver> serving(SharedBurst burst, microseconds window = {}) {
    return sp<Driver>::make([=](const auto& callback, const auto& requests, const auto& results) {
        auto context = hal::adapter::makeBurstContext(callback, requests, results, burst, window);
        EXPECT_TRUE(context.has_value()) << context.error().message;
        return std::pair(V1_0::ErrorStatus::NONE, *context);
    });
}

TEST(Burst, ExecutesByQueues) {
    const SharedPreparedModel model = prepareOn(*referenceDevice(), addition()).value();
    const SharedBurst burst =
            V1_2::utils::Burst::create(model, serving(model->configureExecutionBurst().value()), {})
                    .value();
    Sum sum;
    for (float x = 0; x < 100; ++x) {
        sum.x[0] = x;
        const auto executed = burst->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(sum.z, ElementsAre(10 + x, 22, 33, 44));
    }
    const auto reusable =
            burst->createReusableExecution(sum.request(), MeasureTiming::YES, {}, {}, {}).value();
    for (float x = 0; x < 100; ++x) {
        sum.x[0] = x;
        const auto executed = reusable->compute({});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(sum.z, ElementsAre(10 + x, 22, 33, 44));
    }
}

TEST(Burst, DISABLED_RoundTrip) {
    const SharedPreparedModel model = prepareOn(*referenceDevice(), addition()).value();
    for (const microseconds window : {microseconds(0), microseconds(1000)}) {
        const SharedBurst burst =
                V1_2::utils::Burst::create(
                        model, serving(model->configureExecutionBurst().value(), window), window)
                        .value();
        Sum sum;
        const auto reusable =
                burst->createReusableExecution(sum.request(), MeasureTiming::NO, {}, {}, {})
                        .value();
        const auto time = [&](const char* what, auto&& f) {
            std::vector<double> all;
            for (int i = 0; i < 20000; ++i) {
                const auto start = std::chrono::steady_clock::now();
                f();
                all.push_back(std::chrono::duration<double, std::micro>(
                                      std::chrono::steady_clock::now() - start)
                                      .count());
            }
            std::sort(all.begin(), all.end());
            printf("window %ld %-10s median %.2f us, p10 %.2f, p90 %.2f\n", long(window.count()),
                   what, all[10000], all[2000], all[18000]);
        };
        time("burst",
             [&] { (void)burst->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}); });
        time("reusable", [&] { (void)reusable->compute({}); });
        Request pooled = convertRequestFromPointerToShared(sum.request()).value().request;
        time("burst of pools",
             [&] { (void)burst->execute(pooled, MeasureTiming::NO, {}, {}, {}, {}); });
        std::vector<IBurst::OptionalCacheHold> holds;
        for (const auto& pool : pooled.pools) {
            holds.push_back(burst->cacheMemory(std::get<SharedMemory>(pool)));
        }
        time("cached pools",
             [&] { (void)burst->execute(pooled, MeasureTiming::NO, {}, {}, {}, {}); });
        time("direct pools",
             [&] { (void)model->execute(pooled, MeasureTiming::NO, {}, {}, {}, {}); });
        time("direct",
             [&] { (void)model->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}); });
    }
}

}  // namespace
}  // namespace nn::driver_burst_test
