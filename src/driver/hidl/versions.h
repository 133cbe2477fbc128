// What the interfaces of each version have: one row for each version, with the types and the
// methods of that version alone. What a version carries follows from the version that brought it.
#pragma once

#include <string_view>

#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::driver::hidl {

using nn::hidl::hidl_handle;
using nn::hidl::hidl_vec;
using nn::hidl::sp;

// The first version that has it.
namespace since {
inline constexpr HalVersion kPreference = HalVersion::V1_1;
inline constexpr HalVersion kMetadata = HalVersion::V1_2;  // version string, type, extensions
inline constexpr HalVersion kCaching = HalVersion::V1_2;
inline constexpr HalVersion kMeasuring = HalVersion::V1_2;
inline constexpr HalVersion kSynchronous = HalVersion::V1_2;
inline constexpr HalVersion kQueues = HalVersion::V1_2;
inline constexpr HalVersion kPriority = HalVersion::V1_3;
inline constexpr HalVersion kDeadline = HalVersion::V1_3;
inline constexpr HalVersion kLoopTimeout = HalVersion::V1_3;
inline constexpr HalVersion kFences = HalVersion::V1_3;
inline constexpr HalVersion kMemoryDomains = HalVersion::V1_3;
}  // namespace since

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
    V1_3::OptionalTimeoutDuration loopTimeout{};
};

// ---------------------------------------------------------------------------------------------
// Prepared models. HAL 1.1 has those of 1.0.

template <HalVersion V>
struct PreparedModelRow;

template <>
struct PreparedModelRow<HalVersion::V1_0> {
    using Interface = V1_0::IPreparedModel;
    using ErrorStatus = V1_0::ErrorStatus;
    using Callback = V1_0::utils::ExecutionCallback;

    static constexpr std::string_view kExecute = "execute";
    static auto execute(Interface& preparedModel, const V1_0::Request& request,
                        const ExecuteArguments&, const sp<Callback>& callback) {
        return preparedModel.execute(request, callback);
    }
};

template <>
struct PreparedModelRow<HalVersion::V1_2> {
    using Interface = V1_2::IPreparedModel;
    using ErrorStatus = V1_0::ErrorStatus;
    using Callback = V1_2::utils::ExecutionCallback;

    static constexpr std::string_view kExecute = "execute_1_2";
    static auto execute(Interface& preparedModel, const V1_0::Request& request,
                        const ExecuteArguments& arguments, const sp<Callback>& callback) {
        return preparedModel.execute_1_2(request, arguments.measure, callback);
    }

    static constexpr std::string_view kExecuteSynchronously = "executeSynchronously";
    static auto executeSynchronously(Interface& preparedModel, const V1_0::Request& request,
                                     const ExecuteArguments& arguments,
                                     Interface::executeSynchronously_cb callback) {
        return preparedModel.executeSynchronously(request, arguments.measure, std::move(callback));
    }
};

template <>
struct PreparedModelRow<HalVersion::V1_3> {
    using Interface = V1_3::IPreparedModel;
    using ErrorStatus = V1_3::ErrorStatus;
    using Callback = V1_3::utils::ExecutionCallback;

    static constexpr std::string_view kExecute = "execute_1_3";
    static auto execute(Interface& preparedModel, const V1_3::Request& request,
                        const ExecuteArguments& arguments, const sp<Callback>& callback) {
        return preparedModel.execute_1_3(request, arguments.measure, arguments.deadline,
                                         arguments.loopTimeout, callback);
    }

    static constexpr std::string_view kExecuteSynchronously = "executeSynchronously_1_3";
    static auto executeSynchronously(Interface& preparedModel, const V1_3::Request& request,
                                     const ExecuteArguments& arguments,
                                     Interface::executeSynchronously_1_3_cb callback) {
        return preparedModel.executeSynchronously_1_3(request, arguments.measure,
                                                      arguments.deadline, arguments.loopTimeout,
                                                      std::move(callback));
    }
};

// ---------------------------------------------------------------------------------------------
// Devices

template <HalVersion V>
struct DeviceRow;

template <>
struct DeviceRow<HalVersion::V1_0> {
    using Interface = V1_0::IDevice;
    using ErrorStatus = V1_0::ErrorStatus;
    using Callback = V1_0::utils::PreparedModelCallback;
    static constexpr HalVersion kPreparedModels = HalVersion::V1_0;

