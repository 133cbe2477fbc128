// The HIDL interfaces, one row for each version, with the types and methods of that version alone.
// driver/wrap/interface_features.h says what a version carries.
#pragma once

#include <string_view>

#include "driver/hidl/burst_client.h"
#include "driver/hidl/transport.h"
#include "driver/wrap/device_wrapper.h"
#include "driver/wrap/prepared_model_wrapper.h"
#include "nnapi/convert.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::driver::hidl_calls {

using hal::utils::PreparedModelAnswer;
using nn::hidl::hidl_handle;
using nn::hidl::hidl_vec;
using nn::hidl::sp;

struct CacheArguments {
    hidl_vec<hidl_handle> model{};
    hidl_vec<hidl_handle> data{};
    V1_2::HidlToken token{};
};

struct PrepareArguments {
    V1_1::ExecutionPreference preference = V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
    V1_3::Priority priority = V1_3::Priority::MEDIUM;
    V1_3::OptionalTimePoint deadline{};
    CacheArguments cache{};
};

struct ExecuteArguments {
    V1_2::MeasureTiming measure = V1_2::MeasureTiming::NO;
    V1_3::OptionalTimePoint deadline{};
    V1_3::OptionalTimeoutDuration loopTimeoutDuration{};
};

// The first result of a method that has no others.
template <class HalErrorStatus, class Value, class Invoke>
Result<Value> askOne(std::string_view call, Invoke&& invoke) {
    NNAPI_ASSIGN_OR_RETURN(answer, (ask<HalErrorStatus, Value>(call, invoke)));
    return std::get<0>(std::move(answer));
}

// A prepared model by the newest version that it has, up to V. GENERAL_FAILURE for null.
template <HalVersion V>
GeneralResult<SharedPreparedModel> wrapPreparedModel(const sp<V1_0::IPreparedModel>& preparedModel,
                                                     const WrapOptions& options,
                                                     SharedOutputSignatures outputs);

}  // namespace nn::driver::hidl_calls

namespace nn::driver {

// ---------------------------------------------------------------------------------------------
// Prepared models. HAL 1.1 has those of 1.0.

// What the versions have in common.
template <class Interface>
struct HidlPreparedModelRow {
    using Driver = nn::hidl::sp<Interface>;
    using Execution = NoExecution;
    using ExecuteArguments = hidl_calls::ExecuteArguments;
    using Answered = std::shared_ptr<const ExecutionAnswer>;
    static constexpr bool kHasCallbacks = true;

    // Answers what the launch returned. The shapes of OUTPUT_INSUFFICIENT_SIZE come with the
    // callback.
    template <class HalErrorStatus>
    static Status launched(const nn::hidl::Return<HalErrorStatus>& returned,
                           std::string_view call) {
        if (returned.isOk() &&
            static_cast<HalErrorStatus>(returned) == HalErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
            return {};
        }
        return hidl_calls::statusOf(returned, call);
    }

    // invoke(callback) executes.
    template <class HalErrorStatus, class Invoke>
    static GeneralResult<ExecutionReport> reported(std::string_view call, const Invoke& invoke) {
        std::optional<ExecutionReport> report;
        const auto returned = invoke([&report](HalErrorStatus status,
                                               const nn::hidl::hidl_vec<V1_2::OutputShape>& shapes,
                                               const V1_2::Timing& timing) {
            if (report) return;
            report = makeReport(hidl_calls::codeOf(status), shapes, timing, hidl_calls::kNoTiming);
        });
        if (!returned.isOk()) return hidl_calls::failureOf(returned, call);
        if (!report) return hidl_calls::unanswered(call);
        return *std::move(report);
    }

