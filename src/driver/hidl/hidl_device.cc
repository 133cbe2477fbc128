#include "driver/hidl/hidl_device.h"

#include "nnapi/driver/callbacks.h"

namespace nn::driver {

namespace {

using hidl_calls::statusOf;
using nn::hidl::hidl_vec;
using nn::hidl::sp;

// The names of a method in HAL 1.0 to 1.3.
struct NamesOfVersions {
    std::string_view names[4];
    std::string_view in(HalVersion version) const { return names[static_cast<size_t>(version)]; }
};
constexpr NamesOfVersions kGetCapabilities = {
        {"getCapabilities", "getCapabilities_1_1", "getCapabilities_1_2", "getCapabilities_1_3"}};
constexpr NamesOfVersions kGetSupportedOperations = {
        {"getSupportedOperations", "getSupportedOperations_1_1", "getSupportedOperations_1_2",
         "getSupportedOperations_1_3"}};
constexpr NamesOfVersions kPrepareModel = {
        {"prepareModel", "prepareModel_1_1", "prepareModel_1_2", "prepareModel_1_3"}};
constexpr NamesOfVersions kPrepareModelFromCache = {
        {"", "", "prepareModelFromCache", "prepareModelFromCache_1_3"}};

// Calls a method with one result, and converts that.
template <class HalErrorStatus, class Hal, class Invoke>
Result<CanonicalType<Hal>> askOne(std::string_view call, const Invoke& invoke) {
    NNAPI_ASSIGN_OR_RETURN(results, (hidl_calls::ask<HalErrorStatus, Hal>(call, invoke)));
    return convert(std::get<0>(std::move(results)));
}

// The same for a list of flags.
template <class HalErrorStatus, class Invoke>
Result<std::vector<bool>> askFlags(std::string_view call, const Invoke& invoke) {
    NNAPI_ASSIGN_OR_RETURN(results,
                           (hidl_calls::ask<HalErrorStatus, hidl_vec<bool>>(call, invoke)));
    const auto& [flags] = results;
    return std::vector<bool>(flags.begin(), flags.end());
}

}  // namespace

HidlDevice::HidlDevice(const sp<V1_0::IDevice>& driver)
    : mVersion(HalVersion::V1_0), mV1_0(driver) {}
HidlDevice::HidlDevice(const sp<V1_1::IDevice>& driver)
    : mVersion(HalVersion::V1_1), mV1_0(driver), mV1_1(driver) {}
HidlDevice::HidlDevice(const sp<V1_2::IDevice>& driver)
    : mVersion(HalVersion::V1_2), mV1_0(driver), mV1_1(driver), mV1_2(driver) {}
HidlDevice::HidlDevice(const sp<V1_3::IDevice>& driver)
    : mVersion(HalVersion::V1_3), mV1_0(driver), mV1_1(driver), mV1_2(driver), mV1_3(driver) {}

Status HidlDevice::ping() const { return hidl_calls::failureOf(mV1_0->ping(), "ping"); }

Result<Capabilities> HidlDevice::getCapabilities() const {
    const std::string_view call = kGetCapabilities.in(mVersion);
    switch (mVersion) {
        case HalVersion::V1_0:
            return askOne<V1_0::ErrorStatus, V1_0::Capabilities>(
                    call, [&](auto put) { return mV1_0->getCapabilities(put); });
        case HalVersion::V1_1:
            return askOne<V1_0::ErrorStatus, V1_1::Capabilities>(
                    call, [&](auto put) { return mV1_1->getCapabilities_1_1(put); });
        case HalVersion::V1_2:
            return askOne<V1_0::ErrorStatus, V1_2::Capabilities>(
                    call, [&](auto put) { return mV1_2->getCapabilities_1_2(put); });
        default:
            return askOne<V1_3::ErrorStatus, V1_3::Capabilities>(
                    call, [&](auto put) { return mV1_3->getCapabilities_1_3(put); });
    }
}

Result<std::string> HidlDevice::getVersionString() const {
    NNAPI_ASSIGN_OR_RETURN(
            results,
            (hidl_calls::ask<V1_0::ErrorStatus, nn::hidl::hidl_string>(
                    "getVersionString", [&](auto put) { return mV1_2->getVersionString(put); })));
    return std::string(std::get<0>(results));
}

Result<DeviceType> HidlDevice::getType() const {
    return askOne<V1_0::ErrorStatus, V1_2::DeviceType>(
            "getType", [&](auto put) { return mV1_2->getType(put); });
}

Result<std::vector<Extension>> HidlDevice::getSupportedExtensions() const {
    return askOne<V1_0::ErrorStatus, hidl_vec<V1_2::Extension>>(
            "getSupportedExtensions", [&](auto put) { return mV1_2->getSupportedExtensions(put); });
}

Result<NumberOfCacheFiles> HidlDevice::getNumberOfCacheFilesNeeded() const {
    NNAPI_ASSIGN_OR_RETURN(files, (hidl_calls::ask<V1_0::ErrorStatus, uint32_t, uint32_t>(
                                          "getNumberOfCacheFilesNeeded", [&](auto put) {
                                              return mV1_2->getNumberOfCacheFilesNeeded(put);
                                          })));
    const auto [model, data] = files;
    return NumberOfCacheFiles(model, data);
}

std::string_view HidlDevice::nameOfGetSupportedOperations() const {
    return kGetSupportedOperations.in(mVersion);
}
std::string_view HidlDevice::nameOfPrepareModel() const { return kPrepareModel.in(mVersion); }
std::string_view HidlDevice::nameOfPrepareModelFromCache() const {
    return kPrepareModelFromCache.in(mVersion);
}

Result<std::vector<bool>> HidlDevice::getSupportedOperations(const HalModel& model) const {
    const std::string_view call = nameOfGetSupportedOperations();
    switch (mVersion) {
        case HalVersion::V1_0:
            return askFlags<V1_0::ErrorStatus>(call, [&](auto put) {
                return mV1_0->getSupportedOperations(std::get<V1_0::Model>(model), put);
            });
        case HalVersion::V1_1:
            return askFlags<V1_0::ErrorStatus>(call, [&](auto put) {
                return mV1_1->getSupportedOperations_1_1(std::get<V1_1::Model>(model), put);
            });
        case HalVersion::V1_2:
            return askFlags<V1_0::ErrorStatus>(call, [&](auto put) {
                return mV1_2->getSupportedOperations_1_2(std::get<V1_2::Model>(model), put);
            });
        default:
            return askFlags<V1_3::ErrorStatus>(call, [&](auto put) {
                return mV1_3->getSupportedOperations_1_3(std::get<V1_3::Model>(model), put);
            });
    }
}

Status HidlDevice::prepareModel(const HalModel& model, const HidlPrepareArguments& arguments,
                                const SharedPending& pending) const {
    const auto& [preference, priority, deadline, cache] = arguments;
    const std::string_view call = nameOfPrepareModel();
    switch (mVersion) {
        case HalVersion::V1_0:
            return statusOf(
                    mV1_0->prepareModel(std::get<V1_0::Model>(model),
                                        sp<V1_0::utils::PreparedModelCallback>::make(pending)),
                    call);
        case HalVersion::V1_1:
            return statusOf(
                    mV1_1->prepareModel_1_1(std::get<V1_1::Model>(model), preference,
                                            sp<V1_1::utils::PreparedModelCallback>::make(pending)),
                    call);
        case HalVersion::V1_2:
            return statusOf(
                    mV1_2->prepareModel_1_2(std::get<V1_2::Model>(model), preference, cache.model,
                                            cache.data, cache.token,
                                            sp<V1_2::utils::PreparedModelCallback>::make(pending)),
                    call);
        default:
            return statusOf(
                    mV1_3->prepareModel_1_3(std::get<V1_3::Model>(model), preference, priority,
                                            deadline, cache.model, cache.data, cache.token,
                                            sp<V1_3::utils::PreparedModelCallback>::make(pending)),
                    call);
    }
}

Status HidlDevice::prepareModelFromCache(const HidlPrepareArguments& arguments,
                                         const SharedPending& pending) const {
    const auto& [model, data, token] = arguments.cache;
    const std::string_view call = nameOfPrepareModelFromCache();
    if (mV1_3 != nullptr) {
        return statusOf(mV1_3->prepareModelFromCache_1_3(
                                arguments.deadline, model, data, token,
                                sp<V1_3::utils::PreparedModelCallback>::make(pending)),
                        call);
    }
    return statusOf(
            mV1_2->prepareModelFromCache(model, data, token,
                                         sp<V1_2::utils::PreparedModelCallback>::make(pending)),
            call);
}

GeneralResult<SharedBuffer> HidlDevice::allocate(const V1_3::BufferDesc& desc,
                                                 const PreparedModels& preparedModels,
                                                 const Roles& inputRoles, const Roles& outputRoles,
                                                 const WrapOptions& options) const {
    NNAPI_ASSIGN_OR_RETURN(results,
                           (hidl_calls::ask<V1_3::ErrorStatus, sp<V1_3::IBuffer>, uint32_t>(
                                   "allocate", [&](auto put) {
                                       return mV1_3->allocate(desc, preparedModels, inputRoles,
                                                              outputRoles, put);
                                   })));
    auto& [buffer, token] = results;
    return V1_3::utils::Buffer::create(std::move(buffer),
                                       static_cast<Request::MemoryDomainToken>(token), options);
}

}  // namespace nn::driver
