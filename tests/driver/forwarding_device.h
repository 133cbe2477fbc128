// A device that does what another one does: what a test changes it overrides.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

class ForwardingDevice : public IDevice {
   public:
    explicit ForwardingDevice(SharedDevice device) : mDevice(std::move(device)) {}

    const std::string& getName() const override { return mDevice->getName(); }
    const std::string& getVersionString() const override { return mDevice->getVersionString(); }
    Version getFeatureLevel() const override { return mDevice->getFeatureLevel(); }
    DeviceType getType() const override { return mDevice->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mDevice->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mDevice->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mDevice->getNumberOfCacheFilesNeeded();
    }
    GeneralResult<void> wait() const override { return mDevice->wait(); }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        return mDevice->getSupportedOperations(model);
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        return mDevice->prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                     token, hints, prefixes);
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        return mDevice->prepareModelFromCache(deadline, modelCache, dataCache, token);
    }
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        return mDevice->allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   private:
    SharedDevice mDevice;
};

}  // namespace nn
