// nnapi/hal/hidl/forwarding.h -- Base classes of HIDL devices that forward each method to another
// one: override the methods that differ.
//
//   class Slow final : public nn::hal::ForwardingHidlDevice {
//    public:
//       using ForwardingHidlDevice::ForwardingHidlDevice;
//       nn::hidl::Return<void> getType(getType_cb callback) override {
//           sleep(1);
//           return inner()->getType(callback);
//       }
//   };
//   nn::hidl::sp<nn::V1_3::IDevice> slow = nn::hidl::sp<Slow>::make(driver);
//
// Callbacks of preparations pass through a hook; prepared models and buffers pass as they are.
// Death recipients watch the inner driver. Thread-safe if the inner driver is. Requires a driver,
// not null.
#pragma once

#include <utility>

#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::hal {

// The methods of 1.2 that each revision of 1.3 inherits. Interface and Driver may be different
// revisions.
template <class Interface, class Driver = Interface>
class ForwardingHidl : public Interface {
   public:
    explicit ForwardingHidl(hidl::sp<Driver> inner) : mInner(std::move(inner)) {}

    hidl::Return<void> ping() override { return mInner->ping(); }
    hidl::Return<bool> linkToDeath(const hidl::sp<hidl::hidl_death_recipient>& recipient,
                                   uint64_t cookie) override {
        return mInner->linkToDeath(recipient, cookie);
    }
    hidl::Return<bool> unlinkToDeath(
            const hidl::sp<hidl::hidl_death_recipient>& recipient) override {
        return mInner->unlinkToDeath(recipient);
    }
    bool isRemote() const override { return mInner->isRemote(); }

    hidl::Return<void> getCapabilities(V1_0::IDevice::getCapabilities_cb callback) override {
        return mInner->getCapabilities(std::move(callback));
    }
    hidl::Return<void> getCapabilities_1_1(
            V1_1::IDevice::getCapabilities_1_1_cb callback) override {
        return mInner->getCapabilities_1_1(std::move(callback));
    }
    hidl::Return<void> getCapabilities_1_2(
            V1_2::IDevice::getCapabilities_1_2_cb callback) override {
        return mInner->getCapabilities_1_2(std::move(callback));
    }
    hidl::Return<void> getVersionString(V1_2::IDevice::getVersionString_cb callback) override {
        return mInner->getVersionString(std::move(callback));
    }
    hidl::Return<void> getType(V1_2::IDevice::getType_cb callback) override {
        return mInner->getType(std::move(callback));
    }
    hidl::Return<void> getSupportedExtensions(
            V1_2::IDevice::getSupportedExtensions_cb callback) override {
        return mInner->getSupportedExtensions(std::move(callback));
    }
    hidl::Return<void> getNumberOfCacheFilesNeeded(
            V1_2::IDevice::getNumberOfCacheFilesNeeded_cb callback) override {
        return mInner->getNumberOfCacheFilesNeeded(std::move(callback));
    }
    hidl::Return<V1_0::DeviceStatus> getStatus() override { return mInner->getStatus(); }

    hidl::Return<void> getSupportedOperations(
            const V1_0::Model& model, V1_0::IDevice::getSupportedOperations_cb callback) override {
        return mInner->getSupportedOperations(model, std::move(callback));
    }
    hidl::Return<void> getSupportedOperations_1_1(
            const V1_1::Model& model,
            V1_1::IDevice::getSupportedOperations_1_1_cb callback) override {
        return mInner->getSupportedOperations_1_1(model, std::move(callback));
    }
    hidl::Return<void> getSupportedOperations_1_2(
            const V1_2::Model& model,
            V1_2::IDevice::getSupportedOperations_1_2_cb callback) override {
        return mInner->getSupportedOperations_1_2(model, std::move(callback));
    }

    hidl::Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model,
            const hidl::sp<V1_0::IPreparedModelCallback>& callback) override {
        return mInner->prepareModel(model, wrapCallback(callback));
    }
    hidl::Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const hidl::sp<V1_0::IPreparedModelCallback>& callback) override {
        return mInner->prepareModel_1_1(model, preference, wrapCallback(callback));
    }
    hidl::Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference,
            const hidl::hidl_vec<hidl::hidl_handle>& modelCache,
            const hidl::hidl_vec<hidl::hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const hidl::sp<V1_2::IPreparedModelCallback>& callback) override {
        return mInner->prepareModel_1_2(model, preference, modelCache, dataCache, token,
                                        wrapCallback(callback));
    }
    hidl::Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl::hidl_vec<hidl::hidl_handle>& modelCache,
            const hidl::hidl_vec<hidl::hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const hidl::sp<V1_2::IPreparedModelCallback>& callback) override {
        return mInner->prepareModelFromCache(modelCache, dataCache, token, wrapCallback(callback));
    }

   protected:
    // The callback that the inner driver gets for one that a client passes. Null is passed too.
    virtual hidl::sp<V1_0::IPreparedModelCallback> wrapCallback(
            const hidl::sp<V1_0::IPreparedModelCallback>& callback) {
        return callback;
    }
    virtual hidl::sp<V1_2::IPreparedModelCallback> wrapCallback(
            const hidl::sp<V1_2::IPreparedModelCallback>& callback) {
        return callback;
    }
    virtual hidl::sp<V1_3::IPreparedModelCallback> wrapCallback(
            const hidl::sp<V1_3::IPreparedModelCallback>& callback) {
        return callback;
    }

    const hidl::sp<Driver>& inner() const { return mInner; }

   private:
    const hidl::sp<Driver> mInner;
};

class ForwardingHidlDevice : public ForwardingHidl<V1_3::IDevice> {
   public:
    using ForwardingHidl::ForwardingHidl;

    hidl::Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        return inner()->getCapabilities_1_3(std::move(callback));
    }
    hidl::Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                                  getSupportedOperations_1_3_cb callback) override {
        return inner()->getSupportedOperations_1_3(model, std::move(callback));
    }
    hidl::Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline,
            const hidl::hidl_vec<hidl::hidl_handle>& modelCache,
            const hidl::hidl_vec<hidl::hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const hidl::sp<V1_3::IPreparedModelCallback>& callback) override {
        return inner()->prepareModel_1_3(model, preference, priority, deadline, modelCache,
                                         dataCache, token, wrapCallback(callback));
    }
    hidl::Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline,
            const hidl::hidl_vec<hidl::hidl_handle>& modelCache,
            const hidl::hidl_vec<hidl::hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const hidl::sp<V1_3::IPreparedModelCallback>& callback) override {
        return inner()->prepareModelFromCache_1_3(deadline, modelCache, dataCache, token,
                                                  wrapCallback(callback));
    }
    hidl::Return<void> allocate(
            const V1_3::BufferDesc& desc,
            const hidl::hidl_vec<hidl::sp<V1_3::IPreparedModel>>& preparedModels,
            const hidl::hidl_vec<V1_3::BufferRole>& inputRoles,
            const hidl::hidl_vec<V1_3::BufferRole>& outputRoles, allocate_cb callback) override {
        return inner()->allocate(desc, preparedModels, inputRoles, outputRoles,
                                 std::move(callback));
    }
};

}  // namespace nn::hal
