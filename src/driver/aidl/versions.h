// The AIDL interfaces as one row for all versions, since each version keeps the methods of those
// before it. driver/wrap/interface_features.h says what a version carries.
#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>

#include "driver/aidl/transport.h"
#include "driver/wrap/device_wrapper.h"
#include "driver/wrap/prepared_model_wrapper.h"
#include "nnapi/convert.h"

namespace nn::driver::aidl {

using Files = std::vector<::ndk::ScopedFileDescriptor>;

struct CacheArguments {
    Files model{};
    Files data{};
    std::vector<uint8_t> token = std::vector<uint8_t>(kByteSizeOfCacheToken);
};

struct PrepareArguments {
    aidl_hal::ExecutionPreference preference{};
    aidl_hal::Priority priority{};
    int64_t deadline = kNoTime;
    CacheArguments cache{};
    std::vector<aidl_hal::TokenValuePair> hints{};
    std::vector<aidl_hal::ExtensionNameAndPrefix> extensionNameToPrefix{};
};

struct ExecuteArguments {
    bool measure = false;
    int64_t deadline = kNoTime;
    int64_t loopTimeoutDuration = kNoTime;
    std::vector<aidl_hal::TokenValuePair> hints{};
    std::vector<aidl_hal::ExtensionNameAndPrefix> extensionNameToPrefix{};

    aidl_hal::ExecutionConfig config() const {
        return {.measureTiming = measure,
                .loopTimeoutDurationNs = loopTimeoutDuration,
                .executionHints = hints,
                .extensionNameToPrefix = extensionNameToPrefix};
    }
};

// A burst of a driver of a version.
template <HalVersion V>
GeneralResult<SharedBurst> wrapBurst(std::shared_ptr<aidl_hal::IBurst> driver,
                                     const WrapOptions& options, SharedOutputSignatures outputs);

template <HalVersion V>
GeneralResult<SharedPreparedModel> wrapPreparedModel(
        const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel, const WrapOptions& options,
        SharedOutputSignatures outputs);

GeneralResult<SharedBuffer> wrapBuffer(std::shared_ptr<aidl_hal::IBuffer> buffer, int32_t token);

}  // namespace nn::driver::aidl

