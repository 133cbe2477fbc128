// Serves a canonical device to clients of HAL 1.0 to 1.3.
#pragma once

#include "driver/hidl/adapter.h"

namespace nn::hal::adapter {

class DeviceAdapter final : public V1_3::IDevice {
   public:
    DeviceAdapter(SharedContext context, SharedDevice device)
        : mContext(std::move(context)), mDevice(std::move(device)) {}

    Return<void> getCapabilities(getCapabilities_cb callback) override;
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override;
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override;
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override;
    Return<void> getVersionString(getVersionString_cb callback) override;
    Return<void> getType(getType_cb callback) override;
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override;
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override;
    Return<V1_0::DeviceStatus> getStatus() override { return V1_0::DeviceStatus::AVAILABLE; }

    Return<void> getSupportedOperations(const V1_0::Model& model,
                                        getSupportedOperations_cb callback) override;
    Return<void> getSupportedOperations_1_1(const V1_1::Model& model,
                                            getSupportedOperations_1_1_cb callback) override;
    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb callback) override;
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override;

    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override;
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) override;
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override;
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override;

    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override;
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override;

    Return<void> allocate(const V1_3::BufferDesc& desc,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                          const hidl_vec<V1_3::BufferRole>& inputRoles,
                          const hidl_vec<V1_3::BufferRole>& outputRoles,
                          allocate_cb callback) override;

   private:
    // The arguments of a preparation in any version.
    struct Arguments {
        V1_1::ExecutionPreference preference = V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
        V1_3::Priority priority = V1_3::Priority::MEDIUM;
        V1_3::OptionalTimePoint deadline{};
        const hidl_vec<hidl_handle>& modelCache;
        const hidl_vec<hidl_handle>& dataCache;
        const V1_2::HidlToken& token;
    };

    template <HalVersion V, class Callback>
    Return<void> returnCapabilities(std::string_view call, const Callback& callback) const;
    template <HalVersion V, class HalModel, class Callback>
    Return<void> returnSupportedOperations(std::string_view call, const HalModel& model,
                                           const Callback& callback) const;
    // The callbacks of 1.1 are those of 1.0.
    template <HalVersion V, HalVersion Callback, class HalModel>
    StatusOf<Callback> launchPreparation(std::string_view call, const HalModel& model,
                                         const Arguments& arguments,
                                         const sp<PreparationCallback<Callback>>& callback) const;
    template <HalVersion V>
    StatusOf<V> launchFromCache(std::string_view call, const V1_3::OptionalTimePoint& deadline,
                                const hidl_vec<hidl_handle>& modelCache,
                                const hidl_vec<hidl_handle>& dataCache,
                                const V1_2::HidlToken& token,
                                const sp<PreparationCallback<V>>& callback) const;

    const SharedContext mContext;
    const SharedDevice mDevice;
};

}  // namespace nn::hal::adapter
