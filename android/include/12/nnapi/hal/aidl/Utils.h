// nnapi/hal/aidl/Utils.h -- checks and copies of AIDL objects, and failures of calls, by Android's
// names.
#pragma once

#include "nnapi/Result.h"
#include "nnapi/Validation.h"
#include "nnapi/hal/HandleError.h"
#include "nnapi/hal/aidl/Conversions.h"
#include "nnapi/hal/aidl/clone.h"

namespace aidl::android::hardware::neuralnetworks::utils {

inline constexpr auto kDefaultPriority = Priority::MEDIUM;

// Descriptors are duplicated.
using ::nn::clone;

// Success, or the error of a call: the code of a service-specific error.
nn::GeneralResult<void> handleTransportError(const ::ndk::ScopedAStatus& ret);

}  // namespace aidl::android::hardware::neuralnetworks::utils

// Returns an error with the code and text of a failed call, to which text is streamed.
#define HANDLE_ASTATUS(ret)                                                                  \
    if (const auto nnapiResult_ =                                                            \
                ::aidl::android::hardware::neuralnetworks::utils::handleTransportError(ret); \
        nnapiResult_.has_value()) {                                                          \
    } else                                                                                   \
        return NN_ERROR(nnapiResult_.error().code) << nnapiResult_.error().message << ": "

// The same with the code of a status, unless that is NONE.
#define HANDLE_STATUS_AIDL(status) HANDLE_STATUS_HIDL(status)
