#include "driver/aidl/versions.h"
#include "driver/wrap/buffer_wrapper.h"

namespace nn {
namespace driver {

using AidlBuffer = std::shared_ptr<aidl_hal::IBuffer>;

template <>
struct BufferRow<AidlBuffer> {
    static Status copyTo(const AidlBuffer& driver, const SharedMemory& dst) {
        NNAPI_ASSIGN_OR_RETURN(memory, AIDL4::utils::convert(dst));
        return aidl::failureOf(driver->copyTo(memory), "copyTo");
    }
    static Status copyFrom(const AidlBuffer& driver, const SharedMemory& src,
                           const Dimensions& dimensions) {
        NNAPI_ASSIGN_OR_RETURN(memory, AIDL4::utils::convert(src));
        NNAPI_ASSIGN_OR_RETURN(desc, AIDL4::utils::convert(BufferDesc{.dimensions = dimensions}));
        return aidl::failureOf(driver->copyFrom(memory, desc.dimensions), "copyFrom");
    }
};

namespace aidl {

GeneralResult<SharedBuffer> wrapBuffer(std::shared_ptr<aidl_hal::IBuffer> buffer, int32_t token) {
    if (token < 0) return error() << "the buffer's token is " << token << ", allowed 1 or more";
    return BufferWrapper<AidlBuffer>::create(std::move(buffer),
                                             static_cast<Request::MemoryDomainToken>(token));
}

template <HalVersion V>
GeneralResult<SharedPreparedModel> wrapPreparedModel(
        const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel, const WrapOptions& options,
        SharedOutputSignatures outputs) {
    return PreparedModelWrapper<V>::create(preparedModel, options, std::move(outputs));
}

namespace {

// The newest version of a driver that this library knows.
GeneralResult<HalVersion> versionOf(aidl_hal::IDevice& driver) {
    constexpr std::string_view kCall = "getInterfaceVersion";
    NNAPI_ASSIGN_OR_RETURN(
            version, (ask<int32_t>(kCall, [&](auto* r) { return driver.getInterfaceVersion(r); })));
    if (version < 1) {
        return error() << kCall << ": the driver answers " << version << ", allowed 1 or more";
    }
    constexpr HalVersion kVersions[] = {HalVersion::AIDL1, HalVersion::AIDL2, HalVersion::AIDL3,
                                        HalVersion::AIDL4};
    return kVersions[std::min<size_t>(static_cast<size_t>(version), std::size(kVersions)) - 1];
}

}  // namespace
}  // namespace aidl
}  // namespace driver

#define NNAPI_CREATE(V)                                                                         \
    GeneralResult<SharedDevice> V::utils::Device::create(                                       \
            std::string name, std::shared_ptr<aidl_hal::IDevice> driver, WrapOptions options)   \
            NNAPI_TRY {                                                                         \
        return driver::DeviceWrapper<HalVersion::V>::create(std::move(name), std::move(driver), \
                                                            std::move(options));                \
    }                                                                                           \
    NNAPI_CATCH                                                                                 \
    GeneralResult<SharedPreparedModel> V::utils::PreparedModel::create(                         \
            std::shared_ptr<aidl_hal::IPreparedModel> preparedModel, WrapOptions options)       \
            NNAPI_TRY {                                                                         \
        return driver::PreparedModelWrapper<HalVersion::V>::create(std::move(preparedModel),    \
                                                                   options, {});                \
    }                                                                                           \
    NNAPI_CATCH
NNAPI_CREATE(AIDL1)
NNAPI_CREATE(AIDL2)
NNAPI_CREATE(AIDL3)
NNAPI_CREATE(AIDL4)
#undef NNAPI_CREATE

GeneralResult<SharedDevice> wrap(std::string name, const std::shared_ptr<aidl_hal::IDevice>& driver,
                                 WrapOptions options) NNAPI_TRY {
    if (driver == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the driver is null";
    NNAPI_ASSIGN_OR_RETURN(version, driver::aidl::versionOf(*driver));
    switch (version) {
        case HalVersion::AIDL1:
            return AIDL1::utils::Device::create(std::move(name), driver, std::move(options));
        case HalVersion::AIDL2:
            return AIDL2::utils::Device::create(std::move(name), driver, std::move(options));
        case HalVersion::AIDL3:
            return AIDL3::utils::Device::create(std::move(name), driver, std::move(options));
        default:
            return AIDL4::utils::Device::create(std::move(name), driver, std::move(options));
    }
}
NNAPI_CATCH

}  // namespace nn
