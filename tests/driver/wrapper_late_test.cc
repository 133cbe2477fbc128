// Drivers that continue after their caller has abandoned them, and repeated computations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <variant>

#include "driver/fake_driver.h"
#include "driver/models.h"

namespace nn::wrapper_late {
namespace {

using fake::sp;
using ::testing::ElementsAre;

GeneralResult<SharedPreparedModel> wrapAs(HalVersion version,
                                          const sp<fake::PreparedModel>& driver) {
    switch (version) {
        case HalVersion::V1_2:
            return V1_2::utils::PreparedModel::create(driver, /*executeSynchronously=*/false);
        case HalVersion::V1_3:
            return V1_3::utils::PreparedModel::create(driver, /*executeSynchronously=*/false);
        default:
            break;
    }
    return V1_0::utils::PreparedModel::create(driver);
}

// Reads its inputs at once and writes its outputs after the next execution has written its own.
struct LateDriver {
    explicit LateDriver(HalVersion version) : model(sp<fake::PreparedModel>::make(version)) {
        model->compute = [this](const Request& request) {
            fake::add(request);
            if (first) {
                writeLate(*first);
            } else {
                first = request;
            }
        };
        model->onExecute = [this](const sp<V1_0::IExecutionCallback>& callback) {
            if (kept == nullptr) {
                kept = callback;
            } else {
                (void)callback->notify(V1_0::ErrorStatus::NONE);
            }
        };
    }
    static void writeLate(const Request& request) {
        const Request::Argument& output = request.outputs[0];
        const std::vector<uint8_t> bytes(output.location.length, 0xff);
        const auto& pool = std::get<SharedMemory>(request.pools[output.location.poolIndex]);
        EXPECT_TRUE(writeMemory(pool, output.location.offset, bytes).ok());
    }

    sp<fake::PreparedModel> model;
    std::optional<Request> first{};
    sp<V1_0::IExecutionCallback> kept{};
};

class WrapperLate : public ::testing::TestWithParam<HalVersion> {};

// Rules wrapper.silent_driver, wrapper.failed_outputs and wrapper.reusable.
TEST_P(WrapperLate, AnExecutionGivenUpWritesIntoNoLaterOne) {
    LateDriver driver(GetParam());
    const auto prepared = wrapAs(GetParam(), driver.model);
    ASSERT_TRUE(prepared.has_value());
    Sum sum;
    const auto execution = reusableOn(**prepared, sum.request());
    ASSERT_TRUE(execution.has_value());

    const auto givenUp = (*execution)->compute(soon());
    ASSERT_FALSE(givenUp.has_value());
    EXPECT_EQ(givenUp.error().code, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    EXPECT_THAT(sum.z, ElementsAre(0, 0, 0, 0));

    sum.x = {5, 6, 7, 8};
    EXPECT_TRUE((*execution)->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(15, 26, 37, 48));
    EXPECT_TRUE((*execution)->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(15, 26, 37, 48));
}

INSTANTIATE_TEST_SUITE_P(Versions, WrapperLate,
                         ::testing::Values(HalVersion::V1_0, HalVersion::V1_2, HalVersion::V1_3));

// Rules wrapper.failed_outputs, wrapper.fenced_pointers and wrapper.reusable: the same if the
// caller abandons the fence.
TEST(WrapperLate, AFenceGivenUpWritesIntoNoLaterExecution) {
    LateDriver driver(HalVersion::V1_3);
    driver.model->onExecute = nullptr;
    const auto prepared = wrapAs(HalVersion::V1_3, driver.model);
    ASSERT_TRUE(prepared.has_value());
    Sum sum;
    const auto execution = reusableOn(**prepared, sum.request());
    ASSERT_TRUE(execution.has_value());

    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const UniqueFd writer(ends[1]);  // never signals
    hidl::native_handle_t* native = hidl::native_handle_create(1, 0);
    native->data[0] = ends[0];
    driver.model->fence.setTo(native, /*shouldOwn=*/true);
    const auto givenUp = (*execution)->computeFenced({}, soon(), {});
    ASSERT_FALSE(givenUp.has_value());
    EXPECT_EQ(givenUp.error().code, ErrorStatus::MISSED_DEADLINE_TRANSIENT);

    sum.x = {5, 6, 7, 8};
    EXPECT_TRUE((*execution)->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(15, 26, 37, 48));
}

}  // namespace
}  // namespace nn::wrapper_late
