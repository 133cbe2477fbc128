// The device.
#pragma once

#include <memory>
#if NPU_CACHING
#include <optional>
#endif
#include <string>
#include <utility>
#include <vector>

#include "nnapi/device_profile.h"
#if NPU_CACHING
#include "nnapi/driver/cache.h"
#endif
#include "nnapi/driver/interfaces.h"
#include "prepared_model.h"

namespace npu_driver {

class Device final : public nn::IDevice {
   public:
    Device();

    const std::string& getName() const override { return mDescription.name; }
    const std::string& getVersionString() const override { return mVersionString; }
    nn::Version getFeatureLevel() const override { return mDescription.version; }
    nn::DeviceType getType() const override { return nn::DeviceType::ACCELERATOR; }
    const std::vector<nn::Extension>& getSupportedExtensions() const override {
        return mExtensions;
    }
    const nn::Capabilities& getCapabilities() const override { return mCapabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override;
    nn::GeneralResult<void> wait() const override { return {}; }

    nn::GeneralResult<std::vector<bool>> getSupportedOperations(
            const nn::Model& model) const override;
    nn::GeneralResult<nn::SharedPreparedModel> prepareModel(
            const nn::Model& model, nn::ExecutionPreference preference, nn::Priority priority,
            nn::OptionalTimePoint deadline, const std::vector<nn::SharedHandle>& modelCache,
            const std::vector<nn::SharedHandle>& dataCache, const nn::CacheToken& token,
            const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override;
    nn::GeneralResult<nn::SharedPreparedModel> prepareModelFromCache(
            nn::OptionalTimePoint deadline, const std::vector<nn::SharedHandle>& modelCache,
            const std::vector<nn::SharedHandle>& dataCache,
            const nn::CacheToken& token) const override;
    nn::GeneralResult<nn::SharedBuffer> allocate(
            const nn::BufferDesc& desc, const std::vector<nn::SharedPreparedModel>& preparedModels,
            const std::vector<nn::BufferRole>& inputRoles,
            const std::vector<nn::BufferRole>& outputRoles) const override;

   private:
    nn::GeneralResult<nn::SharedPreparedModel> prepare(const nn::Model& model,
                                                       const nn::OptionalTimePoint& deadline) const;

    nn::DeviceProfile mDescription;
    std::string mVersionString = "1.0";
    std::vector<nn::Extension> mExtensions{};
    nn::Capabilities mCapabilities{};  // FILL IN: time and power, relative to the CPU
#if NPU_CACHING
    std::optional<nn::CacheSeal> mSeal{};
#endif
#if NPU_MEMORY_DOMAINS
    // All buffers together are limited to 1 GiB.
    std::shared_ptr<nn::DeviceBuffers> mBuffers = std::make_shared<nn::DeviceBuffers>(1u << 30);
#endif
};

}  // namespace npu_driver
