// Adapters of canonical devices of every feature level: the version that they offer by default, and
// the support that they report for operations above the device's level.
#include "driver/adapter_fakes.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/validate.h"

namespace nn::adapter_levels_test {
namespace {

using namespace driver_adapter_fakes;
using testing::ElementsAreArray;
using enum HalVersion;

SharedScript scriptOf(Version level) {
    auto script = std::make_shared<Script>();
    script->featureLevel = level;
    // Like wrappers and drivers, fails for a model that is too new.
    script->support = [level](const Model& model) -> GeneralResult<std::vector<bool>> {
        NNAPI_RETURN_IF_ERROR(validateFor(model, level));
        return std::vector<bool>(model.main.operations.size(), true);
    };
    return script;
}

SharedDevice deviceOf(Version level) { return std::make_shared<const FakeDevice>(scriptOf(level)); }

struct Row {
    OperationType type;
    HalVersion since;
};
constexpr Row kOperations[] = {
        {OperationType::ADD, V1_0},           {OperationType::SUB, V1_1},
        {OperationType::EXP, V1_2},           {OperationType::HARD_SWISH, V1_3},
        {OperationType::BATCH_MATMUL, AIDL2}, {OperationType::REVERSE, AIDL3}};

// A model with the operations of a version, all with the same input.
Model modelOf(HalVersion version) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {2, 2});
    for (const Row& row : kOperations) {
        if (row.since > version) continue;
        std::vector<uint32_t> inputs = {x};
        if (row.type == OperationType::ADD || row.type == OperationType::SUB) {
            inputs.insert(inputs.end(), {x, main.scalar(0)});
        }
        if (row.type == OperationType::BATCH_MATMUL) {
            const auto no = main.constant<uint8_t>(BOOL, {}, {0});
            inputs.insert(inputs.end(), {x, no, no});
        }
        if (row.type == OperationType::REVERSE) {
            inputs.push_back(main.constant(TENSOR_INT32, {1}, std::vector<int32_t>{0}));
        }
        main.add(row.type, inputs, {main.output(TENSOR_FLOAT32, {2, 2})});
    }
    model.main = main.graph;
    return model;
}

std::vector<bool> supportedBy(Version level, HalVersion version) {
    std::vector<bool> supported;
    for (const Row& row : kOperations) {
        if (row.since <= version) supported.push_back(toVersion(row.since).level <= level.level);
    }
    return supported;
}

// The result for a client of a version; empty if the call fails.
std::vector<bool> askHidl(V1_3::IDevice& driver, HalVersion version) {
    std::vector<bool> result;
    const auto take = [&](auto status, const hidl_vec<bool>& supported) {
        EXPECT_EQ(static_cast<int32_t>(status), 0);
        result.assign(supported.begin(), supported.end());
    };
    const Model model = modelOf(version);
    switch (version) {
        case V1_0:
            EXPECT_TRUE(driver.getSupportedOperations(halModel<V1_0>(model), take).isOk());
            break;
        case V1_1:
            EXPECT_TRUE(driver.getSupportedOperations_1_1(halModel<V1_1>(model), take).isOk());
            break;
        case V1_2:
            EXPECT_TRUE(driver.getSupportedOperations_1_2(halModel<V1_2>(model), take).isOk());
            break;
        case V1_3:
            EXPECT_TRUE(driver.getSupportedOperations_1_3(halModel<V1_3>(model), take).isOk());
            break;
        case AIDL1:
        case AIDL2:
        case AIDL3:
        case AIDL4:
            ADD_FAILURE() << "a version of AIDL";
    }
    return result;
}

std::vector<bool> askAidl(const SharedDevice& device, HalVersion version) {
    const auto driver = hal::adapter::adaptAidl(device, version).value();
    std::vector<bool> result;
    const auto status = driver->getSupportedOperations(halModel<AIDL4>(modelOf(version)), &result);
    EXPECT_TRUE(status.isOk()) << status.getDescription();
    return result;
}

// Rule adapter.supported_operations.
TEST(AdapterLevels, OperationsAboveTheDeviceAreNotSupported) {
    for (const HalVersion level : kHalVersions) {
        const SharedDevice fake = deviceOf(toVersion(level));
        const SharedDevice reference = referenceDevice({.featureLevel = toVersion(level)});
        for (const SharedDevice& device : {fake, reference}) {
            for (const HalVersion version : kHalVersions) {
                SCOPED_TRACE(testing::Message() << device->getName() << " of " << titleOf(level)
                                                << " as " << titleOf(version));
                const auto result = version < AIDL1
                                            ? askHidl(*hal::adapter::adapt(device).value(), version)
                                            : askAidl(device, version);
                EXPECT_THAT(result, ElementsAreArray(supportedBy(toVersion(level), version)));
            }
        }
    }
}

// A device with an unknown feature level, or none.
TEST(AdapterLevels, RejectsUnknownLevels) {
    const Version newer{.level = Version::Level(99)};
    EXPECT_THAT(askAidl(deviceOf(newer), AIDL4), ElementsAreArray(supportedBy(newer, AIDL4)));
    const Version none{.level = Version::Level(0)};
    EXPECT_THAT(askAidl(deviceOf(none), AIDL4), ElementsAreArray(supportedBy(none, AIDL4)));
}

// Failures for reasons other than the version remain failures.
TEST(AdapterLevels, FailuresOfTheDeviceStayFailures) {
    const auto script = scriptOf(kVersionFeatureLevel2);
    script->support = [](const Model&) -> GeneralResult<std::vector<bool>> {
        return error(ErrorStatus::DEVICE_UNAVAILABLE) << "busy";
    };
    const auto driver =
            hal::adapter::adaptAidl(std::make_shared<const FakeDevice>(script), AIDL3).value();
    std::vector<bool> result;
    EXPECT_EQ(driver->getSupportedOperations(halModel<AIDL4>(modelOf(AIDL3)), &result)
                      .getServiceSpecificError(),
              static_cast<int32_t>(ErrorStatus::DEVICE_UNAVAILABLE));
}

// If no version is given, AIDL is offered in the version of the device's level.
TEST(AdapterLevels, AidlIsAsNewAsTheDevice) {
    const struct {
        Version level;
        int32_t interfaceVersion;
    } kRows[] = {
            {Version{.level = Version::Level(0)}, 1},
            {kVersionFeatureLevel1, 1},
            {kVersionFeatureLevel4, 1},
            {kVersionFeatureLevel5, 1},
            {kVersionFeatureLevel6, 2},
            {kVersionFeatureLevel7, 3},
            {kVersionFeatureLevel8, 4},
            {Version{.level = Version::Level(99)}, 4},
    };
    for (const auto& row : kRows) {
        int32_t version = 0;
        const auto driver = hal::adapter::adaptAidl(deviceOf(row.level)).value();
        EXPECT_TRUE(driver->getInterfaceVersion(&version).isOk());
        EXPECT_EQ(version, row.interfaceVersion) << toString(row.level);
    }
}

}  // namespace
}  // namespace nn::adapter_levels_test