    static GeneralResult<SharedBurst> configureExecutionBurst(SharedPreparedModel self,
                                                              const Driver& driver,
                                                              const WrapOptions& options,
                                                              SharedOutputSignatures outputs) {
        if constexpr (std::derived_from<Interface, V1_2::IPreparedModel>) {
            return hidl_calls::wrapBurst(std::move(self), driver, options.burstPollingTimeWindow,
                                         options, std::move(outputs));
        } else {
            return SharedBurst(std::make_shared<const DefaultBurst>(std::move(self)));
        }
    }
};

template <>
struct PreparedModelRow<HalVersion::V1_0> : HidlPreparedModelRow<V1_0::IPreparedModel> {
    static constexpr std::string_view kExecute = "execute";
    static Status execute(const Driver& driver, const V1_0::Request& request,
                          const ExecuteArguments&, const Answered& answer) {
        using Callback = V1_0::utils::ExecutionCallback;
        return launched(driver->execute(request, nn::hidl::sp<Callback>::make(answer)), kExecute);
    }
};

template <>
struct PreparedModelRow<HalVersion::V1_2> : HidlPreparedModelRow<V1_2::IPreparedModel> {
    static constexpr std::string_view kExecute = "execute_1_2";
    static Status execute(const Driver& driver, const V1_0::Request& request,
                          const ExecuteArguments& arguments, const Answered& answer) {
        using Callback = V1_2::utils::ExecutionCallback;
        return launched(driver->execute_1_2(request, arguments.measure,
                                            nn::hidl::sp<Callback>::make(answer)),
                        kExecute);
    }

    static constexpr std::string_view kExecuteSynchronously = "executeSynchronously";
    static GeneralResult<ExecutionReport> executeSynchronously(const Driver& driver,
                                                               const Execution&,
                                                               const V1_0::Request& request,
                                                               const ExecuteArguments& arguments) {
        return reported<V1_0::ErrorStatus>(kExecuteSynchronously, [&](auto callback) {
            return driver->executeSynchronously(request, arguments.measure, callback);
        });
    }
};

template <>
struct PreparedModelRow<HalVersion::V1_3> : HidlPreparedModelRow<V1_3::IPreparedModel> {
    using FencedInfo = nn::hidl::sp<V1_3::IFencedExecutionCallback>;

    static constexpr std::string_view kExecute = "execute_1_3";
    static Status execute(const Driver& driver, const V1_3::Request& request,
                          const ExecuteArguments& arguments, const Answered& answer) {
        using Callback = V1_3::utils::ExecutionCallback;
        return launched(driver->execute_1_3(request, arguments.measure, arguments.deadline,
                                            arguments.loopTimeoutDuration,
                                            nn::hidl::sp<Callback>::make(answer)),
                        kExecute);
    }

    static constexpr std::string_view kExecuteSynchronously = "executeSynchronously_1_3";
    static GeneralResult<ExecutionReport> executeSynchronously(const Driver& driver,
                                                               const Execution&,
                                                               const V1_3::Request& request,
                                                               const ExecuteArguments& arguments) {
        return reported<V1_3::ErrorStatus>(kExecuteSynchronously, [&](auto callback) {
            return driver->executeSynchronously_1_3(request, arguments.measure, arguments.deadline,
                                                    arguments.loopTimeoutDuration, callback);
        });
    }

    static constexpr std::string_view nameOfExecuteFenced(const Execution&) {
        return "executeFenced";
    }
    static auto executeFenced(const Driver& driver, const Execution&, const V1_3::Request& request,
                              const nn::hidl::hidl_vec<nn::hidl::hidl_handle>& waitFor,
                              const ExecuteArguments& arguments,
                              const V1_3::OptionalTimeoutDuration& duration) {
        using Handle = nn::hidl::hidl_handle;
        return hidl_calls::ask<V1_3::ErrorStatus, Handle, FencedInfo>(
                nameOfExecuteFenced({}), [&](auto callback) {
                    return driver->executeFenced(request, waitFor, arguments.measure,
                                                 arguments.deadline, arguments.loopTimeoutDuration,
                                                 duration, callback);
                });
    }
    static Result<SyncFence> fenceOf(const nn::hidl::hidl_handle& handle) {
        if (handle.getNativeHandle() == nullptr) return SyncFence::createAsSignaled();
        NNAPI_ASSIGN_OR_RETURN(shared, convert(handle));
        return SyncFence::create(std::move(shared));
    }
    static auto getExecutionInfo(const FencedInfo& callback) {
        return hidl_calls::ask<V1_3::ErrorStatus, V1_2::Timing, V1_2::Timing>(
                "getExecutionInfo", [&](auto put) { return callback->getExecutionInfo(put); });
    }
};

// ---------------------------------------------------------------------------------------------
// Devices

// What the versions have in common.
template <class Interface, HalVersion OfPreparedModels>
struct HidlDeviceRow {
    using Driver = nn::hidl::sp<Interface>;
    using PreparedModelAnswer = hal::utils::PreparedModelAnswer;
    using Answered = std::shared_ptr<const PreparedModelAnswer>;
    using PreparedModel = nn::hidl::sp<V1_3::IPreparedModel>;
    using PreparedModels = nn::hidl::hidl_vec<PreparedModel>;
    using CacheArguments = hidl_calls::CacheArguments;
    using PrepareArguments = hidl_calls::PrepareArguments;

