#include "hidl_device.h"

#include <memory>
#include <utility>
#include <vector>

#include "device.h"
#include "hidl_prepared_model.h"
#include "nnapi/convert.h"

namespace npu_driver {
namespace {

using nn::hidl::hidl_handle;
using nn::hidl::hidl_vec;
using nn::hidl::Return;
using nn::hidl::sp;
using nn::hidl::Void;

namespace V1_0 = nn::V1_0;
namespace V1_1 = nn::V1_1;
namespace V1_2 = nn::V1_2;
namespace V1_3 = nn::V1_3;
#if NPU_MEMORY_DOMAINS

// Memory of the device.
class Buffer final : public V1_3::IBuffer {
   public:
    explicit Buffer(nn::SharedBuffer buffer) : mBuffer(std::move(buffer)) {}

    Return<V1_3::ErrorStatus> copyTo(const nn::hidl::hidl_memory& dst) override {
        const auto memory = nn::convert(dst);
        if (!memory.ok()) return V1_3::ErrorStatus::INVALID_ARGUMENT;
        return newCode(nn::errorStatus(mBuffer->copyTo(*memory).status()));
    }
    Return<V1_3::ErrorStatus> copyFrom(const nn::hidl::hidl_memory& src,
                                       const hidl_vec<uint32_t>& dimensions) override {
        const auto memory = nn::convert(src);
        if (!memory.ok()) return V1_3::ErrorStatus::INVALID_ARGUMENT;
        const nn::Dimensions canonical(dimensions.begin(), dimensions.end());
        return newCode(nn::errorStatus(mBuffer->copyFrom(*memory, canonical).status()));
    }

   private:
    const nn::SharedBuffer mBuffer;
};
#endif

// Preparations take place in the calling thread, before the call returns. FILL IN: a thread for
// those that take long; the callback may be called after the return, always exactly once.
class HidlDevice final : public V1_3::IDevice {
   public:
    // ---- properties

    Return<V1_0::DeviceStatus> getStatus() override { return V1_0::DeviceStatus::AVAILABLE; }
    Return<void> getCapabilities(getCapabilities_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, V1_0::utils::convert(mDevice.getCapabilities()).value());
        return Void();
    }
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, V1_1::utils::convert(mDevice.getCapabilities()).value());
        return Void();
    }
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, V1_2::utils::convert(mDevice.getCapabilities()).value());
        return Void();
    }
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        callback(V1_3::ErrorStatus::NONE, V1_3::utils::convert(mDevice.getCapabilities()).value());
        return Void();
    }
    Return<void> getVersionString(getVersionString_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, mDevice.getVersionString());
        return Void();
    }
    Return<void> getType(getType_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, V1_2::utils::convert(mDevice.getType()).value());
        return Void();
    }
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override {
        callback(V1_0::ErrorStatus::NONE, {});
        return Void();
    }
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override {
        const auto [model, data] = mDevice.getNumberOfCacheFilesNeeded();
        callback(V1_0::ErrorStatus::NONE, model, data);
        return Void();
    }

    // ---- support

    Return<void> getSupportedOperations(const V1_0::Model& model,
                                        getSupportedOperations_cb callback) override {
        return reportSupport<V1_0::ErrorStatus>(model, callback);
    }
    Return<void> getSupportedOperations_1_1(const V1_1::Model& model,
                                            getSupportedOperations_1_1_cb callback) override {
        return reportSupport<V1_0::ErrorStatus>(model, callback);
    }
    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb callback) override {
        return reportSupport<V1_0::ErrorStatus>(model, callback);
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        return reportSupport<V1_3::ErrorStatus>(model, callback);
    }

    // ---- preparation

    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override {
        return notify(callback, prepare(model, V1_1::ExecutionPreference::FAST_SINGLE_ANSWER,
                                        V1_3::Priority::MEDIUM, {}, {}));
    }
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        return notify(callback, prepare(model, preference, V1_3::Priority::MEDIUM, {}, {}));
    }
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return notify(callback, prepare(model, preference, V1_3::Priority::MEDIUM, {},
                                        {&modelCache, &dataCache, &token}));
    }
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_3::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return notify(callback, prepare(model, preference, priority, deadline,
                                        {&modelCache, &dataCache, &token}));
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return notify(callback, load({}, {&modelCache, &dataCache, &token}));
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_3::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return notify(callback, load(deadline, {&modelCache, &dataCache, &token}));
    }

    // ---- memory

#if NPU_MEMORY_DOMAINS
    Return<void> allocate(const V1_3::BufferDesc& desc,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                          const hidl_vec<V1_3::BufferRole>& inputRoles,
                          const hidl_vec<V1_3::BufferRole>& outputRoles,
                          allocate_cb callback) override {
        const auto buffer = allocate(desc, preparedModels, inputRoles, outputRoles);
        if (buffer.has_value()) {
            callback(V1_3::ErrorStatus::NONE, new Buffer(*buffer),
                     static_cast<uint32_t>((*buffer)->getToken()));
        } else {
            callback(newCode(buffer.error().code), nullptr, 0);
        }
        return Void();
    }
