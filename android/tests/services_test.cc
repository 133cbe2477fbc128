// Services within one process; android/tests/run tests those of other processes.
#include <android/binder_manager.h>
#include <android/binder_process.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hidl/HidlTransportSupport.h>
#include <hwbinder/IPCThreadState.h>
#include <unistd.h>

#include "nnapi/driver/adapt.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"

extern "C" const nn::plugin::Plugin* nnapi_plugin_v1();

namespace nn::android_services_test {
namespace {

using aidl_hal::IDevice;

hidl::sp<V1_3::IDevice> makeHidl() { return hal::adapter::adapt(referenceDevice()).value(); }

std::shared_ptr<IDevice> makeAidl() { return hal::adapter::adaptAidl(referenceDevice()).value(); }

std::string instanceOf(const std::string& name) {
    return std::string(IDevice::descriptor) + "/" + name;
}

std::shared_ptr<IDevice> findAidl(const std::string& name) {
    return IDevice::fromBinder(
            ndk::SpAIBinder(AServiceManager_checkService(instanceOf(name).c_str())));
}

std::vector<std::string> declared(const char* interface) {
    std::vector<std::string> names;
    AServiceManager_forEachDeclaredInstance(interface, &names, [](const char* name, void* context) {
        static_cast<std::vector<std::string>*>(context)->push_back(name);
    });
    return names;
}

TEST(AndroidServices, OfHidlAreFoundByTheirNameAndVersion) {
    EXPECT_EQ(V1_0::IDevice::getService("hidl"), nullptr);
    const auto device = makeHidl();
    EXPECT_EQ(device->registerAsService("hidl"), hidl::OK);
    EXPECT_EQ(V1_0::IDevice::getService("hidl"), device);
    EXPECT_EQ(V1_3::IDevice::getService("hidl", /*getStub=*/true), device);
    EXPECT_EQ(V1_2::IDevice::tryGetService("hidl"), device);
    EXPECT_EQ(V1_0::IDevice::getService("another"), nullptr);
    EXPECT_EQ(V1_0::IDevice::getService(), nullptr);  // "default"
    EXPECT_EQ(findAidl("hidl"), nullptr);             // of another family

    const auto later = makeHidl();
    EXPECT_EQ(later->registerAsService("hidl"), hidl::OK);
    EXPECT_EQ(V1_1::IDevice::getService("hidl"), later);
}

TEST(AndroidServices, OfAidlAreFoundByTheirInstance) {
    EXPECT_FALSE(AServiceManager_isDeclared(instanceOf("aidl").c_str()));
    EXPECT_EQ(findAidl("aidl"), nullptr);
    const auto device = makeAidl();
    AIBinder* const binder = device->asBinder().get();
    EXPECT_EQ(AServiceManager_addService(binder, instanceOf("aidl").c_str()), STATUS_OK);
    EXPECT_EQ(findAidl("aidl"), device);
    EXPECT_EQ(IDevice::fromBinder(
                      ndk::SpAIBinder(AServiceManager_waitForService(instanceOf("aidl").c_str()))),
              device);
    EXPECT_TRUE(AServiceManager_isDeclared(instanceOf("aidl").c_str()));
    EXPECT_THAT(declared(IDevice::descriptor), testing::Contains("aidl"));
    EXPECT_THAT(declared("android.hardware.another.IDevice"), testing::IsEmpty());
    EXPECT_THAT(declared(nullptr), testing::IsEmpty());
}

TEST(AndroidServices, AreRefusedWithAReason) {
    const auto device = makeAidl();
    AIBinder* const binder = device->asBinder().get();
    const auto anotherBinder = std::make_shared<AIBinder>();
    EXPECT_EQ(AServiceManager_addService(nullptr, instanceOf("a").c_str()), EX_NULL_POINTER);
    EXPECT_EQ(AServiceManager_addService(binder, nullptr), EX_NULL_POINTER);
    for (const char* instance :
         {"", "a", "android.hardware.neuralnetworks.IDevice",
          "android.hardware.neuralnetworks.IDevice/", "android.hardware.another.IDevice/a"}) {
        EXPECT_EQ(AServiceManager_addService(binder, instance), EX_ILLEGAL_ARGUMENT) << instance;
        EXPECT_EQ(AServiceManager_checkService(instance), nullptr) << instance;
        EXPECT_FALSE(AServiceManager_isDeclared(instance)) << instance;
    }
    EXPECT_EQ(AServiceManager_addService(anotherBinder.get(), instanceOf("a").c_str()),
              EX_ILLEGAL_ARGUMENT);
    EXPECT_EQ(AServiceManager_checkService(nullptr), nullptr);
    EXPECT_FALSE(AServiceManager_isDeclared(nullptr));
}

TEST(AndroidServices, AreThoseOfThePlugin) {
    ASSERT_EQ(makeHidl()->registerAsService("of-the-plugin"), hidl::OK);
    const plugin::Plugin* const found = nnapi_plugin_v1();
    ASSERT_EQ(found->magic, plugin::kMagic);
    EXPECT_STREQ(found->fingerprint, plugin::kFingerprint);
    ASSERT_GE(found->deviceCount, 1u);
    GeneralResult<SharedDevice> device;
    found->devices[found->deviceCount - 1].create(&device);
    ASSERT_TRUE(device.has_value());
    EXPECT_EQ((*device)->getName(), "of-the-plugin");
}

TEST(AndroidServices, KnowTheirCaller) {
    EXPECT_TRUE(ABinderProcess_setThreadPoolMaxThreadCount(2));
    ABinderProcess_startThreadPool();  // has no effect without a transport
    EXPECT_EQ(AIBinder_getCallingUid(), geteuid());
    EXPECT_EQ(AIBinder_getCallingPid(), getpid());
    EXPECT_EQ(android::hardware::IPCThreadState::self()->getCallingUid(), geteuid());
    EXPECT_EQ(android::hardware::IPCThreadState::self()->getCallingPid(), getpid());
}

}  // namespace
}  // namespace nn::android_services_test