    static Status ping(const Driver& driver) {
        return hidl_calls::failureOf(driver->ping(), "ping");
    }

    static GeneralResult<SharedPreparedModel> wrapPreparedModel(
            const nn::hidl::sp<V1_0::IPreparedModel>& preparedModel, const WrapOptions& options,
            SharedOutputSignatures outputs) {
        return hidl_calls::wrapPreparedModel<OfPreparedModels>(preparedModel, options,
                                                               std::move(outputs));
    }

    // Since HAL 1.2, never overridden.
    static auto getVersionString(const Driver& driver) {
        return hidl_calls::askOne<V1_0::ErrorStatus, nn::hidl::hidl_string>(
                "getVersionString", [&](auto put) { return driver->getVersionString(put); });
    }
    static auto getType(const Driver& driver) {
        return hidl_calls::askOne<V1_0::ErrorStatus, V1_2::DeviceType>(
                "getType", [&](auto put) { return driver->getType(put); });
    }
    static auto getSupportedExtensions(const Driver& driver) {
        return hidl_calls::askOne<V1_0::ErrorStatus, nn::hidl::hidl_vec<V1_2::Extension>>(
                "getSupportedExtensions",
                [&](auto put) { return driver->getSupportedExtensions(put); });
    }
    static auto getNumberOfCacheFilesNeeded(const Driver& driver) {
        return hidl_calls::ask<V1_0::ErrorStatus, uint32_t, uint32_t>(
                "getNumberOfCacheFilesNeeded",
                [&](auto put) { return driver->getNumberOfCacheFilesNeeded(put); });
    }
};

template <>
struct DeviceRow<HalVersion::V1_0> : HidlDeviceRow<V1_0::IDevice, HalVersion::V1_0> {
    static constexpr std::string_view kGetCapabilities = "getCapabilities";
    static auto getCapabilities(const Driver& driver) {
        return hidl_calls::askOne<V1_0::ErrorStatus, V1_0::Capabilities>(
                kGetCapabilities, [&](auto put) { return driver->getCapabilities(put); });
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations";
    static auto getSupportedOperations(const Driver& driver, const V1_0::Model& model) {
        return hidl_calls::askOne<V1_0::ErrorStatus, nn::hidl::hidl_vec<bool>>(
                kGetSupportedOperations,
                [&](auto put) { return driver->getSupportedOperations(model, put); });
    }

    static constexpr std::string_view kPrepareModel = "prepareModel";
    static Status prepareModel(const Driver& driver, const V1_0::Model& model,
                               const PrepareArguments&, const Answered& answer) {
        using Callback = V1_0::utils::PreparedModelCallback;
        return hidl_calls::statusOf(
                driver->prepareModel(model, nn::hidl::sp<Callback>::make(answer)), kPrepareModel);
    }
};

template <>
struct DeviceRow<HalVersion::V1_1> : HidlDeviceRow<V1_1::IDevice, HalVersion::V1_0> {
    static constexpr std::string_view kGetCapabilities = "getCapabilities_1_1";
    static auto getCapabilities(const Driver& driver) {
        return hidl_calls::askOne<V1_0::ErrorStatus, V1_1::Capabilities>(
                kGetCapabilities, [&](auto put) { return driver->getCapabilities_1_1(put); });
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations_1_1";
    static auto getSupportedOperations(const Driver& driver, const V1_1::Model& model) {
        return hidl_calls::askOne<V1_0::ErrorStatus, nn::hidl::hidl_vec<bool>>(
                kGetSupportedOperations,
                [&](auto put) { return driver->getSupportedOperations_1_1(model, put); });
    }

    static constexpr std::string_view kPrepareModel = "prepareModel_1_1";
    static Status prepareModel(const Driver& driver, const V1_1::Model& model,
                               const PrepareArguments& arguments, const Answered& answer) {
        using Callback = V1_1::utils::PreparedModelCallback;
        return hidl_calls::statusOf(driver->prepareModel_1_1(model, arguments.preference,
                                                             nn::hidl::sp<Callback>::make(answer)),
                                    kPrepareModel);
    }
};

template <>
struct DeviceRow<HalVersion::V1_2> : HidlDeviceRow<V1_2::IDevice, HalVersion::V1_2> {
    static constexpr std::string_view kGetCapabilities = "getCapabilities_1_2";
    static auto getCapabilities(const Driver& driver) {
        return hidl_calls::askOne<V1_0::ErrorStatus, V1_2::Capabilities>(
                kGetCapabilities, [&](auto put) { return driver->getCapabilities_1_2(put); });
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations_1_2";
    static auto getSupportedOperations(const Driver& driver, const V1_2::Model& model) {
        return hidl_calls::askOne<V1_0::ErrorStatus, nn::hidl::hidl_vec<bool>>(
                kGetSupportedOperations,
                [&](auto put) { return driver->getSupportedOperations_1_2(model, put); });
    }

    static constexpr std::string_view kPrepareModel = "prepareModel_1_2";
    static Status prepareModel(const Driver& driver, const V1_2::Model& model,
                               const PrepareArguments& arguments, const Answered& answer) {
        using Callback = V1_2::utils::PreparedModelCallback;
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return hidl_calls::statusOf(
                driver->prepareModel_1_2(model, arguments.preference, modelCache, dataCache, token,
                                         nn::hidl::sp<Callback>::make(answer)),
                kPrepareModel);
    }

    static constexpr std::string_view kPrepareModelFromCache = "prepareModelFromCache";
    static Status prepareModelFromCache(const Driver& driver, const PrepareArguments& arguments,
                                        const Answered& answer) {
        using Callback = V1_2::utils::PreparedModelCallback;
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return hidl_calls::statusOf(
                driver->prepareModelFromCache(modelCache, dataCache, token,
                                              nn::hidl::sp<Callback>::make(answer)),
                kPrepareModelFromCache);
    }
};

template <>
struct DeviceRow<HalVersion::V1_3> : HidlDeviceRow<V1_3::IDevice, HalVersion::V1_3> {
    using Buffer = nn::hidl::sp<V1_3::IBuffer>;

