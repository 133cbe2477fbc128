// Preparation: properties of the lanes drivers of all versions, and preparing a model.
#pragma once

#include <AidlHalInterfaces.h>
#include <android-base/unique_fd.h>
#include <android/binder_auto_utils.h>
#include <nnapi/Result.h>
#include <nnapi/Types.h>

#include <memory>
#include <optional>
#include <vector>

#include "CacheFiles.h"
#include "Program.h"
#include "Session.h"

namespace vendor::lanes {

using CompiledProgram = nn::GeneralResult<std::shared_ptr<const Program>>;

aidl_hal::Capabilities laneCapabilities();
aidl_hal::NumberOfCacheFiles laneCacheFiles();
nn::GeneralResult<std::vector<bool>> supportedOperations(const aidl_hal::Model& model);

// The files of a call, which may be used after it.
class OwnCacheFiles {
   public:
    // Nothing unless there are as many files as the drivers require.
    static std::optional<OwnCacheFiles> of(const std::vector<ndk::ScopedFileDescriptor>& modelCache,
                                           const std::vector<ndk::ScopedFileDescriptor>& dataCache,
                                           std::vector<uint8_t> token);
    CacheFiles files() const { return {.model = mModel, .data = mData, .token = mToken}; }

   private:
    ::android::base::unique_fd mModel;
    ::android::base::unique_fd mData;
    std::vector<uint8_t> mToken;
};

// A valid preparation.
struct Preparation {
    nn::Model model;
    nn::OptionalTimePoint deadline;
    std::optional<OwnCacheFiles> cache;
};

nn::GeneralResult<Preparation> checkPreparation(
        const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
        aidl_hal::Priority priority, int64_t deadlineNs,
        const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token);

// Compiles the model, and saves it if there are files for it.
CompiledProgram prepare(const Preparation& preparation);

CompiledProgram prepareFromCache(int64_t deadlineNs,
                                 const std::vector<ndk::ScopedFileDescriptor>& modelCache,
                                 const std::vector<ndk::ScopedFileDescriptor>& dataCache,
                                 const std::vector<uint8_t>& token);

// Calls back with a prepared model, or with null and an error. A dead client is not an error.
void notify(const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback,
            nn::ErrorStatus status, const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel);

// Reports a preparation through the callback and as the result of the call.
template <typename PreparedModel>
ndk::ScopedAStatus report(const CompiledProgram& program,
                          const std::shared_ptr<nn::AidlBufferTracker>& bufferTracker,
                          const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    const auto prepared = [&]() -> nn::GeneralResult<std::shared_ptr<PreparedModel>> {
        return ndk::SharedRefBase::make<PreparedModel>(
                NN_TRY(Session::create(NN_TRY(program), bufferTracker)));
    }();
    if (prepared.has_value()) {
        notify(callback, nn::ErrorStatus::NONE, prepared.value());
        return ndk::ScopedAStatus::ok();
    }
    notify(callback, prepared.error().code, nullptr);
    return toAStatus(prepared.error());
}

}  // namespace vendor::lanes
