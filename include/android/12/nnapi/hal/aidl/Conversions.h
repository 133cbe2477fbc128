// nnapi/hal/aidl/Conversions.h -- conversions of AIDL, by Android's names.
//
//   const nn::Model canonical = NN_TRY(nn::convert(halModel));
//   *result = NN_TRY(aidl_hal::utils::convert(capabilities));
//
// Those towards AIDL are for the version that the driver is compiled for.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "nnapi/Result.h"
#include "nnapi/convert.h"
#include "nnapi/hal/CommonUtils.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace android::nn {

using ::nn::convert;
using ::nn::unvalidatedConvert;

// Numbers and bytes, whose types do not show their meaning. No other type becomes one.
template <std::same_as<bool> Measure>
GeneralResult<MeasureTiming> unvalidatedConvert(Measure measureTiming) {
    return ::nn::unvalidatedConvertAs<MeasureTiming>(measureTiming);
}
template <std::same_as<uint8_t> Byte>
GeneralResult<Model::OperandValues> unvalidatedConvert(const std::vector<Byte>& operandValues) {
    return ::nn::unvalidatedConvertAs<Model::OperandValues>(operandValues);
}

inline GeneralResult<std::vector<SharedMemory>> convert(
        const std::vector<aidl_hal::Memory>& memories) {
    std::vector<SharedMemory> converted;
    for (const aidl_hal::Memory& memory : memories) converted.push_back(NN_TRY(convert(memory)));
    return converted;
}

// INVALID_ARGUMENT for a negative number.
GeneralResult<std::vector<uint32_t>> toUnsigned(const std::vector<int32_t>& values);

}  // namespace android::nn

namespace aidl::android::hardware::neuralnetworks::utils {

#define NNAPI_ANDROID_UTILS_(version) ::nn::AIDL##version::utils
#define NNAPI_ANDROID_UTILS(version) NNAPI_ANDROID_UTILS_(version)
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::compliantVersion;
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::convert;
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::convertFromNonCanonical;
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::kVersion;
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::unvalidatedConvert;
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::valid;
using NNAPI_ANDROID_UTILS(NNAPI_AIDL_VERSION)::validate;
#undef NNAPI_ANDROID_UTILS
#undef NNAPI_ANDROID_UTILS_

inline nn::GeneralResult<std::vector<Memory>> convert(
        const std::vector<nn::SharedMemory>& memories) {
    std::vector<Memory> converted;
    for (const nn::SharedMemory& memory : memories) converted.push_back(NN_TRY(convert(memory)));
    return converted;
}

// INVALID_ARGUMENT for a number above 2^31 - 1.
nn::GeneralResult<std::vector<int32_t>> toSigned(const std::vector<uint32_t>& values);

inline std::vector<uint8_t>
toVec(const std::array<
        uint8_t, ::aidl::android::hardware::neuralnetworks::IDevice::BYTE_SIZE_OF_CACHE_TOKEN>&
              token) {
    return {token.begin(), token.end()};
}

}  // namespace aidl::android::hardware::neuralnetworks::utils
