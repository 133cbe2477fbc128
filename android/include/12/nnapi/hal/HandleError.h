// nnapi/hal/HandleError.h -- what calls of HIDL drivers failed with, by Android's names.
//
//   const auto ret = kDevice->getType(cb);
//   const auto type = HANDLE_TRANSPORT_FAILURE(ret);
//   HANDLE_STATUS_HIDL(status) << "getType failed with " << toString(status);
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "nnapi/Result.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"

namespace android::hardware::neuralnetworks::utils {

// The value of a call, or DEAD_OBJECT or GENERAL_FAILURE for one that did not return.
template <class T>
nn::GeneralResult<T> handleTransportError(const ::nn::hidl::Return<T>& ret) {
    if (!ret.isOk()) return ::nn::hal::utils::failureOf(ret);
    if constexpr (std::is_void_v<T>) {
        return {};
    } else {
        return static_cast<T>(ret);
    }
}

// The code of a status of HIDL; GENERAL_FAILURE for one that there is not.
template <class HalStatus>
nn::ErrorStatus canonicalStatus(HalStatus status) {
    const auto canonical = ::nn::convert(status);
    return canonical.ok() ? *canonical : nn::ErrorStatus::GENERAL_FAILURE;
}

// The same result with another code where it failed.
template <class T>
nn::GeneralResult<T> makeGeneralFailure(nn::Result<T> result,
                                        nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE) {
    if (!result.has_value()) {
        return ::nn::makeError(status, std::string(result.status().message()));
    }
    if constexpr (std::is_void_v<T>) {
        return {};
    } else {
        return std::move(result).value();
    }
}
template <class T>
nn::ExecutionResult<T> makeExecutionFailure(nn::GeneralResult<T> result) {
    return nn::ExecutionResult<T>(std::move(result));
}
template <class T>
nn::ExecutionResult<T> makeExecutionFailure(
        nn::Result<T> result, nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE) {
    return makeExecutionFailure(makeGeneralFailure(std::move(result), status));
}

}  // namespace android::hardware::neuralnetworks::utils

// The value of a Return; where the call did not return, the enclosing function does, with the
// error.
#define HANDLE_TRANSPORT_FAILURE(ret) \
    NN_TRY(::android::hardware::neuralnetworks::utils::handleTransportError(ret))

// Returns an error with the code of a status, to which text is streamed, unless that is NONE.
#define HANDLE_STATUS_HIDL(status)                                                   \
    if (const auto nnapiStatus_ =                                                    \
                ::android::hardware::neuralnetworks::utils::canonicalStatus(status); \
        nnapiStatus_ == ::nn::ErrorStatus::NONE) {                                   \
    } else                                                                           \
        return NN_ERROR(nnapiStatus_)
#define HANDLE_HAL_STATUS(status) HANDLE_STATUS_HIDL(status)
