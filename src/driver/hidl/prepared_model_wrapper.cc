#include "driver/hidl/versions.h"

namespace nn::driver::hidl_calls {
namespace {

// The version of prepared models before V.
constexpr HalVersion older(HalVersion version) {
    return version == HalVersion::V1_3 ? HalVersion::V1_2 : HalVersion::V1_0;
}

}  // namespace

template <HalVersion V>
GeneralResult<SharedPreparedModel> wrapPreparedModel(const sp<V1_0::IPreparedModel>& preparedModel,
                                                     const WrapOptions& options,
                                                     SharedOutputSignatures outputs) {
    using Driver = typename PreparedModelRow<V>::Driver;
    const Driver driver = std::remove_reference_t<decltype(*Driver())>::castFrom(preparedModel);
    if constexpr (V != HalVersion::V1_0) {
        if (driver == nullptr) {
            return wrapPreparedModel<older(V)>(preparedModel, options, std::move(outputs));
        }
    }
    return PreparedModelWrapper<V>::create(driver, options, std::move(outputs));
}

template GeneralResult<SharedPreparedModel> wrapPreparedModel<HalVersion::V1_0>(
        const sp<V1_0::IPreparedModel>&, const WrapOptions&, SharedOutputSignatures);
template GeneralResult<SharedPreparedModel> wrapPreparedModel<HalVersion::V1_2>(
        const sp<V1_0::IPreparedModel>&, const WrapOptions&, SharedOutputSignatures);
template GeneralResult<SharedPreparedModel> wrapPreparedModel<HalVersion::V1_3>(
        const sp<V1_0::IPreparedModel>&, const WrapOptions&, SharedOutputSignatures);

}  // namespace nn::driver::hidl_calls

namespace nn {

using driver::PreparedModelWrapper;

GeneralResult<SharedPreparedModel> V1_0::utils::PreparedModel::create(
        hidl::sp<V1_0::IPreparedModel> preparedModel, WrapOptions options) NNAPI_TRY {
    return PreparedModelWrapper<HalVersion::V1_0>::create(std::move(preparedModel), options, {});
}
NNAPI_CATCH

GeneralResult<SharedPreparedModel> V1_2::utils::PreparedModel::create(
        hidl::sp<V1_2::IPreparedModel> preparedModel, bool executeSynchronously,
        WrapOptions options) NNAPI_TRY {
    options.executeSynchronously = executeSynchronously;
    return PreparedModelWrapper<HalVersion::V1_2>::create(std::move(preparedModel), options, {});
}
NNAPI_CATCH

GeneralResult<SharedPreparedModel> V1_3::utils::PreparedModel::create(
        hidl::sp<V1_3::IPreparedModel> preparedModel, bool executeSynchronously,
        WrapOptions options) NNAPI_TRY {
    options.executeSynchronously = executeSynchronously;
    return PreparedModelWrapper<HalVersion::V1_3>::create(std::move(preparedModel), options, {});
}
NNAPI_CATCH

}  // namespace nn
