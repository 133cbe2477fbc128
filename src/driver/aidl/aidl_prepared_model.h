// An AIDL driver's prepared model of any version: calls the methods of its version.
#pragma once

#include <any>
#include <memory>
#include <string_view>
#include <utility>

#include "driver/aidl/aidl_device.h"
#include "driver/wrap/execution_report.h"

namespace nn::driver {

class AidlPreparedModel {
   public:
    static constexpr HalVersion kNewest = AidlDevice::kNewest;
    static constexpr bool kHasCallbacks = false;  // of executions
    using Request = aidl_hal::Request;
    using Execution = std::shared_ptr<aidl_hal::IExecution>;
    using FencedInfo = std::shared_ptr<aidl_hal::IFencedExecutionCallback>;
    using Timings = std::pair<aidl_hal::Timing, aidl_hal::Timing>;

    struct ExecuteArguments {
        bool measure = false;
        int64_t deadline = aidl::kNoTime;
        int64_t loopTimeoutDuration = aidl::kNoTime;
        std::vector<aidl_hal::TokenValuePair> hints{};
        std::vector<aidl_hal::ExtensionNameAndPrefix> extensionNameToPrefix{};

        aidl_hal::ExecutionConfig config() const {
            return {.measureTiming = measure,
                    .loopTimeoutDurationNs = loopTimeoutDuration,
                    .executionHints = hints,
                    .extensionNameToPrefix = extensionNameToPrefix};
        }
    };

    AidlPreparedModel(std::shared_ptr<aidl_hal::IPreparedModel> driver, HalVersion version)
        : mDriver(std::move(driver)), mVersion(version) {}

    HalVersion version() const { return mVersion; }
    const std::shared_ptr<aidl_hal::IPreparedModel>& object() const { return mDriver; }
    std::any resource() const { return mDriver; }

    static Result<Request> convertRequest(HalVersion version, const nn::Request& request,
                                          Losses* losses);

    std::string_view nameOfExecuteSynchronously(const Execution& execution) const;
    // Computes the execution, or the request if that is null.
    GeneralResult<hal::utils::ExecutionReport> executeSynchronously(
            const Execution& execution, const Request& request,
            const ExecuteArguments& arguments) const;

    std::string_view nameOfExecuteFenced(const Execution& execution) const;
    Result<std::pair<::ndk::ScopedFileDescriptor, FencedInfo>> executeFenced(
            const Execution& execution, const Request& request, const AidlFiles& waitFor,
            const ExecuteArguments& arguments, int64_t duration) const;
    static Result<SyncFence> fenceOf(const ::ndk::ScopedFileDescriptor& fd);
    static Result<Timings> getExecutionInfo(const FencedInfo& callback);

    GeneralResult<SharedBurst> configureExecutionBurst(const SharedPreparedModel& self,
                                                       const WrapOptions& options,
                                                       SharedOutputSignatures outputs) const;

    // Since version 4.
    static constexpr std::string_view kCreateReusableExecution = "createReusableExecution";
    Result<Execution> createReusableExecution(const Request& request,
                                              const ExecuteArguments& arguments) const;

   private:
    bool hasConfigs() const { return mVersion >= since::kHints; }

    std::shared_ptr<aidl_hal::IPreparedModel> mDriver;
    HalVersion mVersion;
};

}  // namespace nn::driver
