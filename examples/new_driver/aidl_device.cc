#include "aidl_device.h"

#include <string>
#include <utility>
#include <vector>

#include "aidl_prepared_model.h"
#include "device.h"
#include "nnapi/convert.h"

namespace npu_driver {
namespace {

using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;
namespace aidl = nn::aidl_hal;
#if NPU_MEMORY_DOMAINS

// Memory of the device.
class Buffer final : public aidl::BnBuffer {
   public:
    explicit Buffer(nn::SharedBuffer buffer) : mBuffer(std::move(buffer)) {}

    ScopedAStatus copyTo(const aidl::Memory& dst) override {
        return statusOf([&]() -> nn::Status {
            NNAPI_ASSIGN_OR_RETURN(memory, nn::convert(dst));
            return mBuffer->copyTo(memory);
        }());
    }
    ScopedAStatus copyFrom(const aidl::Memory& src,
                           const std::vector<int32_t>& dimensions) override {
        return statusOf([&]() -> nn::Status {
            NNAPI_ASSIGN_OR_RETURN(memory, nn::convert(src));
            NNAPI_ASSIGN_OR_RETURN(desc, nn::convert(aidl::BufferDesc{.dimensions = dimensions}));
            return mBuffer->copyFrom(memory, desc.dimensions);
        }());
    }

   private:
    const nn::SharedBuffer mBuffer;
};
#endif

// Preparations take place in the calling thread, before the call returns. FILL IN: a thread for
// those that take long; the callback may be called after the return, always exactly once.
class AidlDevice final : public aidl::BnDevice {
   public:
    // ---- properties

    ScopedAStatus getCapabilities(aidl::Capabilities* to) override {
        return returnResult(nn::AIDL3::utils::convert(mDevice.getCapabilities()), to);
    }
    ScopedAStatus getNumberOfCacheFilesNeeded(aidl::NumberOfCacheFiles* to) override {
        const auto [model, data] = mDevice.getNumberOfCacheFilesNeeded();
        *to = {.numModelCache = static_cast<int32_t>(model),
               .numDataCache = static_cast<int32_t>(data)};
        return ScopedAStatus::ok();
    }
    ScopedAStatus getSupportedExtensions(std::vector<aidl::Extension>* to) override {
        return returnResult(nn::AIDL3::utils::convert(mDevice.getSupportedExtensions()), to);
    }
    ScopedAStatus getType(aidl::DeviceType* to) override {
        return returnResult(nn::AIDL3::utils::convert(mDevice.getType()), to);
    }
    ScopedAStatus getVersionString(std::string* to) override {
        *to = mDevice.getVersionString();
        return ScopedAStatus::ok();
    }

    // ---- support and preparation

    ScopedAStatus getSupportedOperations(const aidl::Model& model, std::vector<bool>* to) override {
        return returnResult(
                [&]() -> nn::GeneralResult<std::vector<bool>> {
                    NNAPI_ASSIGN_OR_RETURN(canonical, nn::convert(model));
                    return mDevice.getSupportedOperations(canonical);
                }(),
                to);
    }
    ScopedAStatus prepareModel(
            const aidl::Model& model, aidl::ExecutionPreference preference, aidl::Priority priority,
            int64_t deadline, const std::vector<ScopedFileDescriptor>& modelCache,
            const std::vector<ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl::IPreparedModelCallback>& callback) override {
        return notify(callback, [&]() -> nn::GeneralResult<nn::SharedPreparedModel> {
            NNAPI_ASSIGN_OR_RETURN(canonical, nn::convert(model));
            NNAPI_ASSIGN_OR_RETURN(canonicalPreference, nn::convert(preference));
            NNAPI_ASSIGN_OR_RETURN(canonicalPriority, nn::convert(priority));
            NNAPI_ASSIGN_OR_RETURN(canonicalDeadline,
                                   nn::convertAs<nn::OptionalTimePoint>(deadline));
            NNAPI_ASSIGN_OR_RETURN(models, nn::convert(modelCache));
            NNAPI_ASSIGN_OR_RETURN(data, nn::convert(dataCache));
            NNAPI_ASSIGN_OR_RETURN(canonicalToken, nn::convertAs<nn::CacheToken>(token));
            return mDevice.prepareModel(canonical, canonicalPreference, canonicalPriority,
                                        canonicalDeadline, models, data, canonicalToken, {}, {});
        }());
    }
    ScopedAStatus prepareModelFromCache(
            int64_t deadline, const std::vector<ScopedFileDescriptor>& modelCache,
            const std::vector<ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl::IPreparedModelCallback>& callback) override {
        return notify(callback, [&]() -> nn::GeneralResult<nn::SharedPreparedModel> {
            NNAPI_ASSIGN_OR_RETURN(canonicalDeadline,
                                   nn::convertAs<nn::OptionalTimePoint>(deadline));
            NNAPI_ASSIGN_OR_RETURN(models, nn::convert(modelCache));
            NNAPI_ASSIGN_OR_RETURN(data, nn::convert(dataCache));
            NNAPI_ASSIGN_OR_RETURN(canonicalToken, nn::convertAs<nn::CacheToken>(token));
            return mDevice.prepareModelFromCache(canonicalDeadline, models, data, canonicalToken);
        }());
    }