    static constexpr std::string_view kGetCapabilities = "getCapabilities_1_3";
    static auto getCapabilities(const Driver& driver) {
        return hidl_calls::askOne<V1_3::ErrorStatus, V1_3::Capabilities>(
                kGetCapabilities, [&](auto put) { return driver->getCapabilities_1_3(put); });
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations_1_3";
    static auto getSupportedOperations(const Driver& driver, const V1_3::Model& model) {
        return hidl_calls::askOne<V1_3::ErrorStatus, nn::hidl::hidl_vec<bool>>(
                kGetSupportedOperations,
                [&](auto put) { return driver->getSupportedOperations_1_3(model, put); });
    }

    static constexpr std::string_view kPrepareModel = "prepareModel_1_3";
    static Status prepareModel(const Driver& driver, const V1_3::Model& model,
                               const PrepareArguments& arguments, const Answered& answer) {
        using Callback = V1_3::utils::PreparedModelCallback;
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return hidl_calls::statusOf(
                driver->prepareModel_1_3(model, arguments.preference, arguments.priority,
                                         arguments.deadline, modelCache, dataCache, token,
                                         nn::hidl::sp<Callback>::make(answer)),
                kPrepareModel);
    }

    static constexpr std::string_view kPrepareModelFromCache = "prepareModelFromCache_1_3";
    static Status prepareModelFromCache(const Driver& driver, const PrepareArguments& arguments,
                                        const Answered& answer) {
        using Callback = V1_3::utils::PreparedModelCallback;
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return hidl_calls::statusOf(
                driver->prepareModelFromCache_1_3(arguments.deadline, modelCache, dataCache, token,
                                                  nn::hidl::sp<Callback>::make(answer)),
                kPrepareModelFromCache);
    }

    static auto allocate(const Driver& driver, const V1_3::BufferDesc& desc,
                         const PreparedModels& preparedModels,
                         const nn::hidl::hidl_vec<V1_3::BufferRole>& inputRoles,
                         const nn::hidl::hidl_vec<V1_3::BufferRole>& outputRoles) {
        return hidl_calls::ask<V1_3::ErrorStatus, Buffer, uint32_t>("allocate", [&](auto put) {
            return driver->allocate(desc, preparedModels, inputRoles, outputRoles, put);
        });
    }
    static GeneralResult<SharedBuffer> wrapBuffer(Buffer buffer, Request::MemoryDomainToken token,
                                                  const WrapOptions& options) {
        return V1_3::utils::Buffer::create(std::move(buffer), token, options);
    }
};

}  // namespace nn::driver
