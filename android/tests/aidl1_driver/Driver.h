// The driver of the lanes accelerator for version 1 of the interface.
#pragma once

#include <android/binder_interface_utils.h>

#include <memory>
#include <string>
#include <vector>

#include "Objects.h"

namespace vendor::lanes {

class PreparedModel : public BasePreparedModel {
   public:
    explicit PreparedModel(std::shared_ptr<const Session> session)
        : BasePreparedModel(std::move(session)) {}

    ndk::ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* burst) override;
};

class Burst : public BaseBurst {
   public:
    explicit Burst(std::shared_ptr<PreparedModel> preparedModel)
        : BaseBurst(std::move(preparedModel)) {}
};

class Device : public BaseDevice {
   public:
    explicit Device(std::string name) : BaseDevice(std::move(name), /*version=*/1) {}

    ndk::ScopedAStatus prepareModel(
            const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
            aidl_hal::Priority priority, int64_t deadlineNs,
            const std::vector<ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override;
    ndk::ScopedAStatus prepareModelFromCache(
            int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override;
};

}  // namespace vendor::lanes
