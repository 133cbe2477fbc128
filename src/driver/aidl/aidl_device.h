// An AIDL driver's device of any version: calls the methods of its version.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/aidl/transport.h"
#include "driver/wrap/interface_features.h"
#include "nnapi/convert.h"
#include "nnapi/driver/wrap.h"

namespace nn::driver {

using AidlFiles = std::vector<::ndk::ScopedFileDescriptor>;

class AidlDevice {
   public:
    static constexpr HalVersion kNewest = HalVersion::AIDL4;
    using PendingPreparedModel = hal::utils::AidlPendingPreparedModel;
    using SharedPending = std::shared_ptr<const PendingPreparedModel>;
    using PreparedModel = std::shared_ptr<aidl_hal::IPreparedModel>;
    using PreparedModels = std::vector<aidl_hal::IPreparedModelParcel>;
    using Roles = std::vector<aidl_hal::BufferRole>;

    struct CacheArguments {
        AidlFiles model{};
        AidlFiles data{};
        std::vector<uint8_t> token = std::vector<uint8_t>(kByteSizeOfCacheToken);
    };

    // Arguments for the versions that have them.
    struct PrepareArguments {
        aidl_hal::ExecutionPreference preference{};
        aidl_hal::Priority priority{};
        int64_t deadline = aidl::kNoTime;
        CacheArguments cache{};
        std::vector<aidl_hal::TokenValuePair> hints{};
        std::vector<aidl_hal::ExtensionNameAndPrefix> extensionNameToPrefix{};
    };

    AidlDevice(std::shared_ptr<aidl_hal::IDevice> driver, HalVersion version)
        : mDriver(std::move(driver)), mVersion(version) {}

    HalVersion version() const { return mVersion; }
    const std::shared_ptr<aidl_hal::IDevice>& object() const { return mDriver; }
    WrappedDriver wrapped() const { return {.version = mVersion, .aidl = mDriver}; }

    Status ping() const;
    Result<Capabilities> getCapabilities() const;
    Result<std::string> getVersionString() const;
    Result<DeviceType> getType() const;
    Result<std::vector<Extension>> getSupportedExtensions() const;
    Result<NumberOfCacheFiles> getNumberOfCacheFilesNeeded() const;

    static constexpr std::string_view nameOfGetSupportedOperations() {
        return "getSupportedOperations";
    }
    std::string_view nameOfPrepareModel() const {
        return hasConfigs() ? "prepareModelWithConfig" : "prepareModel";
    }
    static constexpr std::string_view nameOfPrepareModelFromCache() {
        return "prepareModelFromCache";
    }

    // The model must be an AidlModel.
    Result<std::vector<bool>> getSupportedOperations(const HalModel& model) const;
    Status prepareModel(const HalModel& model, PrepareArguments arguments,
                        const SharedPending& pending) const;
    Status prepareModelFromCache(const PrepareArguments& arguments,
                                 const SharedPending& pending) const;
    GeneralResult<SharedBuffer> allocate(const aidl_hal::BufferDesc& desc,
                                         const PreparedModels& preparedModels,
                                         const Roles& inputRoles, const Roles& outputRoles,
                                         const WrapOptions& options) const;

    GeneralResult<SharedPreparedModel> wrapPreparedModel(const PreparedModel& preparedModel,
                                                         const WrapOptions& options,
                                                         SharedOutputSignatures outputs) const;

   private:
    bool hasConfigs() const { return mVersion >= since::kHints; }

    std::shared_ptr<aidl_hal::IDevice> mDriver;
    HalVersion mVersion;
};

}  // namespace nn::driver