namespace nn::driver {

template <HalVersion V>
requires(V >= HalVersion::AIDL1) struct PreparedModelRow<V> {
    using Driver = std::shared_ptr<aidl_hal::IPreparedModel>;
    using Execution = std::shared_ptr<aidl_hal::IExecution>;
    using FencedInfo = std::shared_ptr<aidl_hal::IFencedExecutionCallback>;
    using ExecuteArguments = aidl::ExecuteArguments;
    static constexpr bool kHasCallbacks = false;
    static constexpr bool kHasConfigs = V >= since::kHints;

    static constexpr std::string_view kExecuteSynchronously =
            kHasConfigs ? "executeSynchronouslyWithConfig" : "executeSynchronously";
    static constexpr std::string_view kExecute = kExecuteSynchronously;
    static constexpr std::string_view kCompute = "IExecution::executeSynchronously";
    static GeneralResult<ExecutionReport> executeSynchronously(const Driver& driver,
                                                               const Execution& execution,
                                                               const aidl_hal::Request& request,
                                                               const ExecuteArguments& arguments) {
        const auto call = execution != nullptr ? kCompute : kExecuteSynchronously;
        return aidl::report(call, [&](auto* result) {
            if (execution != nullptr)
                return execution->executeSynchronously(arguments.deadline, result);
            if constexpr (kHasConfigs) {
                return driver->executeSynchronouslyWithConfig(request, arguments.config(),
                                                              arguments.deadline, result);
            } else {
                return driver->executeSynchronously(request, arguments.measure, arguments.deadline,
                                                    arguments.loopTimeoutDuration, result);
            }
        });
    }

    static std::string_view nameOfExecuteFenced(const Execution& execution) {
        if (execution != nullptr) return "IExecution::executeFenced";
        return kHasConfigs ? "executeFencedWithConfig" : "executeFenced";
    }
    static Result<std::pair<::ndk::ScopedFileDescriptor, FencedInfo>> executeFenced(
            const Driver& driver, const Execution& execution, const aidl_hal::Request& request,
            const aidl::Files& waitFor, const ExecuteArguments& arguments, int64_t duration) {
        const auto invoke = [&](auto* result) {
            if (execution != nullptr) {
                return execution->executeFenced(waitFor, arguments.deadline, duration, result);
            }
            if constexpr (kHasConfigs) {
                return driver->executeFencedWithConfig(request, waitFor, arguments.config(),
                                                       arguments.deadline, duration, result);
            } else {
                return driver->executeFenced(request, waitFor, arguments.measure,
                                             arguments.deadline, arguments.loopTimeoutDuration,
                                             duration, result);
            }
        };
        NNAPI_ASSIGN_OR_RETURN(result, (aidl::ask<aidl_hal::FencedExecutionResult>(
                                               nameOfExecuteFenced(execution), invoke)));
        return std::pair(std::move(result.syncFence), std::move(result.callback));
    }
    static Result<SyncFence> fenceOf(const ::ndk::ScopedFileDescriptor& fd) {
        if (fd.get() < 0) return SyncFence::createAsSignaled();
        NNAPI_ASSIGN_OR_RETURN(shared, convert(fd));
        return SyncFence::create(std::move(shared));
    }
    static Result<std::pair<aidl_hal::Timing, aidl_hal::Timing>> getExecutionInfo(
            const FencedInfo& callback) {
        constexpr std::string_view kCall = "getExecutionInfo";
        std::pair<aidl_hal::Timing, aidl_hal::Timing> timings;
        NNAPI_ASSIGN_OR_RETURN(status, (aidl::ask<aidl_hal::ErrorStatus>(kCall, [&](auto* result) {
                                   return callback->getExecutionInfo(&timings.first,
                                                                     &timings.second, result);
                               })));
        const ErrorStatus code = aidl::codeOf(status);
        if (code != ErrorStatus::NONE) return refusal(code, kCall);
        return timings;
    }

    static GeneralResult<SharedBurst> configureExecutionBurst(
            const SharedPreparedModel&, const Driver& driver, const WrapOptions& options,
            const SharedOutputSignatures& outputs) {
        constexpr std::string_view kCall = "configureExecutionBurst";
        NNAPI_ASSIGN_OR_RETURN(burst,
                               (aidl::ask<std::shared_ptr<aidl_hal::IBurst>>(kCall, [&](auto* r) {
                                   return driver->configureExecutionBurst(r);
                               })));
        if (burst == nullptr) {
            return error() << kCall << ": the driver answers NONE without a burst";
        }
        return aidl::wrapBurst<V>(std::move(burst), options, outputs);
    }

    // From version 4 on.
    static constexpr std::string_view kCreateReusableExecution = "createReusableExecution";
    static Result<Execution> createReusableExecution(const Driver& driver,
                                                     const aidl_hal::Request& request,
                                                     const ExecuteArguments& arguments) {
        NNAPI_ASSIGN_OR_RETURN(
                execution, (aidl::ask<Execution>(kCreateReusableExecution, [&](auto* result) {
                    return driver->createReusableExecution(request, arguments.config(), result);
                })));
        if (execution != nullptr) return execution;
        return Status(error() << kCreateReusableExecution
                              << ": the driver answers NONE without an execution");
    }
};

template <HalVersion V>
requires(V >= HalVersion::AIDL1) struct DeviceRow<V> {
    using Driver = std::shared_ptr<aidl_hal::IDevice>;
    using PreparedModelAnswer = hal::utils::AidlPreparedModelAnswer;
    using Answered = std::shared_ptr<const PreparedModelAnswer>;
    using PreparedModel = std::shared_ptr<aidl_hal::IPreparedModel>;
    using PreparedModels = std::vector<aidl_hal::IPreparedModelParcel>;
    using CacheArguments = aidl::CacheArguments;
    using PrepareArguments = aidl::PrepareArguments;
    using Roles = std::vector<aidl_hal::BufferRole>;

    static Status ping(const Driver& driver) {
        const auto binder = driver->asBinder();
        return aidl::failureOf(ndk::ScopedAStatus::fromStatus(AIBinder_ping(binder.get())), "ping");
    }

    static auto getVersionString(const Driver& driver) {
        return aidl::ask<std::string>("getVersionString",
                                      [&](auto* r) { return driver->getVersionString(r); });
    }
    static auto getType(const Driver& driver) {
        return aidl::ask<aidl_hal::DeviceType>("getType",
                                               [&](auto* r) { return driver->getType(r); });
    }
    static auto getSupportedExtensions(const Driver& driver) {
        return aidl::ask<std::vector<aidl_hal::Extension>>("getSupportedExtensions", [&](auto* r) {
            return driver->getSupportedExtensions(r);
        });
    }
    static auto getCapabilities(const Driver& driver) {
        return aidl::ask<aidl_hal::Capabilities>(
                "getCapabilities", [&](auto* r) { return driver->getCapabilities(r); });
    }
    static Result<NumberOfCacheFiles> getNumberOfCacheFilesNeeded(const Driver& driver) {
        constexpr std::string_view kCall = "getNumberOfCacheFilesNeeded";
        NNAPI_ASSIGN_OR_RETURN(files, (aidl::ask<aidl_hal::NumberOfCacheFiles>(kCall, [&](auto* r) {
                                   return driver->getNumberOfCacheFilesNeeded(r);
                               })));
        const auto canonical = unvalidatedConvert(files);
        return canonical.ok() ? canonical : wrongAnswer(kCall, canonical.status());
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations";
    static auto getSupportedOperations(const Driver& driver, const aidl_hal::Model& model) {
        return aidl::ask<std::vector<bool>>(kGetSupportedOperations, [&](auto* r) {
            return driver->getSupportedOperations(model, r);
        });
    }

    static constexpr bool kHasConfigs = V >= since::kHints;
    static constexpr std::string_view kPrepareModel =
            kHasConfigs ? "prepareModelWithConfig" : "prepareModel";
    static Status prepareModel(const Driver& driver, const aidl_hal::Model& model,
                               PrepareArguments arguments, const Answered& answer) {
        const auto callback =
                ndk::SharedRefBase::make<hal::utils::AidlPreparedModelCallback>(answer);
        auto& [modelCache, dataCache, token] = arguments.cache;
        if constexpr (kHasConfigs) {
            aidl_hal::PrepareModelConfig config{
                    .preference = arguments.preference,
                    .priority = arguments.priority,
                    .deadlineNs = arguments.deadline,
                    .modelCache = std::move(modelCache),
                    .dataCache = std::move(dataCache),
                    .compilationHints = std::move(arguments.hints),
                    .extensionNameToPrefix = std::move(arguments.extensionNameToPrefix)};
            std::copy(token.begin(), token.end(), config.cacheToken.begin());
            return aidl::failureOf(driver->prepareModelWithConfig(model, config, callback),
                                   kPrepareModel);
        } else {
            return aidl::failureOf(driver->prepareModel(model, arguments.preference,
                                                        arguments.priority, arguments.deadline,
                                                        modelCache, dataCache, token, callback),
                                   kPrepareModel);
        }
    }

    static constexpr std::string_view kPrepareModelFromCache = "prepareModelFromCache";
    static Status prepareModelFromCache(const Driver& driver, const PrepareArguments& arguments,
                                        const Answered& answer) {
        const auto callback =
                ndk::SharedRefBase::make<hal::utils::AidlPreparedModelCallback>(answer);
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return aidl::failureOf(driver->prepareModelFromCache(arguments.deadline, modelCache,
                                                             dataCache, token, callback),
                               kPrepareModelFromCache);
    }
    static GeneralResult<SharedPreparedModel> wrapPreparedModel(const PreparedModel& preparedModel,
                                                                const WrapOptions& options,
                                                                SharedOutputSignatures outputs) {
        return aidl::wrapPreparedModel<V>(preparedModel, options, std::move(outputs));
    }

    using Allocated = std::pair<std::shared_ptr<aidl_hal::IBuffer>, int32_t>;
    static Result<Allocated> allocate(const Driver& driver, const aidl_hal::BufferDesc& desc,
                                      const PreparedModels& preparedModels, const Roles& inputRoles,
                                      const Roles& outputRoles) {
        NNAPI_ASSIGN_OR_RETURN(answer, (aidl::ask<aidl_hal::DeviceBuffer>("allocate", [&](auto* r) {
                                   return driver->allocate(desc, preparedModels, inputRoles,
                                                           outputRoles, r);
                               })));
        return Allocated(std::move(answer.buffer), answer.token);
    }
    static GeneralResult<SharedBuffer> wrapBuffer(std::shared_ptr<aidl_hal::IBuffer> buffer,
                                                  Request::MemoryDomainToken token,
                                                  const WrapOptions&) {
        return aidl::wrapBuffer(std::move(buffer), static_cast<int32_t>(token));
    }
};

}  // namespace nn::driver
