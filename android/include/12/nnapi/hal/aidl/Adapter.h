// nnapi/hal/aidl/Adapter.h -- offers a canonical device as a driver of AIDL, by Android's names.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/IDevice.h"
#include "nnapi/Types.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace aidl::android::hardware::neuralnetworks::adapter {

using ::nn::hal::adapter::Executor;
using ::nn::hal::adapter::Task;

namespace internal {

// What adaptAidl() made, as the base class of a version, which it does not have itself.
template <class Base>
class AdaptedDevice : public Base {
   public:
    explicit AdaptedDevice(std::shared_ptr<IDevice> inner) : mInner(std::move(inner)) {}

    ScopedAStatus allocate(const BufferDesc& desc,
                           const std::vector<IPreparedModelParcel>& preparedModels,
                           const std::vector<BufferRole>& inputRoles,
                           const std::vector<BufferRole>& outputRoles,
                           DeviceBuffer* buffer) override {
        return mInner->allocate(desc, preparedModels, inputRoles, outputRoles, buffer);
    }
    ScopedAStatus getCapabilities(Capabilities* capabilities) override {
        return mInner->getCapabilities(capabilities);
    }
    ScopedAStatus getNumberOfCacheFilesNeeded(NumberOfCacheFiles* files) override {
        return mInner->getNumberOfCacheFilesNeeded(files);
    }
    ScopedAStatus getSupportedExtensions(std::vector<Extension>* extensions) override {
        return mInner->getSupportedExtensions(extensions);
    }
    ScopedAStatus getSupportedOperations(const Model& model,
                                         std::vector<bool>* supported) override {
        return mInner->getSupportedOperations(model, supported);
    }
    ScopedAStatus getType(DeviceType* type) override { return mInner->getType(type); }
    ScopedAStatus getVersionString(std::string* version) override {
        return mInner->getVersionString(version);
    }
    ScopedAStatus prepareModel(const Model& model, ExecutionPreference preference,
                               Priority priority, int64_t deadlineNs,
                               const std::vector<ScopedFileDescriptor>& modelCache,
                               const std::vector<ScopedFileDescriptor>& dataCache,
                               const std::vector<uint8_t>& token,
                               const std::shared_ptr<IPreparedModelCallback>& callback) override {
        return mInner->prepareModel(model, preference, priority, deadlineNs, modelCache, dataCache,
                                    token, callback);
    }
    ScopedAStatus prepareModelFromCache(
            int64_t deadlineNs, const std::vector<ScopedFileDescriptor>& modelCache,
            const std::vector<ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
            const std::shared_ptr<IPreparedModelCallback>& callback) override {
        return mInner->prepareModelFromCache(deadlineNs, modelCache, dataCache, token, callback);
    }

   protected:
    const std::shared_ptr<IDevice> mInner;
};

// The same with the method of version 4.
template <class Base>
class AdaptedDevice4 final : public AdaptedDevice<Base> {
   public:
    using AdaptedDevice<Base>::AdaptedDevice;

    ScopedAStatus prepareModelWithConfig(
            const Model& model, const PrepareModelConfig& config,
            const std::shared_ptr<IPreparedModelCallback>& callback) override {
        return this->mInner->prepareModelWithConfig(model, config, callback);
    }
};

// A device of the version that the driver is compiled for; null for null.
template <class Base, int version>
std::shared_ptr<Base> adaptAs(::android::nn::SharedDevice device, Executor executor) {
    constexpr auto kVersion =
            static_cast<::nn::HalVersion>(static_cast<int>(::nn::HalVersion::AIDL1) + version - 1);
    auto adapted = ::nn::hal::adapter::adaptAidl(std::move(device), kVersion,
                                                 {.executor = std::move(executor)});
    if (!adapted.has_value()) return nullptr;
    if constexpr (version >= 4) {
        return ::ndk::SharedRefBase::make<AdaptedDevice4<Base>>(*std::move(adapted));
    } else {
        return ::ndk::SharedRefBase::make<AdaptedDevice<Base>>(*std::move(adapted));
    }
}

}  // namespace internal

inline std::shared_ptr<BnDevice> adapt(::android::nn::SharedDevice device, Executor executor) {
    return internal::adaptAs<BnDevice, NNAPI_AIDL_VERSION>(std::move(device), std::move(executor));
}
inline std::shared_ptr<BnDevice> adapt(::android::nn::SharedDevice device) {
    return adapt(std::move(device), {});
}

}  // namespace aidl::android::hardware::neuralnetworks::adapter