    static constexpr std::string_view kGetCapabilities = "getCapabilities";
    static auto getCapabilities(Interface& device, auto callback) {
        return device.getCapabilities(callback);
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations";
    static auto getSupportedOperations(Interface& device, const V1_0::Model& model, auto callback) {
        return device.getSupportedOperations(model, callback);
    }

    static constexpr std::string_view kPrepareModel = "prepareModel";
    static auto prepareModel(Interface& device, const V1_0::Model& model, const PrepareArguments&,
                             const sp<Callback>& callback) {
        return device.prepareModel(model, callback);
    }
};

template <>
struct DeviceRow<HalVersion::V1_1> {
    using Interface = V1_1::IDevice;
    using ErrorStatus = V1_0::ErrorStatus;
    using Callback = V1_1::utils::PreparedModelCallback;
    static constexpr HalVersion kPreparedModels = HalVersion::V1_0;

    static constexpr std::string_view kGetCapabilities = "getCapabilities_1_1";
    static auto getCapabilities(Interface& device, auto callback) {
        return device.getCapabilities_1_1(callback);
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations_1_1";
    static auto getSupportedOperations(Interface& device, const V1_1::Model& model, auto callback) {
        return device.getSupportedOperations_1_1(model, callback);
    }

    static constexpr std::string_view kPrepareModel = "prepareModel_1_1";
    static auto prepareModel(Interface& device, const V1_1::Model& model,
                             const PrepareArguments& arguments, const sp<Callback>& callback) {
        return device.prepareModel_1_1(model, arguments.preference, callback);
    }
};

template <>
struct DeviceRow<HalVersion::V1_2> {
    using Interface = V1_2::IDevice;
    using ErrorStatus = V1_0::ErrorStatus;
    using Callback = V1_2::utils::PreparedModelCallback;
    static constexpr HalVersion kPreparedModels = HalVersion::V1_2;

    static constexpr std::string_view kGetCapabilities = "getCapabilities_1_2";
    static auto getCapabilities(Interface& device, auto callback) {
        return device.getCapabilities_1_2(callback);
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations_1_2";
    static auto getSupportedOperations(Interface& device, const V1_2::Model& model, auto callback) {
        return device.getSupportedOperations_1_2(model, callback);
    }

    static constexpr std::string_view kPrepareModel = "prepareModel_1_2";
    static auto prepareModel(Interface& device, const V1_2::Model& model,
                             const PrepareArguments& arguments, const sp<Callback>& callback) {
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return device.prepareModel_1_2(model, arguments.preference, modelCache, dataCache, token,
                                       callback);
    }

    static constexpr std::string_view kPrepareModelFromCache = "prepareModelFromCache";
    static auto prepareModelFromCache(Interface& device, const PrepareArguments& arguments,
                                      const sp<Callback>& callback) {
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return device.prepareModelFromCache(modelCache, dataCache, token, callback);
    }
};

template <>
struct DeviceRow<HalVersion::V1_3> {
    using Interface = V1_3::IDevice;
    using ErrorStatus = V1_3::ErrorStatus;
    using Callback = V1_3::utils::PreparedModelCallback;
    static constexpr HalVersion kPreparedModels = HalVersion::V1_3;

    static constexpr std::string_view kGetCapabilities = "getCapabilities_1_3";
    static auto getCapabilities(Interface& device, auto callback) {
        return device.getCapabilities_1_3(callback);
    }

    static constexpr std::string_view kGetSupportedOperations = "getSupportedOperations_1_3";
    static auto getSupportedOperations(Interface& device, const V1_3::Model& model, auto callback) {
        return device.getSupportedOperations_1_3(model, callback);
    }

    static constexpr std::string_view kPrepareModel = "prepareModel_1_3";
    static auto prepareModel(Interface& device, const V1_3::Model& model,
                             const PrepareArguments& arguments, const sp<Callback>& callback) {
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return device.prepareModel_1_3(model, arguments.preference, arguments.priority,
                                       arguments.deadline, modelCache, dataCache, token, callback);
    }

    static constexpr std::string_view kPrepareModelFromCache = "prepareModelFromCache_1_3";
    static auto prepareModelFromCache(Interface& device, const PrepareArguments& arguments,
                                      const sp<Callback>& callback) {
        const auto& [modelCache, dataCache, token] = arguments.cache;
        return device.prepareModelFromCache_1_3(arguments.deadline, modelCache, dataCache, token,
                                                callback);
    }
};

}  // namespace nn::driver::hidl