#else
    Return<void> allocate(const V1_3::BufferDesc& /*desc*/,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& /*preparedModels*/,
                          const hidl_vec<V1_3::BufferRole>& /*inputRoles*/,
                          const hidl_vec<V1_3::BufferRole>& /*outputRoles*/,
                          allocate_cb callback) override {
        callback(V1_3::ErrorStatus::GENERAL_FAILURE, nullptr, 0);
        return Void();
    }
#endif

   private:
    using Prepared = nn::GeneralResult<nn::SharedPreparedModel>;
    struct CacheFiles {
        const hidl_vec<hidl_handle>* model = nullptr;
        const hidl_vec<hidl_handle>* data = nullptr;
        const V1_2::HidlToken* token = nullptr;
    };
    struct CanonicalCache {
        std::vector<nn::SharedHandle> model{};
        std::vector<nn::SharedHandle> data{};
        nn::CacheToken token{};
    };

    static nn::Result<CanonicalCache> read(const CacheFiles& files) {
        if (files.token == nullptr) return CanonicalCache();
        NNAPI_ASSIGN_OR_RETURN(model, nn::convert(*files.model));
        NNAPI_ASSIGN_OR_RETURN(data, nn::convert(*files.data));
        NNAPI_ASSIGN_OR_RETURN(token, nn::convert(*files.token));
        return CanonicalCache{std::move(model), std::move(data), token};
    }

    template <class Code, class Model, class Callback>
    Return<void> reportSupport(const Model& model, const Callback& callback) const {
        const auto support = [&]() -> nn::GeneralResult<std::vector<bool>> {
            NNAPI_ASSIGN_OR_RETURN(canonical, nn::convert(model));
            return mDevice.getSupportedOperations(canonical);
        }();
        callback(codeAs<Code>(nn::errorStatus(support.status())),
                 support.has_value() ? hidl_vec<bool>(*support) : hidl_vec<bool>());
        return Void();
    }

    template <class Model>
    Prepared prepare(const Model& model, V1_1::ExecutionPreference preference,
                     V1_3::Priority priority, const V1_3::OptionalTimePoint& deadline,
                     const CacheFiles& files) const {
        NNAPI_ASSIGN_OR_RETURN(canonical, nn::convert(model));
        NNAPI_ASSIGN_OR_RETURN(canonicalPreference, nn::convert(preference));
        NNAPI_ASSIGN_OR_RETURN(canonicalPriority, nn::convert(priority));
        NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, nn::convert(deadline));
        NNAPI_ASSIGN_OR_RETURN(cache, read(files));
        return mDevice.prepareModel(canonical, canonicalPreference, canonicalPriority,
                                    canonicalDeadline, cache.model, cache.data, cache.token, {},
                                    {});
    }
    Prepared load(const V1_3::OptionalTimePoint& deadline, const CacheFiles& files) const {
        NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, nn::convert(deadline));
        NNAPI_ASSIGN_OR_RETURN(cache, read(files));
        return mDevice.prepareModelFromCache(canonicalDeadline, cache.model, cache.data,
                                             cache.token);
    }

    // Calls the notify method of the callback's version, and returns the same code.
    static V1_0::ErrorStatus notify(const sp<V1_0::IPreparedModelCallback>& callback,
                                    const Prepared& prepared) {
        if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
        const auto code = oldCode(prepared.error().code);
        (void)callback->notify(code, modelOf(prepared)).isOk();
        return code;
    }
    static V1_0::ErrorStatus notify(const sp<V1_2::IPreparedModelCallback>& callback,
                                    const Prepared& prepared) {
        if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
        const auto code = oldCode(prepared.error().code);
        (void)callback->notify_1_2(code, modelOf(prepared)).isOk();
        return code;
    }
    static V1_3::ErrorStatus notify(const sp<V1_3::IPreparedModelCallback>& callback,
                                    const Prepared& prepared) {
        if (callback == nullptr) return V1_3::ErrorStatus::INVALID_ARGUMENT;
        const auto code = newCode(prepared.error().code);
        (void)callback->notify_1_3(code, modelOf(prepared)).isOk();
        return code;
    }
    static sp<V1_3::IPreparedModel> modelOf(const Prepared& prepared) {
        return prepared.has_value() ? sp<V1_3::IPreparedModel>(new HidlPreparedModel(*prepared))
                                    : nullptr;
    }
#if NPU_MEMORY_DOMAINS

    nn::GeneralResult<nn::SharedBuffer> allocate(
            const V1_3::BufferDesc& desc, const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
            const hidl_vec<V1_3::BufferRole>& inputRoles,
            const hidl_vec<V1_3::BufferRole>& outputRoles) const {
        NNAPI_ASSIGN_OR_RETURN(canonicalDesc, nn::convert(desc));
        NNAPI_ASSIGN_OR_RETURN(inputs, nn::convert(inputRoles));
        NNAPI_ASSIGN_OR_RETURN(outputs, nn::convert(outputRoles));
        std::vector<nn::SharedPreparedModel> models;
        for (const sp<V1_3::IPreparedModel>& each : preparedModels) {
            const auto* own = dynamic_cast<const HidlPreparedModel*>(each.get());
            models.push_back(own == nullptr ? nullptr : own->canonical());
        }
        return mDevice.allocate(canonicalDesc, models, inputs, outputs);
    }
#endif

    Device mDevice{};
};

}  // namespace

sp<V1_3::IDevice> createHidlDevice() { return new HidlDevice(); }

}  // namespace npu_driver
