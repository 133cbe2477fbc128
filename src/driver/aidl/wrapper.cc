#include <algorithm>
#include <iterator>

#include "driver/aidl/aidl_buffer.h"
#include "driver/aidl/aidl_device.h"
#include "driver/aidl/aidl_prepared_model.h"
#include "driver/wrap/device_wrapper.h"
#include "driver/wrap/prepared_model_wrapper.h"

namespace nn {
namespace driver {

GeneralResult<SharedPreparedModel> AidlDevice::wrapPreparedModel(
        const PreparedModel& preparedModel, const WrapOptions& options,
        SharedOutputSignatures outputs) const {
    return PreparedModelWrapper<AidlPreparedModel>::create(
            AidlPreparedModel(preparedModel, mVersion), options, std::move(outputs));
}

namespace {

GeneralResult<SharedDevice> wrapVersion(std::string name, std::shared_ptr<aidl_hal::IDevice> driver,
                                        HalVersion version, WrapOptions options) {
    return DeviceWrapper<AidlDevice>::create(
            std::move(name), AidlDevice(std::move(driver), version), std::move(options));
}

// The newest version that both the driver and this library know.
GeneralResult<HalVersion> versionOf(aidl_hal::IDevice& driver) {
    constexpr std::string_view kCall = "getInterfaceVersion";
    NNAPI_ASSIGN_OR_RETURN(version, (aidl::ask<int32_t>(kCall, [&](auto* result) {
                               return driver.getInterfaceVersion(result);
                           })));
    if (version < 1) {
        return error() << kCall << ": the driver reports " << version << ", allowed 1 or more";
    }
    constexpr int32_t kFirst = static_cast<int32_t>(HalVersion::AIDL1);
    constexpr int32_t kKnown = static_cast<int32_t>(AidlDevice::kNewest) - kFirst + 1;
    return static_cast<HalVersion>(kFirst + std::min(version, kKnown) - 1);
}

}  // namespace
}  // namespace driver

#define NNAPI_CREATE_AIDL(V)                                                                  \
    GeneralResult<SharedDevice> V::utils::Device::create(                                     \
            std::string name, std::shared_ptr<aidl_hal::IDevice> driver, WrapOptions options) \
            NNAPI_TRY {                                                                       \
        return driver::wrapVersion(std::move(name), std::move(driver), HalVersion::V,         \
                                   std::move(options));                                       \
    }                                                                                         \
    NNAPI_CATCH                                                                               \
    GeneralResult<SharedPreparedModel> V::utils::PreparedModel::create(                       \
            std::shared_ptr<aidl_hal::IPreparedModel> preparedModel, WrapOptions options)     \
            NNAPI_TRY {                                                                       \
        return driver::PreparedModelWrapper<driver::AidlPreparedModel>::create(               \
                {std::move(preparedModel), HalVersion::V}, options, {});                      \
    }                                                                                         \
    NNAPI_CATCH                                                                               \
    GeneralResult<SharedBuffer> V::utils::Buffer::create(                                     \
            std::shared_ptr<aidl_hal::IBuffer> buffer, nn::Request::MemoryDomainToken token,  \
            WrapOptions) {                                                                    \
        return driver::aidl::wrapBuffer(std::move(buffer), static_cast<int32_t>(token));      \
    }
#define NNAPI_CREATE_HIDL(V)
#define NNAPI_HAL_VERSION(V, level, text, title, family) NNAPI_CREATE_##family(V)
#include "nnapi/hal_versions.def"
#undef NNAPI_CREATE_HIDL
#undef NNAPI_CREATE_AIDL

// The execution is all there is of the driver: it is sent again after a failure, and waited for
// while it is busy.
GeneralResult<SharedExecution> AIDL4::utils::Execution::create(
        std::shared_ptr<aidl_hal::IExecution> execution, const nn::Request& request,
        MeasureTiming measure, WrapOptions options) NNAPI_TRY {
    using Wrapper = driver::PreparedModelWrapper<driver::AidlPreparedModel>;
    using Call = driver::Call<driver::AidlPreparedModel>;
    if (execution == nullptr) return error() << "the execution is null";
    const Call call{.request = std::make_shared<const aidl_hal::Request>(),
                    .execution = std::move(execution),
                    .measure = measure};
    auto preparedModel = std::make_shared<const Wrapper>(
            driver::AidlPreparedModel(nullptr, HalVersion::AIDL4), std::nullopt, options,
            driver::SharedOutputSignatures());
    return SharedExecution(
            std::make_shared<const driver::ExecutionWrapper<driver::AidlPreparedModel>>(
                    std::move(preparedModel), call,
                    [call](driver::LossReporter&) -> Result<Call> { return call; },
                    request.outputs));
}
NNAPI_CATCH

}  // namespace nn

namespace nn NNAPI_BINDING {

GeneralResult<SharedDevice> wrap(std::string name, const std::shared_ptr<aidl_hal::IDevice>& driver,
                                 WrapOptions options) NNAPI_TRY {
    if (driver == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the driver is null";
    NNAPI_ASSIGN_OR_RETURN(version, driver::versionOf(*driver));
    return driver::wrapVersion(std::move(name), driver, version, std::move(options));
}
NNAPI_CATCH

}  // namespace NNAPI_BINDING
