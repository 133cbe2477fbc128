// Devices for TensorFlow Lite, which takes none that is called nnapi-reference.
#include <random>
#include <utility>
#include <vector>

#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/result.h"
#include "nnapi/testing/faulty_device.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

// One that says so of its speed.
SharedDevice interpreter(const char* name, float time = 0.1f) {
    const Capabilities::PerformanceInfo speed = {.execTime = time, .powerUsage = time};
    std::vector<Capabilities::OperandPerformance> types;
    for (const OperandTypeInfo& info : operandTypes()) {
        if (info.type != OperandType::SUBGRAPH) types.push_back({.type = info.type, .info = speed});
    }
    return referenceDevice(
            {.name = name,
             .capabilities = {.relaxedFloat32toFloat16PerformanceScalar = speed,
                              .relaxedFloat32toFloat16PerformanceTensor = speed,
                              .operandPerformance = *Capabilities::OperandPerformanceTable::create(
                                      std::move(types)),
                              .ifPerformance = speed,
                              .whilePerformance = speed},
             .hasCache = false});
}

// Of a model, one of two such devices supports an operation, and the other those that are left: by
// chance, but the same each time.
class HalfDevice final : public IDevice {
   public:
    HalfDevice(SharedDevice whole, bool isFirst) : mWhole(std::move(whole)), mIsFirst(isFirst) {}

    const std::string& getName() const override { return mWhole->getName(); }
    const std::string& getVersionString() const override { return mWhole->getVersionString(); }
    Version getFeatureLevel() const override { return mWhole->getFeatureLevel(); }
    DeviceType getType() const override { return mWhole->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mWhole->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mWhole->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }
    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        NNAPI_ASSIGN_OR_RETURN(supported, mWhole->getSupportedOperations(model));
        std::minstd_rand coin(static_cast<uint32_t>(supported.size()) + 1);
        for (size_t i = 0; i < supported.size(); ++i) {
            supported[i] = supported[i] && (coin() / 7 % 2 == 0) == mIsFirst;
        }
        return supported;
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        return mWhole->prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                    token, hints, extensionNameToPrefix);
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        return mWhole->prepareModelFromCache(deadline, modelCache, dataCache, token);
    }
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        return mWhole->allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   private:
    SharedDevice mWhole;
    bool mIsFirst;
};

SharedDevice half(const char* name, bool isFirst) {
    return std::make_shared<const HalfDevice>(interpreter(name), isFirst);
}

GeneralResult<SharedDevice> dying() {
    using enum testing::DeviceFault;
    return testing::faultyDevice(interpreter("dying"), {DIES_IN_EXECUTE});
}

}  // namespace
}  // namespace nn

using nn::plugin::device;

NNAPI_EXPORT_DEVICES(device("interpreter", [] { return nn::interpreter("interpreter"); }),
                     device("slow", [] { return nn::interpreter("slow", 2); }),
                     device("half-1", [] { return nn::half("half-1", true); }),
                     device("half-2", [] { return nn::half("half-2", false); }),
                     device("dying", [] { return nn::dying(); }))