    // ---- memory

#if NPU_MEMORY_DOMAINS
    ScopedAStatus allocate(const aidl::BufferDesc& desc,
                           const std::vector<aidl::IPreparedModelParcel>& preparedModels,
                           const std::vector<aidl::BufferRole>& inputRoles,
                           const std::vector<aidl::BufferRole>& outputRoles,
                           aidl::DeviceBuffer* to) override {
        return statusOf([&]() -> nn::Status {
            NNAPI_ASSIGN_OR_RETURN(canonicalDesc, nn::convert(desc));
            NNAPI_ASSIGN_OR_RETURN(inputs, nn::convert(inputRoles));
            NNAPI_ASSIGN_OR_RETURN(outputs, nn::convert(outputRoles));
            std::vector<nn::SharedPreparedModel> models;
            for (const aidl::IPreparedModelParcel& each : preparedModels) {
                const auto* own = dynamic_cast<const AidlPreparedModel*>(each.preparedModel.get());
                models.push_back(own == nullptr ? nullptr : own->canonical());
            }
            NNAPI_ASSIGN_OR_RETURN(buffer,
                                   mDevice.allocate(canonicalDesc, models, inputs, outputs));
            to->token = static_cast<int32_t>(buffer->getToken());
            to->buffer = ndk::SharedRefBase::make<Buffer>(buffer);
            return {};
        }());
    }
#else
    ScopedAStatus allocate(const aidl::BufferDesc& /*desc*/,
                           const std::vector<aidl::IPreparedModelParcel>& /*preparedModels*/,
                           const std::vector<aidl::BufferRole>& /*inputRoles*/,
                           const std::vector<aidl::BufferRole>& /*outputRoles*/,
                           aidl::DeviceBuffer* /*to*/) override {
        return statusOf(nn::error() << "the device has no memory of its own");
    }
#endif

   private:
    // Notifies the callback, and returns the same status.
    static ScopedAStatus notify(const std::shared_ptr<aidl::IPreparedModelCallback>& callback,
                                const nn::GeneralResult<nn::SharedPreparedModel>& prepared) {
        if (callback == nullptr) {
            return statusOf(nn::error(nn::ErrorStatus::INVALID_ARGUMENT) << "the callback is null");
        }
        if (prepared.has_value()) {
            (void)callback->notify(aidl::ErrorStatus::NONE,
                                   ndk::SharedRefBase::make<AidlPreparedModel>(*prepared));
        } else {
            const auto code = nn::AIDL3::utils::convert(prepared.error().code);
            (void)callback->notify(code.ok() ? *code : aidl::ErrorStatus::GENERAL_FAILURE, nullptr);
        }
        return statusOf(prepared.status());
    }

    Device mDevice{};
};

}  // namespace

std::shared_ptr<aidl::IDevice> createAidlDevice() { return ndk::SharedRefBase::make<AidlDevice>(); }

}  // namespace npu_driver
