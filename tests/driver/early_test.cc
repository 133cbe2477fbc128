// The early revision of HAL 1.3. The numbers are rules on interfaces.

#include "driver/adapter_fakes.h"

namespace nn::driver_early_test {
namespace {

using namespace driver_adapter_fakes;
using hal::adapter::fromEarly;
using hal::adapter::toEarly;
using testing::ElementsAre;
using testing::SizeIs;
using enum ErrorStatus;

sp<V1_3::early::IDevice> early(const SharedScript& script) { return toEarly(adapted(script)); }

int32_t prepareEarly(V1_3::early::IDevice& device, const sp<PreparationClient>& client,
                     bool fromCache = false) {
    if (fromCache) return codeOf(device.prepareModelFromCache_1_3({}, {}, {}, client));
    return codeOf(device.prepareModel_1_3(halModel<HalVersion::V1_3>(addition()),
                                          V1_1::ExecutionPreference::LOW_POWER, {}, {}, {},
                                          client));
}

// Rule hidl.early_v1_3.
TEST(Early, DiffersFromOtherRevisions) {
    EXPECT_EQ(toEarly(nullptr), nullptr);
    EXPECT_EQ(fromEarly(nullptr), nullptr);
    const sp<V1_0::IDevice> oldest = early(std::make_shared<Script>());
    EXPECT_NE(sp<V1_2::IDevice>(V1_2::IDevice::castFrom(oldest)), nullptr);
    EXPECT_NE(sp<V1_3::early::IDevice>(V1_3::early::IDevice::castFrom(oldest)), nullptr);
    EXPECT_EQ(sp<V1_3::IDevice>(V1_3::IDevice::castFrom(oldest)), nullptr);
    std::string descriptor;
    ASSERT_TRUE(oldest->interfaceDescriptor([&](const auto& text) { descriptor = text; }).isOk());
    EXPECT_EQ(descriptor, V1_3::early::IDevice::descriptor);
    EXPECT_TRUE(oldest->ping().isOk());
    EXPECT_FALSE(oldest->isRemote());
}

// Rules hidl.early_v1_3 and hidl.inheritance: converted to the early revision and back, the older
// calls are the driver's own.
TEST(Early, HasTheOlderCalls) {
    for (const bool isBack : {false, true}) {
        const auto fake = std::make_shared<Script>();
        size_t prepared = 0;
        fake->prepare = [&](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
            ++prepared;
            return SharedPreparedModel(std::make_shared<const FakePreparedModel>(fake));
        };
        const sp<V1_3::early::IDevice> older = early(fake);
        const sp<V1_2::IDevice> device = isBack ? sp<V1_2::IDevice>(fromEarly(older)) : older;
        int calls = 0;
        const auto count = [&](auto status, const auto&...) {
            EXPECT_EQ(static_cast<int32_t>(status), 0);
            ++calls;
        };
        EXPECT_TRUE(device->getCapabilities(count).isOk());
        EXPECT_TRUE(device->getCapabilities_1_1(count).isOk());
        EXPECT_TRUE(device->getCapabilities_1_2(count).isOk());
        EXPECT_TRUE(device->getVersionString(count).isOk());
        EXPECT_TRUE(device->getType(count).isOk());
        EXPECT_TRUE(device->getSupportedExtensions(count).isOk());
        EXPECT_TRUE(device->getNumberOfCacheFilesNeeded(count).isOk());
        using enum HalVersion;
        EXPECT_TRUE(device->getSupportedOperations(halModel<V1_0>(addition()), count).isOk());
        EXPECT_TRUE(device->getSupportedOperations_1_1(halModel<V1_1>(addition()), count).isOk());
        EXPECT_TRUE(device->getSupportedOperations_1_2(halModel<V1_2>(addition()), count).isOk());
        EXPECT_EQ(calls, 10);
        EXPECT_EQ(V1_0::DeviceStatus(device->getStatus()), V1_0::DeviceStatus::AVAILABLE);
        const auto client = sp<PreparationClient>::make();
        const auto preference = V1_1::ExecutionPreference::LOW_POWER;
        EXPECT_EQ(codeOf(device->prepareModel(halModel<V1_0>(addition()), client)), 0);
        EXPECT_EQ(codeOf(device->prepareModel_1_1(halModel<V1_1>(addition()), preference, client)),
                  0);
        EXPECT_EQ(codeOf(device->prepareModel_1_2(halModel<V1_2>(addition()), preference, {}, {},
                                                  {}, client)),
                  0);
        EXPECT_EQ(codeOf(device->prepareModelFromCache({}, {}, {}, client)), 0);
        EXPECT_EQ(prepared, 4u);
        EXPECT_THAT(client->log.now(),
                    ElementsAre(Notifies("notify", 0), Notifies("notify", 0),
                                Notifies("notify_1_2", 0), Notifies("notify_1_2", 0)));
    }
}

// Rules hidl.early_v1_3 and hidl.statuses: one notification, with a code of HAL 1.0.
TEST(Early, CollapsesCodes) {
    for (const ErrorStatus code : {NONE, INVALID_ARGUMENT, MISSED_DEADLINE_TRANSIENT}) {
        for (const bool fromCache : {false, true}) {
            const auto fake = std::make_shared<Script>();
            std::vector<PrepareCall> calls;
            fake->prepare = [&](const PrepareCall& call) -> GeneralResult<SharedPreparedModel> {
                calls.push_back(call);
                if (code != NONE) return error(code) << "no";
                return SharedPreparedModel(std::make_shared<const FakePreparedModel>(fake));
            };
            const auto client = sp<PreparationClient>::make();
            EXPECT_EQ(prepareEarly(*early(fake), client, fromCache), 0);
            ASSERT_THAT(calls, SizeIs(1));
            EXPECT_FALSE(calls[0].deadline.has_value());
            if (!fromCache) {
                EXPECT_EQ(calls[0].preference, ExecutionPreference::LOW_POWER);
                EXPECT_EQ(calls[0].priority, Priority::DEFAULT);
            }
            const std::vector<Notification> notifications = client->log.now();
            ASSERT_THAT(notifications,
                        ElementsAre(Notifies("notify_1_2", codeIn(HalVersion::V1_2, code))));
            EXPECT_EQ(notifications[0].preparedModel != nullptr, code == NONE);
        }
    }
    EXPECT_EQ(prepareEarly(*early(std::make_shared<Script>()), nullptr), 4);
    EXPECT_EQ(prepareEarly(*early(std::make_shared<Script>()), nullptr, true), 4);
}

// Rule hidl.early_v1_3.
TEST(Early, ReturnsCodesOfHal10) {
    const auto fake = std::make_shared<Script>();
    fake->support = [](const Model&) -> GeneralResult<std::vector<bool>> {
        return error(RESOURCE_EXHAUSTED_PERSISTENT) << "full";
    };
    const auto older = early(fake);
    const auto newer = fromEarly(older);
    std::vector<int32_t> codes;
    const auto note = [&](auto status, const auto&) {
        codes.push_back(static_cast<int32_t>(status));
    };
    const auto model = halModel<HalVersion::V1_3>(addition());
    const auto expectCodes = [&](auto& device) {
        EXPECT_TRUE(device.getSupportedOperations_1_3(model, note).isOk());
        EXPECT_TRUE(device.getCapabilities_1_3(note).isOk());
        EXPECT_THAT(std::exchange(codes, {}), ElementsAre(2, 0));
        EXPECT_FALSE(device.getSupportedOperations_1_3(model, nullptr).isOk());
        EXPECT_FALSE(device.getCapabilities_1_3(nullptr).isOk());
    };
    expectCodes(*older);
    expectCodes(*newer);
    EXPECT_FALSE(newer->allocate({}, {}, {}, {}, nullptr).isOk());
}

// Rules hidl.early_v1_3, hidl.failed_allocate, wrapper.lost_arguments and wrapper.local_deadline.
TEST(Early, IsAFinalDriverWithoutWhatItLacks) {
    V1_3::OptionalTimePoint past;
    past.nanosecondsSinceEpoch(0);
    V1_3::OptionalTimePoint future;
    future.nanosecondsSinceEpoch(INT64_MAX);
    const struct {
        const char* name;
        V1_3::Priority priority;
        V1_3::OptionalTimePoint deadline;
        ErrorStatus code;
        size_t lost;  // of a model; a preparation from a cache has no priority
        size_t lostFromCache;
    } kRows[] = {
            {"Plain", V1_3::Priority::MEDIUM, {}, NONE, 0, 0},
            {"Priority", V1_3::Priority::LOW, {}, NONE, 1, 0},
            {"Both", V1_3::Priority::HIGH, future, NONE, 2, 1},
            {"Past", V1_3::Priority::MEDIUM, past, MISSED_DEADLINE_PERSISTENT, 0, 0},
    };
    for (const auto& row : kRows) {
        for (const PrepareMethod& method : prepareMethods()) {
            if (method.version != HalVersion::V1_3) continue;
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            Heard heard;
            const auto device = fromEarly(early(std::make_shared<Script>()), heard.listener());
            const auto client = sp<PreparationClient>::make();
            EXPECT_EQ(method.call(*device, {.priority = row.priority, .deadline = row.deadline},
                                  client),
                      static_cast<int32_t>(row.code));
            const std::vector<Notification> notifications = client->log.now();
            ASSERT_THAT(notifications,
                        ElementsAre(Notifies(row.code == NONE ? "notify_1_2" : "notify_1_3",
                                             static_cast<int32_t>(row.code))));
            EXPECT_EQ(notifications[0].preparedModel != nullptr, row.code == NONE);
            EXPECT_THAT(heard.lines, SizeIs(method.fromCache ? row.lostFromCache : row.lost));
        }
    }
    const auto device = fromEarly(early(std::make_shared<Script>()));
    const auto client = sp<PreparationClient>::make();
    EXPECT_EQ(prepareMethods()[3].call(*device, {.priority = V1_3::Priority(9)}, client), 4);
    EXPECT_THAT(client->log.now(), SizeIs(1));
    EXPECT_EQ(prepareMethods()[3].call(*device, {.priority = V1_3::Priority(9)}, nullptr), 4);
    int calls = 0;
    EXPECT_TRUE(device->allocate({}, {}, {}, {},
                                 [&](V1_3::ErrorStatus status, const auto& buffer, uint32_t token) {
                                     EXPECT_EQ(static_cast<int32_t>(status), 2);
                                     EXPECT_EQ(buffer, nullptr);
                                     EXPECT_EQ(token, 0u);
                                     ++calls;
                                 })
                        .isOk());
    EXPECT_EQ(calls, 1);
}

// Rule hidl.death_recipient.
TEST(Early, TakesLinksForTheDriverBehindIt) {
    struct Watch final : hidl::hidl_death_recipient {
        void serviceDied(uint64_t, const hidl::wp<hidl::IBase>&) override {}
    };
    const auto device = fromEarly(early(std::make_shared<Script>()));
    const auto watch = sp<Watch>::make();
    EXPECT_TRUE(bool(device->linkToDeath(watch, 7)));
    EXPECT_TRUE(bool(device->unlinkToDeath(watch)));
    EXPECT_FALSE(bool(device->linkToDeath(nullptr, 7)));
}

}  // namespace
}  // namespace nn::driver_early_test
