// A HIDL driver's prepared model of any version: calls the methods of its version.
#pragma once

#include <any>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <variant>

#include "driver/hidl/transport.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/convert.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::driver {

// HAL 1.1 uses the prepared models of 1.0.
class HidlPreparedModel {
   public:
    static constexpr HalVersion kNewest = HalVersion::V1_3;
    static constexpr bool kHasCallbacks = true;  // of executions
    using Request = std::variant<V1_0::Request, V1_3::Request>;
    using FencedInfo = nn::hidl::sp<V1_3::IFencedExecutionCallback>;
    using SharedPending = std::shared_ptr<const hal::utils::PendingExecution>;
    using Fences = nn::hidl::hidl_vec<nn::hidl::hidl_handle>;

    // HIDL has no execution objects.
    using Execution = std::nullptr_t;

    struct ExecuteArguments {
        V1_2::MeasureTiming measure = V1_2::MeasureTiming::NO;
        V1_3::OptionalTimePoint deadline{};
        V1_3::OptionalTimeoutDuration loopTimeoutDuration{};
    };

    explicit HidlPreparedModel(const nn::hidl::sp<V1_0::IPreparedModel>& driver);
    explicit HidlPreparedModel(const nn::hidl::sp<V1_2::IPreparedModel>& driver);
    explicit HidlPreparedModel(const nn::hidl::sp<V1_3::IPreparedModel>& driver);
    // Uses the newest version that the driver implements, up to `newest`.
    static HidlPreparedModel cast(const nn::hidl::sp<V1_0::IPreparedModel>& driver,
                                  HalVersion newest);

    HalVersion version() const { return mVersion; }
    const nn::hidl::sp<V1_0::IPreparedModel>& object() const { return mV1_0; }
    // The pointer to the interface of its version.
    std::any resource() const;

    static Result<Request> convertRequest(HalVersion version, const nn::Request& request,
                                          Losses* losses);

    std::string_view nameOfExecute() const;
    Status execute(const Request& request, const ExecuteArguments& arguments,
                   const SharedPending& pending) const;

    // Since HAL 1.2.
    std::string_view nameOfExecuteSynchronously(Execution) const;
    GeneralResult<hal::utils::ExecutionReport> executeSynchronously(
            Execution, const Request& request, const ExecuteArguments& arguments) const;
    GeneralResult<SharedBurst> configureExecutionBurst(SharedPreparedModel self,
                                                       const WrapOptions& options,
                                                       SharedOutputSignatures outputs) const;

    // Since HAL 1.3.
    static constexpr std::string_view nameOfExecuteFenced(Execution) { return "executeFenced"; }
    Result<std::tuple<nn::hidl::hidl_handle, FencedInfo>> executeFenced(
            Execution, const Request& request, const Fences& waitFor,
            const ExecuteArguments& arguments, const V1_3::OptionalTimeoutDuration& duration) const;
    static Result<SyncFence> fenceOf(const nn::hidl::hidl_handle& handle);
    static Result<std::tuple<V1_2::Timing, V1_2::Timing>> getExecutionInfo(
            const FencedInfo& callback);

   private:
    HalVersion mVersion;
    // The driver as each interface that it implements; null for interfaces that it lacks.
    nn::hidl::sp<V1_0::IPreparedModel> mV1_0{};
    nn::hidl::sp<V1_2::IPreparedModel> mV1_2{};
    nn::hidl::sp<V1_3::IPreparedModel> mV1_3{};
};

}  // namespace nn::driver
