// A HIDL driver's device of any version: calls the methods of its version.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/hidl/transport.h"
#include "nnapi/convert.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::driver {

// Arguments for the versions that have them.
struct HidlCacheArguments {
    nn::hidl::hidl_vec<nn::hidl::hidl_handle> model{};
    nn::hidl::hidl_vec<nn::hidl::hidl_handle> data{};
    V1_2::HidlToken token{};
};

struct HidlPrepareArguments {
    V1_1::ExecutionPreference preference = V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
    V1_3::Priority priority = V1_3::Priority::MEDIUM;
    V1_3::OptionalTimePoint deadline{};
    HidlCacheArguments cache{};
};

class HidlDevice {
   public:
    static constexpr HalVersion kNewest = HalVersion::V1_3;
    using PendingPreparedModel = hal::utils::PendingPreparedModel;
    using SharedPending = std::shared_ptr<const PendingPreparedModel>;
    using PreparedModel = nn::hidl::sp<V1_3::IPreparedModel>;  // of allocate()
    using PreparedModels = nn::hidl::hidl_vec<PreparedModel>;
    using Roles = nn::hidl::hidl_vec<V1_3::BufferRole>;
    using CacheArguments = HidlCacheArguments;
    using PrepareArguments = HidlPrepareArguments;

    explicit HidlDevice(const nn::hidl::sp<V1_0::IDevice>& driver);
    explicit HidlDevice(const nn::hidl::sp<V1_1::IDevice>& driver);
    explicit HidlDevice(const nn::hidl::sp<V1_2::IDevice>& driver);
    explicit HidlDevice(const nn::hidl::sp<V1_3::IDevice>& driver);

    HalVersion version() const { return mVersion; }
    const nn::hidl::sp<V1_0::IDevice>& object() const { return mV1_0; }
    WrappedDriver wrapped() const { return {.version = mVersion, .hidl = mV1_0}; }

    Status ping() const;
    Result<Capabilities> getCapabilities() const;
    // Since HAL 1.2.
    Result<std::string> getVersionString() const;
    Result<DeviceType> getType() const;
    Result<std::vector<Extension>> getSupportedExtensions() const;
    Result<NumberOfCacheFiles> getNumberOfCacheFilesNeeded() const;

    std::string_view nameOfGetSupportedOperations() const;
    std::string_view nameOfPrepareModel() const;
    std::string_view nameOfPrepareModelFromCache() const;

    // The model must be of the driver's version.
    Result<std::vector<bool>> getSupportedOperations(const HalModel& model) const;
    Status prepareModel(const HalModel& model, const HidlPrepareArguments& arguments,
                        const SharedPending& pending) const;
    // Since HAL 1.2.
    Status prepareModelFromCache(const HidlPrepareArguments& arguments,
                                 const SharedPending& pending) const;
    // Since HAL 1.3.
    GeneralResult<SharedBuffer> allocate(const V1_3::BufferDesc& desc,
                                         const PreparedModels& preparedModels,
                                         const Roles& inputRoles, const Roles& outputRoles,
                                         const WrapOptions& options) const;

    GeneralResult<SharedPreparedModel> wrapPreparedModel(
            const nn::hidl::sp<V1_0::IPreparedModel>& preparedModel, const WrapOptions& options,
            SharedOutputSignatures outputs) const;

   private:
    HalVersion mVersion;
    // The driver as each interface that it implements; null for interfaces that it lacks.
    nn::hidl::sp<V1_0::IDevice> mV1_0{};
    nn::hidl::sp<V1_1::IDevice> mV1_1{};
    nn::hidl::sp<V1_2::IDevice> mV1_2{};
    nn::hidl::sp<V1_3::IDevice> mV1_3{};
};

}  // namespace nn::driver
