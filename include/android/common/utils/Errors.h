// utils/Errors.h -- status_t, and its codes.
//
//   if (status_t status = open(); status != OK) ALOGE("%s", statusToString(status).c_str());
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>

#include "nnapi/hal/hidl/return.h"

namespace android {

using ::nn::hidl::BAD_VALUE;
using ::nn::hidl::DEAD_OBJECT;
using ::nn::hidl::FAILED_TRANSACTION;
using ::nn::hidl::NO_ERROR;
using ::nn::hidl::NO_MEMORY;
using ::nn::hidl::OK;
using ::nn::hidl::status_t;
using ::nn::hidl::TIMED_OUT;
using ::nn::hidl::UNKNOWN_ERROR;
inline constexpr status_t BAD_TYPE = INT32_MIN + 1;
inline constexpr status_t FDS_NOT_ALLOWED = INT32_MIN + 7;
inline constexpr status_t UNEXPECTED_NULL = INT32_MIN + 8;
inline constexpr status_t ALREADY_EXISTS = -EEXIST;
inline constexpr status_t BAD_INDEX = -EOVERFLOW;
inline constexpr status_t INVALID_OPERATION = -ENOSYS;
inline constexpr status_t NAME_NOT_FOUND = -ENOENT;
inline constexpr status_t NO_INIT = -ENODEV;
inline constexpr status_t NOT_ENOUGH_DATA = -ENODATA;
inline constexpr status_t PERMISSION_DENIED = -EPERM;
inline constexpr status_t UNKNOWN_TRANSACTION = -EBADMSG;
inline constexpr status_t WOULD_BLOCK = -EWOULDBLOCK;

// "BAD_VALUE"; for an unknown one, the text of the system and the number.
std::string statusToString(status_t status);

}  // namespace android
