// The sample NPU as a device of HAL 1.3 and older.
#ifndef SAMPLE_NPU_HAL_1_3_DEVICE_H
#define SAMPLE_NPU_HAL_1_3_DEVICE_H

#include <android-base/macros.h>

#include <memory>
#include <string>

#include "HalInterfaces.h"
#include "device_state.h"
#include "prepared_model.h"

namespace sample::npu {

class Device : public hal::IDevice {
    DISALLOW_COPY_AND_ASSIGN(Device);

   public:
    explicit Device(const char* name) : mName(name) {}

    Return<void> getCapabilities(getCapabilities_cb cb) override;
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb cb) override;
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb cb) override;
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb cb) override;
    Return<void> getVersionString(getVersionString_cb cb) override;
    Return<void> getType(getType_cb cb) override;
    Return<void> getSupportedExtensions(getSupportedExtensions_cb cb) override;
    Return<void> getSupportedOperations(const hal::V1_0::Model& model,
                                        getSupportedOperations_cb cb) override;
    Return<void> getSupportedOperations_1_1(const hal::V1_1::Model& model,
                                            getSupportedOperations_1_1_cb cb) override;
    Return<void> getSupportedOperations_1_2(const hal::V1_2::Model& model,
                                            getSupportedOperations_1_2_cb cb) override;
    Return<void> getSupportedOperations_1_3(const hal::Model& model,
                                            getSupportedOperations_1_3_cb cb) override;
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb cb) override;
    Return<hal::V1_0::ErrorStatus> prepareModel(
            const hal::V1_0::Model& model,
            const android::sp<hal::V1_0::IPreparedModelCallback>& callback) override;
    Return<hal::V1_0::ErrorStatus> prepareModel_1_1(
            const hal::V1_1::Model& model, hal::ExecutionPreference preference,
            const android::sp<hal::V1_0::IPreparedModelCallback>& callback) override;
    Return<hal::V1_0::ErrorStatus> prepareModel_1_2(
            const hal::V1_2::Model& model, hal::ExecutionPreference preference,
            const hal::hidl_vec<hal::hidl_handle>& modelCache,
            const hal::hidl_vec<hal::hidl_handle>& dataCache, const hal::CacheToken& token,
            const android::sp<hal::V1_2::IPreparedModelCallback>& callback) override;
    Return<hal::ErrorStatus> prepareModel_1_3(
            const hal::Model& model, hal::ExecutionPreference preference, hal::Priority priority,
            const hal::OptionalTimePoint& deadline,
            const hal::hidl_vec<hal::hidl_handle>& modelCache,
            const hal::hidl_vec<hal::hidl_handle>& dataCache, const hal::CacheToken& token,
            const android::sp<hal::IPreparedModelCallback>& callback) override;
    Return<hal::V1_0::ErrorStatus> prepareModelFromCache(
            const hal::hidl_vec<hal::hidl_handle>& modelCache,
            const hal::hidl_vec<hal::hidl_handle>& dataCache, const hal::CacheToken& token,
            const android::sp<hal::V1_2::IPreparedModelCallback>& callback) override;
    Return<hal::ErrorStatus> prepareModelFromCache_1_3(
            const hal::OptionalTimePoint& deadline,
            const hal::hidl_vec<hal::hidl_handle>& modelCache,
            const hal::hidl_vec<hal::hidl_handle>& dataCache, const hal::CacheToken& token,
            const android::sp<hal::IPreparedModelCallback>& callback) override;
    Return<hal::DeviceStatus> getStatus() override;
    Return<void> allocate(const hal::BufferDesc& desc,
                          const hal::hidl_vec<android::sp<hal::IPreparedModel>>& preparedModels,
                          const hal::hidl_vec<hal::BufferRole>& inputRoles,
                          const hal::hidl_vec<hal::BufferRole>& outputRoles,
                          allocate_cb cb) override;

    const std::string& name() const { return mName; }

   private:
    struct CacheFiles {
        hal::hidl_vec<hal::hidl_handle> model;
        hal::hidl_vec<hal::hidl_handle> data;
        hal::CacheToken token;
    };

    template <class Model, class Callback>
    hal::ErrorStatus prepare(const Model& model, hal::ExecutionPreference preference,
                             hal::Priority priority, const hal::OptionalTimePoint& deadline,
                             const CacheFiles& files, const android::sp<Callback>& callback);
    template <class Callback>
    hal::ErrorStatus load(const hal::OptionalTimePoint& deadline, const CacheFiles& files,
                          const android::sp<Callback>& callback);

    const std::string mName;
    const std::shared_ptr<DeviceState> mState = std::make_shared<DeviceState>();
};

}  // namespace sample::npu

#endif  // SAMPLE_NPU_HAL_1_3_DEVICE_H
